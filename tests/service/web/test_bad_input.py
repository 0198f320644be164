"""Whatever is sent: each its status and a sentence, nothing lost, nothing doubled."""

from __future__ import annotations

import asyncio
import io
import json
from typing import Any

import pytest
from hypothesis import given, strategies as st
from yarl import URL

from elenchus.service.lab.prepared_session import options_for
from elenchus.service.web.json_bodies import check_json
from elenchus.service.web.problems import Malformed
from tests.service.web.conftest import SCRIPTED, TOKEN, Asker, Served
from tests.service.web.test_sessions import until
from tests.service.web.visitors import moderators_link, visiting

JSON = {"Content-Type": "application/json"}
OPTIONS = {"motion": "Homework should end", **SCRIPTED, "topics": 1, "max_rounds": 1}


async def sent(asker: Asker, body: bytes, path: str = "/sessions", **headers: str) -> tuple[int, str]:
    """Status and detail of the answer, which is a problem in the form of RFC 9457."""
    status, document = await asker.ask("POST", path, data=body, headers=JSON | headers)
    assert set(document) == {"type", "title", "status", "detail"}, document
    assert document["status"] == status
    assert document["detail"].endswith((".", "?")), document
    return status, document["detail"]


# ── bodies ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", ["/api/v1/class-places", "/sign-in", "/join"])
@pytest.mark.parametrize("packed", ["gzip", "deflate"])
async def test_a_body_that_is_not_packed_as_it_says_is_no_fault_of_ours(served: Served, path: str, packed: str) -> None:
    kind = "application/json" if path.startswith("/api") else "application/x-www-form-urlencoded"
    headers = {"Content-Type": kind, "Content-Encoding": packed}
    async with served.client.post(path, data=b"\xff" * 40, headers=headers) as answer:
        assert answer.status == 400
        assert "not packed as its headers say" in await answer.text()


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"motion", b"\xff\xfe", b'{"protocol": NaN}', b'{"protocol": -Infinity}', b"[" * 100_000,
        b'{"a": ' * 5_000 + b"1" + b"}" * 5_000, b'{"protocol": "debate", "protocol": "crit"}',
        b'{"protocol": "debate", "options": {"heat": 1e999}}', b'{"options": {"seed": %s}}' % (b"9" * 5_000),
        b'{"protocol": "debate", "options": {"motion": "\\ud800"}}', b"{} {}", b"'x'", b'{"protocol": "debate",}',
    ],
    ids=lambda body: body[:20].decode(errors="replace"),
)  # fmt: skip
async def test_what_is_no_json_with_one_meaning_is_refused_and_makes_nothing(served: Served, body: bytes) -> None:
    assert (await sent(served.moderator, body))[0] == 400
    assert (await served.moderator.get("/sessions"))["sessions"] == []


async def test_what_is_of_another_type_or_form_is_refused_by_its_name(served: Served) -> None:
    for body, said in (
        (b"[]", "object"),
        (b"null", "object"),
        (b'{"protocol": 7}', "protocol"),
        (b'{"protocol": "debate", "options": [1]}', "options"),
        (b'{"protocol": "debate", "more": 1}', "more"),
        (b'{"options": {}}', "protocol"),
    ):
        status, detail = await sent(served.moderator, body)
        assert (status, said in detail) == (422, True), detail
    assert (await sent(served.moderator, b"{}", **{"Content-Type": "text/plain"}))[0] == 415


async def test_ten_megabytes_are_refused_and_the_next_request_is_answered(served: Served) -> None:
    body = io.BytesIO(b'"' + b"x" * 10_000_000 + b'"')
    status, document = await served.moderator.ask("POST", "/sessions", data=body, headers=JSON)
    detail = document["detail"]
    assert (status, "larger than" in detail) == (413, True)
    assert (await served.moderator.get("/sessions"))["sessions"] == []


NASTY: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["\0", "\u202e", "🦉" * 300]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(
    protocol=st.sampled_from(["debate", "crit", "sweep", "detect", "scene", "none such"]),
    name=st.sampled_from(["motion", "heat", "topics", "pro", "judges", "budget_usd", "seed", "document", "language"]),
    value=NASTY,
)
def test_options_of_any_value_are_taken_or_refused_in_a_sentence(protocol: str, name: str, value: Any) -> None:
    from elenchus.debate_engine.errors import UsageError

    try:
        options_for(protocol, {name: value})
    except UsageError as error:
        assert str(error)


@given(st.binary(max_size=60) | NASTY.map(lambda value: json.dumps(value).encode()))
def test_whatever_is_sent_is_json_with_one_meaning_or_refused_as_none(raw: bytes) -> None:
    try:
        check_json(raw)
    except Malformed as refused:
        assert refused.detail
    else:
        assert json.loads(raw) == json.loads(json.dumps(json.loads(raw)))


# ── addresses, methods, headers ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "session",
    [
        "..",
        "%2e%2e",
        "%2F",
        "a%2Fb",
        "%00",
        "a%00b",
        "%F0%9F%A6%89",
        "%ff",
        "x" * 5_000,
        "%20",
        "..%2F..%2Fetc%2Fpasswd",
    ],
)
async def test_no_name_of_a_session_leads_anywhere_else(served: Served, session: str) -> None:
    from yarl import URL

    url = served.client.make_url("/").with_path(f"/api/v1/sessions/{session}", encoded=True)
    async with served.client.session.get(URL(url), headers={"Authorization": f"Bearer {TOKEN}"}) as answer:
        assert answer.status in (404, 414)
        document = await answer.json()
    assert document["detail"] in (
        "There is no such session, or it is none of yours.", "There is nothing at this address.",
    )  # fmt: skip


async def test_no_file_of_the_server_is_an_export(served: Served) -> None:
    session = await served.debate()
    await until(served.moderator, session, "finished")
    for name in ("..%2F..%2Felenchus.db", "%2Fetc%2Fpasswd", "report.md%00", "events.jsonl%2F"):
        status, document = await served.moderator.ask("GET", f"/sessions/{session}/exports/{name}")
        assert (status, "There is no such file" in document["detail"]) == (404, True)


async def test_a_head_has_what_the_document_has_but_the_document(served: Served) -> None:
    session = await served.debate()
    await until(served.moderator, session, "finished")
    headers = {"Authorization": f"Bearer {TOKEN}"}
    for path in ("/openapi.json", f"/sessions/{session}", "/biases"):
        async with served.client.get(f"/api/v1{path}", headers=headers) as whole:
            length = len(await whole.read())
        async with served.client.head(f"/api/v1{path}", headers=headers) as head:
            assert (head.status, await head.read()) == (200, b"")
            assert head.headers["Content-Length"] == str(length)
            assert head.headers.get("ETag") == whole.headers.get("ETag")


async def test_other_methods_are_refused_with_those_that_are_taken(served: Served) -> None:
    for method in ("OPTIONS", "TRACE", "PUT", "PATCH", "LINK"):
        async with served.client.request(method, "/api/v1/sessions") as answer:
            assert answer.status == 405
            assert {"GET", "POST"} <= set(answer.headers["Allow"].split(","))
            assert (await answer.json())["type"] == "urn:elenchus:problem:no-such-method"


async def test_every_answer_has_the_headers_that_keep_pages_safe(served: Served) -> None:
    session = await served.debate(pro="human")
    headers = {"Authorization": f"Bearer {TOKEN}"}
    for path in ("/api/v1/sessions", "/api/v1/nothing", f"/api/v1/sessions/{session}/stream", "/nothing"):
        async with served.client.get(path, headers=headers) as answer:
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert answer.headers["Cache-Control"] in ("no-store", "private, no-cache")


async def test_another_name_of_the_server_and_another_page_are_refused(served: Served) -> None:
    for headers, status in (
        ({"Host": "elsewhere.example"}, 421),
        ({"Host": ""}, 421),
        ({"Host": "[::1"}, 421),
        ({"Host": "127.0.0.1.elsewhere.example"}, 421),
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "http://[bad"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Host": "localhost:1", "Origin": "http://localhost:8321"}, 201),
    ):
        body = json.dumps({"protocol": "debate", "options": OPTIONS}).encode()
        given_headers = {"Authorization": f"Bearer {TOKEN}", **JSON, **headers}
        async with served.client.post("/api/v1/sessions", data=body, headers=given_headers) as answer:
            assert answer.status == status, headers


async def test_secrets_of_any_form_give_nothing(served: Served) -> None:
    for secret in ("?", "x", "el_" + "a" * 43, "é" * 40, "a" * 5_000, "none", "aaaa-bbbb"):
        status, document = await served.holder(secret).ask("GET", "/sessions")
        assert (status, document["status"]) == (401, 401), secret
    for cookie in ("x", "el_" + "a" * 43, "a" * 5_000, '"', "el_%00"):
        status, _ = await served.nobody.ask("GET", "/sessions", headers={"Cookie": f"elenchus={cookie}"})
        assert status == 401


# ── slow clients ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def raw(served: Served, request: bytes, rest: bytes = b"", every: float = 0.0) -> bytes:
    """What comes back for a request of which the rest is sent byte by byte."""
    reader, writer = await asyncio.open_connection(served.client.host, served.client.port)
    writer.write(request)
    answer = asyncio.create_task(reader.read(65_536))
    for byte in rest:
        if answer.done():
            break
        writer.write(bytes([byte]))
        await asyncio.sleep(every)
    async with asyncio.timeout(10):
        found = await answer
    writer.close()
    return found


def request_of(served: Served, length: int, path: str = "/api/v1/sessions") -> bytes:
    return (
        f"POST {path} HTTP/1.1\r\nHost: localhost:{served.client.port}\r\nAuthorization: Bearer {TOKEN}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


async def test_a_body_that_does_not_come_is_waited_for_a_while_and_others_are_served_meanwhile(served: Served) -> None:
    served.service.limits.body_seconds = 0.4
    slow = asyncio.create_task(raw(served, request_of(served, 1_000), b"{" * 1_000, 0.02))
    while not slow.done():
        assert (await served.moderator.get("/sessions"))["sessions"] == []
        await asyncio.sleep(0.05)
    assert (await slow).startswith(b"HTTP/1.1 408")
    assert b"The request's body did not come." in await slow


async def test_a_body_that_comes_byte_by_byte_in_time_is_taken(served: Served) -> None:
    body = json.dumps({"protocol": "debate", "options": OPTIONS}).encode()
    assert (await raw(served, request_of(served, len(body)), body)).startswith(b"HTTP/1.1 201")


async def test_who_goes_away_in_the_middle_of_a_body_leaves_nothing(served: Served) -> None:
    for _ in range(20):
        _, writer = await asyncio.open_connection(served.client.host, served.client.port)
        writer.write(request_of(served, 1_000) + b"{")
        await writer.drain()
        writer.transport.abort()
    assert (await served.moderator.get("/sessions"))["sessions"] == []


# ── forms ────────────────────────────────────────────────────────────────────────────────────────────────────────────

URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"


@pytest.mark.parametrize("path", ["/sign-in", "/join", "/sign-out", "/new/debate", "/new/class", "/new/class-debate"])
@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        (URLENCODED, b"link=\xff&code=\xff", 400),
        (URLENCODED, b"link=%ED%A0%80&code=%ff", 400),
        (URLENCODED, b"&".join(b"a=b" for _ in range(2_000)), 400),
        (f"{URLENCODED}; charset=nonsense", b"link=\xff", 400),
        (MULTIPART, b"--x\r\nbroken", 415),
        (MULTIPART, b"--x\r\nContent-Disposition: form-data\r\n\r\nx\r\n--x--\r\n", 415),
        ("multipart/form-data", b"x", 415),
        ("text/plain", b"link=x", 415),
        ("application/json", b"{}", 415),
    ],
)
async def test_what_is_no_form_of_ours_is_refused_on_a_page(
    served: Served, path: str, kind: str, body: bytes, status: int
) -> None:
    async with visiting(served, await moderators_link(served)) as person:
        address = person.base.join(URL(path))
        headers = {"Content-Type": kind, "Accept": "text/html"}
        async with person.session.post(address, data=body, headers=headers) as refused:
            assert (refused.status, refused.content_type) == (status, "text/html")
        assert (await person.get("/")).status == 200


async def test_a_form_that_does_not_come_is_waited_for_a_while(served: Served) -> None:
    served.service.limits.body_seconds = 0.3
    head = request_of(served, 1_000, "/sign-in").replace(b"application/json", URLENCODED.encode())
    head = head.replace(b"Authorization: Bearer " + TOKEN.encode() + b"\r\n", b"")
    assert (await raw(served, head, b"l" * 1_000, 0.02)).startswith(b"HTTP/1.1 408")
