"""Members who never agreed, where something comes between: a change of mind, a failing thread, a stop of the bot."""

from __future__ import annotations

import asyncio

import pytest

from elenchus.bot.bindings import ViewKey
from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Redacted, SeatNamed, StopAsked, TurnAnswered
from elenchus.service.app import open_app
from tests.bot.people.seated import kinds, over, settle, stop, traces, turn_for, turn_of, waiting
from tests.bot.people.test_members import called_so, files_with
from tests.bot.stage import ENDLESS, Stage, finished, posts, texts, until
from tests.fakes.discord import changes
from tests.fakes.discord.people import Person

READ = ("GET", "/channels/{channel_id}/messages")
DELETE = ("DELETE", "/channels/{channel_id}/messages/{message_id}")
POST = ("POST", "/channels/{channel_id}/messages")


@pytest.fixture
def carla(stage: Stage) -> Person:
    return stage.discord.world.person("Carla", guild=stage.guild)


# ── a change of mind ─────────────────────────────────────────────────────────────────────────────────────────────


async def test_who_agreed_and_then_does_not_agree_after_all_is_forgotten_with_name_and_words(
    stage: Stage, bob: Person
) -> None:
    called_so(bob)
    async with stage.running():
        await settle(stage, turn_seconds=60)
        thread = await stage.debate(pro=bob.mention)
        turn = await turn_for(thread, bob, "opening speech")
        asked = await bob.press(turn, "Answer")
        await bob.press(asked.message, "I agree")
        assert await kinds(stage, thread, SeatNamed)
        answer = TurnAnswered(step="unknown", seat="pro", by=f"discord:{bob.id}", answer="Seventeen bees in Lisbon.")
        assert stage.app is not None
        await stage.app.log.send(stage.session(thread), answer)
        assert "Nothing of yours" in (await bob.press(asked.message, "I do not agree")).text
        assert await stage.app.store.all("drafts") == {}
        await stop(stage, thread)
        await over(stage, thread)
    assert files_with(stage, str(bob.id), "Bartholomew", "Seventeen bees") == []
    assert traces(thread, bob) == []


async def test_who_declines_while_the_debate_ends_is_forgotten_once(stage: Stage, bob: Person) -> None:
    async with stage.running():
        await settle(stage, turn_seconds=60)
        thread = await stage.debate(pro=bob.mention)
        asked = await bob.press(await turn_of(thread, bob), "Answer")
        with stage.discord.faults.hold(*DELETE):
            declining = asyncio.create_task(bob.press(asked.message, "I do not agree"))
            await until(lambda: stage.discord.faults.waiting(*DELETE))
            await finished(thread)
        assert "Nothing of yours" in (await declining).text
        await over(stage, thread)
        (redacted,) = await kinds(stage, thread, Redacted)
    assert isinstance(redacted, Redacted)
    assert redacted.name_only
    assert not any("were removed from the record" in text for text in texts(thread))
    assert files_with(stage, str(bob.id)) == []


# ── a thread that fails ──────────────────────────────────────────────────────────────────────────────────────────


async def test_while_the_thread_cannot_be_read_it_is_tried_again_until_all_are_forgotten(
    stage: Stage, bob: Person, carla: Person
) -> None:
    dora = stage.discord.world.person("Dora", guild=stage.guild)
    async with stage.running():
        thread = await waiting(stage, bob, carla, dora)
        stage.discord.faults.fail(*READ, 503, times=4)
        await stop(stage, thread)
        await over(stage, thread)
    for one in (bob, carla, dora):
        assert files_with(stage, str(one.id)) == []
        assert traces(thread, one) == []


async def test_a_debate_whose_thread_is_gone_forgets_them_too_when_it_is_stopped_while_the_bot_is_away(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        thread = await waiting(stage, bob)
        session = stage.session(thread)
        changes.delete_channel(stage.discord.world, thread)
        await until(lambda: stage.bot and stage.bot.bindings.of(ViewKey(session)).closed)
    async with open_app(Settings(home=stage.home)) as app:
        await app.log.send(session, StopAsked(by="somebody", reason="Enough."))
        assert (await app.runner.run(session)).state == "stopped"
    assert files_with(stage, str(bob.id)) != []
    async with stage.running():
        await forgotten(stage, session)
    assert files_with(stage, str(bob.id)) == []


async def forgotten(stage: Stage, session: str) -> None:
    """Wait until somebody is taken out of a session's record."""
    assert stage.app is not None
    async for r in stage.app.log.follow(session):
        if isinstance(r.event, Redacted):
            return


async def test_the_end_is_shown_though_somebody_who_was_never_called_is_forgotten_while_it_is_being_posted(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=bob.mention)
        with stage.discord.faults.hold(*POST):
            assert (await stage.alice.slash(thread, "debate heat", value=0.5)).text
            await until(lambda: stage.discord.faults.waiting(*POST))
            await stop(stage, thread)
            await forgotten(stage, stage.session(thread))
        await over(stage, thread)
    assert any("report.md" in text for text in texts(thread))


@pytest.mark.slow
async def test_a_call_that_a_slow_thread_shows_only_after_they_were_forgotten_is_deleted(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        thread = await waiting(stage, bob)
        with stage.discord.faults.hold(*POST):
            await bob.press(await turn_of(thread, bob), "More time")
            await until(lambda: stage.discord.faults.waiting(*POST))
            await stop(stage, thread)
            await forgotten(stage, stage.session(thread))
        await over(stage, thread)
    assert files_with(stage, str(bob.id)) == []
    assert traces(thread, bob) == []


# ── a stop of the bot ────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_bot_that_is_stopped_while_it_deletes_their_calls_does_it_when_it_is_back(
    stage: Stage, bob: Person
) -> None:
    async with stage.running():
        thread = await waiting(stage, bob)
        with stage.discord.faults.hold(*READ):
            await stop(stage, thread)
            await until(lambda: stage.discord.faults.waiting(*READ))
            assert stage.bot is not None
            await stage.bot.close()
    async with stage.running():
        await over(stage, thread)
    assert files_with(stage, str(bob.id)) == []
    assert traces(thread, bob) == []


# ── what stays ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
async def test_nothing_is_deleted_in_the_thread_but_their_calls(stage: Stage, bob: Person, carla: Person) -> None:
    async with stage.running():
        await settle(stage, turn_seconds=0.5, stand_in=True)
        thread = await stage.debate(pro=bob.mention, con=carla.mention)
        await turn_of(thread, bob)
        with stage.discord.faults.hold(*READ):  # where their calls are looked for
            await finished(thread)
            before = {post.id: post.content for post in posts(thread)}
        await over(stage, thread)
    left = {post.id for post in posts(thread)}
    gone = [text for post, text in before.items() if post not in left]
    assert gone
    assert [text for text in gone if bob.mention not in text and carla.mention not in text] == []
