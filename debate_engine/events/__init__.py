"""What can happen in a session: frozen event types and their one discriminated union, `Event`.

A session *is* its list of events. Everything that is shown anywhere is computed from them. `run_events` has those
that a session's owner writes, `commands` those that anybody may write, `mind_events` those that go into the log of a
mind, `values` what they hold; all are imported from here.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from elenchus.debate_engine.events.commands import (
    Argued as Argued,
    ArgumentStruck as ArgumentStruck,
    BudgetRaised as BudgetRaised,
    CloseAsked as CloseAsked,
    DebriefAsked as DebriefAsked,
    DeepenAsked as DeepenAsked,
    ForgetAsked as ForgetAsked,
    Guidance as Guidance,
    HalfLeft as HalfLeft,
    HalfTaken as HalfTaken,
    HalfTimeEnded as HalfTimeEnded,
    HeatSet as HeatSet,
    OfHalves as OfHalves,
    PauseAsked as PauseAsked,
    Question as Question,
    ResumeAsked as ResumeAsked,
    RoundAsked as RoundAsked,
    SeatLeft as SeatLeft,
    SeatNamed as SeatNamed,
    StopAsked as StopAsked,
    TurnAnswered as TurnAnswered,
    TurnExtended as TurnExtended,
    UnforeseenQuestion as UnforeseenQuestion,
    Upvoted as Upvoted,
    VoteClosed as VoteClosed,
    Voted as Voted,
    Withdrawn as Withdrawn,
)
from elenchus.debate_engine.events.mind_events import (
    Attended as Attended,
    Fed as Fed,
    GivenToMind as GivenToMind,
    HeardLine as HeardLine,
    OpinionRating as OpinionRating,
    OpinionsRated as OpinionsRated,
    Surveyed as Surveyed,
    Talked as Talked,
)
from elenchus.debate_engine.events.run_events import (
    AnswerRejected as AnswerRejected,
    CallFailed as CallFailed,
    EventLost as EventLost,
    OwnerStarted as OwnerStarted,
    PromptTrimmed as PromptTrimmed,
    Redacted as Redacted,
    Said as Said,
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
    with_alt as with_alt,
)
from elenchus.debate_engine.events.values import (
    EVERYONE as EVERYONE,
    MIND as MIND,
    MODERATOR as MODERATOR,
    CallRecord as CallRecord,
    FrozenModel as FrozenModel,
    Recalled as Recalled,
    Seat as Seat,
    mind_in as mind_in,
    model_in as model_in,
)

Command = (
    PauseAsked | ResumeAsked | HeatSet | Guidance | Question | DeepenAsked | RoundAsked | CloseAsked
    | DebriefAsked | StopAsked
    | BudgetRaised | Voted | VoteClosed | TurnExtended | SeatLeft | Withdrawn | UnforeseenQuestion | ForgetAsked
    | OfHalves | GivenToMind | OpinionsRated
)  # fmt: skip
"""What a moderator, a person on a seat or the audience may append from any process at any moment."""

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
