"""What can happen in a session: frozen event types and their one discriminated union, `Event`.

A session *is* its list of events. Everything that is shown anywhere is computed from them. `run_events` has those
that a session's owner writes, `commands` those that anybody may write; all are imported from here.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from elenchus.debate_engine.events.commands import (
    Argued as Argued,
    ArgumentStruck as ArgumentStruck,
    Attended as Attended,
    BudgetRaised as BudgetRaised,
    CloseAsked as CloseAsked,
    Command as Command,
    DebriefAsked as DebriefAsked,
    DeepenAsked as DeepenAsked,
    Fed as Fed,
    ForgetAsked as ForgetAsked,
    GivenToMind as GivenToMind,
    Guidance as Guidance,
    HalfLeft as HalfLeft,
    HalfTaken as HalfTaken,
    HalfTimeEnded as HalfTimeEnded,
    HeardLine as HeardLine,
    HeatSet as HeatSet,
    OfHalves as OfHalves,
    OpinionRating as OpinionRating,
    OpinionsRated as OpinionsRated,
    PauseAsked as PauseAsked,
    Question as Question,
    ResumeAsked as ResumeAsked,
    RoundAsked as RoundAsked,
    SeatLeft as SeatLeft,
    SeatNamed as SeatNamed,
    StopAsked as StopAsked,
    Surveyed as Surveyed,
    Talked as Talked,
    TurnAnswered as TurnAnswered,
    TurnExtended as TurnExtended,
    UnforeseenQuestion as UnforeseenQuestion,
    Upvoted as Upvoted,
    VoteClosed as VoteClosed,
    Voted as Voted,
    Withdrawn as Withdrawn,
)
from elenchus.debate_engine.events.run_events import (
    EVERYONE as EVERYONE,
    MIND as MIND,
    MODERATOR as MODERATOR,
    AnswerRejected as AnswerRejected,
    CallFailed as CallFailed,
    CallRecord as CallRecord,
    EventLost as EventLost,
    FrozenModel as FrozenModel,
    OwnerStarted as OwnerStarted,
    PromptTrimmed as PromptTrimmed,
    Recalled as Recalled,
    Redacted as Redacted,
    Said as Said,
    Seat as Seat,
    SessionFailed as SessionFailed,
    SessionFinished as SessionFinished,
    SessionPaused as SessionPaused,
    SessionResumed as SessionResumed,
    SessionStarted as SessionStarted,
    SessionStopped as SessionStopped,
    ShownPicture as ShownPicture,
    StepDone as StepDone,
    TurnOpened as TurnOpened,
    TurnReminded as TurnReminded,
    mind_in as mind_in,
    model_in as model_in,
    with_alt as with_alt,
)

Event = Annotated[
    SessionStarted | OwnerStarted | EventLost | StepDone | Said | TurnOpened | TurnReminded | AnswerRejected
    | PromptTrimmed | CallFailed | SessionPaused | SessionResumed
    | SessionFinished | SessionStopped | SessionFailed | Redacted | TurnAnswered | SeatNamed | Command,
    Field(discriminator="kind"),
]  # fmt: skip

EVENTS: TypeAdapter[Event] = TypeAdapter(Event)
"""Reads and writes one event of any kind."""


class Recorded(FrozenModel):
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
