"""A worker process: it takes jobs from the queue, and ends where it cannot be relied on, so as to be started again."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.log import rules
from elenchus.service.workers.jobs import Jobs
from elenchus.service.workers.preload import preload
from elenchus.service.workers.queue import HEARTBEAT, OPS, SESSIONS, STALLED, STUDIES, JobQueue
from elenchus.service.workers.studies import LEAVE_ON, StudyServices

if TYPE_CHECKING:
    from procrastinate import App as Procrastinate
    from procrastinate.worker import Worker

    from elenchus.config.settings import Settings
    from elenchus.debate_engine.key_value_store import KeyValueStore
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.shared import Texts
    from elenchus.service.workers.queued_runner import QueuedRunner

_log = logging.getLogger(__name__)

CONCURRENCY = 200
SLOTS = {STUDIES: 50, OPS: 1}
"""Jobs side by side in the queues whose width nobody chooses."""

FETCH_POLL, ABORT_POLL = 2.0, 1.0
LETS_GO_AFTER = 60.0
"""Seconds for which a session keeps its place that only waits for people: who answers sooner is heard at once, later
within some seconds.
"""
LEAVES_WITHIN = 8.0
"""Seconds for the end: less than `STALLED`, after which others take over what is not let go of."""

EXIT = 1
"""Of a worker that cannot go on: its supervisor starts another one."""


@dataclass
class WorkerProcess:
    """Serves queues until it is asked to end. `origin` is the log's, by which others know who holds a session."""

    settings: Settings
    registry: Registry
    runner: QueuedRunner
    store: KeyValueStore
    origin: str
    queues: Sequence[str]
    concurrency: int = CONCURRENCY
    texts: Texts | None = None
    lets_go_after: float = LETS_GO_AFTER
    _workers: dict[str, Worker] = field(default_factory=dict)
    _beat: float = field(default_factory=time.monotonic)
    _ended: threading.Event = field(default_factory=threading.Event)

    @property
    def queue(self) -> JobQueue:
        """The queue that it serves."""
        return self.runner.queue

    async def serve(self, asked_to_end: asyncio.Event) -> None:
        """Work until asked to end: what is at work is then paused, put back, and gone on with by others.

        It ends the process on the spot where the database is lost, and where it was frozen for so long that others have
        its sessions. Raises StorageError, where it cannot begin.
        """
        if {SESSIONS, STUDIES} & {*self.queues}:
            await asyncio.to_thread(preload, self.registry)
        await self.queue.prepare()
        app = await self.queue.opened()
        services = StudyServices(self.settings, self.registry, replace(self.runner, leave_on=LEAVE_ON), self.store)
        jobs = Jobs(
            services, self.runner.here, self.queue, self.origin, leave, self.texts, lets_go_after=self.lets_go_after
        )
        jobs.register(app, rescues=OPS in self.queues)
        self._workers = {name: self._worker(app, name) for name in self.queues}
        self._beat = time.monotonic()  # what was imported since it was made may have taken long
        threading.Thread(target=self._watch_clock, name="elenchus-worker-clock", daemon=True).start()
        working = [
            asyncio.create_task(self._run(worker), name=f"queue {name}") for name, worker in self._workers.items()
        ]
        beside = [
            asyncio.create_task(one, name="worker") for one in (self._tick(), self._serves(jobs), asked_to_end.wait())
        ]
        try:
            done, _ = await asyncio.wait([*working, *beside], return_when=asyncio.FIRST_COMPLETED)
            if not asked_to_end.is_set():
                leave(_why(done))
        finally:
            await self._end(working, beside)
            self._ended.set()

    def _worker(self, app: Procrastinate, name: str) -> Worker:
        from procrastinate.worker import Worker

        return Worker(
            app,
            queues=[name],
            name=f"elenchus {name}",
            concurrency=SLOTS.get(name, self.concurrency),
            fetch_job_polling_interval=FETCH_POLL,
            abort_job_polling_interval=ABORT_POLL,
            shutdown_graceful_timeout=0,
            delete_jobs="successful",
            install_signal_handlers=False,
            update_heartbeat_interval=HEARTBEAT,
            stalled_worker_timeout=2 * STALLED,
        )

    async def _run(self, worker: Worker) -> None:
        async with self.queue.explained():
            await worker.run()  # type: ignore[no-untyped-call]

    async def _serves(self, jobs: Jobs) -> None:
        """Announce the workers, and see that others take them for living. Raises StorageError; returns where not.

        A job whose end could not be written, as the database was away for a moment, would be theirs for ever.
        """
        host, pid = rules.this_process()
        numbers = {name: await _number_of(worker) for name, worker in self._workers.items()}
        for name, number in numbers.items():
            await self.queue.announce(
                worker=number, queue=name, slots=self._workers[name].concurrency, origin=self.origin, host=host,
                pid=pid, version=version("elenchus"),
            )  # fmt: skip
        _log.info("serves %s, %d sessions at once", ", ".join(self.queues), self.concurrency)
        left: dict[str, float] = {}
        while await self.queue.lives(numbers.values()):
            found, now = await self.queue.at_work([*numbers.values()]) - jobs.at_work, time.monotonic()
            left = {lock: left.get(lock, now) for lock in found}
            for lock in [lock for lock, since in left.items() if now - since > STALLED]:
                _log.warning("the end of %s could not be written: it is looked at once more", lock)
                await self.queue.put_back(lock, [*numbers.values()])
            await asyncio.sleep(HEARTBEAT)

    async def _end(self, working: Sequence[asyncio.Task[None]], beside: Sequence[asyncio.Task[Any]]) -> None:
        for task in beside:
            task.cancel()
        for worker in self._workers.values():
            worker.stop()  # type: ignore[no-untyped-call]
        with suppress(TimeoutError):
            async with asyncio.timeout(LEAVES_WITHIN):
                await asyncio.gather(*working, *beside, return_exceptions=True)
                return
        leave(f"some sessions could not be let go of within {LEAVES_WITHIN:.0f} s: others take them over")

    # ── a process that was frozen ────────────────────────────────────────────────────────────────────────────────

    async def _tick(self) -> None:
        while True:
            self._beat = time.monotonic()
            await asyncio.sleep(0.5)

    def _watch_clock(self) -> None:
        """In a thread of its own: where process or event loop stood still, others have taken what is at work here."""
        last = time.monotonic()
        while not self._ended.wait(0.5):
            now = time.monotonic()
            stood = max(now - last, now - self._beat)
            if stood > STALLED:
                leave(f"it stood still for {stood:.0f} s, and others may have its sessions by now")
            last = now


async def _number_of(worker: Worker) -> int:
    """The number under which it is registered, soon after it was started."""
    while (number := worker.worker_id) is None:  # noqa: ASYNC110 - procrastinate has no event for it
        await asyncio.sleep(0.02)
    return number


def _why(done: Iterable[asyncio.Task[Any]]) -> str:
    """Why a worker cannot go on, of what ended by itself."""
    errors = [error for task in done if not task.cancelled() and (error := task.exception())]
    if errors:
        return f"the queue is lost ({' '.join(str(errors[0]).split())})"
    return "the queue takes it for gone, or is lost"


def leave(why: str) -> None:
    """End the process on the spot: nothing is let go of, as what it had is others' or cannot be reached."""
    with suppress(OSError, ValueError):
        sys.stderr.write(f"elenchus worker ends: {why}. Its supervisor starts it again.\n")
        sys.stderr.flush()
    os._exit(EXIT)
