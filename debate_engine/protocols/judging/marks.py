"""The smallest thing that is counted: one judge's points for A and B on one topic in one order."""

from __future__ import annotations

from typing import Literal

from elenchus.debate_engine.events import FrozenModel

Letter = Literal["A", "B"]
First = Letter
"""Which of A and B came first: claimed (a judgement) or was shown first (a comparison)."""
Pick = Literal["A", "B", "tie"]


class Mark(FrozenModel):
    """A cell that could be read. `a` and `b` are points, 1–10; `topic` counts from 1."""

    judge: str
    first: First
    topic: int
    a: float
    b: float
    winner: Pick

    @property
    def margin(self) -> float:
        """How far A is ahead."""
        return self.a - self.b


class UnreadableCell(FrozenModel):
    """A cell without numbers, and why. It is no score: it counts in no sum."""

    judge: str
    first: First
    topic: int
    reason: str
