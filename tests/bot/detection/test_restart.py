"""A detection outlives the bot, whether it is stopped or killed."""

from __future__ import annotations

import asyncio
import random

import pytest

from elenchus.debate_engine.events import SessionStarted
from elenchus.storage.sqlite_log import open_log
from tests.bot import child
from tests.bot.detection.looking import SMALL, TEXT, confirmed, looking
from tests.bot.stage import Stage, finished, texts, until
from tests.fakes.discord.people import Person

SCRIPT = """
latency: 0.3
rules:
  - prompt: detectors/check
    json: {quotes: [all that money would have been for nothing], reason: It says so., present: "yes"}
"""


async def test_a_detection_that_ran_when_the_bot_was_stopped_goes_on_and_asks_nothing_twice(
    stage: Stage, bob: Person
) -> None:
    async with looking(stage, latency=0.2) as before:
        thread = await confirmed(stage, bob, await bob.slash(stage.channel, "detect", text=TEXT, **SMALL))
        await until(lambda: any(call.prompt_id == "detectors/argument" for call in before.asked))
    async with looking(stage) as after:
        await finished(thread)
        assert "Bias: Sunk cost fallacy" in "\n".join(texts(thread))
        done = {call.step for call in before.asked if call.prompt_id == "detectors/check"}
        assert done
        assert not done & {call.step for call in after.asked}


@pytest.mark.slow
async def test_a_detection_whose_bot_is_killed_again_and_again_shows_everything_once(stage: Stage, bob: Person) -> None:
    stage.home.mkdir()
    script, chance = stage.home / "detector.yaml", random.Random(7)
    script.write_text(SCRIPT, encoding="utf-8")
    await child.settle(stage, f"scripted:{script}")
    owners = {"ELENCHUS_DISCORD_MODELS": f"scripted:{script}"}
    async with child.bot(stage, **owners) as running:
        offer = await bob.slash(stage.channel, "detect", text=TEXT, **SMALL)
        thread = await confirmed(stage, bob, offer)
        await running.kill()
    for _ in range(2):
        async with child.bot(stage, **owners) as running:
            await asyncio.sleep(chance.uniform(0.1, 0.8))
            await running.kill()
    async with child.bot(stage, **owners) as running:
        await finished(thread)
        await running.end()
    assert await child.lost_and_doubled(stage, thread) == ([], [], True)
    assert "Sunk cost fallacy" in "\n".join(texts(thread))
    log = await open_log(stage.home / "elenchus.db")
    infos = await log.sessions()
    started = (await log.read(infos[0].id))[0].event
    await log.aclose()
    assert len(infos) == 1
    assert isinstance(started, SessionStarted)
    assert started.protocol == "detect"
