"""Owns running sessions: starts them, resumes them after a restart, listens to the moderator, ends them well."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from inspect import isawaitable
from typing import Any, Literal

from elenchus.debate_engine import errors
from elenchus.debate_engine.day_budget import DayBudgets
from elenchus.debate_engine.errors import ElenchusError, LostOwnership, ProtocolBug, StorageError
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
from elenchus.debate_engine.log import (
    RESCUED,
    EventLog,
    Ownership,
    pause_in_force,
    rules,
    standing_pause,
    state_of,
)
from elenchus.debate_engine.participant import Participant
from elenchus.debate_engine.privacy import forgetting
from elenchus.debate_engine.protocols.registry import known
from elenchus.debate_engine.run_context import OnDraft, RunContext
from elenchus.debate_engine.run_ends import WAITS, Run, as_run, end_of, failed_by, stopped_by
from elenchus.debate_engine.run_state import RunState
from elenchus.debate_engine.session import Protocol, Session
from elenchus.debate_engine.session_logging import concerning
from elenchus.debate_engine.steps import Steps
from elenchus.debate_engine.tasks import cancelled
from elenchus.debate_engine.tracing import span

_log = logging.getLogger(__name__)

SeatMaker = Callable[[Seat, RunContext], Participant]
"""Puts a person or a model on a seat."""

INTERRUPTED = "interrupted: resume it to go on"


@dataclass(frozen=True)
class WaitingPolicy:
    """When a run ends that only waits for people, so that it takes no place meanwhile: after so many seconds of that.

    `noted` is awaited before the hold ends, with the number of the last event that was taken in and the moment at which
    a deadline or a reminder is due (None: never): whoever looks after sessions runs it again (as `woken`) once there is
    another event, or at that moment.
    """

    after: float
    noted: Callable[[Ownership, int, datetime | None], Awaitable[None]]


@dataclass(frozen=True)
class Runner:
    """Runs sessions of the given protocols over one log.

    `protocols` and `make_seat` come from whoever wires the parts together (`service.app`). `leave_on` are the reasons
    for a pause (`budget`, `provider`, `moderator`) at which `run` returns instead of waiting for a resume.
    `day` limits what sessions may use today beside their own budgets.
    `before_end` is awaited before the end of a session is written in which minds sit: after a crash it is once more.

    `begun` says why it runs: somebody has `asked` for it, so that an older pause does not stand; its former run ended
    before its time, and it goes on `again`, paused if it was; or it was let go of (`waiting_policy`) and is `woken`,
    when time has gone on for the people in it.
    """

    log: EventLog
    protocols: Mapping[str, Protocol]
    make_seat: SeatMaker
    leave_on: frozenset[str] = field(default_factory=frozenset)
    before_end: Callable[[EventLog, str], Awaitable[None]] | None = None
    day: DayBudgets | None = None
    waiting_policy: WaitingPolicy | None = None
    begun: Literal["asked", "again", "woken"] = "asked"

    async def create(self, started: SessionStarted, session_id: str | None = None) -> str:
        """Make a session and return its id; nothing runs yet."""
        session_id = session_id or new_id()
        self._check(started)
        await self.log.create(session_id, started)
        return session_id

    async def is_elsewhere(self) -> bool:
        """Whether other processes do what `run` is told: whoever cancels it then only looks away."""
        return False

    def _check(self, started: SessionStarted) -> None:
        """Raises UsageError for a protocol that is not to be had here, or not with these settings."""
        _ = self.protocols[started.protocol]
        if spec := known(started.protocol):
            spec.checked(started.config)

    def _check_begun(self, started: SessionStarted) -> None:
        """The same for a session that may be of another release, which its error names."""
        try:
            self._check(started)
        except errors.UsageError as error:
            raise errors.UsageError(f"{error} Go on with Elenchus {started.version}, which began it.") from error

    async def run(
        self,
        session_id: str,
        *,
        take_over: bool = False,
        on_draft: OnDraft | None = None,
        on_claim: Callable[[], None] = lambda: None,
    ) -> Run:
        """Run a session to its end, until it is paused for a reason in `leave_on`, or rests; resumes what was begun.

        A finished or stopped session is not run again: its recorded end is returned.
        Raises UnknownSession, UsageError for a session that was rescued with gaps, or whose protocol or settings cannot
        be run here, SessionHeld, LostOwnership, StorageError. Cancelling it pauses the session.

        `on_claim` is called once the session is ours.
        """
        info = await self.log.info(session_id)
        state = info.state
        if state == RESCUED:
            raise rules.rescued(session_id)
        over = state in ("finished", "stopped")
        if over and (ended := end_of(session_id, await self.log.read(session_id))) is not None:
            return ended
        _ = self.protocols[info.protocol]
        own = await self.log.claim(session_id, take_over=take_over)
        on_claim()
        try:
            with concerning(session_id), span("session", protocol=info.protocol):
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
            self._check_begun(started_of(recorded))
            steps = Steps(self.log, own.session_id, own.epoch, recorded)
            day = await self.day.of(own.session_id) if self.day else None
            woken = self.begun == "woken"
            state = RunState(started_of(recorded), recorded, steps, self.leave_on, day, woken=woken)
            session = self.session(own.session_id, started_of(recorded), steps, state, on_draft)
            await self._go_on(recorded, steps, state)
            run = await self._run_beside_listener(session, started_of(recorded), steps, state, recorded[-1].seq)
            if run is not None:
                if run.state == WAITS and self.waiting_policy is not None:
                    await self.waiting_policy.noted(own, state.seen, state.due)
                return run
            asked = state.forget.result()
            await forgetting.rewrite(self, own, asked.seat, asked.name_only)

    async def _go_on(self, recorded: list[Recorded], steps: Steps, state: RunState) -> None:
        """Resume what was paused, or stay in the pause."""
        pause = pause_in_force(recorded)
        if pause is not None and self.begun != "asked":
            await state.hold(pause[0], written=pause[1])
            return
        if pause is not None or state_of(recorded) != "running":
            await steps.append([SessionResumed()])
        if since := standing_pause(recorded):  # of since the claim, or before a forgetting
            await state.receive(since)

    async def forget(self, session_id: str, seat: str, *, name_only: bool = False) -> int:
        """Forget the person on `seat` in a session that no process runs: see `forgetting.forget`."""
        return await forgetting.forget(self, session_id, seat, name_only=name_only)

    async def forget_wherever(self, session_id: str, seat: str, *, by: str = "", name_only: bool = False) -> int:
        """The same, whoever runs the session: see `forgetting.forget_wherever`."""
        return await forgetting.forget_wherever(self, session_id, seat, by=by, name_only=name_only)

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

    async def _run_beside_listener(
        self, session: Session, started: SessionStarted, steps: Steps, state: RunState, seen: int
    ) -> Run | None:
        """Run the protocol beside a listener for what others append; None when someone is to be forgotten first.

        A protocol is the `run` of its folder's `spec`: of a debate, `protocol.py` in `protocols/socrasynth/`.
        """
        protocol = self.protocols[started.protocol]
        listener = asyncio.create_task(self._listen(session.id, state, seen), name=f"listen {session.id}")
        work = asyncio.create_task(performed(protocol, session, started), name=f"protocol {session.id}")
        waits = self._waits(steps)
        try:
            waited: set[asyncio.Future[Any]] = {work, listener, waits, state.stop, state.forget}
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if listener.done() and not work.done():
                listener.result()  # the log failed under us
            if state.stop.done() and not work.done():
                return await self._over(session.id, started, steps, stopped_by(state))
            if state.forget.done() and not work.done():
                return None
            if waits.done() and not work.done():
                state.due = waits.result()
                return Run(session.id, WAITS)
            return await self._over(session.id, started, steps, SessionFinished(outcome=await work))
        except errors.SessionPaused as paused:
            return Run(session.id, "paused", reason=str(paused), exit_code=paused.exit_code)
        except (LostOwnership, StorageError):
            raise
        except Exception as error:  # noqa: BLE001 - a protocol's failure ends its session, not the process
            _log.exception("session %s failed", session.id)
            run = await self._end(session.id, steps, failed_by(error, started.protocol, protocol))
            return replace(run, exit_code=getattr(error, "exit_code", run.exit_code))
        finally:
            await cancelled(work, listener, waits)

    def _waits(self, steps: Steps) -> asyncio.Future[datetime | None]:
        """Done once the run may be let go of."""
        if self.waiting_policy is None:
            return asyncio.get_running_loop().create_future()
        return asyncio.create_task(steps.waits.lasting(self.waiting_policy.after), name="waits for people alone")

    async def _listen(self, session_id: str, state: RunState, seen: int) -> None:
        async for r in self.log.follow(session_id, after=seen):
            await state.receive(r)

    async def _over(
        self, session_id: str, started: SessionStarted, steps: Steps, event: SessionFinished | SessionStopped
    ) -> Run:
        if self.before_end is not None and any(seat.mind for seat in started.seats):
            await self.before_end(self.log, session_id)
        return await self._end(session_id, steps, event)

    async def _end(self, session_id: str, steps: Steps, event: SessionFinished | SessionStopped | SessionFailed) -> Run:
        await steps.append([event])
        if isinstance(event, SessionFailed):
            return Run(session_id, "failed", reason=event.message, exit_code=1, error=event.error)
        return as_run(session_id, event)


def parts_of(runner: Runner) -> dict[str, Any]:
    """What a runner is made with, for another one of the same parts."""
    return {part.name: getattr(runner, part.name) for part in fields(Runner)}


async def performed(protocol: Protocol, session: Session, started: SessionStarted) -> dict[str, Any]:
    """The outcome of a protocol, of the form that its spec names.

    Raises ProtocolBug for code that is not what a protocol is, or returns something else, and whatever it raises.
    """
    coming = protocol(session, started.config)
    if not isawaitable(coming):
        raise ProtocolBug("what it runs is no `async def`")
    outcome = await coming
    if not isinstance(outcome, dict):
        raise ProtocolBug(f"it returned {type(outcome).__name__}, and no dict")
    if spec := known(started.protocol):
        spec.check_outcome(outcome)
    return outcome


def started_of(recorded: list[Recorded]) -> SessionStarted:
    """The session's first event. Raises ElenchusError when the log does not begin with one."""
    first = recorded[0].event
    if not isinstance(first, SessionStarted):
        raise ElenchusError("the session's log does not begin with its start: it was damaged or edited")
    return first


def new_id() -> str:
    """A short id for a session, easy to type: seven letters and digits without look-alikes."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(7))
