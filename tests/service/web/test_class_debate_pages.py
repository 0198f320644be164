"""The pages of a class debate over HTTP: made by a form, joined by a code, one's half alone, the leader's page."""

from __future__ import annotations

import re
from typing import Any

import pytest

from elenchus.service.web.pages.table import PAGES
from tests.service.web.conftest import SCRIPTED, Served
from tests.service.web.test_class_pages import joins, sends, shows
from tests.service.web.visitors import Visitor, moderators_link, visiting

SECRET = "Sleep lost to homework costs more marks than it earns"


async def made(served: Served, **options: object) -> tuple[str, str]:
    """A class debate, and its code."""
    given = {"motion": "Homework should end", **SCRIPTED, "argument_seconds": 600, "vote_seconds": 600, **options}
    found = await served.moderator.post("/class-debates", {"options": given})
    return str(found["id"]), str(found["code"])


async def leads(served: Served, visitor: Visitor) -> None:
    """Sign in as the moderator."""
    link = await moderators_link(served)
    await visitor.post("/sign-in", link=link, csrf="")


async def test_a_debate_is_made_by_the_form_and_joined_by_the_code_on_its_page(served: Served) -> None:
    async with visiting(served) as leader, visiting(served) as one:
        await leads(served, leader)
        form = await leader.get("/new/class-debate")
        fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form.html)) | {"action": "start"}
        shown = await leader.post("/new/class-debate", **fields | {"motion": "Trams should be free", "pro": "human"})
        again = await leader.post("/new/class-debate", **fields | {"motion": "Trams should be free"})
        assert shown.path == again.path
        assert "Nobody of this half speaks yet" in shown.text
        (code,) = set(re.findall(r"/qr\?path=/join/([\w-]+)", shown.html))
        place = await joins(one, code)
        assert place.path == f"{shown.path}/me"
        assert "Speak for your half" in place.text or "Against the motion" in place.text
        home = await leader.get("/")
        assert home.text.count("Trams should be free") == 1, "its session is found on its page"
        assert f'href="{shown.path}"' in home.html
        empty = await leader.post("/new/class-debate", **fields | {"motion": " ", "session": "other77"})
        assert (empty.status, "The motion is empty" in empty.text) == (422, True)


async def test_a_half_sees_its_own_arguments_and_the_leader_both_without_whose_they_are(served: Served) -> None:
    room, code = await made(served)
    async with visiting(served) as leader, visiting(served) as one, visiting(served) as two, visiting(served) as three:
        await leads(served, leader)
        people = [one, two, three]
        pages = [await joins(visitor, code) for visitor in people]
        sides = ["pro" if "For the motion" in page.text else "con" for page in pages]
        writer = people[0]
        assert await sends(writer, f"/class-debates/{room}/me/arguments", {"text": SECRET}) == 201
        for visitor, side in zip(people, sides, strict=True):
            page = await visitor.get(f"/class-debates/{room}/me")
            assert (SECRET in page.text) == (side == sides[0])
        shown = await leader.get(f"/class-debates/{room}")
        name = re.search(r"You are (\w+)", pages[0].text)
        assert name
        assert SECRET in shown.text
        assert name[1] not in shown.text
        assert (await writer.get(f"/class-debates/{room}")).path.endswith("/me")
        assert (await writer.get("/")).path.endswith("/me")


async def test_the_vote_is_on_ones_own_page_and_the_room_shows_the_classes_code(served: Served) -> None:
    room, code = await made(served)
    async with visiting(served) as leader, visiting(served) as one:
        await leads(served, leader)
        await joins(one, code)
        assert await sends(leader, f"/class-debates/{room}/start") == 200
        page = await shows(one, f"/class-debates/{room}/me", "Nobody sees how you vote")
        assert await sends(one, f"/class-debates/{room}/me/vote", {"side": "con"}) == 200
        assert 'value="con" aria-pressed="true"' in (await one.get(f"/class-debates/{room}/me")).html
        session = re.search(r"/sessions/(\w+)", page.html)
        assert session
        listening = await one.get(f"/sessions/{session[1]}")
        assert "To the class" in listening.text
        assert 'data-send="/votes"' not in listening.html
        assert f"/qr?path=/join/{code}" in (await leader.get(f"/sessions/{session[1]}/room")).html


async def test_a_full_class_and_a_wrong_visitor_are_told_so(served: Served) -> None:
    room, code = await made(served, people=2)
    async with visiting(served) as one, visiting(served) as two, visiting(served) as three:
        await joins(one, code)
        await joins(two, code)
        assert "All places are taken" in (await joins(three, code)).text
        assert (await three.get(f"/class-debates/{room}")).status == 401
        assert (await one.get("/class-debates/nonesuch")).status == 404


WHO = {"moderator": {"viewer", "moderator"}, "audience": {"viewer"}, "participant": {"viewer", "seat"}}


@pytest.mark.parametrize("role", [*WHO, ""])
async def test_everybody_opens_the_pages_of_their_class_debate_and_no_others(served: Served, role: Any) -> None:
    (own, code), (foreign, _) = await made(served), await made(served)
    place = await served.nobody.post("/class-places", {"code": code})
    person = {"person": place["person"]} if role == "participant" else {}
    secret = (await served.service.access.give(role, classroom=own, **person)).secret if role else ""
    async with visiting(served) as visitor:
        if secret:
            await visitor.post("/sign-in", link=secret, csrf="")
        for route in (one for one in PAGES if "/class-debates/{classroom}" in one.path):
            for room in (own, foreign, "nonesuch"):
                path = route.path.format(classroom=room, argument="1")
                found = (await (visitor.get(path) if route.method == "GET" else visitor.post(path))).status
                allowed = room == own and route.who in WHO.get(role, set())
                wanted = {200, 403} if allowed else {401} if not role else {403} if room == own else {404}
                assert found in wanted, (route.method, path, found)
