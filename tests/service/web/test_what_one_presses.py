"""What people press on pages, and what comes of it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.service.lab.classes.room import scene_in
from tests.service.web.conftest import Asker, Served, served_from
from tests.service.web.test_class_pages import joins, sends, shows
from tests.service.web.test_classes import a_class, press
from tests.service.web.visitors import Shown, Visitor, moderators_link, visiting


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    scene_in(tmp_path, deception="omission")
    async with served_from(tmp_path) as made:
        yield made


@pytest.mark.slow
async def test_who_slept_through_the_beginning_is_told_so_and_takes_a_free_place_by_the_button(served: Served) -> None:
    made = await a_class(served, 2, answer_minutes=0.5)
    async with visiting(served) as phone:
        await joins(phone, made["code"])
        await press(served, made["id"], "playing")
        me = f"/classes/{made['id']}/me"
        seat, _ = await _asked(phone, me)
        page = await shows(phone, f"{me}?stay", "Take a free place", seconds=60)
        assert "Your time ran out: no answer has come from you" in (await phone.get(seat)).text
        assert "Your time ran out" in page.text
        link = re.search(r'<a class="button main" href="(/join/[^"]+)">Take a free place</a>', page.html)
        assert link
        first = re.findall(r"You are (\w+)", page.text)[0]
        joined = await joins(phone, link[1].removeprefix("/join/"))
        assert joined.status == 200
        assert first not in joined.text


async def test_the_button_to_ask_something_comes_with_the_consent_and_goes_with_the_debriefing(served: Served) -> None:
    made = await a_class(served, 1, scene="anchoring", conditions=["low/quiet"])
    async with visiting(served) as phone:
        await joins(phone, made["code"])
        await press(served, made["id"], "playing")
        me, seat = f"/classes/{made['id']}/me", ""
        for asked in ("age", "Noor"):
            seat, answer = await _asked(phone, me, asked)
            assert _asks(await phone.get(f"{seat}?part=live")) == []
            assert await sends(phone, answer, {"value": {"agreed": "yes"}}) == 200
        page = await shows(phone, f"{seat}?part=live", "Ask a question")
        assert _asks(page) == ["/seats/Noor/question"]
        assert await sends(phone, f"{seat}/question", {"text": "What is this?"}) == 200
        assert "I may not help with the counting." in (await shows(phone, seat, "I may not help")).text


async def _asked(phone: Visitor, me: str, ending: str = "") -> tuple[str, str]:
    """The page of one's seat, and where the answer goes to what is asked there, in a step that ends so."""
    seat = re.findall(r'href="(/sessions/[^"]+/seats/\w+)"', (await shows(phone, me, "/seats/")).html)[0]
    page = await shows(phone, seat, f'/{ending}">' if ending else "data-turn")
    step = re.findall(r'data-turn="([^"]+)"', page.html)[0]
    return seat, f"{seat.partition('/seats/')[0]}/turns/{step.replace('/', '%2F')}/answer"


def _asks(page: Shown) -> list[str]:
    """Where the form of the region for questions sends to."""
    region = page.html.partition('data-region="asks"')[2].partition("</div>")[0]
    return re.findall(r'data-send="([^"]+)"', region)


async def test_the_link_of_a_seat_stands_before_what_one_does_with_the_debate(served: Served) -> None:
    session = await served.debate(pro="human")
    async with visiting(served, await moderators_link(served)) as moderator:
        page = (await moderator.get(f"/sessions/{session}")).html
    assert 0 < page.index('data-region="waits"') < page.index('data-invite="seat"') < page.index('id="steer"')


async def test_the_heat_that_can_be_set_is_that_of_the_next_turn_as_the_debate_goes_on(served: Served) -> None:
    agenda = [{"pro_concern": "rest", "con_concern": "practice", "scope": "evenings"}]
    session = await served.debate(pro="human", agenda=agenda)
    seat = await served.invited(session, "seat", "pro")
    await seat.post(f"/sessions/{session}/seats/pro/name", {"name": "Rosa", "agreed": True})
    async with visiting(served, await moderators_link(served)) as moderator:
        found = []
        for step in ("opening", "round"):
            await _turn_of(seat, session, step)
            page = await moderator.get(f"/sessions/{session}?part=live")
            region = page.html.partition('data-region="heat"')[2].partition("</form>")[0]
            found.append(re.findall(r'id="heat" [^>]*step="0.01" value="([\d.]+)"', region))
            turn = await _turn_of(seat, session, step)
            path = f"/sessions/{session}/turns/{turn.replace('/', '%2F')}/answer"
            await seat.post(path, {"fields": {"text": "Rest comes first."}})
    assert found == [["0.75"], ["0.62"]]


async def _turn_of(seat: Asker, session: str, kind: str) -> str:
    """The step of the open turn, once it is of this kind."""
    async with asyncio.timeout(20):
        while True:
            turns = (await seat.get(f"/sessions/{session}/turns"))["turns"]
            if turns and kind in turns[0]["step"]:
                return str(turns[0]["step"])
            await asyncio.sleep(0.03)
