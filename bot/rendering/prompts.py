"""Which posts of a thread ask somebody something that is over: they lose their buttons. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from elenchus.debate_engine import events as ev
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.protocols.judging.votes import OPENINGS


@dataclass(slots=True)
class Prompts:
    """The events whose posts have buttons that still do something, by what they ask for."""

    asked: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Their steps and seats ("" for a vote) by event; kept when they are over."""
    _open: dict[str, list[int]] = field(default_factory=dict)
    _seats: dict[str, str] = field(default_factory=dict)

    def take(self, r: Recorded) -> list[int]:
        """Take in the next event; the numbers of those whose posts' buttons are over with it."""
        match r.event:
            case ev.TurnOpened(step=step, seat=seat):
                self._seats[step] = seat
                self._ask(step, r.seq)
            case ev.TurnReminded(step=step) | ev.AnswerRejected(step=step):
                self._ask(step, r.seq)
            case ev.StepDone(step=step) if step in OPENINGS:
                self._ask(step, r.seq)
            case ev.TurnAnswered(step=step) | ev.StepDone(step=step):
                return self._open.pop(step, [])
            case ev.VoteClosed(when=when):
                return [seq for step, of in OPENINGS.items() if of == when for seq in self._open.pop(step, [])]
            case ev.SeatLeft(seat=seat):
                return [seq for step in self._of(seat) for seq in self._open.pop(step, [])]
            case ev.SessionFinished() | ev.SessionStopped():
                over, self._open = [seq for seqs in self._open.values() for seq in seqs], {}
                return over
        return []

    def _ask(self, step: str, seq: int) -> None:
        self._open.setdefault(step, []).append(seq)
        self.asked[seq] = step, self._seats.get(step, "")

    def _of(self, seat: str) -> list[str]:
        return [step for step in self._open if self._seats.get(step) == seat]
