"""Debates on three workers: processes are killed, ended, frozen and cut off, the database and Redis restart.

    python -m tests.service.workers.chaos [SESSIONS] [SECONDS] [SEED]        500 debates in ten minutes, by default

At the end each session has ended or is paused with a reason, each step is there once, and what is recorded as spent is
what the vendor saw, within the calls that were in flight at a kill. Beside them two bots share the shards of a Discord
(`chaos_bots`), are killed and frozen, and each post stands once. Exit code 0 where all of it is so. One worker is in a
network of its own, which is cut; where this account may make none (no root), that is said, and left out.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.events import OwnerStarted, now
from elenchus.service.app import App
from elenchus.service.workers.queued_runner import QueuedRunner
from tests.service.workers.chaos_bots import BOTS, Bots, bots
from tests.service.workers.fleet import ONE_DEBATE, Fleet, Found, Vendor, ask, look, vendor
from tests.service.workers.network import Network, network
from tests.storage.postgres_server import Server, temporary_server
from tests.storage.redis_server import RedisServer, redis_server

WORKERS = 3
LATENCY = 0.7
"""Seconds of a call; a debate makes 21, up to four side by side."""
ON_THE_WAY = 30.0
"""Seconds after a cut within which what was sent before it may still arrive."""
SETTLES_WITHIN = 180.0
"""Seconds from the last disturbance until everything must have ended."""


@dataclass
class Chaos:
    """What was done, and what it may have cost: `unsure` calls may have been answered and not be recorded."""

    fleet: Fleet
    chance: random.Random
    network: Network | None
    redis: RedisServer
    bots: Bots
    posts: int = 0
    cutting: asyncio.Lock = field(default_factory=asyncio.Lock)
    done: Counter[str] = field(default_factory=Counter)
    unsure: int = 0
    gone: list[tuple[float, int]] = field(default_factory=list)
    """When a worker was killed, or frozen for good as far as others know: seconds since 1970, its process."""
    outages: list[tuple[float, float]] = field(default_factory=list)
    """From when until when the database was away."""

    @property
    def taken(self) -> list[tuple[float, int]]:
        """Those of `gone` whose sessions could be taken over at once: no outage came in between."""
        return [
            (at, pid) for at, pid in self.gone if not any(start - 25 < at < end + 15 for start, end in self.outages)
        ]

    async def until(self, end: float) -> None:
        """Disturb until then (monotonic clock)."""
        ways = [
            self.kill, self.freeze, self.cut, self.bots.kill_bot, self.end, self.bots.freeze_bot,
            self.restart_redis, self.flush_redis, self.freeze, self.kill,
        ]  # fmt: skip
        ways = [self.restart, *ways, *ways]  # else there would be no takeover that no outage holds up
        async with asyncio.TaskGroup() as group:
            for way in itertools.cycle(ways):
                await asyncio.sleep(self.chance.uniform(1, 5))
                if time.monotonic() > end:
                    return
                if way in (self.freeze, self.cut, self.bots.freeze_bot):  # the others go on meanwhile
                    group.create_task(way())
                else:
                    await way()
                self.done[way.__name__] += way != self.cut or self.network is not None

    async def kill(self) -> None:
        """SIGKILL."""
        if living := self.fleet.living:
            one = self.chance.choice(living)
            self.unsure += self.fleet.vendor.unsure(one.key)
            self.gone.append((now().timestamp(), one.pid))
            one.signal(signal.SIGKILL)

    async def end(self) -> None:
        """SIGTERM, as when a new version is installed."""
        if living := self.fleet.living:
            one = self.chance.choice(living)
            self.unsure += self.fleet.vendor.unsure(one.key)
            one.signal(signal.SIGTERM)

    async def freeze(self) -> None:
        """SIGSTOP, and SIGCONT after a while that is shorter or longer than the limit."""
        if not (living := self.fleet.living):
            return
        one, seconds = self.chance.choice(living), self.chance.choice([1.0, 6.0, 14.0])
        one.signal(signal.SIGSTOP)
        if seconds > 10:
            self.unsure += self.fleet.vendor.unsure(one.key)
            self.gone.append((now().timestamp(), one.pid))
        await asyncio.sleep(seconds)
        if seconds < 10:  # others may have taken it for gone, where it had just slept before a heartbeat
            self.unsure += self.fleet.vendor.unsure(one.key)
        one.signal(signal.SIGCONT)

    async def cut(self) -> None:
        """Cut the network of the worker that is behind one, for shorter or longer than the limit."""
        there = next((worker for worker in self.fleet.living if worker.behind), None)
        if there is None or self.network is None or self.cutting.locked():
            return
        async with self.cutting:
            seconds = self.chance.choice([3.0, 8.0, 20.0])
            self.unsure += self.fleet.vendor.unsure(there.key)
            if seconds > 10:
                self.gone.append((now().timestamp(), there.pid))
            await asyncio.to_thread(self.network.cut)
            await asyncio.sleep(seconds)
            came = self.fleet.vendor.came_from[there.key]
            await asyncio.to_thread(self.network.heal)
            if seconds < 10:
                self.unsure += self.fleet.vendor.unsure(there.key)
            else:  # what it had sent goes on being sent, although others have its sessions
                await asyncio.sleep(ON_THE_WAY)
                self.unsure += self.fleet.vendor.came_from[there.key] - came

    async def restart_redis(self) -> None:
        """Kill Redis, which keeps nothing on disk, and start it again."""
        await asyncio.to_thread(self.redis.stop)
        await asyncio.sleep(self.chance.choice([0.5, 4]))
        await asyncio.to_thread(self.redis.start)

    async def flush_redis(self) -> None:
        """Empty it."""
        await asyncio.to_thread(self.redis.command, "FLUSHALL")

    async def restart(self) -> None:
        """End the database server, as a crash does or as its operator does, and start it again."""
        seen, before, began = self.fleet.vendor.came, self.fleet.vendor.unsure(), now().timestamp()
        how = self.chance.choice([signal.SIGQUIT, signal.SIGINT])
        await asyncio.to_thread(self.fleet.server.stop, how)
        await asyncio.sleep(self.chance.choice([0.5, 2, 7]))
        await asyncio.to_thread(self.fleet.server.start)
        self.outages.append((began, now().timestamp()))
        self.unsure += before + self.fleet.vendor.came - seen + self.fleet.vendor.unsure()


async def insisted(work: Callable[[], Awaitable[None]]) -> None:
    """Do it, however often the database is away."""
    while True:
        try:
            await work()
        except StorageError:
            await asyncio.sleep(0.5)
        else:
            return


async def begin(app: App, count: int, seconds: float) -> list[str]:
    """Put so many debates into the queue, spread over these seconds; their ids."""
    ids: list[str] = []

    async def one(session: str) -> None:
        assert isinstance(app.runner, QueuedRunner)
        with suppress(ValueError):
            if session not in {
                info.id for info in await app.log.sessions()
            }:  # it may have been made as the server died
                await app.runner.create(ONE_DEBATE, session)
        await app.runner.queue.put(session, ("budget", "provider"))

    for n in range(count):
        session = f"debate-{n:03}"
        ids.append(session)
        await insisted(lambda session=session: one(session))  # type: ignore[misc] # called at once
        await asyncio.sleep(seconds / count)
    return ids


async def settled(app: App, ids: list[str]) -> Found:
    """Wait until everything has come to its end; what is found then."""
    until = time.monotonic() + SETTLES_WITHIN
    while True:
        with suppress(StorageError):
            assert isinstance(app.runner, QueuedRunner)
            open_ = await app.runner.queue.depth()
            if not {name: n for name, n in open_.items() if name == "sessions"} or time.monotonic() > until:
                return await look(app, ids)
        await asyncio.sleep(0.5)


async def takeovers(app: App, ids: list[str], gone: list[tuple[float, int]]) -> list[float]:
    """Seconds from each death until another one had what was at work there, sorted."""
    found = []
    for session in ids:
        owners = [
            (r.at.timestamp(), r.event.pid) for r in await app.log.read(session) if isinstance(r.event, OwnerStarted)
        ]
        for at, pid in gone:
            before = [one for one in owners if one[0] <= at]
            after = [one for one in owners if one[0] > at]
            if before and before[-1][1] == pid and after:
                found.append(after[0][0] - at)
    return sorted(found)


@asynccontextmanager
async def surroundings() -> AsyncIterator[tuple[Server, RedisServer, Vendor, Network | None]]:
    """Database, Redis and vendor, on loopback and in a network that can be cut; that is None where none may be made."""
    with ExitStack() as stack:
        apart = stack.enter_context(network())
        hosts = [apart.host] if apart else []
        server = await asyncio.to_thread(temporary_server, listen_addresses=",".join(["127.0.0.1", *hosts]))
        stack.callback(server.remove)
        with (server.data / "pg_hba.conf").open("a") as allowed:
            allowed.writelines(f"host all all {host}/30 scram-sha-256\n" for host in hosts)
        ask(server, "SELECT pg_reload_conf()")
        redis = stack.enter_context(redis_server("--bind", "127.0.0.1", *hosts, "--protected-mode", "no"))
        async with vendor(LATENCY, *hosts) as asked:
            yield server, redis, asked, apart


async def chaos(count: int, seconds: float, seed: int = 1) -> tuple[Found, Chaos, Vendor, list[float], str]:
    """Do it; what was found, what was done, the vendor, the takeovers, and what the workers said."""
    with tempfile.TemporaryDirectory(prefix="elenchus-chaos-") as folder:
        async with surroundings() as (server, redis, asked, apart):
            fleet = Fleet(server, asked, Path(folder), redis=redis)
            (fleet.folder / "home").mkdir()
            chance = random.Random(seed)
            async with fleet.app() as app, bots(fleet, chance) as posting, asyncio.TaskGroup() as group:
                done = Chaos(fleet, chance, apart, redis, posting)
                behind = [apart, *[None] * (WORKERS - 1)]
                kept = [group.create_task(fleet.keep(behind=one)) for one in behind]
                kept += [group.create_task(posting.keep()) for _ in range(BOTS)]
                try:
                    await fleet.ready(app, WORKERS)
                    beginning = group.create_task(begin(app, count, seconds * 0.9))
                    debating = group.create_task(posting.debate(time.monotonic() + seconds * 0.9))
                    await done.until(time.monotonic() + seconds)
                    ids = await beginning
                    await debating
                    found = await settled(app, ids)
                    done.posts, faults = await posting.wrong(app)
                    found.wrong += faults
                    slow = await takeovers(app, ids, done.taken)
                    return found, done, asked, slow, fleet.said() + posting.said()
                finally:
                    for one in kept:
                        one.cancel()
                    fleet.end()


def wrong(found: Found, done: Chaos, asked: Vendor) -> list[str]:
    """What is not as it is promised."""
    told = list(found.wrong)
    lost = asked.came - found.calls
    if not 0 <= lost <= (unsure := done.unsure + done.fleet.unsure):
        told.append(f"the vendor saw {asked.came} calls, {found.calls} are recorded, {unsure} may be unrecorded")
    return told


def shown(found: Found, done: Chaos, asked: Vendor, slow: list[float]) -> str:
    """What came of it, for people and programs."""
    return json.dumps(
        {
            "states": found.states, "done": done.done, "owners": found.owners, "calls_seen": asked.came,
            "calls_recorded": found.calls, "calls_unsure": done.unsure + done.fleet.unsure, "posts": done.posts,
            "takeovers": len(slow),
            "takeover_median": round(slow[len(slow) // 2], 1) if slow else None,
            "takeover_p99": round(slow[int(0.99 * (len(slow) - 1))], 1) if slow else None,
            "wrong": wrong(found, done, asked),
        }
    )  # fmt: skip


def main() -> int:
    """As a program."""
    count, seconds, seed = (int(word) for word in (*sys.argv[1:], *("500", "600", "1")[len(sys.argv) - 1 :]))
    found, done, asked, slow, said = asyncio.run(chaos(count, seconds, seed))
    if done.network is None:
        print("This account may make no network namespace: the network was not cut.", file=sys.stderr)
    print(shown(found, done, asked, slow))
    if faults := wrong(found, done, asked):
        print(said, file=sys.stderr)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
