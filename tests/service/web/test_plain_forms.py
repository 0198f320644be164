"""A phone without scripts: each of its forms is a plain one, which ends on a page."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import pytest

from tests.service.lab.classes.room import scene_in
from tests.service.web.conftest import Served, served_from
from tests.service.web.test_class_debate_pages import made as made_debate
from tests.service.web.test_class_pages import joins, shows
from tests.service.web.test_classes import a_class, press
from tests.service.web.visitors import Shown, Visitor, seat_code, visiting


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    scene_in(tmp_path, deception="omission")
    async with served_from(tmp_path) as made:
        yield made


def forms_of(page: Shown) -> dict[str, dict[str, str]]:
    """The plain forms of a page: by their address, what they send hidden."""
    found = re.findall(r'<form[^>]*method="post" action="([^"]+)"[^>]*>(.*?)</form>', page.html, re.DOTALL)
    hidden = r'type="hidden" name="(\w+)" value="([^"]*)"'
    return {unescape(address): dict(re.findall(hidden, inside)) for address, inside in found}


async def sends(visitor: Visitor, page: Shown, ending: str, **typed: str) -> Shown:
    """Press the button of the form whose address ends so."""
    address, hidden = next(pair for pair in forms_of(page).items() if re.search(f"{ending}$", pair[0]))
    return await visitor.post(address, **hidden, **typed)


async def asked(visitor: Visitor, seat: str, words: str = "") -> Shown:
    """The seat's page, once something is asked there."""
    return await shows(visitor, seat, words or '<form class="card turn"')


async def test_no_form_of_a_person_is_for_scripts_alone(served: Served) -> None:
    made = await a_class(served, 1)
    async with visiting(served) as phone:
        await joins(phone, made["code"])
        await press(served, made["id"], "playing")
        me = await shows(phone, f"/classes/{made['id']}/me?stay", "To your seat")
        seat = re.findall(r'href="(/sessions/[^"]+)"', me.html)[0]
        for page in (me, await asked(phone, seat)):
            assert re.findall(r"<form(?![^>]*method=)[^>]*>", page.html) == []
            assert "pages must be reloaded by hand" in page.text


@pytest.mark.parametrize("way", ["leave", "withdrawal"])
async def test_a_phone_without_scripts_leaves_the_class_and_takes_back_what_it_said(served: Served, way: str) -> None:
    made = await a_class(served, 1)
    async with visiting(served) as phone:
        await joins(phone, made["code"])
        await press(served, made["id"], "playing")
        me = await shows(phone, f"/classes/{made['id']}/me?stay", "To your seat")
        page = await sends(phone, me, f"/me/{way}")
        assert (page.status, page.path) == (200, f"/classes/{made['id']}/me")
        assert "To your seat" not in page.text
        assert "It is taken back, and removed." in page.text


async def test_a_phone_without_scripts_plays_to_its_end_and_is_given_its_codes(served: Served) -> None:
    made = await a_class(served, 1, scene="anchoring", conditions=["low/quiet"])
    async with visiting(served) as phone:
        await joins(phone, made["code"])
        await press(served, made["id"], "playing")
        me = await shows(phone, f"/classes/{made['id']}/me?stay", "To your seat")
        seat = re.findall(r'href="(/sessions/[^"]+)"', me.html)[0]
        for _ in range(12):
            page = await asked_or_done(phone, seat)
            if "turn" not in "".join(forms_of(page)):
                break
            await sends(phone, page, r"/turns/.*", **answers(page))
        await press(served, made["id"], "closed")
        await press(served, made["id"], "debrief")
        page = await asked(phone, seat, "/keep")
        await sends(phone, page, r"/turns/.*", **answers(page))
        told = await shows(phone, f"/classes/{made['id']}/me?stay", "/codes")
        assert "To take it back" in (await sends(phone, told, "/codes")).text


async def asked_or_done(visitor: Visitor, seat: str) -> Shown:
    """The seat's page once the next thing is asked, or nothing more is."""
    async with asyncio.timeout(30):
        while True:
            page = await visitor.get(seat)
            if '<form class="card turn"' in page.html or "data-lead=" in page.html:
                return page
            await asyncio.sleep(0.05)


def answers(page: Shown) -> dict[str, str]:
    """Something in each field of the turn."""
    given = dict(reversed(re.findall(r'type="radio" name="(\w+)" value="([^"]+)"', page.html)))
    given |= dict.fromkeys(re.findall(r'<input type="text"[^>]* name="(\w+)"', page.html), "500")
    form = page.html.partition('<form class="card turn"')[2].partition("</form>")[0]
    given |= dict.fromkeys(re.findall(r'<textarea[^>]* name="(\w+)"', form), "Some words")
    return given


async def test_what_cannot_be_the_answer_stands_in_the_form_again_with_why(served: Served) -> None:
    session = await served.debate(con="human")
    async with visiting(served, await seat_code(served, session, "con")) as person:
        seat = f"/sessions/{session}/seats/con"
        await sends(person, await person.get(seat), "/take", name="Ann", agreed="yes")
        page = await asked(person, seat)
        refused = await sends(person, page, r"/turns/.*", topics="| no topic\r\nhalf a th")
        assert refused.status == 422
        assert 'role="alert"' in refused.html
        assert "half a th" in refused.html
        longer = await sends(person, page, r"/turns/.*", topics="other words", longer="yes")
        assert "other words" in longer.html
        passed = await sends(person, page, r"/turns/.*", **{"topics": "", "pass": "yes"})
        assert (passed.status, passed.path) == (200, seat)
        assert "other words" not in passed.html
        again = await sends(person, page, r"/turns/.*", topics="Costs | who pays")
        assert again.status == 409
        left = await sends(person, await person.get(seat), "/leave")
        assert "You have left" in left.text


async def test_who_leaves_a_class_debate_without_scripts_gives_an_argument_before_and_upvotes(served: Served) -> None:
    debate, code = await made_debate(served)
    async with visiting(served) as one, visiting(served) as two, visiting(served) as three, visiting(served) as four:
        for phone in (one, two, three, four):
            await joins(phone, code)
        me = f"/class-debates/{debate}/me"
        sent = await sends(one, await one.get(me), "/me/arguments", text="Trams are quiet")
        assert "Trams are quiet" in sent.text
        half = [phone for phone in (two, three, four) if "Trams are quiet" in (await phone.get(me)).text]
        page = await half[0].get(me)
        assert 'name="up" value="no"' in (await sends(half[0], page, r"/upvotes/\d+")).html
        left = await sends(one, await one.get(me), "/me/leave")
        assert (left.status, left.path) == (200, me)


async def test_a_plain_form_of_another_browser_changes_nothing(served: Served) -> None:
    made = await a_class(served, 1)
    async with visiting(served) as phone:
        await joins(phone, made["code"])
        assert (await phone.post(f"/classes/{made['id']}/me/leave", csrf="x" * 32)).status == 403
        assert "It begins when your teacher" in (await phone.get(f"/classes/{made['id']}/me")).text
