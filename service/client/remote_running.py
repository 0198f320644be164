"""A session that a service runs, as a program has it: its events as they come, and what comes out of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from elenchus.debate_engine import errors, events as ev
from elenchus.debate_engine.protocols.registry import spec_or_default
from elenchus.debate_engine.run_ends import Run
from elenchus.service.client.errors import AnswerLost
from elenchus.service.client.files import exported
from elenchus.service.lab.running import Running, Unfinished

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Event, Recorded
    from elenchus.service.client.remote_log import RemoteLog

T = TypeVar("T")

BETWEEN_OWNERS = 3.0
"""Seconds for which nobody may run a session that goes on."""
EXIT_CODES = {"budget": 4, "provider": 3}
"""Of pauses in which nothing more happens before somebody resumes the session."""


@dataclass
class End:
    """How a session ends, as far as its events tell; `run` is None as long as something may come of itself."""

    session: str
    protocol: str = ""
    run: Run | None = None
    _why: str = ""

    def take(self, event: Event) -> None:
        """Take in the next event."""
        match event:
            case ev.SessionStarted(protocol=protocol):
                self.protocol = protocol
            case ev.SessionFinished(outcome=outcome):
                self.run = Run(self.session, "finished", outcome)
            case ev.SessionStopped(reason=reason):
                self.run = Run(self.session, "stopped", reason=reason)
            case ev.SessionFailed(error=error, message=message):
                kind = getattr(errors, error, None)
                code = getattr(kind, "exit_code", 1)
                self.run = Run(self.session, "failed", reason=message, exit_code=code, error=error)
            case ev.SessionPaused(why=why, reason=reason) if why in EXIT_CODES:
                self._why = why
                self.run = Run(self.session, "paused", reason=reason, exit_code=EXIT_CODES[why])
            case _ if self._is_lifted_by(event):
                self.run = None

    def _is_lifted_by(self, event: Event) -> bool:
        """Whether a session that stood goes on now, or is about to."""
        if self.run is None or self.run.state not in ("paused", "failed"):
            return False
        raised = isinstance(event, ev.BudgetRaised) and self._why == "budget" and self.run.state == "paused"
        return raised or isinstance(event, ev.ResumeAsked | ev.SessionResumed | ev.OwnerStarted)


@dataclass(frozen=True, eq=False)
class RemoteRunning(Running[T]):
    """A session that a service runs. It runs on when the program that looks at it ends, and others may look at it."""

    log: RemoteLog = field(repr=False)
    _known: list[Recorded] = field(default_factory=list, repr=False)

    async def _outcome(self) -> T:
        end = End(self.id)
        async for _ in self._followed(end):
            pass
        if end.run is None:
            why = "nobody runs it: lab.resume goes on with it"
            raise Unfinished(Run(self.id, "interrupted", reason=why, exit_code=1))
        if end.run.outcome is None or end.run.state != "finished":
            raise Unfinished(end.run)
        return cast("T", spec_or_default(end.protocol).outcome_of(end.run.outcome) or end.run.outcome)

    async def __aiter__(self) -> AsyncIterator[Event]:
        """Every event from the first, new ones as they come, until the session ends or nobody runs it.

        Where the connection breaks or the server is started again it goes on where it stood. Raises ServerUnavailable
        where the server is away for longer than `Timeouts.outage`.
        """
        async for recorded in self._followed(End(self.id)):
            yield recorded.event

    async def _followed(self, end: End) -> AsyncGenerator[Recorded]:
        looked = False
        async with aclosing(self.log.follow(self.id)) as following:
            async for one in following:
                if not isinstance(one, str):
                    end.take(one.event)
                    yield one
                elif end.run is not None:
                    return
                elif one == "quiet" or not looked:
                    if await self._is_abandoned():
                        return
                    looked = True

    async def _is_abandoned(self) -> bool:
        """Whether nobody runs it, and for a while: it may just be between two owners."""
        if not await self.log.is_abandoned(self.id):
            return False
        await asyncio.sleep(BETWEEN_OWNERS)
        return await self.log.is_abandoned(self.id)

    async def events(self) -> list[Recorded]:
        """All events so far, with their numbers and times."""
        known = list(self._known)
        new = await self.log.read(self.id, known[-1].seq if known else 0)
        if known and any(isinstance(r.event, ev.Redacted) for r in new):
            known, new = [], await self.log.read(self.id, 0)
        self._known[:] = [*known, *new]
        return list(self._known)

    async def export(self, folder: str | Path) -> list[Path]:
        """Write report, data and pictures into a folder; their paths. Raises StorageError."""
        return await exported(self.log.connection, self.id, Path(folder))

    async def _append(self, event: Event) -> Recorded:
        """Append it once, also where the connection breaks before the server has answered."""
        before = await self.log.last_event(self.id)
        try:
            return await self.log.append(self.id, event)
        except AnswerLost:
            new = await self.log.read(self.id, before)
            there = next((r for r in new if r.event == event), None)
            return there or await self.log.append(self.id, event)

    async def _begun(self) -> None:
        """A service has begun to run it before it says that it has made it."""

    def _is_left(self) -> bool:
        return False  # the service looks for itself, and goes on with it
