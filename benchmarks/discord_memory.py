"""What a hundred idle debates cost the Discord bot in memory.

Each debate has come as far as its first round and waits for its moderator; the bot shows all of them in threads of
their own. The bot is a process of its own, its memory the resident set that Linux tells after a quiet while.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from benchmarks._discord import debate, sessions, staged
from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Recorded, SessionPaused
from elenchus.debate_engine.llm.registry import Registry
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.runner import Runner
from elenchus.service.app import seat_maker
from elenchus.service.protocols import Protocols
from tests.bot.child import Child, bot, settle
from tests.bot.stage import posts, until

IDLE, MODEL, QUIET = 100, "scripted:demo", 5.0


async def past() -> list[Recorded]:
    """The log of a debate up to its first round's score, and then paused."""
    log, registry = MemoryLog(), Registry(Settings(home=Path()))
    runner = Runner(log, Protocols(), seat_maker(registry))
    session = await runner.create(debate(MODEL, rounds=2))
    await runner.run(session)
    events = await log.read(session)
    await registry.aclose()
    until_here = next(r.seq for r in events if getattr(r.event, "step", "") == "round/1/crit/quality")
    paused = SessionPaused(why="moderator", reason="paused")
    return [*events[:until_here], Recorded(seq=until_here + 1, at=events[until_here].at, event=paused)]


def resident(child: Child) -> float:
    """Megabytes."""
    lines = Path(f"/proc/{child.process.pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


async def measured(number: int, events: list[Recorded]) -> float:
    """The bot's memory with so many idle debates."""
    async with staged(rate_scale=0.01) as stage:
        await settle(stage, MODEL)
        threads = await sessions(stage, number, debate(MODEL), events)
        async with bot(stage) as child:
            await until(lambda: all(any(post.components for post in posts(thread)) for thread in threads), 300)
            await asyncio.sleep(QUIET)
            return resident(child)


async def main(number: int) -> None:
    """Measure, and print a Markdown table."""
    events = await past()
    print("  without debates", file=sys.stderr)
    bare = await measured(0, events)
    print(f"  with {number}", file=sys.stderr)
    full = await measured(number, events)
    print("| idle debates | events each | bot without, MB | with, MB | each, MB |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    print(f"| {number} | {len(events)} | {bare:.0f} | **{full:.0f}** | {(full - bare) / number:.2f} |")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else IDLE))
