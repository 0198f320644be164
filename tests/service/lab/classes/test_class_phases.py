"""Who presses what, when the time is over, and what a restart leaves: every phase once, nobody lost, nobody twice."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.service.lab.classes.shown import person_view, room_view, teacher_view
from tests.service.lab.classes.room import Clock, a_class, agreeing, come, in_stage, opened, playing, press, until


async def test_a_phase_is_come_to_once_whoever_presses_and_only_in_its_turn(tmp_path: Path) -> None:
    async with a_class(tmp_path) as (classes, live):
        room = live.progress.room.id
        with pytest.raises(UsageError, match="is in the phase lobby; playing or over comes next, and not closed"):
            await classes.advance(room, "closed", "anna")
        both = await asyncio.gather(*(classes.advance(room, "playing", who, sure=True) for who in ("anna", "bert")))
        assert [one.done for one in both] == [True, True]
        begun = live.progress.phases["playing"]
        assert (await classes.advance(room, "playing", "carl")).done, "pressed once more, it stays as it is"
        assert live.progress.phases["playing"] == begun
        with pytest.raises(UsageError, match="no such class"):
            await classes.advance("nowhere", "playing", "anna")


async def test_what_is_unfinished_is_told_before_anything_changes(tmp_path: Path) -> None:
    async with a_class(tmp_path, people=3) as (classes, live):
        await come(classes, live, 1)
        told = await classes.advance(live.progress.room.id, "playing", "anna")
        assert (told.done, told.unfinished) == (False, ("2 people are still expected; late comers may come in.",))
        assert live.progress.phase == "lobby"
        assert teacher_view(live.progress, live.clock()).next[0].unfinished == told.unfinished


async def test_two_processes_that_look_at_a_class_press_once(tmp_path: Path) -> None:
    async with a_class(tmp_path) as (classes, live), opened(tmp_path) as (_, other):
        elsewhere = await other.open(live.progress.room.id)
        room = live.progress.room.id
        await asyncio.gather(classes.advance(room, "over", "anna"), other.advance(room, "over", "bert"))
        assert live.progress.phases == elsewhere.progress.phases


async def test_nobody_waits_without_an_end_the_clock_closes_debriefs_and_ends_a_class(tmp_path: Path) -> None:
    clock = Clock()
    async with a_class(tmp_path, clock, hours=1, deception="omission") as (classes, live):
        people = await come(classes, live, 2)
        assert person_view(live.progress, people[0]).due == live.progress.until
        await press(classes, live, "playing")
        async with playing(live, {people[0].person.id: lambda t: None if t.step.endswith("keep") else agreeing()(t)}):
            await in_stage(live, people[:1], "waiting")
            await until(live, lambda: people[1].progress.asked_now)
            await classes.extend(live.progress.room.id, 90)
            clock.ahead = timedelta(minutes=80)
            live.progress.touch()
            await asyncio.sleep(0.3)
            assert live.progress.phase == "playing", "it was extended"
            clock.ahead = timedelta(minutes=91)
            live.progress.touch()
            await until(live, lambda: live.progress.phase == "debrief")
            await in_stage(live, people, "debrief", "ended")
            assert live.progress.phases["closed"].by == ""
            assert person_view(live.progress, people[0]).due is not None
            clock.ahead = timedelta(minutes=110)
            live.progress.touch()
            await until(live, lambda: live.progress.phase == "over")
            await in_stage(live, people, "ended")
        assert (people[0].progress.why, people[0].progress.keep) == ("not kept", "silent")
        assert live.progress.revealed is None


async def test_a_lobby_that_nobody_opens_ends_by_itself(tmp_path: Path) -> None:
    clock = Clock()
    async with a_class(tmp_path, clock, hours=1) as (classes, live):
        await come(classes, live, 1)
        clock.ahead = timedelta(hours=2)
        live.progress.touch()
        await until(live, lambda: live.progress.phase == "over")
        with pytest.raises(UsageError, match="nobody can join"):
            await classes.join(live.progress.room.id)


async def test_a_restart_at_any_phase_goes_on_where_it_was_with_the_same_people(tmp_path: Path) -> None:
    async with a_class(tmp_path, people=6, deception="omission") as (classes, live):
        room = live.progress.room.id
        names = [one.person.name for one in await come(classes, live, 6)]
        slow = {one.person.id: one.person.session for one in live.progress.members.values()}
        await press(classes, live, "playing")
        await until(live, lambda: all(one.progress.asked_now for one in live.progress.members.values()))
    async with opened(tmp_path) as (_, classes):
        live = await classes.open(room)
        people = [*live.progress.members.values()]
        assert [one.person.name for one in people] == names
        assert {one.person.id: one.person.session for one in people} == slow
        async with playing(live, {one.person.id: agreeing() for one in people[:5]}):
            await in_stage(live, people[:5], "waiting")
        await press(classes, live, "closed")
    async with opened(tmp_path) as (_, classes):  # in the middle of the close
        live = await classes.open(room)
        people = [*live.progress.members.values()]
        await in_stage(live, people, "waiting")
        await press(classes, live, "debrief")
    async with opened(tmp_path) as (_, classes):
        live = await classes.open(room)
        people = [*live.progress.members.values()]
        async with playing(live, {one.person.id: agreeing() for one in people}):
            await in_stage(live, people, "played", "ended")
        await press(classes, live, "revealed")
    async with opened(tmp_path) as (_, classes):  # before it was counted, perhaps
        live = await classes.open(room)
        await until(live, lambda: live.progress.revealed)
        first = live.progress.revealed
        assert first
        assert first.analysed == 5
        await press(classes, live, "over")
        await until(live, lambda: live.progress.phase == "over")
    async with opened(tmp_path) as (_, classes):
        live = await classes.open(room)
        await until(
            live,
            lambda: live.progress.members and all(m.progress.stage != "here" for m in live.progress.members.values()),
        )
        assert live.progress.revealed == first
        assert person_view(live.progress, next(iter(live.progress.members.values()))).own


async def test_a_class_that_is_over_forgets_who_was_there_after_a_day_and_keeps_what_was_shown(tmp_path: Path) -> None:
    async with a_class(tmp_path) as (classes, live):
        room, code = live.progress.room.id, live.progress.room.code
        await come(classes, live, 2)
        await press(classes, live, "over")
        await until(live, lambda: live.progress.phase == "over")
        name = live.progress.members[next(iter(live.progress.members))].person.name
    clock = Clock()
    clock.ahead = timedelta(hours=25)
    async with opened(tmp_path, clock) as (app, classes):
        assert await classes.store.people(room) == []
        assert await classes.access.find(code) is None
        assert name not in str(await app.store.all(f"class-names/{room}"))
        assert room_view((await classes.open(room)).progress).phase == "over"
        await classes.remove(room)
        with pytest.raises(UsageError):
            await classes.store.get(room)
