"""A control room that was deleted is made anew while the loss of the old one is still being told.

What is found out late of the old thread must not touch a view that has moved meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import pytest

from elenchus.bot.bindings import ViewKey
from elenchus.bot.rendering.scenes import at_rule
from elenchus.debate_engine.events import PauseAsked, TurnOpened
from tests.bot.scenes.acting import (
    called,
    kinds,
    log_of,
    over,
    panel,
    play_on,
    session_in,
    speak,
    started,
    taken_part,
    view_of,
)
from tests.bot.scenes.test_control_room import resumable
from tests.bot.stage import Stage, texts, until
from tests.fakes.discord import changes
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message

LOOK = ("GET", "/channels/{channel_id}")
MESSAGE = ("POST", "/channels/{channel_id}/messages")
LOST = "discord.py: on_raw_thread_delete"
"""The task in which the bot sees what a deleted thread means."""

Seat = tuple[Person, Channel, Message]


async def seated(stage: Stage, control: Channel, *people: Person) -> list[Seat]:
    """Members who take part, each with a thread and an open turn; the control room shows all of that."""
    taken = [(who, *await taken_part(stage, who)) for who in people]
    seats = [(who, thread, await called(thread, who, asked)) for who, thread, asked in taken]
    for number, seat in enumerate(seats, 1):
        await wholly_shown(stage, control, seat, number)
    return seats


async def wholly_shown(stage: Stage, control: Channel, seat: Seat, number: int) -> None:
    """Wait until nothing more of a member's turn is to be posted or edited in the control room."""
    assert stage.bot is not None
    bindings, view = stage.bot.bindings, await view_of(stage, seat[1])
    opened = [r.seq for r in await log_of(stage, seat[1]) if isinstance(r.event, TurnOpened)][-1]
    rule = at_rule(view.scene.rule, view.scene.rules)
    await until(lambda: bindings.of(shown_as(stage, seat, number)).cursor >= opened)
    await until(lambda: _values(panel(control, f"el:room:{view.session}:")) >= {rule, "Robin"})


def _values(post: Message) -> set[str]:
    """The fields of a panel, without when something is due."""
    return {field["value"].partition(" until")[0] for field in post.embeds[0]["fields"]}


def shown_as(stage: Stage, seat: Seat, number: int) -> ViewKey:
    """The control room's view of a member's scene."""
    return ViewKey.of_control(session_in(stage, seat[1]), number)


def closed(stage: Stage, seat: Seat, number: int) -> str:
    """Why the control room's view of a member's scene is not shown any more, "" where it is."""
    assert stage.bot is not None
    return stage.bot.bindings.of(shown_as(stage, seat, number)).closed


def rooms(stage: Stage) -> list[Channel]:
    """The control rooms that there are."""
    return [c for c in stage.guild.channels.values() if c.is_thread and c.name.startswith("Control")]


@asynccontextmanager
async def deleted(stage: Stage, *people: Person) -> AsyncIterator[list[Seat]]:
    """The control room of a scene that these play is deleted; inside, the bot's first look for it is not answered."""
    control = await started(stage, subjects=len(people))
    seats = await seated(stage, control, *people)
    with stage.discord.faults.hold(*LOOK):
        changes.delete_channel(stage.discord.world, control)
        await until(lambda: stage.discord.faults.waiting(*LOOK))
        yield seats


async def resumed(stage: Stage, status: Message, number: int) -> None:
    assert "It goes on" in (await stage.alice.press(status, f"Resume {number}")).text


async def seen_through(stage: Stage) -> None:
    """Wait until the bot is done with what the deletion of the thread means."""
    await until(lambda: LOST not in {task.get_name() for task in asyncio.all_tasks()})


def waits_to_tell(caplog: pytest.LogCaptureFixture, view: ViewKey) -> bool:
    """Whether the bot has begun to tell the organiser of a view's trouble."""
    return f"session {view}, told to" in caplog.text


async def goes_on(stage: Stage, seats: Mapping[int, Seat], *unpaused: int) -> None:
    """One control room shows all the scenes to their ends, and these of them were never paused."""
    for number in unpaused:
        assert not closed(stage, seats[number], number)
        assert not await kinds(stage, seats[number][1], PauseAsked)
    (room,) = rooms(stage)
    for number, (who, thread, last) in seats.items():
        await play_on(thread, who, last, "Luna.", "Shade.")
        await over(thread)
        ended = f"subject {number}"
        await until(lambda: any("The scene is played." in text and ended in text for text in texts(room)))  # noqa: B023


@pytest.mark.slow
async def test_a_loss_that_is_still_being_told_closes_no_view_that_has_moved(
    stage: Stage, bob: Person, carla: Person, caplog: pytest.LogCaptureFixture
) -> None:
    """The posts fail first; the bot hears of the deletion only after the views have moved."""
    async with stage.running():
        async with deleted(stage, bob, carla) as (first, second):
            await speak(bob, first[2], "Luna gave more.")
            status = await resumable(stage, 1)
            with stage.discord.faults.hold(*MESSAGE):
                await speak(carla, second[2], "Sol gave less.")
                await until(lambda: waits_to_tell(caplog, shown_as(stage, second, 2)))
                await resumed(stage, status, 1)
            await until(lambda: closed(stage, second, 2) or "Sol gave less." in "\n".join(texts(rooms(stage)[0])))
            assert not closed(stage, second, 2)
        await seen_through(stage)
        assert caplog.text.count("was deleted, so I paused") == 2, "nothing is told of a view that has moved"
        await goes_on(stage, {1: first, 2: second}, 2)


@pytest.mark.slow
async def test_a_loss_that_is_seen_late_takes_no_view_out_of_its_new_room(
    stage: Stage, bob: Person, carla: Person, caplog: pytest.LogCaptureFixture
) -> None:
    """The bot hears of the deletion first; while it tells of the second view, both are moved."""
    faults = stage.discord.faults
    async with stage.running():
        async with deleted(stage, bob, carla) as (first, second):
            pass
        with faults.hold(*LOOK):  # the first has been looked for, the second is not yet
            status = await resumable(stage, 1)
            await until(lambda: faults.waiting(*LOOK))
        with faults.hold(*MESSAGE):
            await until(lambda: waits_to_tell(caplog, shown_as(stage, second, 2)))
            await resumed(stage, status, 1)
        await seen_through(stage)
        for who, _, turn in (first, second):
            await speak(who, turn, "Luna gave more.")
        await goes_on(stage, {1: first, 2: second}, 2)
