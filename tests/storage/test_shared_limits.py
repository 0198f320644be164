"""Limits that several processes share over Redis: never exceeded, used up, and let go of by whoever dies."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pytest

from tests.storage.gate_child import Work
from tests.storage.redis_server import RedisServer, redis_server

pytestmark = [pytest.mark.slow, pytest.mark.kill]
ROOT = Path(__file__).parents[2]


@dataclass
class Vendor:
    """Answers a call after `latency` seconds, and sees how many there are at once; `begun` has when each began."""

    latency: float
    now: int = 0
    most: int = 0
    begun: list[float] = field(default_factory=list)
    busy: float = 0.0
    """Seconds of calls, all together."""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One call, until it is done or its caller is gone."""
        await reader.read(1)
        self.now += 1
        self.most = max(self.most, self.now)
        self.begun.append(began := time.monotonic())
        gone = asyncio.ensure_future(reader.read(1))
        await asyncio.wait({gone}, timeout=self.latency)
        self.now -= 1
        self.busy += time.monotonic() - began
        gone.cancel()
        writer.close()

    @property
    def most_a_minute(self) -> int:
        """The most calls that began within one minute."""
        return max(sum(1 for at in self.begun if first <= at < first + 60) for first in self.begun)


@asynccontextmanager
async def vendor(latency: float) -> AsyncIterator[tuple[Vendor, int]]:
    """A vendor and its port."""
    made = Vendor(latency)
    server = await asyncio.start_server(made.answer, "127.0.0.1", 0, backlog=500)
    async with server:
        yield made, server.sockets[0].getsockname()[1]


@asynccontextmanager
async def children(work: Work, count: int) -> AsyncIterator[list[asyncio.subprocess.Process]]:
    """So many processes that work, begun together."""
    found = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.storage.gate_child", json.dumps(asdict(work)), cwd=ROOT,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )
        for _ in range(count)
    ]  # fmt: skip
    try:
        for child in found:
            assert child.stdout
            assert await child.stdout.readline() == b"ready\n"
        for child in found:
            assert child.stdin
            child.stdin.write(b"go\n")
        yield found
    finally:
        for child in found:
            if child.returncode is None:
                child.kill()
            await child.wait()


async def ended(child: asyncio.subprocess.Process) -> int:
    """How many calls it has made, once it has ended."""
    assert child.stdout
    done = json.loads(await child.stdout.readline())
    assert await child.wait() == 0
    return int(done["done"])


async def test_processes_never_have_more_calls_in_flight_than_allowed_and_one_that_dies_frees_its_own() -> None:
    with redis_server() as server:
        async with vendor(0.05) as (seen, port), children(Work(server.url, port, 6, 17.0, 8), 3) as found:
            await asyncio.sleep(4)
            found[0].kill()
            await found[0].wait()
            await asyncio.sleep(11)  # its leases run out
            assert seen.most <= 8
            seen.most = 0
            await asyncio.gather(*map(ended, found[1:]))
    assert seen.most == 8  # those of the dead one, too


async def test_what_a_minute_allows_is_allowed_to_all_processes_together() -> None:
    with redis_server() as server:
        async with vendor(0.0) as (seen, port), children(Work(server.url, port, 4, 7.0, 50, 600), 3) as found:
            await asyncio.gather(*map(ended, found))
    lasted = seen.begun[-1] - seen.begun[0]
    assert len(seen.begun) <= 600 / 60 + lasted * 600 / 60 + 1
    assert len(seen.begun) >= 0.8 * lasted * 600 / 60


@pytest.mark.parametrize("what", ["emptied", "paused", "frozen", "killed"])
async def test_calls_go_on_within_the_limit_while_redis_is(what: str) -> None:
    with redis_server() as server:
        async with vendor(0.05) as (seen, port), children(Work(server.url, port, 4, 14.0, 6), 2) as found:
            await asyncio.sleep(3.2)
            assert seen.most <= 6
            hindered = asyncio.create_task(hinder(server, what))
            await asyncio.sleep(1.5)
            before, seen.most = len(seen.begun), 0  # what was in flight when it went came on top of everybody's share
            await asyncio.sleep(2.0)
            assert len(seen.begun) > before, "no call was made any more"
            assert sum(await asyncio.gather(*map(ended, found))) > 40
            await hindered
    assert seen.most <= 6


async def hinder(server: RedisServer, what: str) -> None:
    """Let something happen to it, and let it be well again."""
    match what:
        case "emptied":
            server.command("FLUSHALL")
        case "paused":
            server.command("CLIENT", "PAUSE", "3000", "ALL")
        case "frozen":
            server.send(signal.SIGSTOP)
            await asyncio.sleep(3)
            server.send(signal.SIGCONT)
        case "killed":
            await asyncio.to_thread(server.stop)
            await asyncio.sleep(3)
            await asyncio.to_thread(server.start)
