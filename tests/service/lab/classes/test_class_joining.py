"""Coming into a class: once, under a name that nobody else has, by a code or a slip, and back from another device."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.human_seat import LATE
from elenchus.service.lab import participation
from elenchus.service.lab.classes import taking_part
from elenchus.service.lab.classes.names import NAMES, free_names
from elenchus.service.lab.classes.shown import person_view, room_view
from tests.service.lab.classes.room import a_class, agreeing, come, in_stage, playing, press, until


async def test_forty_who_come_at_once_have_forty_names_and_no_more_than_there_are_places(tmp_path: Path) -> None:
    async with a_class(tmp_path, people=40) as (classes, live):
        found = await asyncio.gather(
            *(classes.join(live.progress.room.id, "Vega") for _ in range(45)), return_exceptions=True
        )
        there = [one for one in found if not isinstance(one, BaseException)]
        assert (len(there), live.progress.knocked) == (40, 5)
        assert len({one.member.person.name for one in there}) == 40
        assert sum(one.member.person.name == "Vega" for one in there) == 1
        assert len({one.code for one in there}) == 40
        assert await classes.open_places(live.progress.room.id, 41) == 41
        assert await classes.open_places(live.progress.room.id, 30) == 41, "the greater of two settings counts"
        await classes.join(live.progress.room.id)


async def test_who_comes_back_by_a_code_is_the_same_person_on_the_same_seat_and_counted_once(tmp_path: Path) -> None:
    async with a_class(tmp_path) as (classes, live):
        room = live.progress.room.id
        first = await classes.join(room)
        grant = await classes.access.find(first.code)
        assert grant is not None
        again = await classes.come_back(room, grant.person)
        assert again.member is first.member
        assert room_view(live.progress).people == 1
        for _ in range(6):
            await classes.come_back(room, grant.person)
        assert await classes.access.find(first.code) is None, "of many codes the oldest is good no more"
        assert await classes.access.find(first.own.secret) == first.own.grant, "and no device is put out"
        assert await classes.seat_of(again.own.grant) is None, "there is no seat before it begins"
        await press(classes, live, "playing")
        await until(live, lambda: first.member.progress.asked_now)
        seat = await classes.seat_of(again.own.grant)
        assert seat is not None
        assert (seat.role, seat.session, seat.seat) == ("seat", first.member.person.session, "Ada")
        assert seat.person.startswith("P-")


async def test_by_a_slip_somebody_comes_once_however_often_it_is_typed(tmp_path: Path) -> None:
    from elenchus.service.lab.classes.new_class import ClassOptions
    from tests.service.lab.classes.room import opened, scene_in

    scene = scene_in(tmp_path)
    async with opened(tmp_path) as (_, classes):
        made = await classes.create(ClassOptions(scene=scene, people=3, slips=True))
        assert len(set(made.slips)) == 3
        with pytest.raises(UsageError, match="code of their own"):
            await classes.join(made.room.id)
        grant = await classes.access.find(made.slips[1])
        assert grant is not None
        assert (grant.role, grant.classroom) == ("participant", made.room.id)
        one = await classes.join(made.room.id, slip=grant.person)
        two = await classes.join(made.room.id, slip=grant.person)
        assert one.member is two.member
        assert len((await classes.open(made.room.id)).progress.members) == 1


async def test_who_leaves_the_lobby_gives_the_place_back_and_late_comers_play_at_once(tmp_path: Path) -> None:
    async with a_class(tmp_path) as (classes, live):
        people = await come(classes, live, 2)
        await taking_part.leave(live, people[0])
        assert (room_view(live.progress).people, live.progress.free) == (1, 1)
        assert person_view(live.progress, people[0]).waits_for == "nothing"
        await press(classes, live, "playing")
        (late,) = await come(classes, live, 1)
        async with playing(live, {one.person.id: agreeing() for one in (people[1], late)}):
            await in_stage(live, [people[1], late], "waiting")
        assert people[0].progress.stage == "here", "nothing was begun for who had left"
        assert {late.progress.version, people[1].progress.version} == {"high", "low"}


async def test_more_time_is_given_to_one_or_to_all_who_are_asked(tmp_path: Path) -> None:
    async with a_class(tmp_path, answer_minutes=1) as (classes, live):
        people = await come(classes, live, 2)
        await press(classes, live, "playing")
        await until(live, lambda: all(one.progress.asked_now for one in people))
        before = [turn.due for one in people if (turn := one.progress.asked_now)]
        assert await classes.more_time(live.progress.room.id, 5, "teacher") == 2
        await until(live, lambda: all(turn.due > old for one, old in zip(people, before, strict=True)
                                      if (turn := one.progress.asked_now) and turn.due and old))  # fmt: skip
        with pytest.raises(UsageError, match="no such person"):
            await classes.more_time(live.progress.room.id, 5, "teacher", "nobody")


def test_names_never_run_out() -> None:
    from random import Random

    assert len(set(NAMES)) == len(NAMES) > 100
    assert free_names(set(NAMES), Random(1), 1)[0].endswith(" 2")
    assert set(free_names(set(NAMES[1:]), Random(1))) == {NAMES[0]}


async def test_who_sleeps_through_the_beginning_may_take_a_free_place_and_is_somebody_else_then(tmp_path: Path) -> None:
    async with a_class(tmp_path) as (classes, live):
        asleep, awake = await come(classes, live, 2)
        await press(classes, live, "playing")
        await until(live, lambda: asleep.progress.asked_now and awake.progress.asked_now)
        turn = awake.progress.asked_now
        assert turn
        await taking_part.answer(live.parts, awake, turn.step, {"agreed": "no"}, "test")
        await in_stage(live, [awake], "ended")
        said_no = person_view(live.progress, awake)
        assert (said_no.late, said_no.may) == (False, ()), "who has said no was asked"
        (asked,) = [asleep.progress.asked_now]
        assert asked
        await live.parts.log.send(asleep.person.session, participation.no_answer(asked, asleep.progress.by, LATE))
        await in_stage(live, [asleep], "ended")
        late = person_view(live.progress, asleep)
        assert (late.late, late.may) == (True, ("come again",))
        again = await classes.join_again(live.progress.room.id, "", asleep.person.id)
        assert again.member.person.id != asleep.person.id
        assert asleep.person.id not in {
            one.person for one in await classes.access.grants(classroom=live.progress.room.id)
        }
        assert asleep.left
        await until(live, lambda: again.member.progress.asked_now)
