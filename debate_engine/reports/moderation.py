"""What people did to a session: the moderator's commands, the audience's votes, turns that wait for somebody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from elenchus.debate_engine.events import (
    AnswerRejected,
    Command,
    GivenToMind,
    OfHalves,
    OpinionsRated,
    Recorded,
    SeatLeft,
    SeatNamed,
    StepDone,
    TurnAnswered,
    TurnExtended,
    TurnOpened,
    VoteClosed,
    Voted,
)
from elenchus.debate_engine.protocols.judging.votes import AudienceVote, audience_vote


@dataclass(frozen=True, slots=True)
class Intervention:
    """A command of the moderator, and the stage of the debate (such as "round 2") in which it came."""

    at: datetime
    stage: str
    command: Command


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A person is asked. `answered`: somebody has answered and the session has not taken it in yet.

    `rejected` says why earlier answers were not of the asked form; `prepared` is a model's draft of the answer.
    """

    step: str
    seat: str
    asked: dict[str, Any]
    answer_schema: dict[str, Any] | None
    since: datetime
    due: datetime | None
    prepared: Any = None
    answered: bool = False
    rejected: tuple[str, ...] = ()


@dataclass(slots=True)
class Moderation:
    """Commands in order, votes (and the ends of voting) in order, open turns by step, seats whose person has left, and
    those whose person has agreed to sit and has a name.

    `prepared` counts the turns for which a model had drafted the answer, `approved` those taken unchanged.
    """

    interventions: list[Intervention] = field(default_factory=list)
    votes: list[Recorded] = field(default_factory=list)
    turns: dict[str, OpenTurn] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    prepared: int = 0
    approved: int = 0

    def apply(self, r: Recorded, stage: str, turns_end: str = "") -> None:
        """Take in one event that came in this stage; with the step `turns_end` every open turn is over."""
        match r.event:
            case Voted() | VoteClosed():
                self.votes.append(r)
            case TurnOpened() as e:
                self.turns[e.step] = OpenTurn(e.step, e.seat, e.asked, e.answer_schema, r.at, e.due, e.prepared)
                self.prepared += e.prepared is not None
            case TurnAnswered(step=step, as_prepared=as_prepared):
                self._change(step, answered=True)
                self.approved += as_prepared
            case AnswerRejected(step=step, reason=reason):
                self._change(step, answered=False, rejected=reason)
            case StepDone(step=step):
                self._done(step, all_are=step == turns_end)
            case TurnExtended(step=step, due=due) if (turn := self.turns.get(step)) and turn.due and turn.due < due:
                self.turns[step] = replace(turn, due=due)
            case SeatLeft(seat=seat):
                self.left.add(seat)
            case SeatNamed(seat=seat):
                self.named.add(seat)
        if isinstance(r.event, Command) and not isinstance(r.event, Voted | OfHalves | GivenToMind | OpinionsRated):
            self.interventions.append(Intervention(r.at, stage, r.event))

    def _done(self, step: str, *, all_are: bool) -> None:
        if all_are:
            self.turns.clear()
        self.turns.pop(step, None)

    def _change(self, step: str, *, answered: bool, rejected: str = "") -> None:
        if turn := self.turns.get(step):
            reasons = (*turn.rejected, rejected) if rejected else turn.rejected
            self.turns[step] = replace(turn, answered=answered, rejected=reasons)

    def audience(self) -> AudienceVote | None:
        """The room's vote so far; None where nobody voted."""
        return audience_vote(self.votes) if any(isinstance(r.event, Voted) for r in self.votes) else None


def waiting(turns: Sequence[OpenTurn]) -> list[OpenTurn]:
    """The turns that still want an answer, the one that waits longest first."""
    return sorted((t for t in turns if not t.answered), key=lambda t: t.since)
