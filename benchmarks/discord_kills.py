"""No post is lost and none is doubled when the Discord bot is killed (SIGKILL) two hundred times at random moments.

The bot is a process of its own on the tests' strict Discord. Each debate is killed twenty times, at a moment drawn from
the first seconds after the bot has connected again, and then finishes; what its thread shows is compared with its log.
"""

from __future__ import annotations

import asyncio
import random
import sys

from benchmarks._discord import staged
from tests.bot.child import bot, killed_at_random, lost_and_doubled, settle

KILLS, EACH, LONGEST = 200, 20, 3.0


async def main(kills: int) -> None:
    """Measure, and print a Markdown table."""
    chance = random.Random(1)
    lost = doubled = disordered = debates = 0
    async with staged(rate_scale=0.01) as stage:
        await settle(stage, "scripted:demo?latency=0.5")
        while debates * EACH < kills:
            now = min(EACH, kills - debates * EACH)
            async with bot(stage) as child:
                thread = await stage.debate(rounds=3, motion=f"Motion number {debates}")
                await child.kill()
            await killed_at_random(stage, thread, now, chance, LONGEST)
            missing, twice, in_order = await lost_and_doubled(stage, thread)
            lost, doubled, disordered, debates = (
                lost + len(missing),
                doubled + len(twice),
                disordered + (not in_order),
                debates + 1,
            )
            print(f"  {debates * EACH} kills: {lost} lost, {doubled} doubled", file=sys.stderr)
    print("| kills | debates | posts lost | posts doubled | threads out of order |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    print(f"| {kills} | {debates} | **{lost}** | **{doubled}** | {disordered} |")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else KILLS))
