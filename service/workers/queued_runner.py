"""The runner of a process whose sessions workers run: it puts a session into the queue, and follows its log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from elenchus.debate_engine import errors
from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.events import (
    OwnerStarted,
    Recorded,
    SessionFailed,
    SessionFinished,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SessionStopped,
)
from elenchus.debate_engine.log import RESCUED, rules
from elenchus.debate_engine.run_context import OnDraft
from elenchus.debate_engine.run_ends import Run, as_run, end_of
from elenchus.debate_engine.runner import Runner, parts_of
from elenchus.service.workers.queue import WAITS, JobQueue

_log = logging.getLogger(__name__)

OVER = ("finished", "stopped")
CLAIMED_WITHIN = 3.0
"""Seconds after which a session that waits in the queue counts as begun for whoever asks: all slots may be taken."""
LOOKS, LOOKS_PAUSED, JUST_PAUSED = 10.0, 0.25, 3.0
"""Seconds of silence after which one sees whether the queue still has the session; where it was paused just now, and
for how long that is."""


@dataclass(frozen=True)
class QueuedRunner(Runner):
    """A `Runner` whose `run` is done by a worker where one serves the queue, and in this process where none does.

    What is in the log is the same either way. Who cancels `run` follows no longer; the session goes on at its worker.
    """

    queue: JobQueue = field(kw_only=True)

    @property
    def here(self) -> Runner:
        """The runner that runs in this process whatever there is."""
        return Runner(**parts_of(self))

    async def create(self, started: SessionStarted, session_id: str | None = None) -> str:
        """See `Runner`. Raises NewerSchema, before there is a session, where it could not be put into the queue."""
        await self.queue.is_there()
        return await super().create(started, session_id)

    async def is_elsewhere(self) -> bool:
        """See `Runner`. Raises StorageError."""
        return await self.queue.is_served()

    async def run(
        self,
        session_id: str,
        *,
        take_over: bool = False,
        on_draft: OnDraft | None = None,
        on_claim: Callable[[], None] = lambda: None,
    ) -> Run:
        """Have a session run by a worker, and follow it; see `Runner.run`. Whoever would take over does it here."""
        if take_over or not await self.is_elsewhere():
            return await self.here.run(session_id, take_over=take_over, on_draft=on_draft, on_claim=on_claim)
        info = await self.log.info(session_id)
        if info.state == RESCUED:
            raise rules.rescued(session_id)
        recorded = await self.log.read(session_id)
        if info.state in OVER and (ended := end_of(session_id, recorded)) is not None:
            return ended
        if not (info.owner and info.state == "running" and await self.queue.is_pending(session_id, "doing", WAITS)):
            await self.queue.put(session_id, self.leave_on)
        return await self._followed(session_id, recorded[-1].seq, info.state, on_claim)

    async def _followed(self, session_id: str, seen: int, state: str, on_claim: Callable[[], None]) -> Run:
        """Wait for the end, or until the worker leaves a paused session."""
        loop = asyncio.get_running_loop()
        begun = loop.call_later(CLAIMED_WITHIN, on_claim)
        pause: SessionPaused | None = None
        since = -JUST_PAUSED
        try:
            async with aclosing(self._events(session_id, seen, lambda: loop.time() < since + JUST_PAUSED)) as events:
                async for r in events:
                    match r and r.event:
                        case OwnerStarted():
                            begun.cancel()
                            on_claim()
                        case SessionFinished() | SessionStopped() as ended:
                            return as_run(session_id, ended)
                        case SessionFailed(error=kind, message=message):
                            return Run(session_id, "failed", reason=message, exit_code=1, error=kind)
                        case SessionPaused() as pause:
                            since = loop.time()
                        case SessionResumed():
                            pause, since = None, -JUST_PAUSED
                        case None if not await self.queue.is_pending(session_id):
                            return await self._left(session_id, pause)
        finally:
            begun.cancel()
        raise rules.closed()

    async def _events(self, session_id: str, seen: int, paused: Callable[[], bool]) -> AsyncGenerator[Recorded | None]:
        """The events after `seen`, and None wherever it is quiet for a while."""
        async with aclosing(self.log.follow(session_id, after=seen)) as following:
            while True:
                coming = asyncio.create_task(anext(following, None), name=f"next event of {session_id}")
                try:
                    while not (await asyncio.wait({coming}, timeout=LOOKS_PAUSED if paused() else LOOKS))[0]:
                        yield None
                finally:
                    if not coming.done():
                        coming.cancel()
                        with suppress(asyncio.CancelledError):
                            await coming
                if (r := coming.result()) is None:
                    return
                yield r

    async def _left(self, session_id: str, pause: SessionPaused | None) -> Run:
        """What there is once the queue has the session no more."""
        recorded = await self.log.read(session_id)
        if (ended := end_of(session_id, recorded)) is not None:
            return ended
        last = next((r.event for r in reversed(recorded) if isinstance(r.event, SessionPaused)), pause)
        if last is None or (await self.log.info(session_id)).state != "paused":
            raise StorageError(
                f"The queue has session {session_id} no more, and it has not ended: go on with it by elenchus sessions "
                f"resume {session_id}."
            )
        left = errors.SessionPaused(last.why, last.reason)
        return Run(session_id, "paused", reason=last.reason, exit_code=left.exit_code)
