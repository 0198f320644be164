"""A class of thirty plays at once, each in a private thread, under Discord's rates, and nobody is left behind."""

from __future__ import annotations

import asyncio

import pytest

from tests.bot.scenes.acting import (
    agree,
    everything,
    finished,
    invitation,
    over,
    play_on,
    started,
    threads_of,
    version_in,
)
from tests.bot.stage import Stage, texts, until
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel

CLASS = 30
PATIENCE = 400.0


async def played(stage: Stage, who: Person) -> Channel:
    """Take part from the invitation to the debriefing, as everybody else does at the same time."""
    joined = await who.press(invitation(stage), "Take part", patience=PATIENCE)
    assert "Your thread is" in joined.text, joined.text
    (thread,) = await threads_of(stage, who, 1)
    asked = await agree(thread, who)
    await play_on(thread, who, asked, *(f"{who.name} says {n}." for n in range(3)))
    await over(thread)
    assert (await finished(stage, thread)).ended == ""
    return thread


@pytest.mark.slow
async def test_thirty_subjects_play_at_once_and_all_finish(stage: Stage) -> None:
    people = [stage.discord.world.person(f"Pupil{n:02}", guild=stage.guild) for n in range(CLASS)]
    async with stage.running():
        control = await started(stage, subjects=CLASS)
        async with asyncio.timeout(PATIENCE):
            threads = await asyncio.gather(*(played(stage, one) for one in people))
        await until(lambda: sum("The scene is played." in text for text in texts(control)) == CLASS, PATIENCE)
        versions = [await version_in(stage, thread) for thread in threads]
        status = (await stage.alice.slash(control, "scene status")).text
        results = (await stage.alice.slash(control, "scene results")).text
    assert versions.count("treatment") == versions.count("control") == CLASS // 2
    for one, thread in zip(people, threads, strict=True):
        assert {other.name for other in people if f"{other.name} says" in everything(thread)} == {one.name}
        assert [m for m in thread.thread_members if m != stage.discord.world.bot.id] == [one.id]
    assert "subject 30" in status
    assert "15 of 15" in results
