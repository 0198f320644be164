"""Several `elenchus bot` over one home: each has its share of the shards, and the others take over within 15 s what one
has, whatever befalls it.

What stands in the threads is whole, once and in order.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tests.bot.child import Child, bot, identified, lost_and_doubled, settle, start
from tests.bot.posting.standing import WEBHOOK
from tests.bot.stage import Stage, posts, sharded, until
from tests.fakes.discord.state import Channel
from tests.storage.redis_server import redis_server

pytestmark = [pytest.mark.kill, pytest.mark.slow]

WHOLE = {"PYTHONUNBUFFERED": "1"}
"""The program itself, and not the quick bot of other tests, which has no lease."""


async def waiting(stage: Stage) -> Child:
    """A second bot, which waits for the gateway."""
    child = start(stage, **WHOLE)
    log = stage.home / "bot.log"
    await until(lambda: "has the gateway: waiting" in log.read_text() or child.process.poll() is not None)
    assert child.process.poll() is None
    return child


@asynccontextmanager
async def a_second(stage: Stage) -> AsyncIterator[Child]:
    """The same, killed at the end."""
    second = await waiting(stage)
    try:
        yield second
    finally:
        if second.process.poll() is None:
            await second.kill()


async def over(thread: Channel) -> None:
    """Wait for the end of the debate."""
    await until(lambda: any("The debate is over" in post.content for post in posts(thread)), 120)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM])
async def test_another_bot_takes_over_within_fifteen_seconds_and_everything_is_posted_once(
    stage: Stage, number: signal.Signals
) -> None:
    stage.home.mkdir()
    await settle(stage, "scripted:demo?latency=0.4")
    async with bot(stage, **WHOLE) as first, a_second(stage):
        thread = await stage.debate(rounds=2)
        await until(lambda: len(posts(thread)) > 3)
        known, began = identified(stage), time.monotonic()
        first.process.send_signal(number)
        if number is signal.SIGKILL:
            await first.ended()
        await until(lambda: identified(stage) > known)
        assert time.monotonic() - began < 15
        if number is signal.SIGSTOP:
            await asyncio.sleep(1)
            first.process.send_signal(signal.SIGCONT)  # it wakes amid what it was doing
        await over(thread)
        assert await lost_and_doubled(stage, thread) == ([], [], True)
        assert identified(stage) == known + 1, "the first one came back beside the second"


async def test_a_bot_that_is_stopped_while_a_post_is_on_its_way_leaves_it_to_nobody_to_post_again(stage: Stage) -> None:
    """Discord takes four seconds over it, and another bot waits for the place all the while."""
    stage.home.mkdir()
    await settle(stage, "scripted:demo?latency=0.4")
    async with bot(stage, **WHOLE) as first, a_second(stage):
        thread = await stage.debate(rounds=2)
        await until(lambda: any(post.webhook_id for post in posts(thread)))
        with stage.discord.faults.hold(*WEBHOOK, having="thread_id", most=1):
            await until(lambda: stage.discord.faults.waiting(*WEBHOOK))
            known, began = identified(stage), time.monotonic()
            first.process.send_signal(signal.SIGTERM)
            await asyncio.sleep(4)
        assert await first.ended() == 0
        await until(lambda: identified(stage) > known)
        assert time.monotonic() - began < 15
        await over(thread)
        assert await lost_and_doubled(stage, thread) == ([], [], True)


@pytest.mark.parametrize("wakes", [True, False], ids=["wakes", "never wakes"])
async def test_a_post_that_was_in_the_network_when_its_bot_froze_stands_once_in_the_end(
    stage: Stage, wakes: bool
) -> None:
    """It arrives after another bot has looked at the thread and posted the same."""
    stage.home.mkdir()
    await settle(stage, "scripted:demo?latency=0.4")
    async with bot(stage, **WHOLE) as first, a_second(stage):
        thread = await stage.debate(rounds=2)
        await until(lambda: any(post.webhook_id for post in posts(thread)))
        with stage.discord.faults.hold(*WEBHOOK, having="thread_id", most=1):
            await until(lambda: stage.discord.faults.waiting(*WEBHOOK))
            known, before = identified(stage), len(posts(thread))
            first.process.send_signal(signal.SIGSTOP)
            await until(lambda: identified(stage) > known)
            await until(lambda: len(posts(thread)) > before + 1)  # the same, and one more
        await until(lambda: not stage.discord.faults.waiting(*WEBHOOK))
        doubled = (await lost_and_doubled(stage, thread))[1]
        assert doubled, "nothing stood twice: this test shows nothing"
        first.process.send_signal(signal.SIGCONT if wakes else signal.SIGKILL)
        if wakes:
            began = time.monotonic()
            while (await lost_and_doubled(stage, thread))[1]:
                assert time.monotonic() - began < 15
                await asyncio.sleep(0.2)
        await over(thread)
        await asyncio.sleep(2)
        lost, doubled, _ = await lost_and_doubled(stage, thread)
        assert (lost, doubled) == ([], [])


@pytest.mark.parametrize("way", ["killed", "frozen", "emptied"])
async def test_a_redis_that_is_gone_or_hangs_is_warned_of_and_no_debate_ends_for_it(stage: Stage, way: str) -> None:
    stage.home.mkdir()
    await settle(stage, "scripted:demo?latency=0.4")
    with redis_server() as redis:
        async with bot(stage, **WHOLE, ELENCHUS_REDIS_URL=redis.url):
            thread = await stage.debate(rounds=2)
            await until(lambda: any(post.webhook_id for post in posts(thread)))
            match way:
                case "killed":
                    redis.stop()
                case "frozen":
                    redis.send(signal.SIGSTOP)
                case _:
                    redis.command("FLUSHALL")
            await over(thread)
            assert await lost_and_doubled(stage, thread) == ([], [], True)
            assert ("Redis cannot be used" in (stage.home / "bot.log").read_text()) == (way != "emptied")


# ── shards ───────────────────────────────────────────────────────────────────────────────────────────────────────

SHARDS = 4
SHARDED = WHOLE | {"ELENCHUS_DISCORD_SHARDS": str(SHARDS)}


@asynccontextmanager
async def servers(home: Path) -> AsyncIterator[list[Stage]]:
    """A server of each shard, where everybody may start debates."""
    async with sharded(home, SHARDS) as stages:
        home.mkdir()
        for stage in stages:
            await settle(stage, "scripted:demo?latency=0.4")
        yield stages


def connected(stage: Stage) -> list[int]:
    return [number for number, _ in stage.discord.gateway.connected()]


async def test_two_bots_that_start_at_once_have_two_shards_each(tmp_path: Path) -> None:
    async with servers(tmp_path / "home") as stages, AsyncExitStack() as stack:
        stage = stages[0]
        children = [start(stage, **SHARDED) for _ in range(2)]
        for child in children:
            stack.push_async_callback(child.kill)
        await until(lambda: connected(stage) == [0, 1, 2, 3])
        await asyncio.sleep(3)  # whoever came first may have begun to take more
        await until(lambda: connected(stage) == [0, 1, 2, 3])
        assert stage.discord.gateway.too_early == []
        await children[0].kill()
        await until(lambda: len(connected(stage)) < SHARDS)
        assert len(connected(stage)) == 2


async def test_debates_of_a_dead_bots_shards_go_on_before_its_successor_may_identify_as_all_of_them(
    tmp_path: Path,
) -> None:
    """Discord lets one shard identify in five seconds here, as it does for most bots."""
    async with servers(tmp_path / "home") as stages, AsyncExitStack() as stack:
        stage = stages[0]
        stage.discord.gateway.max_concurrency = 1
        first = await stack.enter_async_context(bot(stage, **SHARDED))
        await until(lambda: connected(stage) == [0, 1, 2, 3], 60)
        second = start(stage, **SHARDED)
        stack.push_async_callback(second.kill)
        known = identified(stage)
        await until(lambda: identified(stage) == known + 2, 60)
        await until(lambda: connected(stage) == [0, 1, 2, 3])
        threads = [await each.debate(rounds=3) for each in stages]
        await until(lambda: all(len(posts(thread)) > 3 for thread in threads))
        known, before, began = identified(stage), [len(posts(thread)) for thread in threads], time.monotonic()
        await first.kill()
        await until(lambda: all(len(posts(t)) > count + 1 for t, count in zip(threads, before, strict=True)))
        assert time.monotonic() - began < 15
        assert identified(stage) < known + 2, "all were at the gateway by then: this test shows nothing"
        for thread in threads:
            await over(thread)
            assert await lost_and_doubled(stage, thread) == ([], [], True)
        assert stage.discord.gateway.too_early == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM])
async def test_shards_are_shared_out_and_taken_over_and_each_post_stands_once(
    tmp_path: Path, number: signal.Signals
) -> None:
    """Two of them: Discord lets one identify in five seconds here, and the second has them within 15 s all the same."""
    async with servers(tmp_path / "home") as stages, AsyncExitStack() as stack:
        stage = stages[0]
        stage.discord.gateway.max_concurrency = 1
        first = await stack.enter_async_context(bot(stage, **SHARDED))
        await until(lambda: connected(stage) == [0, 1, 2, 3], 60)
        known = identified(stage)
        second = start(stage, **SHARDED)
        stack.push_async_callback(second.kill)
        await until(lambda: identified(stage) == known + 2, 60)  # two of the four go over to it
        await until(lambda: connected(stage) == [0, 1, 2, 3])
        threads = [await each.debate(rounds=2) for each in stages]
        await until(lambda: all(len(posts(thread)) > 3 for thread in threads))
        known, began = identified(stage), time.monotonic()
        first.process.send_signal(number)
        await until(lambda: identified(stage) == known + 2)
        assert time.monotonic() - began < 15
        if number is signal.SIGSTOP:
            first.process.send_signal(signal.SIGCONT)
        for thread in threads:
            await over(thread)
            assert await lost_and_doubled(stage, thread) == ([], [], True)
        assert stage.discord.gateway.too_early == []
