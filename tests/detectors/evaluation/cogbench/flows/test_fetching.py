"""Pages are fetched from where it is allowed, one redirect at a time, within size and time. Servers are on loopback."""

from __future__ import annotations

import asyncio
import gzip
import ssl
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from elenchus.detectors.evaluation.cogbench.flows.fetching import PUBLIC, NotFetched, Policy
from tests.detectors.evaluation.cogbench.flows.site import Handler, Names, fetched, page, sent_on, site


async def test_a_page_comes_with_its_type_and_its_bytes() -> None:
    async with site({"/a": page("Ein Wort")}) as there:
        found = await fetched(there.at("/a"), there.policy())
    assert (found.type, found.charset, found.data) == ("text/plain", "utf-8", b"Ein Wort")


async def test_nothing_is_sent_but_who_asks_and_no_cookie_comes_back() -> None:
    async def with_cookie(request: web.Request) -> web.Response:
        answer = web.Response(status=302, headers={"Location": "/b"})
        answer.set_cookie("who", "me")
        return answer

    async with site({"/a": with_cookie, "/b": page()}) as there:
        await fetched(there.at("/a"), there.policy())
    for request in there.asked:
        assert request.headers["User-Agent"] == "Elenchus"
        assert not {"Cookie", "Referer", "Authorization"} & set(request.headers)


# ── where to ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]"])
async def test_by_default_nothing_inside_is_connected_to(host: str) -> None:
    async with site({"/": page()}) as there:
        with pytest.raises(NotFetched):
            await fetched(there.at("/", host), PUBLIC)
    assert there.asked == []


async def test_a_name_that_leads_inside_is_refused_with_the_address_that_it_led_to() -> None:
    async with site({"/": page()}) as there:
        with pytest.raises(NotFetched, match="is no public address of the internet"):
            await fetched(there.at("/", "news.example"), Policy(resolver=Names(news_example=["127.0.0.1"])))
    assert there.asked == []


async def test_the_address_that_is_checked_is_the_one_that_is_connected_to_also_when_a_name_changes_its_mind() -> None:
    """The name leads to a place that is allowed while robots.txt is asked, and afterwards to one that is not."""
    async with site({"/a": page()}) as there:
        names = Names(news_example=[there.host, there.host, "127.0.0.2"])
        policy = there.policy(resolver=names, robots=True)
        assert (await fetched(there.at("/a", "news.example"), policy)).data == b"Words."
        with pytest.raises(NotFetched, match=r"127\.0\.0\.2:\d+ is another place"):
            await fetched(there.at("/a", "news.example"), policy)
    assert there.paths == ["/robots.txt", "/a"]


async def test_of_several_addresses_only_those_that_are_allowed_are_tried() -> None:
    class Both(Names):
        async def resolve(self, host: str, port: int = 0, family: Any = None) -> list[Any]:
            return [
                *await Names(a=["127.0.0.2"]).resolve("a", port),
                *await Names(a=["127.0.0.1"]).resolve("a", port),
            ]

    async with site({"/a": page()}) as there:
        assert (await fetched(there.at("/a", "news.example"), there.policy(resolver=Both()))).data == b"Words."


async def test_no_proxy_is_used_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    async with site({"/a": page()}) as there, site({}) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.at(""))
        await fetched(there.at("/a"), there.policy())
    assert proxy.asked == []


@pytest.mark.parametrize(
    "url", ["", "news", "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http://[", "http://a b/", "//host/x",
            "http://user@host/", "http://user:secret@host/", "http://host:99999/", f"http://host/{'x' * 3000}"]
)  # fmt: skip
async def test_what_is_no_address_of_a_page_is_refused_and_no_login_is_shown(url: str) -> None:
    with pytest.raises(NotFetched) as refused:
        await fetched(url, Policy(refusal=lambda address, port: ""))
    assert "secret" not in str(refused.value)
    assert len(str(refused.value)) < 400


# ── sent on ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_page_may_send_on_and_says_where_it_came_from_in_the_end(status: int) -> None:
    async with site({"/a": sent_on("/b?x=1", status), "/b": page()}) as there:
        found = await fetched(there.at("/a"), there.policy())
    assert found.url == there.at("/b?x=1")


async def test_each_redirect_is_checked_like_the_first_address() -> None:
    async with site({"/secret": page()}) as inside, site({"/a": sent_on(inside.at("/secret"))}) as there:
        with pytest.raises(NotFetched, match="is another place"):
            await fetched(there.at("/a"), there.policy())
    assert inside.asked == []


@pytest.mark.parametrize("to", ["", "ftp://host/", "file:///etc/passwd", "http://[", "http://user:secret@host/"])
async def test_a_redirect_to_no_page_is_refused(to: str) -> None:
    async with site({"/a": sent_on(to)}) as there:
        with pytest.raises(NotFetched):
            await fetched(there.at("/a"), there.policy())


async def test_who_is_sent_on_too_often_gives_up() -> None:
    async with site({"/a": sent_on("/a")}) as there:
        with pytest.raises(NotFetched, match="sent on more than 5 times"):
            await fetched(there.at("/a"), there.policy())
    assert len(there.asked) == 6


# ── robots.txt ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        (page("User-agent: *\nDisallow: /private"), True),
        (page("User-agent: *\nDisallow: /a"), False),
        (page("User-agent: Elenchus\nDisallow: /"), False),
        (page("User-agent: *\nDisallow: /\n\nUser-agent: Elenchus\nAllow: /"), True),
        (page("User-agent: *\nDisallow: /*a$"), False),
        (page("no rules at all \x00 é"), True),
        (sent_on("/rules"), False),
        (web.Response(status=404), True),
        (web.Response(status=403), True),
        (web.Response(status=503), False),
    ],
)
async def test_a_sites_rules_are_kept(rules: Handler | web.Response, allowed: bool) -> None:
    pages = {"/robots.txt": rules, "/rules": page("User-agent: *\nDisallow: /a"), "/a": page()}
    async with site(pages) as there:
        policy = there.policy(robots=True)
        if allowed:
            assert (await fetched(there.at("/a"), policy)).data == b"Words."
        else:
            with pytest.raises(NotFetched, match=r"robots\.txt does not allow it"):
                await fetched(there.at("/a"), policy)
    assert ("/a" in there.paths) is allowed


async def test_rules_count_also_where_one_is_sent_on_to_and_are_asked_once() -> None:
    pages = {"/robots.txt": page("User-agent: *\nDisallow: /b"), "/a": sent_on("/b"), "/b": page()}
    async with site(pages) as there:
        with pytest.raises(NotFetched, match=r"/b is not fetched: the site's robots\.txt"):
            await fetched(there.at("/a"), there.policy(robots=True))
    assert there.paths == ["/robots.txt", "/a"]


# ── how much and how long ────────────────────────────────────────────────────────────────────────────────────────────


async def endless(request: web.Request) -> web.StreamResponse:
    answer = web.StreamResponse(headers={"Content-Type": "text/plain"})
    await answer.prepare(request)
    while True:
        await answer.write(b"words " * 1_000)


async def silent(request: web.Request) -> web.StreamResponse:
    await asyncio.sleep(60)
    return web.Response()


async def dripping(request: web.Request) -> web.StreamResponse:
    """Never silent for long, and never done."""
    answer = web.StreamResponse(headers={"Content-Type": "text/plain"})
    await answer.prepare(request)
    while True:
        await answer.write(b".")
        await asyncio.sleep(0.05)


async def cut_short(request: web.Request) -> web.StreamResponse:
    answer = web.StreamResponse(headers={"Content-Type": "text/plain", "Content-Length": "1000"})
    await answer.prepare(request)
    await answer.write(b"words")
    assert request.transport is not None
    request.transport.close()
    return answer


def packed(data: bytes, how: str = "gzip") -> web.Response:
    return web.Response(body=data, headers={"Content-Type": "text/plain", "Content-Encoding": how})


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (page("x" * 20_001), "larger than 20,000 bytes"),
        (endless, "larger than 20,000 bytes"),
        (packed(gzip.compress(b"0" * 50_000_000)), "larger than 20,000 bytes"),
        (packed(gzip.compress(b"Words.")[:-6]), "ends too early"),
        (packed(b"Words."), "cannot be unpacked"),
        (packed(b"Words.", "br"), "packed in a way that was not asked for"),
        (silent, "takes longer than 0.5 seconds"),
        (dripping, "takes longer than 0.5 seconds"),
        (cut_short, "cannot be reached, or breaks off|is no HTTP"),
        (page("{}", "application/json"), "it is application/json, and no page"),
        (page("MZ", "application/octet-stream"), "application/octet-stream"),
        (web.Response(status=404), "answers with 404"),
        (web.Response(status=500), "answers with 500"),
        (web.Response(status=204), "answers with 204"),
    ],
)
async def test_what_is_too_large_too_slow_or_no_page_is_told_in_one_sentence(
    answer: Handler | web.Response, said: str
) -> None:
    async with site({"/a": answer}) as there:
        with pytest.raises(NotFetched, match=said) as refused:
            await fetched(there.at("/a"), there.policy(largest=20_000, seconds=0.5))
    assert str(refused.value).startswith(there.at("/a"))
    assert len(str(refused.value).splitlines()) == 1


async def test_the_time_is_of_all_that_a_page_takes_its_rules_and_where_it_is_sent_on() -> None:
    async def later(request: web.Request) -> web.Response:
        await asyncio.sleep(0.3)
        return web.Response(status=302, headers={"Location": f"{request.path}a"})

    pages = {"/robots.txt": page("User-agent: *\nAllow: /"), **{"/" + "a" * n: later for n in range(1, 5)}}
    async with site({**pages, "/aaaaa": page()}) as there:
        with pytest.raises(NotFetched, match=r"/a is not fetched: it takes longer than 0\.9 seconds"):
            await fetched(there.at("/a"), there.policy(seconds=0.9, robots=True))
        assert (await fetched(there.at("/a"), there.policy(seconds=30.0))).data == b"Words."


async def test_a_page_may_come_packed() -> None:
    async with site({"/a": packed(gzip.compress(b"Words."))}) as there:
        assert (await fetched(there.at("/a"), there.policy())).data == b"Words."


async def test_what_follows_the_end_of_a_packed_page_is_counted_too() -> None:
    async def endless(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/html", "Content-Encoding": "gzip"})
        await response.prepare(request)
        await response.write(gzip.compress(b"Words."))
        with suppress(ConnectionError):
            while True:
                await response.write(b"x" * 10_000)
        return response

    async with site({"/a": endless}) as there:
        with pytest.raises(NotFetched, match="larger than 100,000 bytes"):
            await fetched(there.at("/a"), there.policy(largest=100_000, seconds=2.0))


async def test_where_nobody_listens_nothing_is_fetched() -> None:
    async with site({}) as there:
        pass
    with pytest.raises(NotFetched, match="cannot be reached"):
        await fetched(there.at("/a"), there.policy())


async def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    own = own_certificate(tmp_path)
    async with site({"/a": page()}, ssl=own) as there:
        with pytest.raises(NotFetched, match="its certificate"):
            await fetched(there.at("/a").replace("http:", "https:"), there.policy())


def own_certificate(folder: Path) -> ssl.SSLContext:
    """A server's side with a certificate of its own making."""
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(datetime.now(UTC) - timedelta(days=1))
    signed = made.not_valid_after(datetime.now(UTC) + timedelta(days=1)).sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    (folder / "cert.pem").write_bytes(signed.public_bytes(pem))
    (folder / "key.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context
