"""What is being typed comes along to another device and to nobody else, is in no file, and forgotten once sent."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.events import now
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.debate_engine.shared import LocalShared
from elenchus.service.web.typed_words import TypedWords, keep_typed
from tests.service.lab.classes.room import scene_in
from tests.service.web.conftest import Asker, Served
from tests.service.web.test_classes import a_class, press, pupil
from tests.service.web.visitors import moderators_link, seat_code, visiting

WORDS = {"topics": "Who pays for the trams, half a th"}


async def seated(served: Served) -> tuple[Asker, str, str]:
    """Somebody who sits and is asked, the address of their turns, and that of the open one."""
    session = await served.debate(con="human")
    person = await served.invited(session, "seat", "con")
    await person.post(f"/sessions/{session}/seats/con/name", {"name": "Ann", "agreed": True})
    turns = f"/sessions/{session}/turns"
    while not (open_ := (await person.get(turns))["turns"]):  # noqa: ASYNC110 - over HTTP
        await asyncio.sleep(0.02)
    return person, turns, f"{turns}/{open_[0]['step'].replace('/', '%2F')}"


async def types(person: Asker, turn: str, fields: dict[str, str], **more: Any) -> int:
    """The status of what is typed."""
    status, _ = await person.ask("PUT", f"{turn}/typed", json={"fields": fields, **more})
    return status


async def typed(person: Asker, turns: str) -> Any:
    """What the turn has of it."""
    (turn,) = (await person.get(turns))["turns"]
    return turn["typed"] and turn["typed"]["fields"]


async def test_what_was_typed_is_there_for_whoever_sits_there_on_another_device(served: Served) -> None:
    person, turns, turn = await seated(served)
    assert await typed(person, turns) is None
    assert await types(person, turn, WORDS) == 204
    session = turns.split("/")[2]
    other = await served.invited(session, "seat", "con")
    assert await typed(other, turns) == WORDS
    async with visiting(served, await seat_code(served, session, "con")) as device:
        page = await device.get(f"/sessions/{session}/seats/con")
        assert "Who pays for the trams, half a th" in unescape(page.html)


async def test_nobody_who_moderates_or_sits_elsewhere_sees_what_is_typed_or_types_for_others(served: Served) -> None:
    person, turns, turn = await seated(served)
    await types(person, turn, WORDS)
    session = turns.split("/")[2]
    for role in ("moderator", "audience"):
        other = await served.invited(session, role)
        assert await types(other, turn, {"topics": "Another's"}) in (403, 404)
    assert await types(served.moderator, turn, {"topics": "Another's"}) == 404
    assert await types(served.nobody, turn, {"topics": "Another's"}) == 401
    foreign = await served.invited(await served.debate(con="human"), "seat", "con")
    assert await types(foreign, turn, {"topics": "Another's"}) == 404
    assert await typed(person, turns) == WORDS
    for path in (turns, turns.removesuffix("/turns"), f"{turns.removesuffix('turns')}events", turns + "?after=0"):
        assert "half a th" not in json.dumps(await served.moderator.ask("GET", path))
    async with visiting(served, await moderators_link(served)) as moderator:
        for path in (f"/sessions/{session}", f"/sessions/{session}/room"):
            assert "half a th" not in (await moderator.get(path)).html


async def test_what_is_typed_is_in_no_file(served: Served, tmp_path: Path) -> None:
    person, _, turn = await seated(served)
    await types(person, turn, {"topics": "zeppelin-words"})
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or b"zeppelin-words" not in file.read_bytes(), file


async def test_words_that_were_typed_later_stay_however_late_the_earlier_ones_come(served: Served) -> None:
    person, turns, turn = await seated(served)
    assert await types(person, turn, WORDS, at="2026-01-01T10:00:02Z") == 204
    assert await types(person, turn, {"topics": "earlier"}, at="2026-01-01T10:00:01Z") == 204
    assert await typed(person, turns) == WORDS
    assert await types(person, turn, {"topics": "later"}, at="2999-01-01T10:00:01Z") == 204
    assert await types(person, turn, {"topics": "later still"}) == 204, "no clock that is ahead locks anybody out"
    assert await typed(person, turns) == {"topics": "later still"}


@pytest.mark.parametrize("answer", [{"declined": ""}, {"fields": {"topics": "Costs | who pays | trams"}}])
async def test_what_was_sent_or_passed_is_typed_no_more(served: Served, answer: dict[str, Any]) -> None:
    person, turns, turn = await seated(served)
    await types(person, turn, WORDS)
    await person.post(f"{turn}/answer", answer)
    session, step = turns.split("/")[2], turn.rpartition("/")[2].replace("%2F", "/")
    assert await served.service.app.shared.remembered(f"typed {session} con {step}") == ""


async def test_what_was_typed_for_a_turn_that_is_over_without_an_answer_is_forgotten(served: Served) -> None:
    person, turns, turn = await seated(served)
    await types(person, turn, WORDS)
    session, step = turns.split("/")[2], turn.rpartition("/")[2].replace("%2F", "/")
    await served.moderator.post(f"/sessions/{session}/commands", {"command": "stop", "text": "enough"})
    async with asyncio.timeout(20):
        while await served.service.app.shared.remembered(f"typed {session} con {step}"):  # noqa: ASYNC110 - over HTTP
            await asyncio.sleep(0.05)


async def test_what_was_typed_for_a_turn_that_runs_out_unseen_is_forgotten_minutes_later() -> None:
    kept: dict[str, float] = {}

    class Shelf(LocalShared):
        async def remember(self, place: str, value: str, seconds: float) -> None:
            kept[place] = seconds
            await super().remember(place, value, seconds)

    since = now()
    for step, due in (("soon", since + timedelta(minutes=5)), ("late", since + timedelta(days=1)), ("never", None)):
        turn = OpenTurn(step, "con", {}, None, since, due, None)
        await keep_typed(Shelf(), "s", turn, TypedWords(fields={"text": "half a th"}))
    assert 14 * 60 < kept["typed s con soon"] <= 15 * 60
    assert kept["typed s con late"] == kept["typed s con never"] == 6 * 3600


@pytest.mark.parametrize("way", ["leave", "withdraw"])
async def test_who_leaves_or_withdraws_leaves_no_typed_word_behind(served: Served, way: str) -> None:
    person, turns, turn = await seated(served)
    await types(person, turn, WORDS)
    session, step = turns.split("/")[2], turn.rpartition("/")[2].replace("%2F", "/")
    assert "half a th" in await served.service.app.shared.remembered(f"typed {session} con {step}")
    await person.post(f"/sessions/{session}/seats/con/{way}")
    assert await served.service.app.shared.remembered(f"typed {session} con {step}") == ""


@pytest.mark.parametrize("way", ["leave", "withdrawal"])
async def test_who_leaves_a_class_or_takes_it_back_there_leaves_no_typed_word_behind(
    served: Served, tmp_path: Path, way: str
) -> None:
    scene_in(tmp_path)
    made = await a_class(served)
    one = await pupil(served, made["code"])
    await press(served, made["id"], "playing")
    place = await one.until(waits_for="you")
    turn = f"/sessions/{place['session']}/turns/{place['step'].replace('/', '%2F')}"
    assert await types(one.asker, turn, {"f1": "ye"}) == 204
    kept = f"typed {place['session']} {place['seat']} {place['step']}"
    assert "ye" in await served.service.app.shared.remembered(kept)
    await one.asker.post(f"/classes/{made['id']}/me/{way}")
    assert await served.service.app.shared.remembered(kept) == ""


async def test_what_is_remembered_there_in_no_form_of_ours_counts_for_nothing(served: Served) -> None:
    person, turns, turn = await seated(served)
    session, step = turns.split("/")[2], turn.rpartition("/")[2].replace("%2F", "/")
    await served.service.app.shared.remember(f"typed {session} con {step}", "forged", 60)
    assert await typed(person, turns) is None
    assert await types(person, turn, WORDS) == 204
    assert await typed(person, turns) == WORDS


async def test_more_than_a_form_holds_is_refused(served: Served) -> None:
    person, turns, turn = await seated(served)
    assert await types(person, turn, {"topics": "x" * 100_001}) == 422
    assert await types(person, turn, {f"f{n}": "x" for n in range(101)}) == 422
    assert await types(person, turn, {"no such field": "x"}) == 422
    assert await types(person, f"{turns}/no-such-turn", WORDS) == 404


async def test_what_one_process_remembers_is_forgotten_after_its_time() -> None:
    shared = LocalShared()
    await shared.remember("a", "words", 0.05)
    await shared.remember("b", "words", 60)
    assert await shared.remembered("a") == "words"
    await asyncio.sleep(0.06)
    assert await shared.remembered("a") == ""
    await shared.remember("b", "", 60)
    assert len(shared._remembered) == 0, "nothing is left of it"
