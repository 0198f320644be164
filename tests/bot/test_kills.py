"""The bot's process is killed (SIGKILL) at random moments: what the thread shows is whole, once, in order."""

from __future__ import annotations

import random

import pytest

from tests.bot.child import bot, killed_at_random, lost_and_doubled, settle
from tests.bot.stage import Stage, posts


@pytest.mark.kill
@pytest.mark.slow
async def test_no_post_is_lost_or_doubled_when_the_bot_is_killed_at_random_moments(stage: Stage) -> None:
    stage.home.mkdir()
    await settle(stage, "scripted:demo?latency=0.15")
    async with bot(stage) as child:
        thread = await stage.debate(rounds=2)
        await child.kill()
    await killed_at_random(stage, thread, 6, random.Random(7), longest=4.0)
    assert await lost_and_doubled(stage, thread) == ([], [], True)
    assert len([post for post in posts(thread) if "el:panel:" in str(post.components)]) == 1
