"""What can happen in a session: frozen event types and their one discriminated union, `Event`.

A session *is* its list of events. Everything that is shown anywhere is computed from them. `course.py` has those that a
session's owner writes, `commands.py` those that anybody may write; both are imported from here.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from elenchus.debate_engine.commands import (
    BudgetRaised,
    CloseAsked,
    Command,
    DeepenAsked,
    ForgetAsked,
    Guidance,
    HeatSet,
    PauseAsked,
    Question,
    ResumeAsked,
    RoundAsked,
    SeatLeft,
    SeatNamed,
    StopAsked,
    TurnAnswered,
    TurnExtended,
    Unscripted,
    VoteClosed,
    Voted,
    Withdrawn,
)
from elenchus.debate_engine.course import (
    EVERYONE,
    AnswerRejected,
    CallFailed,
    CallRecord,
    EventLost,
    OwnerStarted,
    PromptTrimmed,
    Recalled,
    Redacted,
    Said,
    Seat,
    SessionFailed,
    SessionFinished,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SessionStopped,
    StepDone,
    TurnOpened,
    TurnReminded,
)
from elenchus.debate_engine.value import Value

__all__ = [
    "EVENTS",
    "EVERYONE",
    "AnswerRejected",
    "BudgetRaised",
    "CallFailed",
    "CallRecord",
    "CloseAsked",
    "Command",
    "DeepenAsked",
    "Event",
    "EventLost",
    "ForgetAsked",
    "Guidance",
    "HeatSet",
    "OwnerStarted",
    "PauseAsked",
    "PromptTrimmed",
    "Question",
    "Recalled",
    "Recorded",
    "Redacted",
    "ResumeAsked",
    "RoundAsked",
    "Said",
    "Seat",
    "SeatLeft",
    "SeatNamed",
    "SessionFailed",
    "SessionFinished",
    "SessionPaused",
    "SessionResumed",
    "SessionStarted",
    "SessionStopped",
    "StepDone",
    "StopAsked",
    "TurnAnswered",
    "TurnExtended",
    "TurnOpened",
    "TurnReminded",
    "Unscripted",
    "Value",
    "VoteClosed",
    "Voted",
    "Withdrawn",
    "now",
]

Event = Annotated[
    SessionStarted | OwnerStarted | EventLost | StepDone | Said | TurnOpened | TurnReminded | AnswerRejected
    | PromptTrimmed | CallFailed | SessionPaused | SessionResumed
    | SessionFinished | SessionStopped | SessionFailed | Redacted | TurnAnswered | SeatNamed | Command,
    Field(discriminator="kind"),
]  # fmt: skip

EVENTS: TypeAdapter[Event] = TypeAdapter(Event)
"""Reads and writes one event of any kind."""


class Recorded(Value):
    """An event in its place in the log. `seq` starts at 1 and has no gaps; `at` is UTC."""

    seq: int
    at: datetime
    event: Event

    def line(self) -> dict[str, Any]:
        """The flat form of `events.jsonl`: `seq`, `at`, `kind` and the event's own fields."""
        return {"seq": self.seq, "at": self.at.isoformat(), **self.event.model_dump(mode="json")}

    @classmethod
    def from_line(cls, line: dict[str, Any]) -> Recorded:
        """The reverse of `line`. Raises pydantic.ValidationError."""
        fields = dict(line)
        return cls.model_validate({"seq": fields.pop("seq"), "at": fields.pop("at"), "event": fields})


def now() -> datetime:
    """The wall clock in UTC, for the `at` of events only; protocols take time from a step."""
    return datetime.now(UTC)
