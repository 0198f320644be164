"""A button is acknowledged within 300 ms (99th percentile) while two hundred debates run in the bot.

The bot is a process of its own on the tests' strict Discord, with Discord's own rate limits; the debates' models answer
after 5 s, and every debate posts into a thread of its own, ten threads a channel. The time is Discord's: from sending
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

SESSIONS, CLICKS, MODEL = 200, 300, "scripted:demo?latency=5"


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
                panel = next(post for post in posts(chance.choice(threads)) if "el:panel:" in str(post.components))
                answer = await stage.alice.press(panel, chance.choice(["Heat +", "Heat −"]), patience=0)
                seconds.append(answer.acknowledged_after)
                await asyncio.sleep(0.05)
            taken = time.monotonic() - begun
            said = sum(len(posts(thread)) for thread in threads)
    cuts = statistics.quantiles(seconds, n=100)
    print("| running debates | clicks | median | p99 | worst | posts made in that time or before |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    times = f"{cuts[49] * 1000:.0f} ms | **{cuts[98] * 1000:.0f} ms** | {max(seconds) * 1000:.0f} ms"
    print(f"| {number} | {clicks} in {taken:.0f} s | {times} | {said} |")


if __name__ == "__main__":
    asyncio.run(main(*([int(argument) for argument in sys.argv[1:3]] or [SESSIONS, CLICKS])))
