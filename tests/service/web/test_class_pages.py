"""The pages of a class over HTTP: who may open which, coming in by a code, the teacher's, the room's, one's own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from elenchus.service.web.pages.table import PAGES
from tests.service.lab.classes.room import scene_in
from tests.service.web.conftest import Served, served_from
from tests.service.web.test_classes import a_class, press
from tests.service.web.visitors import Shown, Visitor, moderators_link, visiting


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    scene_in(tmp_path, deception="omission")
    async with served_from(tmp_path) as made:
        yield made


def proof_in(page: Shown) -> str:
    """What a page of ours holds, by which it may change something."""
    found = re.search(r'"csrf": "(\w*)"', page.html)
    assert found
    return found[1]


async def joins(visitor: Visitor, code: str, name: str = "") -> Shown:
    """Open a class's code, and take a name that is offered."""
    asked = await visitor.get(f"/join/{code}")
    assert asked.status == 200, asked.text
    offered = re.findall(r'name="name" value="([^"]+)"', asked.html)
    return await visitor.post(
        "/join", code=code, csrf=proof_in(asked), **({"name": name or offered[0]} if offered else {})
    )


async def sends(visitor: Visitor, path: str, body: Any = None) -> int:
    """What a page's script sends; the status."""
    proof = proof_in(await visitor.get("/check"))
    address = visitor.base.join(visitor.base.with_path(f"/api/v1{path}", encoded=True))
    async with visitor.session.post(address, json=body or {}, headers={"X-CSRF-Token": proof}) as answer:
        return answer.status


async def shows(visitor: Visitor, path: str, words: str, seconds: float = 30) -> Shown:
    """The page, once these words stand on it."""
    async with asyncio.timeout(seconds):
        while words not in (found := await visitor.get(path)).text + found.html:  # noqa: ASYNC110 - over HTTP
            await asyncio.sleep(0.05)
    return found


# ── who may ──────────────────────────────────────────────────────────────────────────────────────────────────────────

OF_CLASSES = [route for route in PAGES if "/classes/{classroom}" in route.path]
MAY = {
    "viewer": {"house", "teacher", "participant", "room"},
    "moderator": {"house", "teacher"},
    "seat": {"participant"},
}


@pytest.mark.parametrize("who", ["nobody", "house", "teacher", "participant", "room"])
async def test_everybody_opens_the_pages_of_their_class_and_no_others(served: Served, who: str) -> None:
    own, foreign = [await a_class(served, slips=True) for _ in range(2)]
    place = await served.nobody.post("/class-places", {"code": own["slips"][0]})
    given = {"classroom": own["id"]} if who != "house" else {}
    given |= {"person": place["person"]} if who == "participant" else {}
    role: Any = {"house": "moderator", "teacher": "moderator", "room": "audience"}.get(who, who)
    secret = "" if who == "nobody" else (await served.service.access.give(role, **given)).secret
    async with visiting(served) as visitor:
        if secret:
            await visitor.post("/sign-in", link=secret, csrf="")
        for route in OF_CLASSES:
            for made in (own["id"], foreign["id"], "nonesuch"):
                path = route.path.format(classroom=made)
                shown = await (visitor.get(path) if route.method == "GET" else visitor.post(path))
                known = made == own["id"] or (who == "house" and made != "nonesuch")
                allowed = known and who in MAY[route.who]
                wanted = {200, 403} if allowed else {401} if who == "nobody" else {403} if known else {404}
                assert shown.status in wanted, f"{route.method} {path}: {shown.status} {shown.text[:200]}"
                if allowed and shown.status == 403:
                    assert "This page is too old" in shown.text, path
                assert known or "parcel" not in shown.text, path


# ── coming in ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_code_offers_made_up_names_and_leads_to_ones_own_page_once(served: Served) -> None:
    made = await a_class(served, 3)
    async with visiting(served) as phone:
        asked = await phone.get(f"/join/{made['code']}")
        names = re.findall(r'name="name" value="(\w+)"', asked.html)
        assert len(set(names)) == 3
        assert "The parcel" in asked.text
        page = await joins(phone, made["code"], names[1])
        assert page.path == f"/classes/{made['id']}/me"
        assert f"You are {names[1]}" in page.text
        assert "1 person is here." in page.text
        own = re.search(r'<b class="code large">([\w-]+)</b>', page.html)
        assert own
        assert f"already, as {names[1]}" in (await phone.get(f"/join/{made['code']}")).text
        assert f"You are {names[1]}" in (await joins(phone, made["code"])).text
        assert (await phone.get("/")).path == f"/classes/{made['id']}/me"
    async with visiting(served) as other:
        page = await joins(other, own[1])
        assert f"You are {names[1]}" in page.text
        again = await other.post(f"/classes/{made['id']}/me/code", csrf=proof_in(page))
        assert re.search(r'<b class="code large">[\w-]+</b>', again.html)
    assert (await served.moderator.get(f"/classes/{made['id']}"))["people"] == 1


async def test_who_finds_no_place_is_told_so_and_the_teacher_too(served: Served) -> None:
    made = await a_class(served, 1)
    async with visiting(served) as one, visiting(served) as two, visiting(served, await moderators_link(served)) as t:
        early = await two.get(f"/join/{made['code']}")
        name = re.findall(r'name="name" value="(\w+)"', early.html)[0]
        await joins(one, made["code"])
        late = await two.post("/join", code=made["code"], csrf="", name=name)
        assert late.status == 409
        assert "All places are taken" in late.text
        assert "1 person found no place" in (await t.get(f"/classes/{made['id']}")).text
        assert await sends(t, f"/classes/{made['id']}/places", {"places": 2}) == 200
        assert (await two.get(again(late))).hidden("code") == made["code"]
        assert (await joins(two, made["code"])).status == 200
        await press(served, made["id"], "playing", "closed")
    async with visiting(served) as three:
        closed = await three.get(f"/join/{made['code']}")
        assert "The class is closed" in closed.text
        assert again(closed) == ""


def again(page: Shown) -> str:
    """Where a page leads whoever found no place."""
    found = re.search(r'href="([^"]+)">Try again<', page.html)
    return found[1] if found else ""


async def test_with_slips_nobody_comes_in_by_the_common_code_and_nobody_sits_twice(served: Served) -> None:
    made = await a_class(served, 2, slips=True)
    async with visiting(served, await moderators_link(served)) as teacher:
        slips = f"/classes/{made['id']}/slips"
        page = await teacher.get(slips)
        page = await teacher.post(slips, csrf=page.hidden("csrf"))
        codes = re.findall(r'<b class="code large">([\w-]+)</b>', page.html)
        assert len(set(codes)) == 2
    async with visiting(served) as phone, visiting(served) as other:
        assert "a code of their own" in (await phone.get(f"/join/{made['code']}")).text
        name = (await joins(phone, codes[0])).text
        assert "You are" in name
        assert (await joins(other, made["slips"][0])).text.split("The parcel")[0] == name.split("The parcel")[0]
    assert (await served.moderator.get(f"/classes/{made['id']}"))["people"] == 1


# ── a whole class ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_phone_is_led_to_its_seat_back_to_the_class_and_to_what_came_out(served: Served) -> None:
    made = await a_class(served, 6)
    me, room = f"/classes/{made['id']}/me", f"/classes/{made['id']}/room"
    async with visiting(served) as phone, visiting(served, await moderators_link(served)) as teacher:
        await joins(phone, made["code"])
        others = [await served.nobody.post("/class-places", {"code": made["code"]}) for _ in range(5)]
        await press(served, made["id"], "playing")
        page = await shows(phone, me, "Your scene is ready.")
        lead = re.search(r'href="([^"]+)" data-lead', page.html)
        assert lead
        seat = await shows(phone, lead[1], 'data-turn="consent')
        assert "data-lead" not in seat.html
        await asyncio.gather(
            _plays(served, made["id"], phone, seat.path), *(_other(served, made["id"], o) for o in others)
        )
        back = await shows(phone, seat.path, "In a moment you go on in the class")
        assert f'href="{me}" data-lead' in back.html
        assert "You are done" in (await shows(phone, me, "You are done")).text
        told = (await teacher.get(f"/classes/{made['id']}")).text
        assert "Debrief" not in told.split("Who is here")[0].split("Close")[0]
        await press(served, made["id"], "closed", "debrief")
        assert "number that means nothing" not in (await teacher.get(room)).text
        asked = await shows(phone, me, "told what it was about, and asked")
        assert "number that means nothing" in asked.text
        await asyncio.gather(
            _plays(served, made["id"], phone, seat.path), *(_other(served, made["id"], o) for o in others)
        )
        assert "You said that it may be kept." in (await shows(phone, me, "You said that it may be kept.")).text
        await press(served, made["id"], "revealed")
        shown = await shows(phone, me, "Your own place")
        assert "Your answer: 40 kilos" in shown.text
        public = await shows(phone, room, "6 people answered")
        assert "Your own place" not in public.text
        assert "Somebody (2001)" in public.text
        assert "/files" in (await shows(teacher, f"/classes/{made['id']}", "What came out")).html


async def _plays(served: Served, classroom: str, phone: Visitor, seat: str) -> None:
    """Answer by the seat's page until it leads back."""
    session = seat.split("/")[2]
    async with asyncio.timeout(60):
        while "data-lead" not in (page := await phone.get(seat)).html:
            if step := re.search(r'data-turn="([^"]+)"', page.html):
                names = re.findall(
                    r'name="(f\d+|[\w.]+)" value="[^"]*" data-field|name="([\w.]+)" data-field', page.html
                )
                fields = {a or b: "yes" if 'type="radio"' in page.html else "40" for a, b in names}
                await sends(
                    phone, f"/sessions/{session}/turns/{step[1].replace('/', '%2F')}/answer", {"fields": fields}
                )
            await asyncio.sleep(0.05)


async def _other(served: Served, classroom: str, place: Any) -> None:
    asker = served.holder(place["token"])
    async with asyncio.timeout(60):
        while True:
            me = await asker.get(f"/classes/{classroom}/me")
            if me["stage"] in ("waiting", "played"):
                return
            if me["waits_for"] == "you":
                value = {"agreed": "yes"} if me["step"].startswith("consent/") else {"weight": 20.0}
                path = f"/sessions/{me['session']}/turns/{me['step'].replace('/', '%2F')}/answer"
                await asker.ask("POST", path, json={"value": value})
            await asyncio.sleep(0.05)


async def test_leaving_and_what_is_told_then(served: Served) -> None:
    made = await a_class(served, 2)
    async with visiting(served) as phone:
        page = await joins(phone, made["code"])
        assert 'data-send="/me/leave"' in page.html
        assert await sends(phone, f"/classes/{made['id']}/me/leave") == 200
        assert "You take no part in this class." in (await phone.get(page.path)).text


async def test_who_left_before_it_began_is_offered_no_way_back_that_leads_nowhere(served: Served) -> None:
    made = await a_class(served, 2)
    async with visiting(served) as phone:
        page = await joins(phone, made["code"])
        assert "Your code to come back" in page.text
        await sends(phone, f"/classes/{made['id']}/me/leave")
        left = await phone.get(page.path)
        assert "come back" not in left.text
        again = await phone.get(f"/join/{made['code']}")
        assert "You have left this class." in again.text
        assert "Go on where you were" not in again.text


# ── the teacher's page ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_class_is_made_by_the_form_once_however_often_it_is_sent(served: Served) -> None:
    async with visiting(served, await moderators_link(served)) as teacher:
        home = await teacher.get("/")
        assert 'href="/new/class"' in home.html
        form = await teacher.get("/new/class?scene=parcel")
        typed = {"csrf": form.hidden("csrf"), "session": form.hidden("session"), "scene": "parcel", "people": "4",
                 "bots": "2", "answer_minutes": "5", "hours": "2", "conditions": "parcel high"}  # fmt: skip
        told = await teacher.post("/new/class", action="estimate", **typed)
        assert re.search(r"Calls|calls", told.text)
        assert {(await teacher.post("/new/class", action="start", **typed)).path for _ in range(2)} == {
            f"/classes/{form.hidden('session')}"
        }
        refused = await teacher.post("/new/class", action="start", **(typed | {"people": "900", "session": "other1"}))
        assert refused.status == 422
        assert 'value="900"' in refused.html
        page = await teacher.get(f"/classes/{form.hidden('session')}")
        assert "4 people are still expected" in page.text
        assert "data-sure" in page.html
        home = await teacher.get("/")
        assert home.html.count(f"/classes/{form.hidden('session')}") == 1
    rows = (await served.moderator.get("/classes"))["classes"]
    assert [(row["people"], row["bots"]) for row in rows] == [(4, 2)]


async def test_sessions_of_a_class_are_found_on_its_page_and_do_not_fill_the_first_one(served: Served) -> None:
    made = await a_class(served, 1, bots=3)
    await press(served, made["id"], "playing")
    async with visiting(served, await moderators_link(served)) as teacher:
        await shows(teacher, f"/classes/{made['id']}", "answering robots no people")
        async with asyncio.timeout(20):
            while len((await served.moderator.get("/sessions"))["sessions"]) < 3:  # noqa: ASYNC110 - over HTTP
                await asyncio.sleep(0.05)
        assert "/sessions/" not in (await teacher.get("/")).html.split("<main")[1]


async def test_pages_of_a_class_are_german_for_who_reads_german(served: Served) -> None:
    made = await a_class(served, 2)
    async with visiting(served, await moderators_link(served)) as teacher, visiting(served) as phone:
        await joins(phone, made["code"])
        told = await teacher.get(f"/classes/{made['id']}", **{"Accept-Language": "de"})
        assert "1 Person wird noch erwartet" in told.text
        assert "Für alle beginnen" in told.text
        own = await phone.get(f"/classes/{made['id']}/me", **{"Accept-Language": "de"})
        assert "Es beginnt, wenn Ihre Lehrkraft startet." in own.text


# ── before it is made ────────────────────────────────────────────────────────────────────────────────────────────────


async def estimate(visitor: Visitor, **typed: str) -> Shown:
    """What the form says beside Start."""
    page = await visitor.get("/new/class")
    return await visitor.post("/new/class", csrf=proof_in(page), action="estimate", scene="parcel", **typed)


async def test_the_form_says_beside_start_that_its_scene_refuses_pupils_until_somebody_has_allowed_it(
    served: Served,
) -> None:
    async with visiting(served, await moderators_link(served)) as teacher:
        assert "at least 18" in (await estimate(teacher, people="30")).text
        assert "at least 18" not in (await estimate(teacher, people="30", ethics_approval="the head of school")).text
        form = (await teacher.get("/new/class")).html
        assert form.index('name="ethics_approval"') < form.index("What people are promised"), "in no closed fold"
    told = await served.moderator.post("/class-estimates", {"options": {"scene": "parcel", "people": 30}})
    assert any("for adults" in one for one in told["warnings"])


async def test_the_form_says_where_a_version_has_too_few_people_to_show_anything(served: Served) -> None:
    async with visiting(served, await moderators_link(served)) as teacher:
        assert "12 people on 2 versions are about 6 in each" in (await estimate(teacher, people="12")).text
        assert "are about" not in (await estimate(teacher, people="20")).text
        assert "are about" not in (await estimate(teacher, people="12", conditions="parcel high")).text


async def test_a_word_where_a_number_belongs_is_named_as_the_field_is(served: Served) -> None:
    async with visiting(served, await moderators_link(served)) as teacher:
        told = (await estimate(teacher, people="30", bots="many")).text
        assert "“Answering robots” must be a whole number" in told
