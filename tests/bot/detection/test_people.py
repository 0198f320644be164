"""Another person's words: a moderator's to have examined, in private at first, and nobody's who does not want it."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.bot.people import examination
from tests.bot.detection.looking import SMALL, TEXT, confirmed, looking, threads
from tests.bot.people.seated import speak, turn_for, turn_of
from tests.bot.stage import Stage, finished, until
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.state import Channel

MENU = "Detect biases"
WHOSE: list[dict[str, Any]] = [{}, {"speaker": "con"}]


@pytest.fixture
def carol(stage: Stage) -> Person:
    """A moderator of the server."""
    role = stage.discord.world.role(stage.guild, "mods", Permission.MANAGE_THREADS)
    return stage.discord.world.person("Carol", guild=stage.guild, roles=[role])


async def debated(stage: Stage, bob: Person) -> Channel:
    """A finished debate in which Bob spoke once."""
    thread = await stage.debate(con=bob.mention, pro="scripted:demo", judges="scripted:demo")
    await speak(bob, await turn_for(thread, bob, "opening speech"), TEXT, first=True)
    await bob.slash(thread, "session leave")
    await finished(thread)
    return thread


async def test_a_persons_message_is_a_moderators_to_examine_and_in_private(
    stage: Stage, bob: Person, carol: Person
) -> None:
    async with looking(stage):
        message = await stage.alice.write(stage.channel, TEXT)
        assert "Only a moderator has another person's words examined" in (await bob.menu(message, MENU)).text
        offer = await carol.menu(message, MENU)
        assert "a private thread" in offer.text
        thread = await confirmed(stage, carol, offer)
        assert thread.is_private_thread
        assert not thread.thread_members.keys() & {stage.alice.id, bob.id}


async def test_ones_own_message_is_ones_own_to_examine(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        message = await bob.write(stage.channel, TEXT)
        assert "Look for biases?" in (await bob.menu(message, MENU)).text


@pytest.mark.slow
async def test_a_debate_with_a_person_is_a_moderators_to_examine_and_a_models_speeches_are_anybodys(
    stage: Stage, bob: Person, carol: Person
) -> None:
    dave = stage.discord.world.person("Dave", guild=stage.guild)
    async with looking(stage):
        session = stage.session(await debated(stage, bob))
        for options in WHOSE:
            refused = await dave.slash(stage.channel, "detect", session=session, **options)
            assert "Only a moderator" in refused.text
        models = await dave.slash(stage.channel, "detect", session=session, speaker="pro", **SMALL)
        assert "a public thread" in models.text
        for who in (carol, stage.alice):  # the server's moderator, and the debate's
            offer = await who.slash(stage.channel, "detect", session=session, speaker="con", **SMALL)
            assert "a private thread" in offer.text
        shown = await carol.slash(stage.channel, "detect", session=session, speaker="con", private=False, **SMALL)
        assert "a public thread" in shown.text
        assert "a private thread" in (await bob.slash(stage.channel, "detect", session=session, private=True)).text


async def test_who_does_not_want_it_is_examined_by_nobody_and_may_say_so_at_any_time(
    stage: Stage, bob: Person, carol: Person
) -> None:
    async with looking(stage):
        message = await bob.write(stage.channel, TEXT)
        offer = await carol.menu(message, MENU)
        said = await bob.slash(stage.channel, "privacy detection", allowed=False)
        assert "Nobody but you" in said.text
        assert said.ephemeral
        pressed = await carol.press(offer.with_buttons, "Start")
        await until(lambda: "does not want them examined" in pressed.text)
        assert not threads(stage)
        for menu in (MENU, "Score this argument"):
            assert "does not want them examined" in (await carol.menu(message, menu)).text
        assert "Look for biases?" in (await bob.menu(message, MENU)).text
        await bob.slash(stage.channel, "privacy detection", allowed=True)
        assert "Look for biases?" in (await carol.menu(message, MENU)).text


async def test_what_was_said_in_a_debate_is_spared_too_and_the_others_speeches_are_not(
    stage: Stage, bob: Person, carol: Person
) -> None:
    async with looking(stage):
        session = stage.session(await debated(stage, bob))
        await bob.slash(stage.channel, "privacy detection", allowed=False)
    async with looking(stage):  # a restart forgets no wish
        for options in WHOSE:
            refused = await carol.slash(stage.channel, "detect", session=session, **options)
            assert "does not want them examined" in refused.text
        offered = await carol.slash(stage.channel, "detect", session=session, speaker="pro", **SMALL)
        assert "Look for biases?" in offered.text


async def test_the_wish_stays_where_everything_else_is_forgotten(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        await bob.slash(stage.channel, "privacy detection", allowed=False)
        asked = await bob.slash(stage.channel, "privacy forget")
        if asked.message.components:
            await bob.press(asked.message, "Remove it for good")
        assert stage.app is not None
        assert not await examination.wishes(stage.app.store, bob.id)


async def test_the_consent_names_it(stage: Stage, bob: Person) -> None:
    async with stage.running():
        thread = await stage.debate(pro=bob.mention)
        asked = await bob.press(await turn_of(thread, bob), "Answer")
        assert "a moderator may have what you said examined for cognitive biases, in a private thread" in asked.text
        assert "/privacy detection" in asked.text
