"""Owns running sessions: starts them, resumes them after a restart, listens to the moderator, ends them well."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from elenchus.debate_engine import errors
from elenchus.debate_engine.errors import ElenchusError, LostOwnership, ProtocolBug, SessionHeld, StorageError
from elenchus.debate_engine.events import (
    Recorded,
    Seat,
    SessionFailed,
    SessionFinished,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SessionStopped,
)
from elenchus.debate_engine.log import RESCUED, EventLog, Ownership, rules, standing_pause, state_of
from elenchus.debate_engine.participant import Participant
from elenchus.debate_engine.privacy import forgetting, redaction
from elenchus.debate_engine.run_context import OnDraft, RunContext
from elenchus.debate_engine.run_state import RunState
from elenchus.debate_engine.session import Protocol, Session
from elenchus.debate_engine.steps import Replay, ReplayEnded, Steps

_log = logging.getLogger(__name__)

SeatMaker = Callable[[Seat, RunContext], Participant]
"""Puts a person or a model on a seat."""

INTERRUPTED = "interrupted: resume it to go on"


@dataclass(frozen=True, slots=True)
class Run:
    """How a run of a session ended. `outcome` is the protocol's result when finished, `reason` says why otherwise.

    `error` is the kind of error by which it failed, "" where it did not.
    """

    session_id: str
    state: str
    outcome: dict[str, Any] | None = None
    reason: str = ""
    exit_code: int = 0
    error: str = ""


@dataclass(frozen=True)
class Runner:
    """Runs sessions of the given protocols over one log.

    `leave_on` are the reasons for a pause (`budget`, `provider`, `moderator`) at which `run` returns instead of
    waiting for a resume.
    """

    log: EventLog
    protocols: Mapping[str, Protocol]
    make_seat: SeatMaker
    leave_on: frozenset[str] = field(default_factory=frozenset)

    async def create(self, started: SessionStarted, session_id: str | None = None) -> str:
        """Make a session and return its id; nothing runs yet."""
        session_id = session_id or new_id()
        await self.log.create(session_id, started)
        return session_id

    async def run(self, session_id: str, *, take_over: bool = False, on_draft: OnDraft | None = None) -> Run:
        """Run a session to its end, or until it is paused for a reason in `leave_on`; resumes what was begun.

        A finished or stopped session is not run again: its recorded end is returned.
        Raises UnknownSession, UsageError for a session that was rescued with gaps, SessionHeld, LostOwnership,
        StorageError, ProtocolBug. Cancelling it pauses the session.
        """
        state = (await self.log.info(session_id)).state
        if state == RESCUED:
            raise rules.rescued(session_id)
        over = state in ("finished", "stopped")
        if over and (ended := end_of(session_id, await self.log.read(session_id))) is not None:
            return ended
        own = await self.log.claim(session_id, take_over=take_over)
        try:
            return await self._owned(own, on_draft)
        except asyncio.CancelledError:
            await asyncio.shield(self._interrupted(own))
            raise
        finally:
            await own.release()

    async def _interrupted(self, own: Ownership) -> None:
        if (await self.log.info(own.session_id)).state == "running":
            paused = SessionPaused(why="interrupt", reason=INTERRUPTED)
            await self.log.append(own.session_id, [paused], own.epoch)

    async def _owned(self, own: Ownership, on_draft: OnDraft | None) -> Run:
        while True:
            recorded = await self.log.read(own.session_id)
            if (ended := end_of(own.session_id, recorded)) is not None:
                return ended
            steps = Steps(self.log, own.session_id, own.epoch, recorded)
            state = RunState(started_of(recorded), recorded, steps, self.leave_on)
            session = self.session(own.session_id, started_of(recorded), steps, state, on_draft)
            if state_of(recorded) != "running":
                await steps.append([SessionResumed()])
            if pause := standing_pause(recorded):  # of since the claim, or before a forgetting
                await state.receive(pause)
            run = await self._supervised(session, started_of(recorded), steps, state, recorded[-1].seq)
            if run is not None:
                return run
            asked = state.forget.result()
            await self._rewrite(own, asked.seat, asked.name_only)

    async def forget(self, session_id: str, seat: str, *, name_only: bool = False) -> int:
        """Replace the words of the person on `seat` everywhere (see `redaction`); the number of texts changed.

        `name_only`: the person of that name took no part, and is taken off the seat.
        Sessions that examine this one's words are rewritten before it, so that a failure leaves nothing forgotten by
        halves: say it again. Raises SessionHeld while a process runs the session: send it a ForgetAsked instead.
        """
        own = await self.log.claim(session_id)
        try:
            return await self._rewrite(own, seat, name_only)
        finally:
            await own.release()

    async def forget_wherever(self, session_id: str, seat: str, *, by: str = "", name_only: bool = False) -> int:
        """The same, whether a process runs the session, which is asked then, or not; one may end in between.

        Raises UnknownSession, StorageError where that process does not do it within `forgetting.PATIENCE`.
        """
        while True:
            try:
                return await self.forget(session_id, seat, name_only=name_only)
            except SessionHeld:
                changed = await forgetting.request_forgetting(self.log, session_id, seat, by, name_only=name_only)
            if changed is not None:
                return changed
            if (await self.log.info(session_id)).owner:
                raise StorageError(
                    f"The process that runs {session_id} has not replaced these words within a minute: end it, then "
                    "say this again."
                )

    async def _rewrite(self, own: Ownership, seat: str, name_only: bool) -> int:
        await self.log.append(own.session_id, [], own.epoch)  # waits for what is still being written
        in_copies = await self._forget_in_copies(own.session_id, seat, name_only)  # first: they look the words up here
        recorded = await self.log.read(own.session_id)
        before = await forgetting.source_events(self.log, recorded)
        way = await asyncio.to_thread(redaction.redaction_for, recorded, seat, before, name_only)  # long for a long log
        rewritten = await asyncio.to_thread(way.rewritten, recorded)
        if state_of(recorded) == RESCUED:
            final = await asyncio.to_thread(redaction.without_prompts, rewritten, way)
        else:
            final = await self._replayed(own.session_id, recorded, rewritten, way)
        await self.log.rewrite(own.session_id, final, own.epoch)
        notice = redaction.notice([*before, *recorded], seat, way.strings, name_only)
        await self.log.append(own.session_id, [notice], own.epoch)
        return way.strings + in_copies

    async def _replayed(
        self, session_id: str, recorded: list[Recorded], rewritten: list[Recorded], way: redaction.Redaction
    ) -> list[Recorded]:
        """The rewritten record with fingerprints as a replay finds them, and the outcome that it comes to."""
        replay = Replay(self.log, session_id, rewritten)
        started = started_of(rewritten)
        session = self.session(session_id, started, replay, RunState(started, rewritten, replay))
        outcome = None
        try:
            outcome = await self.protocols[started.protocol](session, started.config)
        except ReplayEnded:
            pass  # the record ends here
        except Exception:  # noqa: BLE001 - whatever a protocol raises, forgetting comes first; the steps reached so far are renewed
            _log.exception("session %s: the replay after forgetting somebody broke off", session_id)
        final = await asyncio.to_thread(redaction.renewed, rewritten, replay.inputs, way.words)
        if outcome is not None and started.config != started_of(recorded).config:  # it may tell places in what changed
            final = forgetting.with_outcome(final, outcome)
        return final

    async def _forget_in_copies(self, session_id: str, seat: str, name_only: bool) -> int:
        """The same in every session that examines this one's words; the number of texts changed there."""
        count = 0
        for copy in await self.log.derived_from(session_id):
            count += await self.forget_wherever(copy, seat, name_only=name_only)
        return count

    def session(
        self, session_id: str, started: SessionStarted, steps: Steps, state: RunState, on_draft: OnDraft | None = None
    ) -> Session:
        """The session with everyone on their seats."""
        context = RunContext(
            steps,
            state,
            seed=started.seed,
            seed_models=started.seed_models,
            temperature=started.temperature,
            on_draft=on_draft,
        )
        return Session(session_id, context, {seat.name: self.make_seat(seat, context) for seat in started.seats})

    async def _supervised(
        self, session: Session, started: SessionStarted, steps: Steps, state: RunState, seen: int
    ) -> Run | None:
        """Run the protocol beside a listener for what others append; None when someone is to be forgotten first."""
        listener = asyncio.create_task(self._listen(session.id, state, seen), name=f"listen {session.id}")
        work = asyncio.create_task(
            self.protocols[started.protocol](session, started.config), name=f"protocol {session.id}"
        )
        try:
            waited: set[asyncio.Future[Any]] = {work, listener, state.stop, state.forget}
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if listener.done() and not work.done():
                listener.result()  # the log failed under us
            if state.stop.done() and not work.done():
                return await self._end(session.id, steps, stopped_by(state))
            if state.forget.done() and not work.done():
                return None
            return await self._end(session.id, steps, SessionFinished(outcome=await work))
        except errors.SessionPaused as paused:
            return Run(session.id, "paused", reason=str(paused), exit_code=paused.exit_code)
        except (LostOwnership, StorageError, ProtocolBug):
            raise
        except Exception as error:  # noqa: BLE001 - a protocol's failure ends its session, not the process
            _log.exception("session %s failed", session.id)
            run = await self._end(session.id, steps, failed_by(error))
            return replace(run, exit_code=getattr(error, "exit_code", run.exit_code))
        finally:
            for task in (work, listener):
                task.cancel()
            await asyncio.gather(work, listener, return_exceptions=True)

    async def _listen(self, session_id: str, state: RunState, seen: int) -> None:
        async for r in self.log.follow(session_id, after=seen):
            await state.receive(r)

    async def _end(self, session_id: str, steps: Steps, event: SessionFinished | SessionStopped | SessionFailed) -> Run:
        await steps.append([event])
        if isinstance(event, SessionFailed):
            return Run(session_id, "failed", reason=event.message, exit_code=1, error=event.error)
        return as_run(session_id, event)


def as_run(session_id: str, event: SessionFinished | SessionStopped) -> Run:
    """How a run ended that is over for good."""
    if isinstance(event, SessionFinished):
        return Run(session_id, "finished", event.outcome)
    return Run(session_id, "stopped", reason=event.reason)


def end_of(session_id: str, recorded: list[Recorded]) -> Run | None:
    """The recorded end of a session that is not to be run again, or None."""
    ends = (r.event for r in reversed(recorded))
    return next((as_run(session_id, e) for e in ends if isinstance(e, SessionFinished | SessionStopped)), None)


def failed_by(error: BaseException) -> SessionFailed:
    """The end by a protocol's failure: by the first one, where several came out of a group of tasks."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return SessionFailed(error=type(error).__name__, message=str(error) or type(error).__name__)


def stopped_by(state: RunState) -> SessionStopped:
    """The end that the moderator asked for."""
    asked = state.stop.result()
    return SessionStopped(reason=asked.reason, by=asked.by)


def started_of(recorded: list[Recorded]) -> SessionStarted:
    """The session's first event. Raises ElenchusError when the log does not begin with one."""
    first = recorded[0].event
    if not isinstance(first, SessionStarted):
        raise ElenchusError("the session's log does not begin with its start: it was damaged or edited")
    return first


def new_id() -> str:
    """A short id for a session, easy to type: seven letters and digits without look-alikes."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(7))
