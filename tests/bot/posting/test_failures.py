"""What befalls a server while a debate runs: each is survived, and told to the moderator in one sentence."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing

import pytest

from elenchus.bot.bindings import Binding, ViewKey
from elenchus.debate_engine.events import SessionPaused
from tests.bot.people.seated import settle, vote_in
from tests.bot.posting.standing import marks, speeches, whole
from tests.bot.stage import ENDLESS, Stage, finished, posts, texts, until
from tests.fakes.discord import changes
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.state import Channel
from tests.fakes.discord.world import BOT_PERMISSIONS

SLOW = "scripted:demo?latency=0.2"
MESSAGE = ("POST", "/channels/{channel_id}/messages")


async def slow(stage: Stage) -> Channel:
    """A debate that has begun and takes a while."""
    thread = await stage.debate(pro=SLOW, con=SLOW)
    await until(lambda: len(marks(thread)) >= 2)
    return thread


def told(stage: Stage) -> list[str]:
    """What Alice was told directly."""
    return [post.content for post in posts(stage.discord.world.dm(stage.alice.user))]


async def is_told(stage: Stage, *parts: str) -> None:
    """Alice is told exactly one thing, in one sentence, with these parts in it."""
    await until(lambda: told(stage))
    assert len(told(stage)) == 1, told(stage)
    assert all(part in told(stage)[0] for part in parts), told(stage)
    assert told(stage)[0].count(". ") == 0


async def paused(stage: Stage, thread: Channel) -> None:
    """The session waits."""
    assert stage.app is not None
    async with aclosing(stage.app.log.follow(stage.session(thread))) as events:
        async for r in events:
            if isinstance(r.event, SessionPaused) and r.event.why == "moderator":
                return


def binding(stage: Stage, thread: Channel) -> Binding:
    assert stage.bot is not None
    return stage.bot.bindings.in_thread(thread.id)


async def test_a_deleted_thread_pauses_its_debate(stage: Stage) -> None:
    async with stage.running():
        thread = await slow(stage)
        changes.delete_channel(stage.discord.world, thread)
        await is_told(stage, "was deleted", "`/session resume")
        await asyncio.wait_for(paused(stage, thread), 120)
        assert binding(stage, thread).closed


async def test_a_deleted_channel_takes_its_threads_along(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        changes.delete_channel(stage.discord.world, stage.channel)
        await is_told(stage, "was deleted")
        assert binding(stage, thread).closed


async def test_a_thread_deleted_while_the_bot_was_away_is_noticed_at_its_return(stage: Stage) -> None:
    async with stage.running():
        thread = await slow(stage)
    changes.delete_channel(stage.discord.world, thread)
    async with stage.running():
        await is_told(stage, "was deleted")
        await asyncio.wait_for(paused(stage, thread), 120)


@pytest.mark.slow
async def test_a_deleted_webhook_is_made_anew(stage: Stage) -> None:
    async with stage.running():
        thread = await slow(stage)
        await until(lambda: speeches(stage))
        changes.delete_webhook(stage.discord.world, next(iter(stage.discord.world.webhooks.values())))
        await finished(thread)
        await whole(stage, thread)
        await is_told(stage, "webhook", "nothing to do")
    assert len(stage.discord.world.webhooks) == 1
    assert sum(call.answered == 404 for call in speeches(stage)) == 1


@pytest.mark.slow
async def test_a_webhook_with_another_token_is_looked_up_anew(stage: Stage) -> None:
    async with stage.running():
        thread = await slow(stage)
        await until(lambda: speeches(stage))
        (webhook,) = stage.discord.world.webhooks.values()
        webhook.token = f"{webhook.token}-renewed"
        await finished(thread)
        await whole(stage, thread)
    assert list(stage.discord.world.webhooks.values()) == [webhook]


async def test_without_manage_webhooks_the_bot_speaks_for_its_personas(stage: Stage) -> None:
    changes.bot_may(stage.discord.world, stage.guild, BOT_PERMISSIONS & ~Permission.MANAGE_WEBHOOKS)
    async with stage.running():
        thread = await stage.debate()
        await finished(thread)
        await whole(stage, thread)
        await is_told(stage, "Manage Webhooks")
    assert not stage.discord.world.webhooks
    assert len(stage.discord.made("GET", "/channels/{channel_id}/webhooks")) == 1, "asked in vain again and again"
    assert any(text.startswith("**") and "(pro)" in text.splitlines()[0] for text in texts(thread))


async def test_a_channel_full_of_webhooks_is_told_and_not_again_when_the_vote_is_closed(stage: Stage) -> None:
    world = stage.discord.world
    for n in range(15):
        world.webhook(stage.channel, f"other {n}", stage.alice.user)
    async with stage.running():
        await settle(stage, vote_minutes=10)
        thread = await stage.debate()
        await stage.alice.press(await vote_in(thread, "before the debate?"), "Begin the debate")
        vote = await vote_in(thread, "where do you stand now?")
        await is_told(stage, "no room", "Integrations")
        await stage.alice.press(vote, "Close the vote")
        await finished(thread)
        await until(lambda: binding(stage, thread).closed)
        await is_told(stage, "no room")
    assert len(world.webhooks) == 15


@pytest.mark.slow
async def test_a_removed_permission_pauses_and_its_return_goes_on(stage: Stage) -> None:
    world = stage.discord.world
    async with stage.running():
        thread = await slow(stage)
        changes.deny(world, stage.channel, world.bot, Permission.SEND_MESSAGES_IN_THREADS, Permission.MANAGE_WEBHOOKS)
        await until(lambda: told(stage))
        await is_told(stage, "no longer post", "Send Messages in Threads")
        await asyncio.wait_for(paused(stage, thread), 120)
        changes.allow(world, stage.channel, world.bot, Permission.SEND_MESSAGES_IN_THREADS, Permission.MANAGE_WEBHOOKS)
        await stage.alice.slash(thread, "debate resume")
        await finished(thread)
        await whole(stage, thread)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bit", "name"), [(Permission.EMBED_LINKS, "Embed Links"), (Permission.ATTACH_FILES, "Attach Files")]
)
async def test_a_removed_permission_for_what_a_post_holds_is_named_too(
    stage: Stage, bit: Permission, name: str
) -> None:
    world = stage.discord.world
    async with stage.running():
        thread = await slow(stage)
        changes.deny(world, stage.channel, world.bot, bit)
        await is_told(stage, "no longer post", name)
        changes.allow(world, stage.channel, world.bot, bit)
        await stage.alice.slash(thread, "debate resume")
        await finished(thread)
        await whole(stage, thread)


@pytest.mark.slow
async def test_a_hidden_channel_pauses_and_its_return_goes_on(stage: Stage) -> None:
    world = stage.discord.world
    async with stage.running() as bot:
        thread = await slow(stage)
        session = stage.session(thread)
        assert ViewKey(session) not in bot.manager.unpostable
        changes.deny(world, stage.channel, world.bot, Permission.VIEW_CHANNEL)
        await is_told(stage, "no longer see", "View Channel")
        await asyncio.wait_for(paused(stage, thread), 120)
        assert ViewKey(session) in bot.manager.unpostable, "nobody waits for it to show anything"
        changes.allow(world, stage.channel, world.bot, Permission.VIEW_CHANNEL)
        await stage.alice.slash(thread, "debate resume")
        await finished(thread)
        await whole(stage, thread)
        assert ViewKey(session) not in bot.manager.unpostable


@pytest.mark.slow
async def test_a_kicked_bot_pauses_and_goes_on_when_it_is_back(stage: Stage) -> None:
    world = stage.discord.world
    async with stage.running():
        thread = await slow(stage)
        changes.kick_bot(world, stage.guild)
        await is_told(stage, "removed from the server Agora")
        await asyncio.wait_for(paused(stage, thread), 120)
        world.invite_bot(stage.guild)
        await asyncio.sleep(0.3)
        await stage.alice.slash(thread, "debate resume")
        await finished(thread)
        await whole(stage, thread)


async def test_a_bot_that_is_invited_again_shows_at_once_what_happened_meanwhile(stage: Stage) -> None:
    world = stage.discord.world
    async with stage.running():
        thread = await slow(stage)
        changes.kick_bot(world, stage.guild)
        await asyncio.wait_for(paused(stage, thread), 120)
        assert not any("⏸" in text for text in texts(thread))
        world.invite_bot(stage.guild)
        await until(lambda: any("removed from the server" in text for text in texts(thread)))
        await until(lambda: "⏸" in texts(thread)[0])


async def test_a_bot_that_was_removed_while_it_was_away_pauses_and_tells_it_at_its_return(stage: Stage) -> None:
    async with stage.running():
        thread = await slow(stage)
    changes.kick_bot(stage.discord.world, stage.guild)
    async with stage.running():
        await is_told(stage, "I was removed from the server", "`/session resume")
        await asyncio.wait_for(paused(stage, thread), 120)


async def test_a_thread_that_is_only_hidden_although_it_is_said_to_be_gone_waits_for_the_permission(
    stage: Stage,
) -> None:
    world = stage.discord.world
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await until(lambda: len(marks(thread)) == 2)
        world.events.channel("DELETE", thread)  # as for whom it has become invisible
        changes.deny(world, stage.channel, world.bot, Permission.VIEW_CHANNEL)
        await is_told(stage, "no longer see", "View Channel")
        await asyncio.wait_for(paused(stage, thread), 120)
        assert not binding(stage, thread).closed


@pytest.mark.slow
async def test_a_locked_thread_is_opened_where_the_bot_may_and_the_debate_goes_on(stage: Stage) -> None:
    async with stage.running():
        thread = await slow(stage)
        changes.archive(stage.discord.world, thread, locked=True)
        await finished(thread)
        await whole(stage, thread)
    assert not thread.archived
    assert told(stage) == []


@pytest.mark.slow
async def test_where_discord_fails_for_long_the_moderator_is_told_and_the_thread_is_whole_in_the_end(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    async with stage.running():
        await settle(stage, vote_minutes=10)  # nothing more is posted by itself
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await until(lambda: len(marks(thread)) == 2)
        stage.discord.faults.fail(*MESSAGE, 503, times=5)  # tried again after 1, 1, 2 and 4 seconds
        await stage.alice.slash(thread, "debate pause")
        await is_told(stage, "keep trying", "reference")
        name = told(stage)[0].rpartition("reference ")[2].rstrip(".")
        assert f"[{name}] posting of {stage.session(thread)}" in caplog.text
        await stage.alice.slash(thread, "debate resume")  # does not wait for the next attempt
        await until(lambda: len(marks(thread)) == 4)
        await whole(stage, thread)


async def test_where_nobody_can_be_told_it_stands_in_the_log(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    stage.alice.user.accepts_dm = False
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        caplog.set_level(logging.INFO)
        changes.delete_channel(stage.discord.world, stage.channel)
        await until(lambda: "nothing told in channel" in caplog.text)
        await asyncio.wait_for(paused(stage, thread), 120)
    assert "was deleted, so I paused the debate" in caplog.text


@pytest.mark.slow
async def test_an_archived_thread_is_opened_by_the_next_post(stage: Stage) -> None:
    async with stage.running():
        thread = await slow(stage)
        for _ in range(3):
            count = len(marks(thread))
            changes.archive(stage.discord.world, thread)
            await until(lambda seen=count: len(marks(thread)) > seen)  # type: ignore[misc]
        await finished(thread)
        await whole(stage, thread)
    assert told(stage) == []


async def test_a_locked_thread_that_the_bot_may_not_open_is_told(stage: Stage) -> None:
    world = stage.discord.world
    changes.bot_may(world, stage.guild, BOT_PERMISSIONS & ~Permission.MANAGE_THREADS)
    async with stage.running():
        thread = await slow(stage)
        changes.archive(world, thread, locked=True)
        await is_told(stage, "archived or locked", "open the thread")
        await asyncio.wait_for(paused(stage, thread), 120)


async def test_who_takes_no_direct_messages_is_told_in_the_channel(stage: Stage) -> None:
    stage.alice.user.accepts_dm = False
    async with stage.running():
        thread = await slow(stage)
        changes.delete_channel(stage.discord.world, thread)
        await until(lambda: posts(stage.channel) and any("was deleted" in text for text in texts(stage.channel)))
    (post,) = [post for post in posts(stage.channel) if "was deleted" in post.content]
    assert post.pinged == {stage.alice.id}


@pytest.mark.slow
async def test_a_moderator_who_cannot_be_reached_as_the_connection_breaks_is_told_in_the_channel(stage: Stage) -> None:
    world = stage.discord.world
    async with stage.running():
        thread = await slow(stage)
        stage.discord.faults.lose_reply("POST", "/users/@me/channels", closing=True)
        changes.deny(world, stage.channel, world.bot, Permission.SEND_MESSAGES_IN_THREADS, Permission.MANAGE_WEBHOOKS)
        await until(lambda: any("no longer post" in text for text in texts(stage.channel)))
        await asyncio.wait_for(paused(stage, thread), 120)
        changes.allow(world, stage.channel, world.bot, Permission.SEND_MESSAGES_IN_THREADS, Permission.MANAGE_WEBHOOKS)
        await stage.alice.slash(thread, "debate resume")
        await finished(thread)
        await whole(stage, thread)
    assert not told(stage)
