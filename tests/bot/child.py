"""`elenchus bot` as a process of its own beside the fake, to be killed at any moment and started again."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from elenchus.bot.bindings import all_bindings
from elenchus.bot.guild import GuildSettings, keep
from elenchus.bot.rendering.post import Mark, mark_in
from elenchus.bot.rendering.posts import all_posts
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.debate_engine.log import EventLog
from elenchus.storage.sqlite_log import open_log
from tests.bot.stage import SCRIPTS_TOO, VOTE, Stage, posts, until
from tests.fakes.discord.state import Channel
from tests.warm import process as warm

ROOT = Path(__file__).parents[2]
IDENTIFY = 2


@dataclass
class Child:
    """The process."""

    process: warm.Process | subprocess.Popen[bytes]

    async def kill(self) -> None:
        """End it as a power cut of the process would."""
        self.process.send_signal(signal.SIGKILL)
        await self.ended()

    async def end(self) -> None:
        """Ask it to end, and see that it does."""
        self.process.send_signal(signal.SIGTERM)
        await self.ended()

    async def ended(self) -> int:
        """Wait for its end; the exit status. Raises subprocess.TimeoutExpired."""
        return await asyncio.to_thread(self.process.wait, 120)


def start(stage: Stage, **more: str) -> Child:
    """Start the bot; it is told nothing but where Discord is, and what `more` there is in its environment."""
    api, gateway = stage.discord.api, stage.discord.gateway_url
    with (stage.home / "bot.log").open("ab") as log:
        if stage.quick and not more:
            return begun(stage, "tests.bot.quick", [api, gateway], more, log)
        where = ["--discord-api", api, "--discord-gateway", gateway]
        return begun(stage, "elenchus.service.cli", ["bot", *where], more, log)


def begun(stage: Stage, module: str, arguments: Sequence[str], more: Mapping[str, str], log: IO[bytes]) -> Child:
    """Start a program that is a bot; `log` is what it says."""
    known = {**os.environ, **more, "ELENCHUS_HOME": str(stage.home), "DISCORD_TOKEN": stage.discord.token}
    known.setdefault("ELENCHUS_DISCORD_MODELS", ", ".join(SCRIPTS_TOO))
    if stage.quick and not more:
        with Path(os.devnull).open() as nothing:
            files = (nothing.fileno(), log.fileno(), log.fileno())
            return Child(warm.start(module, arguments, cwd=ROOT, env=known, files=files))
    command = [sys.executable, "-m", module, *arguments]
    return Child(subprocess.Popen(command, cwd=ROOT, env=known, stdin=subprocess.DEVNULL, stdout=log, stderr=log))


@asynccontextmanager
async def bot(stage: Stage, **more: str) -> AsyncIterator[Child]:
    """The bot in a process of its own, connected; killed at the end if it is still there."""
    count = identified(stage)
    child = start(stage, **more)
    try:
        await until(lambda: identified(stage) > count or child.process.poll() is not None)
        assert child.process.poll() is None, "it ended by itself"
        yield child
    finally:
        if child.process.poll() is None:
            await child.kill()


def identified(stage: Stage) -> int:
    """How often a bot has connected afresh."""
    return sum(op == IDENTIFY for op, _ in stage.discord.gateway.log)


async def settle(stage: Stage, model: str) -> None:
    """Let everybody start debates, with this model on every seat."""
    log = await open_log(stage.home / "elenchus.db")
    await keep(
        log.key_value_store,
        stage.guild.id,
        GuildSettings(debater=model, judges=(model,), start="everyone", vote_minutes=VOTE),
    )
    await log.aclose()


async def lost_and_doubled(stage: Stage, thread: Channel) -> tuple[list[Mark], list[Mark], bool]:
    """Marks that are missing in a thread, marks that stand there twice, and whether all stand in order."""
    log = await open_log(stage.home / "elenchus.db")
    try:
        return await compared(log, log.key_value_store, thread)
    finally:
        await log.aclose()


async def compared(log: EventLog, store: KeyValueStore, thread: Channel) -> tuple[list[Mark], list[Mark], bool]:
    """The same, by this log and store."""
    session = next(binding.session for binding in await all_bindings(store) if binding.thread == thread.id)
    wanted = [post.mark for post in all_posts(session, await log.read(session))]
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
