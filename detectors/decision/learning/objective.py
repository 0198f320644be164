"""The one objective of all learners: the share of debates that weights decide rightly, as the detector decides them.

A side's score on a criterion is the mean over its readable sheets; the higher weighted sum wins; a tie, or a side
without any score, lets the earlier-named side go on (`weights.decide`, `matches.by_scores`, and the loser tree).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from elenchus.detectors.decision.data import Debate, Side
from elenchus.detectors.decision.weights import CRITERIA

Floats = NDArray[np.float64]

TIE = 1e-9
"""Sums that differ by no more are equal, as in `weights.decide`."""


@dataclass(frozen=True, slots=True)
class Table:
    """Debates as numbers: `ahead` (n × 6) is the first side's mean scores less the second's, 0 for an unread debate;
    `first` (n) whether the first side is right.
    """

    ahead: Floats
    first: NDArray[np.bool_]

    @classmethod
    def of(cls, debates: Sequence[Debate]) -> Table:
        """The table of these debates."""
        ahead = np.array([_ahead(debate) for debate in debates], dtype=np.float64).reshape(-1, len(CRITERIA))
        return cls(ahead, np.array([debate.right == "first" for debate in debates], dtype=np.bool_))

    def accuracy(self, weights: Floats) -> float:
        """The share that these six weights decide rightly."""
        return int(np.count_nonzero((self.ahead @ weights >= -TIE) == self.first)) / len(self.first)

    def accuracies(self, weights: Floats) -> Floats:
        """The same for each row of weights (k × 6)."""
        right = (self.ahead @ weights.T >= -TIE) == self.first[:, None]
        return np.asarray(right.mean(axis=0), dtype=np.float64)


def _ahead(debate: Debate) -> Any:
    sides: tuple[Side, Side] = ("first", "second")
    first, second = (debate.cards_of(side) for side in sides)
    if not first or not second:
        return np.zeros(len(CRITERIA))
    return np.array([_mean(first, name) - _mean(second, name) for name in CRITERIA])


def _mean(cards: Sequence[dict[str, float]], name: str) -> float:
    return sum(card[name] for card in cards) / len(cards)


class Objective:
    """Accuracy on the training table, which is all that a learner sees. Keeps the best weights that were ever tried."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.best: Floats = np.zeros(len(CRITERIA))
        self.accuracy = -1.0
        self.evaluations = 0

    def __call__(self, weights: Floats) -> float:
        """The accuracy of six weights."""
        found = self.table.accuracy(weights)
        self.evaluations += 1
        if found > self.accuracy:
            self.best, self.accuracy = weights.copy(), found
        return found

    def many(self, weights: Floats) -> Floats:
        """The accuracies of rows of weights (k × 6)."""
        found = self.table.accuracies(weights)
        self.evaluations += len(weights)
        top = int(found.argmax())
        if found[top] > self.accuracy:
            self.best, self.accuracy = weights[top].copy(), float(found[top])
        return found


# ── how far a learner is ──────────────────────────────────────────────────────────────────────────────────────────────


class Stopped(Exception):
    """The training was told to stop (a thread cannot be cancelled); what it had found so far is dropped."""


class OnProgress(Protocol):
    """Called in every round of a learner with how many rounds of how many are done. Raises Stopped."""

    def __call__(self, done: int, of: int) -> None: ...  # noqa: D102 - said above


def no_progress(done: int, of: int) -> None:
    """Nobody is told."""


def stoppable(told: Callable[[int, int], None], stop: threading.Event) -> OnProgress:
    """Tells, and ends the learner when `stop` is set."""

    def on_progress(done: int, of: int) -> None:
        if stop.is_set():
            raise Stopped
        told(done, of)

    return on_progress
