"""What the engine computes from a session's events, and can compute anew: the log is the truth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from elenchus.debate_engine.events import (
    EVERYONE,
    AnswerRejected,
    BudgetRaised,
    CallFailed,
    CallRecord,
    Event,
    EventLost,
    OwnerStarted,
    PauseAsked,
    Recorded,
    ResumeAsked,
    Said,
    SeatLeft,
    SessionFailed,
    SessionFinished,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SessionStopped,
    StepDone,
    TurnAnswered,
    TurnExtended,
    TurnOpened,
    TurnReminded,
    Withdrawn,
)
from elenchus.debate_engine.llm.client import Usage

RESCUED = "rescued"
"""The state of a session of whose log a part is lost, whatever else its events say."""
ENDED = ("finished", "stopped", RESCUED)
"""States in which nothing can be changed any more."""


def state_after(event: Event) -> str | None:
    """The state that this event puts a session in, None where it changes nothing."""
    match event:
        case EventLost() | SessionStarted(protocol=""):  # what stands for a start that is lost
            return RESCUED
        case SessionStarted() | SessionResumed():
            return "running"
        case SessionPaused():
            return "paused"
        case SessionFinished():
            return "finished"
        case SessionStopped():
            return "stopped"
        case SessionFailed():
            return "failed"
    return None


def state_of(events: Iterable[Recorded]) -> str:
    """The state of a session whose events are these."""
    return last_state([state for r in events if (state := state_after(r.event))])


def last_state(states: Sequence[str]) -> str:
    """The state of a session that was in these one after another; what was lost of a log stays lost."""
    return RESCUED if RESCUED in states else states[-1] if states else "running"


def standing_pause(events: Iterable[Recorded]) -> Recorded | None:
    """The pause that was asked for since the session's present owner began and that nobody has lifted, or None.

    An older pause does not stand: whoever starts a new run wants the session to go on.
    """
    pause = None
    for r in events:
        match r.event:
            case PauseAsked():
                pause = r
            case OwnerStarted() | ResumeAsked() | Withdrawn():  # who withdraws waits for nobody
                pause = None
    return pause


def pause_in_force(events: Iterable[Recorded]) -> tuple[SessionPaused, bool] | None:
    """The pause in which a run stays that nobody has asked for: it goes on with what another process ran, or left.

    True: the log has it already; else somebody has asked for it, and nobody has carried it out.
    """
    pause: tuple[SessionPaused, bool] | None = None
    for r in events:
        match r.event:
            case SessionPaused(why="moderator" | "budget" | "provider"):
                pause = r.event, True
            case PauseAsked(by=by, reason=reason) if pause is None:
                pause = SessionPaused(why="moderator", reason=reason or f"paused by {by}"), False
            case ResumeAsked() | SessionResumed() | Withdrawn():
                pause = None
            case BudgetRaised() if pause and pause[0].why == "budget":
                pause = None
    return pause


def transcript(events: Iterable[Recorded]) -> list[Said]:
    """Everything that was said, in order."""
    return [r.event for r in events if isinstance(r.event, Said)]


def heard_by(name: str, said: Iterable[Said]) -> list[Said]:
    """What reached the seat `name`, its own words included, in order."""
    return [s for s in said if reached(name, s)]


def reached(name: str, said: Said) -> bool:
    """Whether the seat `name` heard these words, or spoke them."""
    return EVERYONE in said.to or said.speaker == name or name in said.to


def usage_of(events: Iterable[Recorded]) -> tuple[Usage, float]:
    """Tokens and known cost in US dollars of all recorded calls; calls without a known price add nothing."""
    tokens, dollars = Usage(), 0.0
    for call in calls_of(events):
        tokens += Usage(call.input_tokens, call.output_tokens, call.cached_tokens)
        dollars += call.cost_usd or 0.0
    return tokens, dollars


def calls_of(events: Iterable[Recorded]) -> Iterator[CallRecord]:
    """Every call that a provider answered, useful or not."""
    for r in events:
        if isinstance(r.event, StepDone | TurnOpened):
            yield from r.event.calls
        elif isinstance(r.event, CallFailed) and r.event.call:
            yield r.event.call


@dataclass
class HumanTurns:
    """A projection, by step key. `dues` holds every turn that was opened (None: no deadline); `left` seats' names."""

    dues: dict[str, datetime | None] = field(default_factory=dict)
    reminded: dict[str, datetime] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    _answers: dict[str, list[Recorded]] = field(default_factory=lambda: defaultdict(list))
    _rejected: set[int] = field(default_factory=set)

    def take(self, r: Recorded) -> None:
        """Take in one event of the log."""
        if isinstance(r.event, TurnAnswered):
            self._answers[r.event.step].append(r)
        else:
            self.note(r.event)

    def note(self, event: Event) -> None:
        """Take in an event of the owner, or a command."""
        match event:
            case TurnOpened(step=step, due=due):
                self.dues[step] = due
            case TurnReminded(step=step, due=due):
                self.reminded[step] = due
            case TurnExtended(step=step, due=due) if (old := self.dues.get(step)) and old < due:
                self.dues[step] = due
            case AnswerRejected(answer_seq=seq):
                self._rejected.add(seq)
            case SeatLeft(seat=seat):
                self.left.add(seat)

    def answer_to(self, step: str) -> Recorded | None:
        """The first answer to this turn that was not rejected."""
        return next((r for r in self._answers[step] if r.seq not in self._rejected), None)
