"""A button is acknowledged within 300 ms (99th percentile) while two hundred debates run in the bot.

The bot is a process of its own on the tests' strict Discord, with Discord's own rate limits; the debates' models answer
after 15 s, and every debate posts into a thread of its own, ten threads a channel. The time is Discord's: from sending
the click to the acknowledgement's arrival. The fake shares the machine's processors with the bot.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import time

from benchmarks._discord import debate, sessions, staged
from tests.bot.child import bot, settle
from tests.bot.stage import posts, until
from tests.fakes.discord.state import Channel, Message

SESSIONS, CLICKS, MODEL = 200, 300, "scripted:demo?latency=15"


def running(thread: Channel) -> Message | None:
    """The panel of a debate that runs."""
    return next((post for post in posts(thread) if ":hotter" in str(post.components)), None)


async def main(number: int, clicks: int) -> None:
    """Measure, and print a Markdown table."""
    chance = random.Random(1)
    async with staged(rate_scale=1.0) as stage:
        await settle(stage, MODEL)
        threads = await sessions(stage, number, debate(MODEL))
        async with bot(stage):
            print("  waiting for the panels", file=sys.stderr)
            await until(lambda: all(any(post.components for post in posts(thread)) for thread in threads), 300)
            print(f"  {clicks} clicks", file=sys.stderr)
            seconds = list[float]()
            begun = time.monotonic()
            for _ in range(clicks):
                panel = chance.choice([panel for thread in threads if (panel := running(thread))])
                answer = await stage.alice.press(panel, chance.choice(["Heat +", "Heat −"]), patience=0)
                seconds.append(answer.acknowledged_after)
                await asyncio.sleep(0.05)
            taken = time.monotonic() - begun
            still = sum(running(thread) is not None for thread in threads)
            said = sum(len(posts(thread)) for thread in threads)
    cuts = statistics.quantiles(seconds, n=100)
    print("| debates | running at the end | clicks | median | p99 | worst | posts made in that time or before |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    times = f"{cuts[49] * 1000:.0f} ms | **{cuts[98] * 1000:.0f} ms** | {max(seconds) * 1000:.0f} ms"
    print(f"| {number} | {still} | {clicks} in {taken:.0f} s | {times} | {said} |")


if __name__ == "__main__":
    asyncio.run(main(*([int(argument) for argument in sys.argv[1:3]] or [SESSIONS, CLICKS])))
