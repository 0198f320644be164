"""Pages over HTTP: who gets which, what is refused and how it is told, forms that are sent twice."""

from __future__ import annotations

import asyncio
import gzip
import re
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer
from yarl import URL

from elenchus.config.settings import Settings
from elenchus.service.app import open_app
from elenchus.service.web.pages.table import PAGES
from elenchus.service.web.server import SERVICE, WebOptions, make_web
from elenchus.service.web.static_files import static_files
from tests.service.web.conftest import Served
from tests.service.web.page_paths import path_of
from tests.service.web.test_scenes import filled
from tests.service.web.visitors import moderators_link, seat_code, visiting

LARGEST_PAGE = 60_000
"""Bytes of the first page with all that it loads, as they are sent."""


async def test_every_page_asks_a_stranger_to_sign_in_or_is_for_everybody(served: Served) -> None:
    session = await served.debate(con="human")
    async with visiting(served) as stranger:
        for route in PAGES:
            path = path_of(route, session=session)
            shown = await (stranger.get(path) if route.method == "GET" else stranger.post(path))
            if route.known:
                assert shown.status == 401, path
            assert "Homework" not in shown.text, path


async def test_a_seat_opens_its_own_page_and_no_others(served: Served) -> None:
    session, other = await served.debate(con="human"), await served.debate("Trams should be free", con="human")
    async with visiting(served, await seat_code(served, session, "con")) as person:
        assert (await person.get("/")).path == f"/sessions/{session}/seats/con"
        assert (await person.get(f"/sessions/{session}")).path == f"/sessions/{session}/seats/con"
        for path in (f"/sessions/{other}", f"/sessions/{other}/seats/con", f"/sessions/{other}/room", "/sessions/nope"):
            shown = await person.get(path)
            assert shown.status == 404, path
            assert "Trams" not in shown.text
        assert (await person.get(f"/sessions/{session}/seats/pro")).status == 403
        assert (await person.get("/new/debate")).status == 403


async def test_behind_a_proxy_with_tls_and_nowhere_else_the_cookie_is_for_tls_alone(tmp_path: Path) -> None:
    trusted = WebOptions(proxies=frozenset({"127.0.0.1"}))
    for options, secure in ((trusted, True), (WebOptions(), False)):
        async with open_app(Settings(home=tmp_path)) as app, TestClient(TestServer(make_web(app, options))) as client:
            given = await client.server.app[SERVICE].access.give("moderator")  # type: ignore[attr-defined] # ours
            sent = {"link": given.secret, "csrf": ""}
            by_tls = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.9"}
            came = await client.post("/sign-in", data=sent, headers=by_tls, allow_redirects=False)
            cookie = came.headers["Set-Cookie"]
            assert ("Secure" in cookie, "HttpOnly" in cookie, "SameSite=Lax" in cookie) == (secure, True, True)


async def test_opening_a_link_uses_nothing_up_and_pressing_the_button_does(served: Served) -> None:
    link = await moderators_link(served)
    async with visiting(served) as preview, visiting(served) as first, visiting(served) as second:
        for _ in range(3):
            assert "It can be used once" in (await preview.get(f"/sign-in?link={link}")).text
        assert (await first.post("/sign-in", link=link, csrf="")).status == 200
        assert "Start a debate" in (await first.get("/")).text
        assert (await second.post("/sign-in", link=link, csrf="")).status == 401
        assert (await second.get("/")).status == 401


async def test_a_code_says_what_it_is_for_before_it_is_used(served: Served) -> None:
    session = await served.debate(con="human")
    code = await seat_code(served, session, "con")
    async with visiting(served) as person:
        asked = await person.get(f"/join/{code.upper()}")
        assert "you take part yourself" in asked.text
        assert "Homework should end" in asked.text
        assert (await person.post("/join", code=asked.hidden("code"), csrf="")).path.endswith("/seats/con")
        assert (await person.get("/join/aaaa-bbbb")).status == 404


async def test_everybody_in_a_room_who_joins_by_the_same_code_has_one_vote(served: Served) -> None:
    session = await served.debate(con="human")
    made = await served.moderator.post(f"/sessions/{session}/invites", {"role": "audience"})
    for side in ("pro", "con", "con"):
        async with visiting(served) as listener:
            for _ in range(2):  # whoever comes twice is the same one
                proof = re.search(r'"csrf": "(\w*)"', (await listener.get("/join")).html)
                assert proof
                assert (await listener.post("/join", code=made["code"], csrf=proof[1])).path == f"/sessions/{session}"
            proof = re.search(r'"csrf": "(\w+)"', (await listener.get("/join")).html)
            assert proof
            address, headers = f"/api/v1/sessions/{session}/votes", {"X-CSRF-Token": proof[1]}
            address = str(listener.base.join(URL(address)))
            async with listener.session.post(address, json={"side": side}, headers=headers) as voted:
                assert voted.status == 200
    events = (await served.moderator.get(f"/sessions/{session}/events"))["events"]
    votes = [event["event"] for event in events if event["kind"] == "vote"]
    assert len({vote["by"] for vote in votes}) == len(votes) == 3


@pytest.mark.parametrize(
    "address", ["//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
async def test_a_qr_code_leads_to_our_own_pages_alone(served: Served, address: str) -> None:
    async with visiting(served, await moderators_link(served)) as moderator:
        assert (await moderator.get(f"/qr?path={address}")).status == 404
        assert (await moderator.get("/qr?path=/join/abc-def")).html.startswith("<svg")


async def test_a_form_without_this_browsers_proof_does_nothing(served: Served) -> None:
    async with visiting(served, await moderators_link(served)) as moderator:
        form = await moderator.get("/new/debate")
        options = {"motion": "Homework should end", "pro": "scripted:demo", "action": "start"}
        for proof in ("", "0" * 64):
            refused = await moderator.post("/new/debate", csrf=proof, session=form.hidden("session"), **options)
            assert refused.status == 403
    assert (await served.moderator.get("/sessions"))["sessions"] == []


async def test_a_form_that_is_sent_twice_begins_one_debate(served: Served) -> None:
    seats = dict.fromkeys(("pro", "con", "judge-1", "crit"), "scripted:demo")
    async with visiting(served, await moderators_link(served)) as moderator:
        form = await moderator.get("/new/debate")
        typed = {"motion": "Homework should end", "topics": "2", "max_rounds": "1", **seats}
        sent = typed | {"csrf": form.hidden("csrf"), "session": form.hidden("session"), "action": "start"}
        assert {(await moderator.post("/new/debate", **sent)).path for _ in range(2)} == {
            f"/sessions/{form.hidden('session')}"
        }
    assert len((await served.moderator.get("/sessions"))["sessions"]) == 1


async def test_what_cannot_be_begun_is_told_and_what_was_typed_stays(served: Served) -> None:
    async with visiting(served, await moderators_link(served)) as moderator:
        form = await moderator.get("/new/debate", **{"Accept-Language": "de"})
        typed = {"motion": "Homework <b>should</b> end", "heat": "7", "csrf": form.hidden("csrf"), "action": "start"}
        told = await moderator.post("/new/debate?lang=de", session=form.hidden("session"), **typed)
        assert told.status == 422
        assert "Hitze zu Beginn" in told.text
        assert "Homework &lt;b&gt;should&lt;/b&gt; end</textarea>" in told.html
        odd = await moderator.post("/new/debate", session=form.hidden("session"), **(typed | {"topics": "many"}))
        assert odd.status == 422
        assert "muss eine ganze Zahl sein" in odd.text


async def test_before_a_debate_begins_it_is_told_what_it_takes(served: Served) -> None:
    seats = dict.fromkeys(("pro", "con", "judge-1", "crit"), "scripted:demo")
    async with visiting(served, await moderators_link(served)) as moderator:
        form = await moderator.get("/new/debate")
        typed = {"motion": "Homework should end", "topics": "2", "max_rounds": "1", **seats, "action": "estimate"}
        told = await moderator.post("/new/debate", csrf=form.hidden("csrf"), session=form.hidden("session"), **typed)
    assert re.search(r"Calls of models \d+", told.text)
    assert (await served.moderator.get("/sessions"))["sessions"] == []


async def test_a_scene_is_begun_by_the_form_and_tells_its_subject_nothing_of_what_it_looks_for(served: Served) -> None:
    async with visiting(served, await moderators_link(served)) as moderator:
        form = await moderator.get("/new/scene")
        assert "Anchoring effect" in form.text
        typed = {"csrf": form.hidden("csrf"), "session": form.hidden("session"), "scene": "anchoring"}
        none = await moderator.post("/new/scene", **(typed | {"scene": "/etc/passwd"}), action="start")
        assert none.status == 422
        begun = await moderator.post("/new/scene", **typed, subject="human", action="start")
        session = begun.path.rpartition("/")[2]
        seats = (await served.moderator.get(f"/sessions/{session}"))["seats"]
        seat = next(one["name"] for one in seats if one["kind"] == "person")
    async with visiting(served, await seat_code(served, session, seat)) as person:
        page = await person.get("/")
        assert "A scene" in page.text
        assert "nchor" not in page.html
        assert "The jar" not in page.html


async def test_a_study_says_what_people_are_promised_or_is_refused(served: Served) -> None:
    terms = {
        "contact": "lab@example.org",
        "responsible": "The lab",
        "purpose": "How people judge",
        "retention_days": "30",
    }
    async with visiting(served, await moderators_link(served)) as moderator:
        form = await moderator.get("/new/scene")
        typed = {"csrf": form.hidden("csrf"), "session": form.hidden("session"), "scene": "anchoring", "mode": "study"}
        refused = await moderator.post("/new/scene", **typed, subject="human", action="start")
        assert refused.status == 422
        begun = await moderator.post("/new/scene", **typed, **terms, subject="human", action="start")
        assert begun.path.startswith("/sessions/")


async def test_a_scene_on_the_projector_says_that_it_is_played_alone_and_has_no_votes_to_show(served: Served) -> None:
    options = {"scene": "anchoring", "subjects": ["human"]}
    session = (await served.moderator.post("/sessions", {"protocol": "scene", "options": options}))["id"]
    async with visiting(served, await moderators_link(served)) as moderator:
        shown = await moderator.get(f"/sessions/{session}/room")
        assert "It is being played" in shown.text
        assert "Show the votes" not in shown.text
        await served.moderator.post(f"/sessions/{session}/commands", {"command": "stop", "text": "Enough"})
        async with asyncio.timeout(30):
            while "It is over." not in (await moderator.get(f"/sessions/{session}/room")).text:  # noqa: ASYNC110 - over HTTP
                await asyncio.sleep(0.05)
        debate = await served.debate(con="human")
        assert "Show the votes" in (await moderator.get(f"/sessions/{debate}/room")).text


async def test_links_that_were_given_stand_on_the_moderators_page_to_be_revoked(served: Served) -> None:
    session = await served.debate(con="human")
    code = await seat_code(served, session, "con")
    async with visiting(served, await moderators_link(served)) as moderator, visiting(served, code) as person:
        shown = await moderator.get(f"/sessions/{session}")
        (grant,) = re.findall(r'data-send="/invites/([^"]+)" data-method="DELETE"', shown.html)
        assert grant not in (await person.get("/")).html
        status, _ = await served.moderator.ask("DELETE", f"/sessions/{session}/invites/{grant}")
        assert status == 204
        assert "/invites/" not in (await moderator.get(f"/sessions/{session}")).html.partition("data-invite")[2]
        assert (await person.get("/")).status == 401


async def test_a_refusal_is_told_in_the_readers_language(served: Served) -> None:
    session = await served.debate(con="human")
    async with visiting(served, await seat_code(served, session, "con")) as person:
        german = {"Accept-Language": "de"}
        assert "An dieser Adresse ist nichts." in (await person.get("/nothing-here", **german)).text
        others = await person.get(f"/sessions/{session}/seats/pro", **german)
        assert "Dieser Platz gehört jemand anderem." in others.text
        assert "keine von Ihren" in (await person.get("/sessions/nope", **german)).text
    async with visiting(served) as stranger:
        assert "Bitten Sie um einen neuen." in (await stranger.post("/sign-in?lang=de", link="el_no", csrf="")).text


async def test_a_picture_is_shown_to_whoever_was_shown_it_and_to_nobody_else(served: Served) -> None:
    options = {"scene": "conformity", "subjects": ["human"]}
    session = (await served.moderator.post("/sessions", {"protocol": "scene", "options": options}))["id"]
    seats = (await served.moderator.get(f"/sessions/{session}"))["seats"]
    seat = next(one["name"] for one in seats if one["kind"] == "person")
    person = await served.invited(session, "seat", seat)
    picture = ""
    async with asyncio.timeout(30):
        while not picture:
            for turn in (await person.get(f"/sessions/{session}/turns"))["turns"]:
                fields = {field["name"]: filled(field) for field in turn["fields"]}
                await person.post(f"/sessions/{session}/turns/{turn['step']}/answer", {"fields": fields})
            events = (await person.get(f"/sessions/{session}/events"))["events"]
            shown = [block["picture"] for event in events for block in event["blocks"] if block.get("picture")]
            picture = shown[0]["sha256"] if shown else ""
            await asyncio.sleep(0.05)
    async with visiting(served, person.token) as seated, visiting(served) as stranger:
        page = await seated.get("/")
        assert f'<img src="/sessions/{session}/pictures/{picture}"' in page.html
        address = str(seated.base.join(URL(f"/sessions/{session}/pictures/{picture}")))
        async with seated.session.get(address) as came:
            assert (came.status, came.content_type) == (200, "image/png")
        assert (await seated.get(f"/sessions/{session}/pictures/{'0' * 64}")).status == 404
        assert (await stranger.get(f"/sessions/{session}/pictures/{picture}")).status == 401


async def test_who_sits_down_says_a_name_and_agrees_and_somebody_else_finds_the_seat_taken(served: Served) -> None:
    session = await served.debate(con="human")
    code = await seat_code(served, session, "con")
    async with visiting(served, code) as person, visiting(served, code) as late:
        page = await person.get("/")
        proof, seat = page.hidden("csrf"), f"/sessions/{session}/seats/con"
        assert (await person.post(f"{seat}/take", csrf=proof, name="Quiet Otter")).status == 422  # not agreed
        sat = await person.post(f"{seat}/take", csrf=proof, name="Quiet Otter", agreed="yes")
        assert "You are Quiet Otter" in sat.text
        there = await late.get(seat)
        assert "You are Quiet Otter" in there.text
        taken = await late.post(f"{seat}/take", csrf=there.hidden("csrf"), name="Keen Fox", agreed="yes")
        assert taken.status == 409
        assert "Keen Fox" not in taken.text


async def test_a_seat_gives_a_code_by_which_it_is_found_again_at_another_device(served: Served) -> None:
    session = await served.debate(con="human")
    async with visiting(served, await seat_code(served, session, "con")) as person:
        page = await person.get("/")
        seat = f"/sessions/{session}/seats/con"
        await person.post(f"{seat}/take", csrf=page.hidden("csrf"), name="Quiet Otter", agreed="yes")
        shown = await person.post(f"{seat}/rejoin", csrf=page.hidden("csrf"))
        code = re.search(r"[a-z0-9]{4}-[a-z0-9]{4}", shown.text)
        assert code
    async with visiting(served, code[0]) as again:
        assert "You are Quiet Otter" in (await again.get("/")).text


async def test_a_browser_is_told_of_a_refusal_by_a_page_and_a_program_by_a_document(served: Served) -> None:
    async with visiting(served, await moderators_link(served)) as moderator:
        shown = await moderator.get("/nothing-here")
        assert shown.status == 404
        assert "There is nothing here" in shown.text
        told = await moderator.get("/nothing-here", Accept="application/json")
        assert told.headers["Content-Type"].startswith("application/problem+json")


async def test_the_language_is_the_browsers_until_another_is_chosen_and_the_choice_is_kept(served: Served) -> None:
    async with visiting(served) as person:
        assert 'lang="de"' in (await person.get("/join", **{"Accept-Language": "de-CH,de"})).html
        assert 'lang="en"' in (await person.get("/join?lang=en", **{"Accept-Language": "de"})).html
        assert 'lang="en"' in (await person.get("/join", **{"Accept-Language": "de"})).html


async def test_pages_may_load_what_is_here_alone_and_are_kept_by_nobody(served: Served) -> None:
    async with visiting(served, await moderators_link(served)) as moderator:
        shown = await moderator.get("/")
    policy = dict(part.split(" ", 1) for part in shown.headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["form-action"] == policy["connect-src"] == "'self'"
    for kind in ("script-src", "style-src"):
        assert re.fullmatch(r"'self' 'nonce-[\w-]{20,}'", policy[kind])
    assert shown.headers["Cache-Control"] == "no-store"
    assert not re.search(r'\s(?:style|on\w+)="', shown.html)
    assert re.findall(r'(?:src|href)="(?!/|\?|#)([^"]*)"', shown.html) == []


async def test_files_are_kept_for_good_under_their_version_and_packed(served: Served) -> None:
    async with visiting(served) as person:
        page = await person.get("/join")
        (style,) = re.findall(r'"(/static/\w+/style\.css)"', page.html)
        assert "immutable" in (await person.get(style)).headers["Cache-Control"]
        assert (await person.get("/static/old/style.css")).headers["Cache-Control"] == "no-cache"
        assert (await person.get("/static/x/..%2f..%2fserver.py")).status == 404
        assert (await person.get("/static/x/nothing.css")).status == 404


async def test_the_first_page_is_small(served: Served) -> None:
    async with visiting(served, await moderators_link(served)) as moderator:
        page = len(gzip.compress((await moderator.get("/")).html.encode()))
    files = sum(len(file.packed) for file in static_files().values())
    print(f"first page {page:,} bytes, all files {files:,} bytes, packed")
    assert page + files < LARGEST_PAGE


async def test_the_check_of_a_phone_answers_everybody(served: Served) -> None:
    async with visiting(served) as person:
        assert "Will this phone do?" in (await person.get("/check")).text
        assert "event: beat" in (await person.get("/check/stream")).html
        assert '"received": true' in (await person.post("/check/echo")).html


async def test_the_page_of_the_api_names_every_route(served: Served) -> None:
    async with visiting(served) as person:
        shown = await person.get("/api")
    document = await served.moderator.get("/openapi.json")
    assert [path for path in document["paths"] if path not in shown.text] == []


@pytest.mark.parametrize("after", ["leaving", "the end"])
async def test_whoever_has_left_a_seat_or_seen_the_end_may_still_withdraw(served: Served, after: str) -> None:
    session = await served.debate(con="human")
    async with visiting(served, await seat_code(served, session, "con")) as person:
        page = f"/sessions/{session}/seats/con"
        form = await person.get(page)
        await person.post(f"{page}/take", csrf=form.hidden("csrf"), name="Ann Otter", agreed="yes")
        headers = {"X-CSRF-Token": form.hidden("csrf")}
        if after == "leaving":
            address = person.base.join(URL(f"/api/v1/sessions/{session}/seats/con/leave"))
            async with person.session.post(address, headers=headers) as left:
                assert left.status == 200
        else:
            await served.moderator.post(f"/sessions/{session}/commands", {"command": "stop", "text": "enough"})
        async with asyncio.timeout(20):
            while (await served.moderator.get(f"/sessions/{session}"))["state"] == "running":  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert "/withdraw" in (await person.get(page)).html
        address = person.base.join(URL(f"/api/v1/sessions/{session}/seats/con/withdraw"))
        async with person.session.post(address, headers=headers) as withdrawn:
            assert withdrawn.status == 204, await withdrawn.text()
    events = await served.service.app.log.read(session)
    assert "Ann Otter" not in str(events)
