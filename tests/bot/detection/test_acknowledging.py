"""The button under the end of a session, and the confirmation, are acknowledged before anything else is done."""

from __future__ import annotations

import asyncio

import pytest

from tests.bot.detection.looking import SMALL, TEXT, closing, looking
from tests.bot.stage import DEMO, Stage, finished
from tests.bot.test_acknowledging import Slowness, settled
from tests.fakes.discord.answers import Answer
from tests.fakes.discord.people import Person


@pytest.mark.slow
async def test_the_buttons_are_acknowledged_whatever_storage_and_discord_do(stage: Stage, bob: Person) -> None:
    slowness = Slowness(stage)
    async with looking(stage):
        thread = await stage.debate(pro=DEMO, con=DEMO, judges=DEMO)
        await finished(thread)
        message = await stage.alice.write(thread, TEXT)
        offer = (await bob.slash(stage.channel, "detect", text=TEXT, **SMALL)).with_buttons
        slowness.begin()
        used = (
            bob.press(closing(thread), "Look for biases", patience=0),
            bob.menu(message, "Detect biases", patience=0),
            bob.slash(thread, "detect", text=TEXT, patience=0),
            bob.press(offer, "Start", patience=0),
        )
        answers: list[Answer] = list(await asyncio.gather(*used))
        slowness.end()
        assert [answer.kind for answer in answers] == ["thinking", "thinking", "thinking", "update"]
        await settled(answers[:3])
