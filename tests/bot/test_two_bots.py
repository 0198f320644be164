"""Two `elenchus bot` over one home: one has the gateway, and the other takes over within 15 s, whatever befalls the
one.

What stands in the threads is whole, once and in order.
"""

from __future__ import annotations

import asyncio
import signal
import time

import pytest

from tests.bot.child import Child, bot, identified, lost_and_doubled, settle, start
from tests.bot.stage import Stage, posts, until

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


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM])
async def test_another_bot_takes_over_within_fifteen_seconds_and_everything_is_posted_once(
    stage: Stage, number: signal.Signals
) -> None:
    stage.home.mkdir()
    await settle(stage, "scripted:demo?latency=0.4")
    async with bot(stage, **WHOLE) as first:
        second = await waiting(stage)
        try:
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
            await until(lambda: any("The debate is over" in post.content for post in posts(thread)), 120)
            assert await lost_and_doubled(stage, thread) == ([], [], True)
            assert identified(stage) == known + 1, "the first one came back beside the second"
        finally:
            if second.process.poll() is None:
                second.process.send_signal(signal.SIGKILL)
                await second.ended()
