"""The one thread that writes: whatever waits when it looks is committed in one transaction (group commit)."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any, TypeVar

from elenchus.debate_engine.errors import ElenchusError, StorageError
from elenchus.debate_engine.events import Recorded, now
from elenchus.debate_engine.log import rules
from elenchus.storage.additions import Addition
from elenchus.storage.database import Connection, Database

_log = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[Connection], Any]
OnCommit = Callable[[Any], None]
"""Called on the loop with a job's result once it is committed, whether or not somebody still waits for it."""

MOST = 500
"""Jobs in one transaction: bounds how long others wait for the lock."""

GROUP = 50
"""Jobs that a server is given at once, or half of those that wait where these are more: while it works, the loop
answers those before, who ask for the next. With all of them in one, each would wait for the other.
"""

LOOKS = 1.0
"""Seconds between two looks after the connection."""


@dataclass(slots=True, eq=False)
class _Job:
    """Something to do and who waits for it: an addition, or a function for a transaction or (`alone`) for none."""

    work: Addition | Work
    future: asyncio.Future[Any]
    then: OnCommit | None = None
    alone: bool = False
    result: Any = None
    error: Exception | None = field(default=None)

    @property
    def wanted(self) -> bool:
        """Whether somebody still waits. A job whose waiter was cancelled is left out while it has not begun."""
        return not self.future.cancelled()


TOLD_WITHIN = 0.02
"""Seconds after a commit until other processes are told, at most: they are to know it within 50 ms."""

MOMENT = 0.002
"""Seconds without a job after which they are told at once."""


class Writer:
    """Commits changes from one event loop, in the order in which they were asked for, through one thread.

    `refusal`: why nothing can be written, where that is known; None otherwise.

    A change whose waiter is cancelled is either wholly written or not at all.
    """

    def __init__(
        self,
        connection: Connection,
        database: Database,
        origin: str,
        refusal: StorageError | None = None,
    ) -> None:
        self._connection = connection
        self._database = database
        self._origin = origin
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self._looked = time.monotonic()
        self._tell_by = 0.0
        self.refusal = refusal
        self._thread = threading.Thread(target=self._run, name="elenchus-log-writer", daemon=True)
        self._thread.start()

    async def append(self, addition: Addition, then: OnCommit) -> list[Recorded]:
        """Append; what was written, as it will be read. Raises LostOwnership, UnknownSession, StorageError."""
        recorded: list[Recorded] = await self._ask(addition, then)
        return recorded

    async def change(self, work: Callable[[Connection], T], then: Callable[[T], None] | None = None) -> T:
        """Run `work` inside a transaction. Raises what it raises; StorageError for errors of the database."""
        result: T = await self._ask(work, then)
        return result

    async def insist(self, work: Work) -> None:
        """Run `work`, which may be done twice, inside a transaction, also where the caller is cancelled meanwhile."""
        try:
            await self.change(work)
        except asyncio.CancelledError:
            self.post(work)
            raise

    async def outside(self, work: Callable[[Connection], T]) -> T:
        """Run `work` outside transactions, alone. Raises as `change`."""
        result: T = await self._ask(work, alone=True)
        return result

    def post(self, work: Work) -> None:
        """Run `work` inside a transaction some time, after what was asked before, without anybody waiting."""
        future = self._loop.create_future()
        future.add_done_callback(asyncio.Future.exception)  # an error there is nobody's
        self._jobs.put(_Job(work, future))

    async def aclose(self) -> None:
        """Finish what was asked for, then end the thread and close the connection. Safe to call twice."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    async def _ask(self, work: Addition | Work, then: OnCommit | None = None, *, alone: bool = False) -> Any:
        if self._closed:
            raise rules.closed()
        if self.refusal is not None:
            raise self.refusal
        job = _Job(work, self._loop.create_future(), then, alone)
        self._jobs.put(job)
        return await job.future

    # ── on the thread ────────────────────────────────────────────────────────────────────────────────────────────

    def _run(self) -> None:
        last = False
        while not last:
            waiting = self._take()
            last = waiting[-1] is None
            jobs = [job for job in waiting if job is not None and job.wanted and self._is_prepared(job)]
            for alone, batch in groupby(jobs, key=lambda job: job.alone):
                done = list(batch)
                self._run_alone(done) if alone else self._commit(done)
                self._deliver(done)
        _see_to(self._connection.tell)
        _see_to(self._connection.close)

    def _is_prepared(self, job: _Job) -> bool:
        """Whether what it appends can be stored: not where making it fails by a mistake, which its waiter is told."""
        try:
            if isinstance(job.work, Addition):
                job.work.prepare()
        except Exception as error:  # noqa: BLE001 - handed to the waiter
            _fail([job], error)
            self._deliver([job])
            return False
        return True

    def _take(self) -> list[_Job | None]:
        """Wait for a job and take those that are there, up to `MOST`, a `GROUP` or the end (None)."""
        jobs = [self._next()]
        most = max(GROUP, self._jobs.qsize() // 2) if self._connection.is_served else MOST
        while jobs[-1] is not None and len(jobs) < min(most, MOST):
            try:
                jobs.append(self._jobs.get_nowait())
            except queue.Empty:
                break
        return jobs

    def _next(self) -> _Job | None:
        """Wait for a job. Others are told of what was committed once there is none for a moment, and soon anyway: to
        tell takes its time, which whoever waits here would lose. The connection is looked after meanwhile: who holds
        sessions may write nothing for days.
        """
        self._look()
        if self._connection.is_untold:
            self._tell_by = self._tell_by or time.monotonic() + TOLD_WITHIN
            if (left := self._tell_by - time.monotonic()) > 0:
                with suppress(queue.Empty):
                    return self._jobs.get(timeout=min(MOMENT, left))
            _see_to(self._connection.tell)
        self._tell_by = 0.0
        while True:
            with suppress(queue.Empty):
                return self._jobs.get(timeout=LOOKS)
            self._look()

    def _look(self) -> None:
        if time.monotonic() - self._looked >= LOOKS:
            _see_to(self._connection.look)
            self._looked = time.monotonic()

    def _run_alone(self, jobs: Iterable[_Job]) -> None:
        for job in jobs:
            assert callable(job.work)
            try:
                job.result = job.work(self._connection)
            except Exception as error:  # noqa: BLE001 - handed to the waiter
                job.error = error
                self._roll_back()

    def _commit(self, jobs: Sequence[_Job]) -> None:
        """Commit the jobs in one transaction; if that fails, each in its own, so that one spoils none of the others."""
        try:
            self._database.begin(self._connection, single=all(isinstance(job.work, Addition) for job in jobs))
        except Exception as error:  # noqa: BLE001 - handed to the waiters
            _fail(jobs, error)
            return
        try:
            self._run_all(jobs)
            self._connection.commit()
        except Exception as error:  # noqa: BLE001 - handed to the waiter
            self._roll_back()
            if len(jobs) > 1 and not self._database.concerns_all(error):
                for job in jobs:
                    self._commit([job])
            else:
                _fail(jobs, error)

    def _run_all(self, jobs: Sequence[_Job]) -> None:
        """Run the jobs in their order, additions that stand side by side together."""
        for adding, group in groupby(jobs, key=lambda job: isinstance(job.work, Addition)):
            if adding:
                self._add(list(group))
            else:
                for job in group:
                    _run_one(job, self._connection)

    def _add(self, jobs: Sequence[_Job]) -> None:
        additions = [job.work for job in jobs if isinstance(job.work, Addition)]
        self._connection.append(additions, now(), self._origin)
        for job, addition in zip(jobs, additions, strict=True):
            outcome = addition.outcome
            job.result, job.error = (None, outcome) if isinstance(outcome, ElenchusError) else (outcome, None)

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            _see_to(self._connection.rollback)

    def _deliver(self, jobs: Sequence[_Job]) -> None:
        """Hand the outcomes to the loop, in one call for all of them."""
        _see_to(partial(self._explain, [job for job in jobs if isinstance(job.error, self._database.raw)]))
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more, and what was committed stays
            self._loop.call_soon_threadsafe(self._settle, jobs)

    def _explain(self, failed: Sequence[_Job]) -> None:
        """Put the database's errors in our words, each error once, as many jobs may share it."""
        for _, group in groupby(failed, key=lambda job: id(job.error)):
            sharing = list(group)
            assert sharing[0].error is not None
            explained = self._database.explain(sharing[0].error)
            for job in sharing:
                job.error = type(explained)(str(explained))

    # ── on the loop ──────────────────────────────────────────────────────────────────────────────────────────────

    def _settle(self, jobs: Sequence[_Job]) -> None:
        for job in jobs:
            if job.error is None and job.then is not None:
                _see_to(partial(job.then, job.result))
        for job in jobs:
            if job.future.done():
                continue  # its waiter was cancelled
            if job.error is not None:
                job.future.set_exception(job.error)
            else:
                job.future.set_result(job.result)


def _fail(jobs: Sequence[_Job], error: Exception) -> None:
    for job in jobs:
        job.error = error


def _see_to(what: Callable[[], None]) -> None:
    """Do what nobody waits for: a mistake in it is told in the program's log, and ends no thread."""
    try:
        what()
    except Exception:  # noqa: BLE001 - whatever it is, what waits goes on
        _log.exception("a mistake beside what is written, which goes on")


def _run_one(job: _Job, connection: Connection) -> None:
    assert callable(job.work)
    try:
        job.result, job.error = job.work(connection), None
    except ElenchusError as refusal:  # made before its first write: the others' changes stand
        job.error = refusal
