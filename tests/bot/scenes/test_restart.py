"""A bot that is stopped in the middle of a scene, and one that is killed."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.events import SessionFailed
from elenchus.storage.sqlite_log import open_log
from tests.bot.scenes.acting import (
    agree,
    all_posts,
    called,
    finished,
    over,
    panel,
    play_on,
    session_in,
    started,
    taken_part,
)
from tests.bot.stage import Stage, posts, texts, until
from tests.fakes.discord.people import Person
from tests.fakes.discord.state import Channel


async def test_after_a_restart_the_scene_goes_on_and_its_buttons_and_open_forms_work(stage: Stage, bob: Person) -> None:
    async with stage.running():
        control = await started(stage, subjects=2)
        thread, asked = await taken_part(stage, bob)
        turn = await called(thread, bob, asked)
        opened = await bob.press(turn, "Answer")
    before = len(posts(thread))
    async with stage.running():
        sent = await bob.fill(opened.modal, {"Your words": "Luna gave more."})
        assert "You have said it." in sent.text
        last = await called(thread, bob, turn)
        carla = stage.discord.world.person("Carla", guild=stage.guild)
        assert "Your thread is" in (await carla.slash(stage.channel, "scene join")).text
    async with stage.running():
        assert "Do you agree" in (await called(all_posts(stage, carla), carla)).content
        await agree(all_posts(stage, carla), carla)
        assert "Running" in (await stage.alice.press(panel(control, "el:room:"), "Status")).text
        await play_on(thread, bob, turn, "Luna.", "Shade.")
        await over(thread)
        played = await finished(stage, thread)
        assert last.id
    assert [one.text for one in played.turns if one.speaker == "Robin"] == ["Luna gave more.", "Luna.", "Shade."]
    assert len(posts(thread)) > before
    assert not doubled(thread)
    assert not doubled(control)
    assert not any("goes on" in text or "paused" in text for text in texts(thread)), (
        "nobody is told of the interruption"
    )


@pytest.mark.slow
async def test_who_withdrew_while_the_bot_was_stopping_is_let_go_when_it_is_back(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await started(stage)
        thread, asked = await taken_part(stage, bob)
        last = await play_on(thread, bob, asked, "My seventeen-page diary says Luna.")
        await called(thread, bob, last)
        await until(lambda: any("seventeen-page" in text for text in texts(thread)))
        sure = await bob.press(panel(thread), "Withdraw")
    async with stage.running():
        assert "You have withdrawn" in (await bob.press(sure.message, "Yes, withdraw")).text
    async with stage.running():
        await over(thread)
        await until(lambda: not any("seventeen-page" in text for text in texts(thread)))


@pytest.mark.slow
async def test_who_was_in_a_scene_that_broke_off_is_not_left_waiting(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await started(stage)
        thread, asked = await taken_part(stage, bob)
        last = await play_on(thread, bob, asked, "My seventeen-page diary says Luna.")
        await called(thread, bob, last)
        session = session_in(stage, thread)
    log = await open_log(stage.home / "elenchus.db")
    owner = await log.claim(session)
    await log.append(session, [SessionFailed(error="Broken", message="it broke")], owner.epoch)
    await owner.release()
    await log.aclose()
    async with stage.running():
        await until(lambda: any("The scene broke off, which is not due to you" in text for text in texts(thread)))
        await until(lambda: any("broke off; what was said is kept" in p.content for p in stage.discord.world.posts))
        assert not any("Afterwards: what this was about" in text for text in texts(thread)), "it may still go on"
        sure = await bob.press(panel(thread), "Withdraw")
        assert "You have withdrawn" in (await bob.press(sure.message, "Yes, withdraw")).text
        await until(lambda: any("Afterwards: what this was about" in text for text in texts(thread)))
        await until(lambda: not any("seventeen-page" in text for text in texts(thread)))


def doubled(thread: Channel) -> list[str]:
    """Marks that stand in a thread more than once."""
    marks = [post.content.rsplit("\n", 1)[-1] for post in posts(thread) if "-# " in post.content]
    ends = [mark.rsplit(" ", 1)[-1] for mark in marks]
    return sorted({one for one in ends if ends.count(one) > 1})
