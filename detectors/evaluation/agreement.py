"""How well a judge agrees with people's labels, and with itself. Pure; every figure is defined here.

An item has one or more human labels and one or more answers of the judge (its repeats), each yes (the bias is there),
no, or None (not readable: no label). Of several the majority counts; a tie is no majority, and such an item is left out
of accuracy and κ, and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import StatisticsError, correlation, fmean

from debate_engine.events import Value
from detectors.evaluation.intervals import Measured, Share, bootstrapped, share

Labels = tuple[bool | None, ...]


class Compared(Value):
    """One item: what people said of it and what the judge said."""

    item: str
    human: Labels
    judge: Labels


class Agreement(Value):
    """The figures over `items` items.

    - `accuracy`: the share of items on which the judge's majority is the humans' (Wilson's interval).
    - `pearson`: Pearson's r between the share of yes among the humans and among the judge's repeats, over items.
    - `kappa`: Cohen's κ between the two majorities.
    - `repeats`: over the items with two or more readable answers, the mean share of pairs of repeats that agree.
    - `left_out`: items without a majority on either side. `unread`: answers of the judge that could not be read.
    """

    items: int
    accuracy: Share
    pearson: Measured
    kappa: Measured
    repeats: Measured
    left_out: int
    unread: int


def agreement_of(items: Sequence[Compared], seed: int) -> Agreement:
    """All figures, those without Wilson's interval with a seeded bootstrap over items."""
    pairs = [pair for item in items if (pair := _majorities(item)) is not None]
    return Agreement(
        items=len(items),
        accuracy=share(sum(human == judge for human, judge in pairs), len(pairs)),
        pearson=bootstrapped([p for item in items if (p := _shares(item)) is not None], pearson, seed),
        kappa=bootstrapped(pairs, kappa, seed),
        repeats=bootstrapped([a for item in items if (a := within(item.judge)) is not None], _mean, seed),
        left_out=len(items) - len(pairs),
        unread=sum(answer is None for item in items for answer in item.judge),
    )


def majority(labels: Labels) -> bool | None:
    """What most readable labels say; None for a tie or nothing readable."""
    yes, no = labels.count(True), labels.count(False)
    return None if yes == no else yes > no


def within(labels: Labels) -> float | None:
    """The share of pairs of readable labels that are the same; None for fewer than two."""
    pairs = list(combinations([label for label in labels if label is not None], 2))
    return fmean(one == other for one, other in pairs) if pairs else None


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Cohen's κ = (p − e) / (1 − e), p the observed agreement, e that by chance from both sides' own frequencies.

    None where there is nothing, or where both sides say the same one thing of everything (e = 1).
    """
    if not pairs:
        return None
    first, second = fmean(a for a, _ in pairs), fmean(b for _, b in pairs)
    by_chance = first * second + (1 - first) * (1 - second)
    observed = fmean(a == b for a, b in pairs)
    return None if by_chance == 1 else (observed - by_chance) / (1 - by_chance)


def pearson(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Pearson's correlation; None for fewer than two pairs, or where one side never varies."""
    if len(pairs) < 2:
        return None
    try:
        return correlation([x for x, _ in pairs], [y for _, y in pairs])
    except StatisticsError:
        return None


def _majorities(item: Compared) -> tuple[bool, bool] | None:
    human, judge = majority(item.human), majority(item.judge)
    return None if human is None or judge is None else (human, judge)


def _shares(item: Compared) -> tuple[float, float] | None:
    human, judge = (_yes(labels) for labels in (item.human, item.judge))
    return None if human is None or judge is None else (human, judge)


def _yes(labels: Labels) -> float | None:
    read = [label for label in labels if label is not None]
    return fmean(read) if read else None


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
