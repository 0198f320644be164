"""The bot is killed in the middle of a scene, at random moments, and the scene goes on."""

from __future__ import annotations

import asyncio
import random

import pytest

from elenchus.bot.rendering.post import mark_in
from elenchus.storage.sqlite_log import open_log
from tests.bot import child
from tests.bot.scenes.acting import SEEDS, agree, all_posts, called, invitation, keep_seeds, over, speak
from tests.bot.stage import DEMO, Stage, posts, until
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel

KILLS = 4


@pytest.mark.slow
async def test_a_scene_survives_kills_with_nothing_lost_or_doubled_in_the_subjects_thread(
    stage: Stage, bob: Person
) -> None:
    chance = random.Random(7)
    stage.home.mkdir()
    await child.settle(stage, DEMO)
    log = await open_log(stage.home / "elenchus.db")
    await keep_seeds(log.key_value_store, stage.guild.id)
    await log.aclose()
    async with child.bot(stage) as first:
        answer = await stage.alice.slash(stage.channel, "scene start", scene=SEEDS, conditions="control")
        pressed = await stage.alice.press(answer.with_buttons, "Start")
        await until(lambda: "The control room is" in pressed.text)
        await bob.press(invitation(stage), "Take part")
        thread = all_posts(stage, bob)
        await agree(thread, bob)
        await first.kill()
    for _ in range(KILLS):
        async with child.bot(stage) as running:
            await asyncio.sleep(chance.uniform(0, 1.5))
            await running.kill()
    async with child.bot(stage) as last:
        turn = None
        for n in range(3):
            turn = await called(thread, bob, turn, "it is your turn to speak")
            assert "You have said it." in (await speak(bob, turn, f"My words, {n}.")).text
        await over(thread)
        await last.end()
    found = [mark for post in posts(thread) if (mark := mark_in(post.content))]
    assert found == sorted(set(found)), "in order, and none twice"
    assert spoken(thread) == [f"My words, {n}." for n in range(3)]
    calls = [post for post in posts(thread) if bob.id in post.pinged and "your turn to speak" in post.content]
    assert len(calls) == 3


def spoken(thread: Channel) -> list[str]:
    """The subject's own words in the thread."""
    return [post.content.partition("\n")[0] for post in posts(thread) if post.author.name == "Robin"]
