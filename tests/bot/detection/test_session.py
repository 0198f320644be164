"""Biases in what was said in a session: `/detect session:`, and "Look for biases" under its end."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.events import SessionStarted
from elenchus.debate_engine.llm.client import Call
from elenchus.detectors.schemas import DetectConfig
from tests.bot.detection.looking import SMALL, closing, confirmed, looking, result, threads
from tests.bot.people.seated import settle
from tests.bot.stage import DEMO, ENDLESS, Stage, finished, texts, until
from tests.debate_engine.scripted_session import Written, shown
from tests.fakes.discord.people import Person
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.state import Channel

OPEN = {"pro": DEMO, "con": DEMO, "judges": DEMO}


def first_words(call: Call) -> Written:
    """A detector that quotes what con said first."""
    said = shown(call).partition(", con (opening):\n")[2]
    return {"quotes": [" ".join(said.split()[:8])], "reason": "So it begins.", "present": "yes"}


async def debated(stage: Stage, **options: Any) -> Channel:
    """A finished debate; its thread."""
    thread = await stage.debate(**{**OPEN, **options})
    await finished(thread)
    return thread


async def examined(stage: Stage) -> DetectConfig:
    """What the newest thread's detection was given."""
    started = (await stage.events(stage.thread()))[0].event
    assert isinstance(started, SessionStarted)
    return DetectConfig.model_validate(started.config)


@pytest.mark.slow
async def test_a_finished_debate_is_examined_with_speaker_and_turn(stage: Stage, bob: Person) -> None:
    async with looking(stage, {"detectors/check": first_words}):
        thread = await debated(stage)
        session = stage.session(thread)
        offer = await bob.slash(stage.channel, "detect", session=session, speaker="CON", **SMALL)
        assert "of con, with the others' words for understanding" in offer.text
        told = await result(stage, bob, offer)
        cfg = await examined(stage)
        report = closing(stage.thread()).attachments
    assert "What con said in “Cities should ban cars” is examined." in told
    assert "(con, turn 2)" in told
    assert (cfg.source, cfg.speaker) == (session, "con")
    assert {turn.speaker for turn in cfg.turns} >= {"pro", "con"}
    assert "con, turn 2" in next(a.data.decode() for a in report if a.filename == "report.md")


@pytest.mark.slow
async def test_the_end_of_a_debate_has_a_button_that_offers_to_examine_all_of_it(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        thread = await debated(stage)
        offer = await bob.press(closing(thread), "Look for biases")
        assert offer.ephemeral
        assert "Looking for biases: Cities should ban cars" in offer.text
        assert "of everybody" in offer.text
        again = await confirmed(stage, bob, offer)
        assert (await examined(stage)).source == stage.session(thread)
        await finished(again)
        assert not any("[Look for biases]" in text for text in texts(again)), "a detection has no speakers"


async def test_the_button_asks_again_who_may(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        thread = await debated(stage)
        await settle(stage, start="moderators")
        assert "You may not look for biases here" in (await bob.press(closing(thread), "Look for biases")).text


@pytest.mark.slow
async def test_the_button_works_after_a_restart(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        thread = await debated(stage)
    async with looking(stage):
        offer = await bob.press(closing(thread), "Look for biases")
        assert "Look for biases?" in offer.text


async def test_a_session_that_goes_on_is_not_examined_and_not_offered(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        session = stage.session(thread)
        assert "That session goes on" in (await bob.slash(stage.channel, "detect", session=session)).text
        assert await bob.complete(stage.channel, "detect", "session", "") == []
        await stage.alice.slash(thread, "debate stop", reason="Enough.")
        await until(lambda: any("Stopped" in text for text in texts(thread)))
        assert "Nothing was said" in (await bob.slash(stage.channel, "detect", session=session)).text


async def test_finished_sessions_are_offered_while_somebody_types_and_then_their_speakers(
    stage: Stage, bob: Person
) -> None:
    async with looking(stage):
        session = stage.session(await debated(stage))
        found = await bob.complete(stage.channel, "detect", "session", "ban cities")
        assert found == [{"name": f"Cities should ban cars · {session}", "value": session}]
        assert await bob.complete(stage.channel, "detect", "session", "bicycles") == []
        speakers = await bob.complete(stage.channel, "detect", "speaker", "", session=session)
        assert [choice["value"] for choice in speakers][:2] == ["pro", "con"]
        assert await bob.complete(stage.channel, "detect", "speaker", "", session="abc") == []
        assert await bob.complete(stage.channel, "detect", "speaker", "") == []


async def test_somebody_who_did_not_speak_is_refused_with_those_who_did(stage: Stage, bob: Person) -> None:
    async with looking(stage):
        session = stage.session(await debated(stage))
        answer = await bob.slash(stage.channel, "detect", session=session, speaker="@everyone")
        assert "it was pro, con" in answer.text
        assert "@everyone" not in answer.text


async def test_a_private_debate_is_its_moderators_and_what_comes_of_it_is_private_too(
    stage: Stage, bob: Person
) -> None:
    async with looking(stage):
        thread = await debated(stage, private=True)
        session = stage.session(thread)
        assert await bob.complete(stage.channel, "detect", "session", "") == []
        assert await bob.complete(stage.channel, "detect", "speaker", "", session=session) == []
        assert "No finished session here" in (await bob.slash(stage.channel, "detect", session=session)).text
        offer = await stage.alice.slash(stage.channel, "detect", session=session, method="zero-shot")
        assert "a private thread" in offer.text
        made = await confirmed(stage, stage.alice, offer)
        assert made.is_private_thread
        assert len(threads(stage)) == 2


async def test_another_servers_session_is_not_seen(stage: Stage) -> None:
    world = stage.discord.world
    async with looking(stage):
        session = stage.session(await debated(stage))
        other = world.guild("Elsewhere")
        lobby = world.text_channel(other, "lobby")
        carla = world.person("Carla", guild=other, roles=[world.role(other, "boss", Permission.ADMINISTRATOR)])
        assert await carla.complete(lobby, "detect", "session", "") == []
        assert "No finished session here" in (await carla.slash(lobby, "detect", session=session)).text
