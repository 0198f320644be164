"""Whoever is forgotten is forgotten in what examines their words: in the record, on the disk, and in the thread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.llm.client import Call
from tests.bot.detection.looking import SMALL, confirmed, looking
from tests.bot.people.seated import SPEECH, speak, turn_for
from tests.bot.stage import DEMO, Stage, finished, posts, texts
from tests.debate_engine.scripted_session import Written, shown
from tests.fakes.discord import changes
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.state import Channel

QUOTE = "My grandmother kept seventeen bees in Lisbon"
REST = "They say that cars must go, and that everybody knows it by now."


def quoting(call: Call) -> Written:
    """A detector that quotes the words where it is shown them."""
    if QUOTE not in shown(call):
        return {"quotes": [], "reason": "There is nothing any more.", "present": "yes"}
    return {"quotes": [QUOTE], "reason": f"They say “{QUOTE}”.", "present": "yes"}


QUOTING = {"detectors/check": quoting}


@pytest.fixture
def carla(stage: Stage) -> Person:
    """A member whose words others have examined."""
    return stage.discord.world.person("Carla", guild=stage.guild)


async def forget(who: Person, place: Channel, **options: Any) -> str:
    """Ask to be forgotten, and confirm it; what is answered."""
    asked = await who.slash(place, "privacy forget", **options)
    return (await who.press(asked.with_buttons, "Remove it for good")).text


def left(stage: Stage, thread: Channel, *needles: str) -> set[str]:
    """The needles that stand anywhere, each with the file, post or attachment: in the bot's home, or in the thread."""
    places = {file.name: file.read_bytes() for file in filter(Path.is_file, stage.home.rglob("*"))}
    places |= {f"{post.id} {a.filename}": a.data for post in posts(thread) for a in post.attachments}
    places |= {"posts": "\n".join([thread.name, *texts(thread)]).encode()}
    return {f"{needle} in {place}" for needle in needles for place, held in places.items() if needle.encode() in held}


@pytest.mark.slow
async def test_the_author_of_a_message_can_have_it_removed_from_a_detection_that_somebody_else_began(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with looking(stage, QUOTING):
        offer = await moderator(stage, bob).menu(await carla.write(stage.channel, f"{SPEECH} {REST}"), "Detect biases")
        thread = await confirmed(stage, bob, offer)
        await finished(thread)
        assert left(stage, thread, "seventeen bees")
        held = await carla.slash(stage.channel, "privacy export")
        (file,) = [a for m in (held.message, *held.followups) for a in m.attachments]
        assert "seventeen bees" in json.dumps(json.loads(file.data)["sessions"])
        assert "Done" in await forget(carla, stage.channel)
        assert left(stage, thread, "seventeen bees", "grandmother kept", "cars must go", str(carla.id)) == set()
        assert "Nothing is held on you" in (await carla.slash(stage.channel, "privacy export")).text
    assert any("were removed from the record" in text for text in texts(thread))


async def test_who_gave_a_text_can_have_it_removed_while_its_detection_runs(stage: Stage, bob: Person) -> None:
    async with looking(stage, QUOTING, latency=0.3):
        offer = await bob.slash(stage.channel, "detect", text=f"{SPEECH} {REST}", **SMALL)
        thread = await confirmed(stage, bob, offer)
        await forget(bob, stage.channel)
        await finished(thread)
        assert left(stage, thread, "seventeen bees", "cars must go") == set()


async def test_a_text_that_was_scored_is_removed_with_its_author_too(stage: Stage, bob: Person, carla: Person) -> None:
    async with looking(stage):
        message = await carla.write(stage.channel, f"{REST} {SPEECH}")
        await bob.menu(message, "Score this argument")
        thread = stage.thread()
        await finished(thread)
        assert left(stage, thread, "seventeen bees")
        assert "Done" in await forget(carla, stage.channel)
        assert left(stage, thread, "seventeen bees in Lisbon", str(carla.id)) == set()


async def spoken_and_examined(stage: Stage, speaker: Person, examiner: Person) -> tuple[Channel, Channel]:
    """A debate that is over in which a member spoke, and somebody's detection on it; their threads."""
    debate = await stage.debate(pro=speaker.mention, con=DEMO, judges=DEMO)
    await speak(speaker, await turn_for(debate, speaker, "opening speech"), first=True)
    await speaker.slash(debate, "session leave")
    await finished(debate)
    asked = await moderator(stage, examiner).slash(stage.channel, "detect", session=stage.session(debate), **SMALL)
    thread = await confirmed(stage, examiner, asked)
    await finished(thread)
    return debate, thread


def moderator(stage: Stage, who: Person) -> Person:
    """Make somebody a moderator of the server: another's words are not anybody's to have examined."""
    role = stage.discord.world.role(stage.guild, "mods", Permission.MANAGE_THREADS)
    changes.give_role(stage.discord.world, who.member, role)
    return who


@pytest.mark.slow
@pytest.mark.parametrize("which", ["everything", "the debate"])
async def test_who_spoke_in_a_debate_is_forgotten_in_the_detection_on_it(
    stage: Stage, bob: Person, carla: Person, which: str
) -> None:
    async with looking(stage, QUOTING):
        debate, thread = await spoken_and_examined(stage, carla, bob)
        assert any(QUOTE in text for text in texts(thread))
        session = stage.session(debate)
        assert "Done" in await forget(carla, stage.channel, **({"session": session} if which == "the debate" else {}))
        assert left(stage, thread, "seventeen bees") == set()
        assert left(stage, debate, "seventeen bees") == set()


@pytest.mark.slow
async def test_the_detection_forgets_its_speakers_also_where_the_debates_record_was_deleted(
    stage: Stage, bob: Person, carla: Person
) -> None:
    async with looking(stage, QUOTING):
        debate, thread = await spoken_and_examined(stage, carla, bob)
        asked = await stage.alice.slash(debate, "session delete")
        await stage.alice.press(asked.with_buttons, "Delete it for good")
        assert "Done" in await forget(carla, stage.channel)
        assert left(stage, thread, "seventeen bees") == set()
