"""How runs of sessions end: over for good, by a failure, stopped, paused, or left to people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from elenchus.debate_engine.errors import ElenchusError, ProtocolBug
from elenchus.debate_engine.events import Recorded, SessionFailed, SessionFinished, SessionStopped
from elenchus.debate_engine.protocols.faults import fault_in
from elenchus.debate_engine.run_state import RunState
from elenchus.debate_engine.session import Protocol

WAITS = "waits"
"""The state of a run that was left to people: see `runner.WaitingPolicy`."""


@dataclass(frozen=True, slots=True)
class Run:
    """How a run of a session ended: in a state of the session, or in `WAITS`.

    `outcome` is the protocol's result when finished, `reason` says why otherwise.
    `error` is the kind of error by which it failed, "" where it did not.
    """

    session_id: str
    state: str
    outcome: dict[str, Any] | None = None
    reason: str = ""
    exit_code: int = 0
    error: str = ""


def as_run(session_id: str, event: SessionFinished | SessionStopped) -> Run:
    """How a run ended that is over for good."""
    if isinstance(event, SessionFinished):
        return Run(session_id, "finished", event.outcome)
    return Run(session_id, "stopped", reason=event.reason)


def end_of(session_id: str, recorded: list[Recorded]) -> Run | None:
    """The recorded end of a session that is not to be run again, or None."""
    ends = (r.event for r in reversed(recorded))
    return next((as_run(session_id, e) for e in ends if isinstance(e, SessionFinished | SessionStopped)), None)


def failed_by(error: BaseException, protocol: str, code: Protocol) -> SessionFailed:
    """The end by a protocol's failure: by the first one, where several came out of a group of tasks.

    What the protocol could do nothing about is told as it is; else it is its fault, with the place in its code.
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    blameless = isinstance(error, ElenchusError) and not isinstance(error, ProtocolBug)
    message = str(error) if blameless else fault_in(protocol, error, code)
    return SessionFailed(error=type(error).__name__, message=message or type(error).__name__)


def stopped_by(state: RunState) -> SessionStopped:
    """The end that the moderator asked for."""
    asked = state.stop.result()
    return SessionStopped(reason=asked.reason, by=asked.by)
