"""What a worker does with a job: it runs the session, leaves it to another worker, or says why none can run it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import (
    DamagedLog,
    ElenchusError,
    LostOwnership,
    NewerSchema,
    SessionHeld,
    StorageError,
    UnknownSession,
    UsageError,
)
from elenchus.debate_engine.events import SessionPaused
from elenchus.debate_engine.protocols.registry import known
from elenchus.debate_engine.runner import Runner, WaitingPolicy, started_of
from elenchus.service.lab.seats import specs_of
from elenchus.service.workers import studies
from elenchus.service.workers.queue import (
    OPS,
    RESCUE,
    RUN_SESSION,
    RUN_STUDY,
    SESSIONS,
    STALLED,
    STUDIES,
    JobQueue,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from procrastinate import App as Procrastinate, JobContext
    from procrastinate.jobs import Job
    from procrastinate.retry import BaseRetryStrategy

    from elenchus.debate_engine.log import Ownership
    from elenchus.debate_engine.shared import Texts

_log = logging.getLogger(__name__)

RESCUE_EVERY = "* * * * * */2"
"""Each second second, as cron with seconds at its end: with `STALLED` a session goes on within 15 s."""

AGAIN_AFTER = 3
"""Seconds until a job is tried again that another worker, or the same one later, may do."""

TOLD_AGAIN = 60.0
"""Seconds for which the same trouble of the store is not told of again, of whichever session."""

LATE = 60.0
"""Seconds after which a wake that was due counts as a restart: people could not do anything meanwhile, it may be."""

MOST_ATTEMPTS, MOST_MISTAKES = 10_000, 5
"""How often a job is tried that was in nobody's power, and one that a mistake of ours ended."""


class Refused(ElenchusError):
    """This worker cannot run the session: another one may."""


class Jobs:
    """The jobs of one worker process. `runner` runs sessions here; `frozen` ends the process on the spot; `texts` tells
    others what is being written. A session that only waits for people is let go of after `lets_go_after` seconds.
    """

    def __init__(
        self,
        study: studies.StudyServices,
        runner: Runner,
        queue: JobQueue,
        origin: str,
        frozen: Callable[[str], None],
        texts: Texts | None = None,
        *,
        lets_go_after: float,
    ) -> None:
        self._texts, self._lets_go_after = texts, lets_go_after
        self._laboratory, self._runner, self._queue = study, runner, queue
        self._origin, self._frozen = origin, frozen
        self.at_work: set[str] = set()
        """Whose jobs are at work in this process, by their locks."""

    def register(self, app: Procrastinate, *, rescues: bool) -> None:
        """Make them known to procrastinate. `rescues`: whether this process looks after what others left."""

        @app.task(name=RUN_SESSION, queue=SESSIONS, retry=_again(), pass_context=True)
        async def run_session(context: JobContext, session: str, leave_on: list[str]) -> None:
            with self._working(context.job):
                try:
                    await self._session(await self._runner_of(context.job, session, frozenset(leave_on)), session)
                except LostOwnership:
                    await self._taken_over(context.job, session)

        @app.task(name=RUN_STUDY, queue=STUDIES, retry=_again(), pass_context=True)
        async def run_study(context: JobContext, kind: str, id_: str) -> None:
            with self._working(context.job):
                await studies.go_on(self._laboratory, kind, id_)

        if rescues:

            @app.periodic(cron=RESCUE_EVERY)
            @app.task(name=RESCUE, queue=OPS, queueing_lock=RESCUE)
            async def rescue(timestamp: int) -> None:
                for lock in await self._queue.rescue():
                    _log.warning("the worker of %s gives no sign of life for %d s: another goes on", lock, STALLED)
                for session in await self._queue.wake():
                    _log.info("session %s is woken", session)

    @contextmanager
    def _working(self, job: Job) -> Iterator[None]:
        self.at_work.add(lock := job.lock or "")
        try:
            yield
        finally:
            self.at_work.discard(lock)

    # ── a session ────────────────────────────────────────────────────────────────────────────────────────────────

    async def _runner_of(self, job: Job, session: str, leave_on: frozenset[str]) -> Runner:
        """Who runs it, knowing why it is run, and letting go of it where it only waits for people."""
        late = await self._queue.taken_up(session)
        again = job.attempts > 0 or late is not None

        async def waiting_policy(own: Ownership, seq: int, until: datetime | None) -> None:
            if not await self._queue.waiting_policy(session, own.epoch, seq, until, leave_on):
                raise LostOwnership(f"session {session} was taken over while it was let go of")

        return replace(
            self._runner,
            leave_on=leave_on,
            waiting_policy=WaitingPolicy(self._lets_go_after, waiting_policy),
            begun="woken" if late is not None and late < LATE else "again" if again else "asked",
        )

    async def _session(self, runner: Runner, session: str) -> None:
        """Run it, as far as it goes. Raises SessionHeld, Refused, StorageError: it is tried again."""
        texts = self._texts
        written = None if texts is None else partial(texts.drafted, session)
        try:
            await self._check(session)
            try:
                run = await runner.run(session, on_draft=written)
            except SessionHeld:
                if not await self._queue.is_holder_gone(session):
                    raise
                _log.warning("session %s is taken over from a worker that gives no sign of life", session)
                run = await runner.run(session, take_over=True, on_draft=written)
        except UnknownSession:
            return  # deleted meanwhile
        except (NewerSchema, UsageError) as error:  # one of another version may be able to
            await self._refuse(session, str(error))
            return
        finally:
            if texts is not None:
                texts.ended(session)
        await self._queue.accept(session)
        _log.info("session %s is %s", session, run.state, extra={"fields": {"session": session}})

    async def _check(self, session: str) -> None:
        """Raises UsageError, NewerSchema for what this worker cannot read, or whose models it does not have."""
        started = started_of(await self._runner.log.read(session))
        _ = self._runner.protocols[started.protocol]
        if spec := known(started.protocol):
            spec.checked(started.config)
        try:
            self._laboratory.check_models(specs_of(started.seats))
        except ElenchusError as error:
            raise UsageError(str(error)) from error

    async def _refuse(self, session: str, why: str) -> None:
        """Leave it to another worker; where none is left, have it say so. Raises Refused."""
        _log.warning("session %s is left to another worker: %s", session, why)
        if await self._queue.refuse(session, self._origin, why):
            raise Refused(why)
        own = await self._runner.log.claim(session)
        try:
            paused = SessionPaused(why="provider", reason=f"no worker can run it: {why}")
            await self._runner.log.append(session, [paused], own.epoch)
        finally:
            await own.release()
        await self._queue.accept(session)

    async def _taken_over(self, job: Job, session: str) -> None:
        """Nothing more is to be done where somebody took the session over; a job that others have is left to them."""
        rows = await self._queue.ask(
            "SELECT worker_id FROM procrastinate_jobs WHERE id = %(job)s AND status = 'doing'", job=job.id
        )
        if [row["worker_id"] for row in rows] != [job.worker_id]:
            self._frozen(f"session {session} was taken over while this worker was frozen")
        _log.info("session %s was taken over: it goes on elsewhere", session)


def _again() -> BaseRetryStrategy:
    """When a job is done again that did not come to its end."""
    from procrastinate import RetryDecision
    from procrastinate.retry import BaseRetryStrategy

    told: dict[str, float] = {}

    class Again(BaseRetryStrategy):
        def get_retry_decision(self, *, exception: BaseException, job: Job) -> Any:
            if isinstance(exception, asyncio.CancelledError):  # the worker ends: another one may begin at once
                return RetryDecision(retry_in={"seconds": 0})
            if (said := _of_the_store(exception)) and time.monotonic() - told.get(said, -TOLD_AGAIN) >= TOLD_AGAIN:
                told.clear()
                told[said] = time.monotonic()
                _log.warning("%s cannot go on, and is tried again every %d s: %s", job.lock, AGAIN_AFTER, said)
            most = MOST_ATTEMPTS if _may_pass_by(exception) else MOST_MISTAKES
            return RetryDecision(retry_in={"seconds": AGAIN_AFTER}) if job.attempts < most else None

    return Again()


def _may_pass_by(error: BaseException) -> bool:
    """Whether time, or another worker, may mend it."""
    if isinstance(error, BaseExceptionGroup):
        return all(_may_pass_by(one) for one in error.exceptions)
    return isinstance(error, StorageError | Refused | studies.UnknownKind) and not isinstance(error, DamagedLog)


def _of_the_store(error: BaseException) -> str:
    """What is wrong with the database, where that is why; "" for what is wrong with one session."""
    if isinstance(error, BaseExceptionGroup):
        return next((said for one in error.exceptions if (said := _of_the_store(one))), "")
    of_one = isinstance(error, SessionHeld | LostOwnership | NewerSchema | DamagedLog)
    return str(error) if isinstance(error, StorageError) and not of_one else ""
