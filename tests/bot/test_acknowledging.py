"""Every command, button and form is acknowledged before anything else is done, and forms that come late still come.

While the storage answers nothing at all and every request but the acknowledgement takes longer than Discord waits,
whatever people do must be acknowledged: so nothing of either is waited for before.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from discord import AppCommandOptionType, AppCommandType, app_commands

from elenchus.bot.detection.commands import LOOK
from elenchus.bot.scenes import control_room_panel, play_opener, scene_turns, seat_thread
from elenchus.bot.scenes.delete_command import DELETE
from elenchus.bot.scenes.organisers import WORD
from elenchus.bot.scenes.participants import QUESTION
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.privacy.pseudonyms import Pseudonyms
from elenchus.service.app import App
from tests.bot.child import ROOT, bot as bot_process, settle
from tests.bot.people import seated
from tests.bot.people.seated import agree, turn_of
from tests.bot.stage import DEMO, Stage, granted, offer_in, posts, services_of, until
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.state import Channel, Message

ENDLESS = "scripted:demo?latency=60"
NOTING = ROOT / "tests" / "bot" / "noting_imports"
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
TOPIC = {"Topics": "Clean air | The way to work | Who breathes better, and who no longer gets to work."}
SCENES = {
    play_opener.JOIN,
    seat_thread.TURN,
    scene_turns.ANSWER,
    seat_thread.PANEL,
    seat_thread.CODES,
    control_room_panel.PANEL,
    WORD,
    QUESTION,
    DELETE,
}
"""The clicks of scenes."""

ENDED = {LOOK}
"""The clicks under the end of a session, which these debates do not come to."""

TOO_LONG = 20.0
"""Seconds for every other request: more than the three that Discord waits."""


class Gated:
    """A part of the storage that answers nothing while the gate is closed; what it follows it goes on following."""

    def __init__(self, real: Any, gate: asyncio.Event) -> None:
        self._real, self._gate = real, gate

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._real, name)
        if name == "follow":
            return method

        async def later(*given: Any, **named: Any) -> Any:
            await self._gate.wait()
            return await method(*given, **named)

        return later


class Slowness:
    """Stops the storage and slows Discord, and lets them go again."""

    def __init__(self, stage: Stage) -> None:
        self._gate, self._faults = asyncio.Event(), stage.discord.faults
        self._gate.set()
        stage.services_of = self._services

    def _services(self, app: App) -> BotServices:
        whole = services_of(app)
        log, store = Gated(whole.log, self._gate), Gated(whole.store, self._gate)
        names = cast(Pseudonyms, Gated(whole.pseudonyms, self._gate))
        return BotServices(whole.settings, cast(EventLog, log), whole.registry, whole.runner, store, names)

    def begin(self) -> None:
        self._gate.clear()
        self._faults.delay(TOO_LONG)
        self._faults.delay(0.0, "POST", CALLBACK)

    def end(self) -> None:
        self._faults.delays.clear()
        self._gate.set()


@pytest.fixture
def slowness(stage: Stage) -> Slowness:
    stage.alice.member.roles.add(stage.discord.world.role(stage.guild, "managers", Permission.MANAGE_GUILD).id)
    return Slowness(stage)


async def settled(answers: list[Answer]) -> None:
    """All that was acknowledged is answered, and by nothing that went wrong in the bot."""
    for answer in answers:
        await answer.settled()
        assert "mistake in Elenchus" not in answer.text


def options_of(command: app_commands.Command[Any, ..., Any]) -> dict[str, Any]:
    """Something for each option that a command must be given."""
    return {option.name: something(option) for option in command.parameters if option.required}


def something(option: app_commands.Parameter) -> Any:
    if option.choices:
        return option.choices[0].value
    numbers = {AppCommandOptionType.integer: int, AppCommandOptionType.number: float}
    if kind := numbers.get(option.type):
        return kind(option.min_value or 0)
    if option.type is AppCommandOptionType.boolean:
        return True
    if option.type is AppCommandOptionType.attachment:
        return "something.md", b"something"
    assert option.type is AppCommandOptionType.string, f"say here what to give for {option.name}"
    return "something"


async def test_every_command_is_acknowledged_before_anything_else(stage: Stage, slowness: Slowness) -> None:
    async with stage.running() as bot:
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        message = await stage.alice.write(thread, "Cars are loud.")
        known = [c for c in bot.tree.walk_commands() if isinstance(c, app_commands.Command)]
        menus = bot.tree.get_commands(type=AppCommandType.message)
        slowness.begin()
        used = [stage.alice.slash(thread, c.qualified_name, patience=0, **options_of(c)) for c in known]
        used += [stage.alice.menu(message, menu.name, patience=0) for menu in menus]
        answers = await asyncio.gather(*used)
        slowness.end()
        await settled(answers)
    assert len(answers) > 20
    assert msg("crit-menu") in [menu.name for menu in menus]


@pytest.mark.slow
async def test_completion_comes_in_time_too(stage: Stage, slowness: Slowness) -> None:
    async with stage.running():
        slowness.begin()
        for option in ("pro", "con", "judges"):
            await stage.alice.complete(stage.channel, "debate start", option, "Al", motion="x")
        slowness.end()


async def clickable(stage: Stage, bob: Person, thread: Channel) -> list[tuple[Person, Message, str]]:
    """Everything that can be pressed in a debate in which Bob sits, and in what the bot answers to commands."""
    alice, turn = stage.alice, await turn_of(thread, bob)
    consent = (await bob.press(turn, "Answer")).message
    leaving = (await bob.press(turn, "Leave the seat")).message
    deleting = (await alice.slash(thread, "session delete")).message
    forgetting = (await bob.slash(thread, "privacy forget")).message
    offers = [offer_in(await stage.offer(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)) for _ in range(2)]
    vote = await until(lambda: next((post for post in posts(thread) if "el:vote:" in str(post.components)), None))
    presses = [(alice, offers[0], "Cancel"), (alice, offers[1], "Start"), (alice, deleting, ""), (bob, forgetting, "")]
    presses += [(bob, consent, "I agree"), (bob, consent, "I do not agree"), (bob, leaving, "")]
    return presses + [(alice, post, label) for post in (stage.panel(thread), vote, turn) for label in labels(post)]


async def of_a_message(stage: Stage, bob: Person) -> list[tuple[Person, Message, str]]:
    """What can be pressed under the question whether a message is the answer."""
    await seated.settle(stage, plain_messages=True)
    thread = await stage.debate(pro=bob.mention, con=ENDLESS, judges=ENDLESS, agenda="speed vs. safety: to school")
    await agree(bob, await turn_of(thread, bob))
    await bob.write(thread, seated.SPEECH)
    asked = await seated.question(thread)
    return [(bob, asked, label) for label in labels(asked)]


def labels(post: Message) -> list[str]:
    """What stands on a post's buttons."""
    return [part["label"] for row in post.components for part in row["components"]]


async def filled(stage: Stage, bob: Person, thread: Channel) -> list[tuple[Person, Any, dict[str, str]]]:
    """Every form, opened, with what goes into it."""
    panel, side, text = stage.panel(thread), {"side": "pro"}, {"text": "Who pays?"}
    turn = await turn_of(thread, bob)
    given = {"Guide…": side | text, "Ask…": side | text, "Deepen…": side, "Stop…": text}
    forms = [(stage.alice, (await stage.alice.press(panel, label)).modal, what) for label, what in given.items()]
    return [*forms, (bob, (await bob.press((await agree(bob, turn)).message, "Edit")).modal, TOPIC)]


async def test_every_button_is_acknowledged_before_anything_else(stage: Stage, slowness: Slowness) -> None:
    bob = stage.discord.world.person("Bob", guild=stage.guild)
    stage.settings = granted(message_content=True)
    async with stage.running() as bot:
        presses = await of_a_message(stage, bob)
        await seated.settle(stage, vote_minutes=10)
        presses += await clickable(stage, bob, await stage.debate(pro=bob.mention, con=ENDLESS, judges=ENDLESS))
        presses = [(who, post, label or labels(post)[0]) for who, post, label in presses]
        slowness.begin()
        answers = await asyncio.gather(*(who.press(post, label, patience=0) for who, post, label in presses))
        slowness.end()
        await settled([answer for answer in answers if answer.kind == "thinking"])
        known = bot.components.names - SCENES - ENDED
        assert names_in(answers) | {"form", "answer"} == known, "press the new ones here as well"


async def test_every_form_is_acknowledged_before_anything_else(stage: Stage, slowness: Slowness) -> None:
    bob = stage.discord.world.person("Bob", guild=stage.guild)
    async with stage.running():
        forms = await filled(stage, bob, await stage.debate(pro=bob.mention, con=ENDLESS, judges=ENDLESS))
        slowness.begin()
        answers = await asyncio.gather(*(who.fill(form, given, patience=0) for who, form, given in forms))
        slowness.end()
        await settled(answers)
    assert names_in(answers) == {"form", "answer"}


def names_in(answers: list[Answer]) -> set[str]:
    """The names of the clicks that these answer."""
    return {str(answer.interaction.data["custom_id"]).split(":")[1] for answer in answers}


@pytest.mark.slow
async def test_a_form_that_could_not_come_in_time_is_a_button_away(stage: Stage, slowness: Slowness) -> None:
    bob = stage.discord.world.person("Bob", guild=stage.guild)
    async with stage.running():
        await seated.settle(stage, stand_in=False)  # with a draft, a form comes after that
        thread = await stage.debate(pro=bob.mention, con=ENDLESS, judges=ENDLESS)
        turn = await turn_of(thread, bob)
        consent = (await bob.press(turn, "Answer")).message
        slowness.begin()
        late = [
            (bob, await bob.press(consent, "I agree", patience=0)),
            (stage.alice, await stage.alice.press(stage.panel(thread), "Guide…", patience=0)),
        ]
        assert [answer.kind for _, answer in late] == ["thinking", "thinking"]
        slowness.end()
        await settled([answer for _, answer in late])
        slowness.begin()  # what was found is kept: the storage is not asked again
        forms = [(await who.press(offer_in(answer), "Open the form")).modal for who, answer in late]
        slowness.end()
        assert "Your answer is in." in (await bob.fill(forms[0], TOPIC)).text
        told = await stage.alice.fill(forms[1], {"side": "both", "text": "Say who pays."})
        assert "Both sides will hear it" in told.text


async def test_who_may_not_see_a_late_form_is_told_so(stage: Stage, slowness: Slowness) -> None:
    bob = stage.discord.world.person("Bob", guild=stage.guild)
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        slowness.begin()
        answer = await bob.press(stage.panel(thread), "Guide…", patience=0)
        slowness.end()
        await settled([answer])
        assert "may not" in answer.text
        assert not answer.message.components


@pytest.mark.slow
async def test_the_event_loop_imports_nothing_any_more_once_the_bot_is_there(stage: Stage) -> None:
    """An import holds up the loop, and with it the acknowledgement of whatever somebody does just then."""
    stage.home.mkdir()
    await settle(stage, DEMO)
    log = stage.home / "bot.log"
    async with bot_process(stage, PYTHONPATH=str(NOTING), OPENAI_API_KEY="none") as child:
        await until(lambda: "connected as" in log.read_text(encoding="utf-8"))
        offered = await stage.offer(pro="openai:gpt-6-luna")
        assert "openai:gpt-6-luna" in offered.text
        thread = await stage.debate()
        await stage.alice.complete(stage.channel, "debate start", "pro", "gp", motion="x")
        await stage.alice.slash(stage.channel, "crit", text="Cars are loud, so they should go.")
        looked = await stage.alice.slash(stage.channel, "detect", text="Cars are loud, so they should go.")
        begun = await stage.alice.press(looked.with_buttons, "Start")
        await until(lambda: "It is in" in begun.text)
        await until(lambda: any("The debate is over" in post.content for post in posts(thread)))
        await until(lambda: any("**Done**" in post.content for post in posts(stage.thread())))
        await stage.alice.slash(thread, "debate export")
        before, _, after = log.read_text(encoding="utf-8").partition("connected as")
        await child.end()
    assert "the loop imports" in before, "nothing would be noted"
    assert "the loop imports" not in after
