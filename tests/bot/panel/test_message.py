"""The panel is pinned, without a word about it in the thread; where that may not be, nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bot.stage import ENDLESS, Stage, finished, posts, stage_at, until
from tests.fakes.discord import changes
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.state import Channel, Message
from tests.fakes.discord.world import BOT_PERMISSIONS, Times

PIN = "/channels/{channel_id}/messages/pins/{message_id}"
PINNED_A_MESSAGE = 6


def pinned(thread: Channel) -> list[Message]:
    return [post for post in posts(thread) if post.pinned_at]


def announced(thread: Channel) -> list[Message]:
    return [post for post in posts(thread) if post.type == PINNED_A_MESSAGE]


def panels(thread: Channel) -> list[Message]:
    return [post for post in posts(thread) if "el:panel:" in str(post.components)]


def told(stage: Stage) -> list[str]:
    return [post.content for post in posts(stage.discord.world.dm(stage.alice.user))]


async def test_the_panel_is_pinned_and_nothing_is_said_of_it(stage: Stage) -> None:
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await until(lambda: pinned(thread) == [stage.panel(thread)])
        await until(lambda: announced(thread) == [])
        assert [post.type for post in thread.messages.values() if post.deleted] in ([], [PINNED_A_MESSAGE])


@pytest.mark.slow
async def test_a_bot_that_may_not_pin_says_so_once_on_a_server_and_debates_all_the_same(stage: Stage) -> None:
    changes.bot_may(stage.discord.world, stage.guild, BOT_PERMISSIONS & ~Permission.PIN_MESSAGES)
    async with stage.running():
        for _ in range(2):
            thread = await stage.debate()
            await finished(thread)
            assert pinned(thread) == []
        assert [text for text in told(stage) if "Pin Messages" in text] == told(stage)
        assert len(told(stage)) == 1
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await until(lambda: len(told(stage)) == 2)


async def test_a_panel_that_takes_the_place_of_an_old_one_is_pinned_instead(tmp_path: Path) -> None:
    async with stage_at(tmp_path / "home", times=Times(old_edits=1)) as stage, stage.running():
        clock = stage.discord.world.clock
        clock.advance(-2 * 3600)
        clock._last_ms = 0  # the fake's ids begin again, two hours earlier
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        first = panels(thread)[0]
        clock.advance(2 * 3600)
        await stage.alice.slash(thread, "debate pause")
        await until(lambda: first.deleted and pinned(thread) == panels(thread))
        assert len(panels(thread)) == 1
        await until(lambda: announced(thread) == [])


async def test_a_panel_that_discord_failed_to_pin_is_pinned_when_the_bot_is_back(stage: Stage) -> None:
    stage.discord.faults.fail("PUT", PIN, 501)
    async with stage.running():
        thread = await stage.debate(pro=ENDLESS, con=ENDLESS, judges=ENDLESS)
        await stage.alice.slash(thread, "debate heat", value=0.3)
        await until(lambda: "0.30" in str(stage.panel(thread).embeds))
        assert (pinned(thread), told(stage)) == ([], [])
    async with stage.running():
        await until(lambda: pinned(thread) == [stage.panel(thread)])
        await until(lambda: announced(thread) == [])
