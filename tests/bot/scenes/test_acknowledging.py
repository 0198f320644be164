"""Every click, form and command of scenes is acknowledged before anything else is done.

The storage answers nothing and every other request takes longer than Discord waits, as in `tests/bot`'s own test.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest
from discord import app_commands

from elenchus.bot.detection.commands import LOOK
from elenchus.bot.offers import OFFER
from elenchus.bot.scenes.control_room_panel import PANEL as ROOM
from elenchus.bot.scenes.organisers import WORD
from elenchus.bot.scenes.participants import QUESTION
from elenchus.bot.scenes.scene_turns import ANSWER
from elenchus.bot.scenes.seat_thread import PANEL as SEAT, TURN
from elenchus.bot.strings import messages
from tests.bot.scenes.acting import (
    agree,
    all_posts,
    called,
    invitation,
    offered,
    over,
    panel,
    started,
    taken_part,
)
from tests.bot.stage import Stage, offer_in, posts, until
from tests.bot.test_acknowledging import SCENES, Slowness, names_in, options_of, settled
from tests.fakes.discord.answers import Answer, Modal
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel, Message

ROOMS = f"el:{ROOM}:"
FORMS = {ANSWER, WORD, QUESTION}
ACTIONS = {
    OFFER: {"go", "no"},
    TURN: {"yes", "no", "answer", "read", "longer", "pass", "leave"},
    SEAT: {"ask", "withdraw", "withdrawn", "leave", "left"},
    ROOM: {*messages("scene-rooms-buttons"), "closed"},
}
"""What can be pressed, by the names of the clicks."""

Press = tuple[Person, Message, str]


@pytest.fixture
def slowness(stage: Stage) -> Slowness:
    return Slowness(stage)


@dataclass
class Play:
    """A scene with its control room, the thread of its subject, and the post that waits for the subject."""

    control: Channel
    thread: Channel
    turn: Message


async def playing(stage: Stage, bob: Person) -> Play:
    """Bob's turn, with a deadline; one more place is free."""
    control = await started(stage, subjects=2, minutes=10)
    thread, asked = await taken_part(stage, bob)
    turn = await called(thread, bob, asked)
    await until(lambda: _calls(control))
    return Play(control, thread, turn)


async def asked(stage: Stage, carla: Person, dora: Person) -> Play:
    """Paused while Carla, the subject, and Dora, the confederate, are asked whether they agree."""
    control = await started(stage, subject=carla.mention, confederate=dora.mention)
    thread = all_posts(stage, carla)
    turn = await called(thread, carla)
    await called(all_posts(stage, dora), dora)
    await stage.alice.press(panel(control, ROOMS), "Pause")
    await until(lambda: "Resume" in str(panel(control, ROOMS).components))
    return Play(control, thread, turn)


async def stopped(stage: Stage, erin: Person) -> Channel:
    """The control room of a scene that was ended before it counted."""
    control = await started(stage, subject=erin.mention)
    thread = all_posts(stage, erin)
    await called(thread, erin, await agree(thread, erin))
    await stage.alice.slash(control, "scene stop")
    await over(thread)
    await until(lambda: "Open a place" in str(panel(control, ROOMS).components))
    return control


def _calls(control: Channel) -> list[Message]:
    """What in a control room says that somebody's turn is open."""
    return [post for post in posts(control) if "el:sturn:" in str(post.components)]


def all_of(who: Person, *found: Message) -> list[Press]:
    """Each button of these posts."""
    parts = [(post, part) for post in found for row in post.components for part in row["components"]]
    return [(who, post, part["custom_id"]) for post, part in parts]


async def of_subject(bob: Person, play: Play) -> list[Press]:
    leaving = await bob.press(panel(play.thread), "Withdraw")
    return all_of(bob, play.turn, panel(play.thread), leaving.message)


async def of_asked(stage: Stage, carla: Person, dora: Person) -> list[Press]:
    play = await asked(stage, carla, dora)
    seat = panel(all_posts(stage, dora))
    leaving = await dora.press(seat, "Leave the seat")
    consents, joins = all_of(carla, play.turn), all_of(carla, invitation(stage))
    return [*consents, *joins, *all_of(dora, seat, leaving.message), *all_of(stage.alice, panel(play.control, ROOMS))]


async def of_director(stage: Stage, play: Play, over_there: Channel) -> list[Press]:
    room = panel(play.control, ROOMS)
    closing = await stage.alice.press(room, "End kindly…")
    deleting = await stage.alice.slash(over_there, "scene delete")
    found = (_calls(play.control)[-1], room, closing.message, panel(over_there, ROOMS), deleting.message)
    offers = [all_of(stage.alice, offer_in(await offered(stage))) for _ in range(2)]
    return [*all_of(stage.alice, *found), offers[0][0], offers[1][1]]


async def everything(stage: Stage, bob: Person, carla: Person) -> list[Press]:
    """All that can be pressed in scenes."""
    dora, erin = (stage.discord.world.person(name, guild=stage.guild) for name in ("Dora", "Erin"))
    ended, play = await stopped(stage, erin), await playing(stage, bob)
    subject, others = await of_subject(bob, play), await of_asked(stage, carla, dora)
    codes = [post for post in posts(all_posts(stage, erin)) if "el:scodes:" in str(post.components)]
    return [*subject, *others, *all_of(erin, *codes), *await of_director(stage, play, ended)]


def actions_in(answers: list[Answer], name: str) -> set[str]:
    """What was pressed of the clicks of this name."""
    ids = [str(answer.interaction.data["custom_id"]).split(":") for answer in answers]
    return {parts[-1] for parts in ids if parts[1] == name}


@pytest.mark.slow
async def test_every_button_of_scenes_is_acknowledged_before_anything_else(
    stage: Stage, slowness: Slowness, bob: Person, carla: Person
) -> None:
    async with stage.running():
        presses = await everything(stage, bob, carla)
        slowness.begin()
        answers = await asyncio.gather(*(who.press(post, button, patience=0) for who, post, button in presses))
        slowness.end()
        assert {answer.kind for answer in answers} == {"thinking", "update"}
        await settled([answer for answer in answers if answer.kind == "thinking"])
    assert names_in(answers) | FORMS == SCENES | {OFFER, LOOK}, "press the new ones here as well"
    assert {name: actions_in(answers, name) for name in ACTIONS} == ACTIONS, "press the new ones here as well"


async def opened(stage: Stage, bob: Person, play: Play) -> list[tuple[Person, Modal, dict[str, str]]]:
    """Every form, opened, with what goes into it."""
    answer = await bob.press(play.turn, "Answer")
    question = await bob.press(panel(play.thread), "Ask a question…")
    word = await stage.alice.press(panel(play.control, ROOMS), "A word to…")
    told = {"to": "Robin", "text": "Take your time."}
    given = ({"Your words": "Luna gave more."}, {"text": "How many kilos?"}, told)
    people = (bob, bob, stage.alice)
    return list(zip(people, (answer.modal, question.modal, word.modal), given, strict=True))


async def test_every_form_of_scenes_is_acknowledged_before_anything_else(
    stage: Stage, slowness: Slowness, bob: Person
) -> None:
    async with stage.running():
        forms = await opened(stage, bob, await playing(stage, bob))
        slowness.begin()
        answers = await asyncio.gather(*(who.fill(form, given, patience=0) for who, form, given in forms))
        slowness.end()
        assert {answer.kind for answer in answers} == {"thinking"}
        await settled(answers)
    assert names_in(answers) == FORMS


async def test_a_form_of_a_scene_that_could_not_come_in_time_is_a_button_away(
    stage: Stage, slowness: Slowness, bob: Person
) -> None:
    async with stage.running():
        play = await playing(stage, bob)
        slowness.begin()
        late = await asyncio.gather(
            bob.press(play.turn, "Answer", patience=0),
            bob.press(panel(play.thread), "Ask a question…", patience=0),
            stage.alice.press(panel(play.control, ROOMS), "A word to…", patience=0),
        )
        assert {answer.kind for answer in late} == {"thinking"}
        slowness.end()
        await settled(list(late))
        people = (bob, bob, stage.alice)
        forms = [
            await who.press(answer.with_buttons, "Open the form") for who, answer in zip(people, late, strict=True)
        ]
        assert all(form.has_modal for form in forms)
        assert "You have said it." in (await bob.fill(forms[0].modal, {"Your words": "Luna gave more."})).text


@pytest.mark.slow
async def test_every_command_of_scenes_is_acknowledged_before_anything_else(
    stage: Stage, slowness: Slowness, bob: Person
) -> None:
    async with stage.running() as bot:
        play = await playing(stage, bob)
        group = bot.tree.get_command("scene")
        assert isinstance(group, app_commands.Group)
        known = [c for c in group.walk_commands() if isinstance(c, app_commands.Command)]
        where = [(stage.alice, play.control), (stage.alice, stage.channel), (bob, play.thread)]
        slowness.begin()
        used = [who.slash(at, c.qualified_name, patience=0, **options_of(c)) for c in known for who, at in where]
        answers = await asyncio.gather(*used)
        slowness.end()
        assert {answer.kind for answer in answers} == {"thinking"}
        await settled(answers)
    assert len(known) >= 8


@pytest.mark.slow
async def test_completion_of_a_scene_comes_in_time_too(stage: Stage, slowness: Slowness) -> None:
    async with stage.running():
        complete = stage.alice.complete
        assert await complete(stage.channel, "scene start", "scene", "band")
        slowness.begin()
        await complete(stage.channel, "scene start", "scene", "band")
        for option in ("subject", "confederate", "moderator", "model"):
            await complete(stage.channel, "scene start", option, "Al", scene="bandwagon")
        slowness.end()
