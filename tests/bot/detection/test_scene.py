"""Biases in what was said in a scene: whoever runs it may look; its subject is forgotten there too."""

from __future__ import annotations

import pytest

from tests.bot.detection.looking import DETECTOR, SMALL, result, scripted
from tests.bot.people.seated import settle
from tests.bot.scenes.acting import (
    client,
    finished,
    play_on,
    session_in,
    started,
    taken_part,
)
from tests.bot.stage import Stage, posts, texts, until
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel

SAID = "My grandmother always drank coffee in Lisbon with seventeen bees"


async def played(stage: Stage, bob: Person) -> tuple[Channel, Channel]:
    """A scene that Bob has played to its end: its control room, and his thread."""
    await settle(stage, debater=DETECTOR)
    control = await started(stage, conditions="treatment")
    thread, asked = await taken_part(stage, bob)
    await play_on(thread, bob, asked, SAID, "Coffee.", "Coffee.")
    await finished(stage, thread)
    await until(lambda: any("The scene is played." in text for text in texts(control)))
    return control, thread


@pytest.mark.slow
async def test_a_finished_scene_is_examined_from_its_panel_in_a_private_thread_and_forgets_its_subject(
    stage: Stage, bob: Person
) -> None:
    stage.scripts.update(scene=client(), detector=scripted())
    async with stage.running():
        control, thread = await played(stage, bob)
        session = session_in(stage, thread)
        look = f"el:biases:{session}"
        room = await until(lambda: next((p for p in posts(control) if look in str(p.components)), None))
        offer = await stage.alice.press(room, "Look for biases")
        assert "of everybody" in offer.text
        assert "a private thread" in offer.text
        found = await stage.alice.slash(stage.channel, "detect", session=session, speaker="robin", **SMALL)
        told = await result(stage, stage.alice, found)
        made = stage.thread()
        assert "What Robin said in" in told
        assert not bob.can_see(posts(made)[0])
        asked = await bob.slash(stage.channel, "privacy forget")
        assert "Done" in (await bob.press(asked.with_buttons, "Remove it for good")).text
        everything = "\n".join(texts(made)) + str([a.data for p in posts(made) for a in p.attachments])
        assert stage.app is not None
        logs = [await stage.app.log.read(info.id) for info in await stage.app.log.sessions()]
        assert "seventeen bees" not in everything + str(logs)


async def test_a_subject_sees_nothing_of_it_and_a_scene_that_goes_on_is_not_examined(stage: Stage, bob: Person) -> None:
    stage.scripts.update(scene=client(), detector=scripted())
    async with stage.running():
        await settle(stage, debater=DETECTOR)
        await started(stage, conditions="treatment")
        thread, asked = await taken_part(stage, bob)
        session = session_in(stage, thread)
        assert await bob.complete(stage.channel, "detect", "session", "") == []
        assert "No finished session here" in (await bob.slash(stage.channel, "detect", session=session)).text
        assert "That session goes on" in (await stage.alice.slash(stage.channel, "detect", session=session)).text
        await play_on(thread, bob, asked, SAID)
        spoken = await until(lambda: next((p for p in posts(thread) if SAID in p.content), None))
        assert "That session goes on" in (await bob.menu(spoken, "Detect biases")).text
