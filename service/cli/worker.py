"""`elenchus worker`."""

from __future__ import annotations

from typing import Annotated

import typer

from elenchus.service.cli import context, long_running
from elenchus.service.cli.options import one_of, whole

LISTED = "sessions, studies or ops"


def worker(
    queue: Annotated[
        list[str] | None,
        typer.Option(
            "--queue",
            metavar="NAME",
            autocompletion=one_of(LISTED),
            help=f"What it takes from: {LISTED}; once for each (default: all).",
        ),
    ] = None,
    concurrency: Annotated[
        int, whole("--concurrency", metavar="N", help="Sessions that it runs side by side, at the most.")
    ] = 200,
) -> None:
    """Run sessions that others start, from ELENCHUS_DATABASE_URL, until it is interrupted; others go on with them then.

    It ends by itself, with exit code 1, where the database is lost or it stood still for too long: let its supervisor
    start it again.
    """
    from elenchus.service.cli import checks

    checks.within(concurrency, 1, 10_000, "--concurrency", "200")
    context.run(_worker(_queues(queue or []), concurrency))


def _queues(named: list[str]) -> tuple[str, ...]:
    from elenchus.debate_engine.errors import UsageError
    from elenchus.service.workers.queue import QUEUES

    if odd := [name for name in named if name not in QUEUES]:
        raise UsageError(f"There is no queue {odd[0]!r}: it is {LISTED}.")
    return tuple(dict.fromkeys(named)) or QUEUES


async def _worker(queues: tuple[str, ...], concurrency: int) -> None:
    import asyncio

    from elenchus.debate_engine.shared import Texts
    from elenchus.service.app import open_app
    from elenchus.service.cli import signals
    from elenchus.service.cli.health import heartbeat
    from elenchus.service.store import needed_queue
    from elenchus.service.workers.queued_runner import QueuedRunner
    from elenchus.service.workers.worker import WorkerProcess
    from elenchus.storage.sql_log import SqlLog

    settings = context.settings()
    needed_queue(settings, "A worker")
    long_running.log_to_stderr()
    long_running.allow_open_files()
    asked_to_end = asyncio.Event()
    with signals.heard_by(signals.on_loop(lambda _: asked_to_end.set())):
        async with open_app(settings) as app, heartbeat(settings.home, lambda: True):
            assert isinstance(app.runner, QueuedRunner), "the queue was asked for above"
            assert isinstance(app.log, SqlLog), "and its log is the database's"
            texts = Texts(app.shared) if settings.redis.url else None  # else nobody hears of them
            process = WorkerProcess(
                app.settings, app.registry, app.runner, app.store, app.log.origin, queues, concurrency, texts
            )
            await process.serve(asked_to_end)
