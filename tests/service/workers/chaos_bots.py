"""Bots amid the chaos: two processes share the shards of a Discord, are killed and frozen; each post stands once."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from elenchus.bot.bindings import Binding, all_bindings
from elenchus.bot.guild import GuildSettings, keep
from elenchus.debate_engine.errors import StorageError
from elenchus.service.app import App
from tests.bot.child import compared
from tests.bot.stage import SCRIPTS_TOO, VOTE, Stage, posts, sharded
from tests.fakes.discord.state import Channel
from tests.service.cli.program import ELENCHUS
from tests.service.workers.fleet import Fleet, Worker, look, until

BOTS, SHARDS = 2, 4
MODEL = "scripted:demo?latency=0.7"
"""It asks no vendor: the calls that the vendor sees are those of the other debates."""
STANDS_WITHIN = 150.0
"""Seconds from the last disturbance until every debate is over and each post stands once."""


@dataclass
class Bots:
    """Two bots over the fleet's database, and a server of each shard where somebody starts debates."""

    fleet: Fleet
    stages: list[Stage] = field(repr=False)
    chance: random.Random
    processes: list[Worker] = field(default_factory=list)

    def start(self) -> Worker:
        """Start one more."""
        said, discord = self.fleet.folder / f"bot-{len(self.processes)}.log", self.stages[0].discord
        known = self.fleet.environment | {
            "PYTHONWARNINGS": "error,ignore::DeprecationWarning",  # discord.py imports audioop
            "DISCORD_TOKEN": discord.token,
            "ELENCHUS_DISCORD_MODELS": ", ".join(SCRIPTS_TOO),
            "ELENCHUS_DISCORD_SHARDS": str(SHARDS),
        }
        where = ["--discord-api", discord.api, "--discord-gateway", discord.gateway_url]
        with said.open("wb") as file:
            process = subprocess.Popen(
                [*ELENCHUS, "bot", *where], stdin=subprocess.DEVNULL, stdout=file, stderr=file, env=known,
                cwd=self.fleet.folder,
            )  # fmt: skip
        self.processes.append(Worker(process, said, said.stem))
        return self.processes[-1]

    async def keep(self) -> None:
        """Be a bot's supervisor, for ever."""
        while True:
            bot = self.start()
            await until(lambda bot=bot: not bot.lives, seconds=1e9)  # type: ignore[misc] # at once
            await asyncio.sleep(0.5)

    async def kill_bot(self) -> None:
        """SIGKILL."""
        self.chance.choice(self._living).signal(signal.SIGKILL)

    async def freeze_bot(self) -> None:
        """SIGSTOP, and SIGCONT after a while that is shorter or longer than a lease."""
        one = self.chance.choice(self._living)
        one.signal(signal.SIGSTOP)
        await asyncio.sleep(self.chance.choice([3.0, 14.0]))
        one.signal(signal.SIGCONT)

    async def debate(self, end: float) -> None:
        """Have a debate started on each server, one after the other, until then (monotonic clock)."""

        async def on(stage: Stage) -> None:
            while time.monotonic() < end:
                with suppress(TimeoutError, AssertionError):  # nobody answers just now
                    async with asyncio.timeout(40):
                        await stage.debate(rounds=2)
                await asyncio.sleep(5)

        await asyncio.gather(*map(on, self.stages))

    async def wrong(self, app: App) -> tuple[int, list[str]]:
        """How many posts there are, and what is not as it should be, when all had their time to settle."""
        right, until = set[str](), time.monotonic() + STANDS_WITHIN
        while True:
            with suppress(StorageError):
                bound = [one for one in await all_bindings(app.store) if one.key.is_public]
                told = (await look(app, [one.session for one in bound])).wrong
                for one in bound:
                    if one.session not in right:
                        told += (faults := await self._wrong_in(app, one))
                        right |= set() if faults else {one.session}
                if not told or time.monotonic() > until:
                    return sum(len(posts(self._thread(one))) for one in bound), told
            await asyncio.sleep(1)

    async def _wrong_in(self, app: App, binding: Binding) -> list[str]:
        missing, doubled, in_order = await compared(app.log, app.store, self._thread(binding))
        told = [f"the post {mark} of {binding.session} is missing" for mark in missing]
        told += [f"the post {mark} of {binding.session} stands twice" for mark in doubled]
        return told if in_order else [*told, f"the posts of {binding.session} are out of order"]

    def _thread(self, binding: Binding) -> Channel:
        guild = self.stages[0].discord.world.guilds[binding.guild]
        return guild.channels[binding.thread]

    @property
    def _living(self) -> list[Worker]:
        return [one for one in self.processes if one.lives]

    def said(self) -> str:
        """What they said on standard error."""
        return "\n".join(f"[{one.said.name}]\n{one.said.read_text()[-3000:]}" for one in self.processes)

    def end(self) -> None:
        """Kill them."""
        for one in self.processes:
            one.end()


@asynccontextmanager
async def bots(fleet: Fleet, chance: random.Random) -> AsyncIterator[Bots]:
    """With a Discord to be on."""
    async with sharded(fleet.folder / "home", SHARDS) as stages, fleet.app() as app:
        for stage in stages:
            settings = GuildSettings(debater=MODEL, judges=(MODEL,), start="everyone", vote_minutes=VOTE)
            await keep(app.store, stage.guild.id, settings)
        made = Bots(fleet, stages, chance)
        try:
            yield made
        finally:
            made.end()
