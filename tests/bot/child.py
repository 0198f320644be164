"""`elenchus bot` as a process of its own beside the fake, to be killed at any moment and started again."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.bindings import DRAWER, Binding
from bot.guild import GuildSettings, keep
from bot.rendering.post import Mark, mark_in
from bot.rendering.thread import thread_of
from storage.sqlite_log import open_log
from tests.bot.stage import Stage, posts, until
from tests.fakes.discord.state import Channel

ROOT = Path(__file__).parents[2]
IDENTIFY = 2


@dataclass
class Child:
    """The process."""

    process: asyncio.subprocess.Process

    async def kill(self) -> None:
        """End it as a power cut of the process would."""
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()

    async def end(self) -> None:
        """Ask it to end, and see that it does."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
            await asyncio.wait_for(self.process.wait(), 120)


async def start(stage: Stage, **more: str) -> Child:
    """Start the bot; it is told nothing but where Discord is, and what `more` there is in its environment."""
    environment = {**os.environ, **more, "ELENCHUS_HOME": str(stage.home), "DISCORD_TOKEN": stage.discord.token}
    where = ["--discord-api", stage.discord.api, "--discord-gateway", stage.discord.gateway_url]
    with (stage.home / "bot.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "service.cli", "bot", *where, cwd=ROOT, env=environment, stderr=log
        )
    return Child(process)


@asynccontextmanager
async def bot(stage: Stage, **more: str) -> AsyncIterator[Child]:
    """The bot in a process of its own, connected; killed at the end if it is still there."""
    count = identified(stage)
    child = await start(stage, **more)
    try:
        await until(lambda: identified(stage) > count)
        yield child
    finally:
        if child.process.returncode is None:
            await child.kill()


def identified(stage: Stage) -> int:
    """How often a bot has connected afresh."""
    return sum(op == IDENTIFY for op, _ in stage.discord.gateway.log)


async def settle(stage: Stage, model: str) -> None:
    """Let everybody start debates, with this model on every seat."""
    log = await open_log(stage.home / "elenchus.db")
    await keep(log.shelf, stage.guild.id, GuildSettings(debater=model, judges=(model,), start="everyone"))
    await log.aclose()


async def lost_and_doubled(stage: Stage, thread: Channel) -> tuple[list[Mark], list[Mark], bool]:
    """Marks that are missing in a thread, marks that stand there twice, and whether all stand in order."""
    log = await open_log(stage.home / "elenchus.db")
    bindings = [Binding.model_validate(b) for b in (await log.shelf.all(DRAWER)).values()]
    session = next(b.session for b in bindings if b.thread == thread.id)
    wanted = [post.mark for post in thread_of(session, await log.read(session))]
    await log.aclose()
    found = [mark for post in posts(thread) if (mark := mark_in(post.content))]
    doubled = sorted(mark for mark in set(found) if found.count(mark) > 1)
    return [mark for mark in wanted if mark not in found], doubled, found == sorted(found)


async def killed_at_random(stage: Stage, thread: Channel, kills: int, chance: random.Random, longest: float) -> None:
    """Kill the bot so often at random moments of the debate and let it finish; it must be running before."""
    for _ in range(kills):
        async with bot(stage) as child:
            await asyncio.sleep(chance.uniform(0, longest))
            await child.kill()
    async with bot(stage) as child:
        await until(lambda: any("The debate is over" in post.content for post in posts(thread)), 120)
        await child.end()
