"""The logs that are tested, by the names of the functions that open them; events and helpers for their tests."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
import time
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, TypeVar, cast

from elenchus.debate_engine.events import Guidance, Recorded, SessionStarted, StepDone
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.storage.sqlite_log import SqliteLog, open_log

T = TypeVar("T")


@dataclass(frozen=True)
class Opener:
    """Opens a log object on the store in a folder, by a function that another process finds by its name too."""

    function: str

    async def __call__(self, folder: Path) -> EventLog:
        with suppress(OSError):  # some tests put a file in its place
            folder.mkdir(parents=True, exist_ok=True)
        log: EventLog = await resolve_name(self.function)(folder)
        return log


async def open_memory(_: Path) -> EventLog:
    return MemoryLog()


async def open_sqlite(folder: Path) -> EventLog:
    return await open_log(folder / "elenchus.db")


async def open_postgres_in(folder: Path) -> EventLog:
    """A log in a schema of its own, named after the folder, of a server that other processes find by its address."""
    from elenchus.storage.postgres_log import open_postgres
    from tests.storage.postgres_server import postgres_url  # other processes are faster without

    schema = f"s{hashlib.sha256(str(folder).encode()).hexdigest()[:20]}"
    return await open_postgres(postgres_url(), schema=schema)


PRIVATE = {"memory": Opener("tests.storage.logs:open_memory")}
"""Logs that nobody but their process can see: two objects have two stores."""
SHARED = {
    "sqlite": Opener("tests.storage.logs:open_sqlite"),
    "postgres": Opener("tests.storage.logs:open_postgres_in"),
    "json-lines": Opener("tests.storage.json_lines_log:open_log"),
}


def connection_of(log: SqliteLog) -> sqlite3.Connection:
    """SQLite's own connection under a log, which tells what it is asked."""
    return cast("sqlite3.Connection", log._writer._connection)


def started(title: str = "A motion") -> SessionStarted:
    return SessionStarted(protocol="socrasynth", title=title, config={}, seats=(), seed=1, version="0")


def said(text: str) -> Guidance:
    return Guidance(by="moderator", to=("pro",), text=text)


def step(key: str, result: Any = None) -> StepDone:
    return StepDone(step=key, input_hash="0" * 64, inputs={"heat": 0.9}, result=result)


def numbers(events: list[Recorded]) -> list[int]:
    return [r.seq for r in events]


async def first(count: int, events: AsyncGenerator[Recorded]) -> list[Recorded]:
    """The first `count` events of a follower, which ends then."""
    got: list[Recorded] = []
    async with aclosing(events):
        async for recorded in events:
            got.append(recorded)
            if len(got) == count:
                break
    return got


async def settle(task: asyncio.Task[Any]) -> None:
    """Give a task the time to begin waiting."""
    for _ in range(20):
        await asyncio.sleep(0.005)
        if task.done():
            return


async def cancelled(call: Coroutine[Any, Any, T], seconds: float) -> asyncio.Task[T]:
    """The call, cancelled after some time unless it has ended by then; it has ended now.

    The loop turns meanwhile, as a sleep of less than a millisecond takes one.
    """
    task, until = asyncio.create_task(call), time.perf_counter() + seconds
    await asyncio.sleep(0)  # it begins
    while time.perf_counter() < until and not task.done():  # noqa: ASYNC110 - see above
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    return task


async def cancelled_claims(log: EventLog, session_id: str, count: int) -> AsyncGenerator[None]:
    """Claims that are cancelled, one after the other at each moment of the time that a claim takes."""
    seconds: list[float] = []
    for _ in range(9):
        begun = time.perf_counter()
        ownership = await log.claim(session_id)
        seconds.append(time.perf_counter() - begun)
        await ownership.release()
    for n in range(count):
        claiming = await cancelled(log.claim(session_id), 1.3 * sorted(seconds)[4] * n / count)
        if not claiming.cancelled():
            await claiming.result().release()
        yield


async def free(log: EventLog, session_id: str) -> None:
    """Wait until nobody has a hold."""
    async with asyncio.timeout(60):
        while (await log.info(session_id)).owner:  # noqa: ASYNC110 - a log tells nobody when a hold ends
            await asyncio.sleep(0.02)


async def epoch_of(log: EventLog, session_id: str = "s") -> int:
    """Make a session and claim it."""
    await log.create(session_id, started())
    return (await log.claim(session_id)).epoch
