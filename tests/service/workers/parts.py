"""Sessions, an application and a worker in this process, over a database of their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from elenchus.config.settings import Settings
from elenchus.config.shared_settings import DatabaseSettings
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.service.app import App, open_app
from elenchus.service.workers.queue import QUEUES, JobQueue
from elenchus.service.workers.queued_runner import QueuedRunner
from elenchus.service.workers.worker import WorkerProcess
from elenchus.storage.sql_log import SqlLog
from tests.service.workers.fleet import until

SEATS = tuple(Seat(name=name, spec="scripted:demo") for name in ("first", "second", "judge"))


def turns(spec: str = "scripted:demo", **more: Any) -> SessionStarted:
    seats = tuple(seat.model_copy(update={"spec": spec}) for seat in SEATS)
    fields: dict[str, Any] = {
        "protocol": "turn-taking",
        "title": "m",
        "config": {"motion": "m"},
        "seats": seats,
        "seed": 1,
    } | more
    return SessionStarted(version="0", **fields)


def settings_of(url: str, home: Path) -> Settings:
    return Settings(home=home, database=DatabaseSettings(url=SecretStr(url)))


@asynccontextmanager
async def opened(url: str, home: Path, *leave_on: str) -> AsyncIterator[App]:
    async with open_app(settings_of(url, home), leave_on=frozenset(leave_on)) as app:
        yield app


def queue_in(app: App) -> JobQueue:
    assert isinstance(app.runner, QueuedRunner)
    return app.runner.queue


@asynccontextmanager
async def working(
    url: str, home: Path, *queues: str, slots: int = 20, settings: Settings | None = None, **more: Any
) -> AsyncIterator[App]:
    """A worker: another application over the same database. `more` is of `WorkerProcess`."""
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(open_app(settings or settings_of(url, home)))
        assert isinstance(app.runner, QueuedRunner)
        assert isinstance(app.log, SqlLog)
        asked, before = asyncio.Event(), len(await queue_in(app).serving())
        process = WorkerProcess(
            app.settings, app.registry, app.runner, app.store, app.log.origin, queues or QUEUES, concurrency=slots,
            **more,
        )  # fmt: skip
        task = asyncio.create_task(process.serve(asked))

        async def serves() -> bool:
            return len(await queue_in(app).serving()) >= before + len(queues or QUEUES)

        await until(serves)
        try:
            yield app
        finally:
            asked.set()
            await task


async def nothing_left(queue: JobQueue) -> None:
    """A job that is done is gone, a moment after its session has ended."""

    async def empty() -> bool:
        return not await queue.depth()

    await until(empty)


async def reached(app: App, session: str, kind: str) -> None:
    async with asyncio.timeout(20):
        async for recorded in app.log.follow(session):
            if recorded.event.kind == kind:
                return
