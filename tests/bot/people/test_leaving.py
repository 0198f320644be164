"""A turn that is passed, put off or not answered, and a seat that is left."""

from __future__ import annotations

import copy
from datetime import UTC, datetime, timedelta

import pytest

from elenchus.bot.people.turns import later
from elenchus.debate_engine.events import SeatLeft, TurnAnswered, TurnExtended, TurnOpened
from tests.bot.people.seated import agree, kinds, result_of, settle, turn_for, turn_of
from tests.bot.stage import Stage, finished, granted, posts, texts, until
from tests.fakes.discord import changes
from tests.fakes.discord.people import Person


async def test_a_passed_opening_is_a_turn_without_a_speech(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        assert "Passed" in (await bob.press(turn, "Pass")).text
        await until(lambda: any("(gave no speech) passed" in text for text in texts(thread)))
        assert await result_of(stage, thread, "opening/pro") == {"declined": "passed"}


async def test_a_member_takes_more_time_three_times_and_the_moderator_whenever_he_likes(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_of(thread, bob)
        for _ in range(3):
            assert "You have more time" in (await bob.press(turn, "More time")).text
        assert "3 times already" in (await bob.press(turn, "More time")).text
        assert "You have more time" in (await stage.alice.press(turn, "More time")).text
        opened = (await kinds(stage, thread, TurnOpened))[0]
        extended = (await kinds(stage, thread, TurnExtended))[-1]
        assert isinstance(opened, TurnOpened)
        assert isinstance(extended, TurnExtended)
        assert opened.due is not None
        assert extended.due - opened.due == timedelta(hours=48)
        await until(lambda: sum("gave more time" in text for text in texts(thread)) == 4)


def test_more_time_is_counted_from_the_end_of_the_turn_and_from_now_where_that_is_past() -> None:
    now = datetime(2026, 1, 2, tzinfo=UTC)
    hour = timedelta(hours=1)
    assert later(now + hour, 7200, now) == now + 2 * hour
    assert later(now - 9 * hour, 7200, now) == now + hour


@pytest.mark.slow
async def test_a_turn_without_an_answer_is_reminded_of_and_then_a_model_stands_in(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await settle(stage, turn_seconds=2.0, stand_in=True)
        thread = await stage.debate(judges=bob.mention)
        await until(lambda: any("is still open and ends" in p.content and bob.id in p.pinged for p in posts(thread)))
        await finished(thread)
        assert not await kinds(stage, thread, TurnAnswered)
    assert any("│ The judges" in text for text in texts(thread))


async def test_who_leaves_a_seat_is_asked_once_more_and_then_a_model_takes_over(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        sure = await bob.press(await turn_of(thread, bob), "Leave the seat")
        assert "for good" in sure.text
        assert "You have left the seat." in (await bob.press(sure.message, "Yes, for good")).text
        await finished(thread)
        assert len(await kinds(stage, thread, TurnOpened)) == 1
        assert len(await kinds(stage, thread, SeatLeft)) == 1
    assert any("A member (pro) has left the seat. A model takes over." in text for text in texts(thread))
    spoken = [p.author.name for p in posts(thread) if p.webhook_id]
    assert "Stand-in (pro)" in spoken
    assert "Bob" not in spoken


async def test_without_a_stand_in_nobody_takes_over(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await settle(stage, stand_in=False)
        thread = await stage.debate(judges=bob.mention)
        await turn_of(thread, bob)
        left = await bob.slash(thread, "session leave")
        assert "You have left your seat." in left.text
        await finished(thread)
    assert any("could not be counted" in text for text in texts(thread))


async def test_a_member_who_leaves_the_server_leaves_the_seat_and_the_moderator_is_told(
    stage: Stage, bob: Person
) -> None:
    stage.settings = granted(members=True)
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        await turn_of(thread, bob)
        await bob.leave()
        await finished(thread)
        assert len(await kinds(stage, thread, SeatLeft)) == 1
    told = [p.content for p in stage.discord.world.posts if "left the server" in p.content]
    assert told == ["A member (pro) left the server and so the seat in “Cities should ban cars”: a model takes over."]


async def test_a_member_who_leaves_another_server_keeps_the_seat(stage: Stage, bob: Person) -> None:
    stage.settings = granted(members=True)
    other = stage.discord.world.guild("Elsewhere")
    changes.leave(stage.discord.world, stage.discord.world.join(other, bob.user))  # known to the bot before it starts
    elsewhere = stage.discord.world.join(other, bob.user)
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_of(thread, bob)
        changes.leave(stage.discord.world, elsewhere)
        carla = stage.discord.world.person("Carla", guild=stage.guild)
        second = await stage.debate(pro=carla.mention)
        await turn_of(second, carla)
        await carla.leave()
        await until(lambda: any("left the server" in p.content for p in stage.discord.world.posts))
        assert not await kinds(stage, thread, SeatLeft)
        assert "Passed" in (await bob.press(turn, "Pass")).text


async def test_the_moderator_takes_an_absent_person_off_the_seat(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_of(thread, bob)
        await agree(bob, turn)
        stale = copy.copy(turn)  # a client shows the buttons a moment longer
        sure = await stage.alice.press(turn, "Leave the seat")
        assert "Take this person off the seat" in sure.text
        assert "free of its person" in (await stage.alice.press(sure.message, "Yes, for good")).text
        await finished(thread)
        assert "This turn is over" in (await bob.press(stale, "Answer")).text


async def test_a_seat_is_left_once_and_no_more_when_the_debate_is_over(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        await turn_of(thread, bob)
        assert "You sit on no seat" in (await stage.alice.slash(thread, "session leave")).text
        assert "You have left your seat." in (await bob.slash(thread, "session leave")).text
        assert "You sit on no seat" in (await bob.slash(thread, "session leave")).text
        await finished(thread)
        assert "This debate is over." in (await bob.slash(thread, "session leave")).text
        assert len(await kinds(stage, thread, SeatLeft)) == 1
    assert sum("A member (pro) has left the seat" in text for text in texts(thread)) == 1
