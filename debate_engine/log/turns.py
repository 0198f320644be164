"""What a session's log says of the turns of people: which are open and until when, what was answered, who has left."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime

from elenchus.debate_engine.events import (
    AnswerRejected,
    Event,
    Recorded,
    SeatLeft,
    TurnAnswered,
    TurnExtended,
    TurnOpened,
    TurnReminded,
)


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
