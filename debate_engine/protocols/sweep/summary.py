"""From single takes to the table by heat and side and to the trends: pure arithmetic.

A trend says whether a number goes up or down with another: Spearman's rank correlation with a permutation test. rho is
Pearson's correlation of the ranks, ties sharing their mean rank (Spearman 1904). p is the two-sided share of
arrangements of the y ranks, within each stratum, whose |rho| is at least the observed one: exact over all of them
where these are at most `EXACT_UP_TO`, else over `SHUFFLES` seeded shuffles with (hits + 1) / (shuffles + 1). Over
several strata (the two sides) rho is the mean of theirs, weighted by their n.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from math import factorial, prod, sqrt
from statistics import fmean, stdev

from elenchus.debate_engine.protocols.rulegen.study.statistics import holm
from elenchus.debate_engine.protocols.speech import SIDES, Side, Topic
from elenchus.debate_engine.protocols.sweep.schemas import (
    MEASURES,
    MeasureName,
    MeasureTrend,
    Row,
    Spread,
    Sweep,
    SweepConfig,
    Take,
    Trend,
    Who,
)

_SIDES: dict[Who, tuple[Side, ...]] = {"pro": ("pro",), "con": ("con",), "both": SIDES}


def sweep_of(cfg: SweepConfig, agenda: Sequence[Topic], takes: Sequence[Take]) -> Sweep:
    """The outcome. With many samples the tests take seconds of one core."""
    return Sweep(
        motion=cfg.motion,
        agenda=tuple(agenda),
        heats=cfg.heats,
        samples=cfg.samples,
        takes=tuple(takes),
        rows=tuple(
            row_of(heat, side, [t for t in takes if (t.heat, t.side) == (heat, side)])
            for heat, side in product(cfg.heats, SIDES)
        ),
        trends=tuple(trends_of(takes)),
    )


def row_of(heat: float, side: Side, takes: Sequence[Take]) -> Row:
    """Every measure over the takes of one side at one heat."""
    spoken = sum(bool(t.text) for t in takes)
    numbers = {measure: spread(t.value(measure) for t in takes) for measure in MEASURES}
    return Row(heat=heat, side=side, takes=len(takes), spoken=spoken, numbers=numbers)


def spread(values: Iterable[float | None]) -> Spread:
    """Mean and deviation of the numbers that there are; what is missing is left out."""
    known = [value for value in values if value is not None]
    return Spread(
        n=len(known),
        mean=round(fmean(known), 4) if known else None,
        sd=round(stdev(known), 4) if len(known) > 1 else None,
    )


def trends_of(takes: Sequence[Take]) -> list[MeasureTrend]:
    """Each measure against the heat, over single takes, for each side and for both (ranked within each side); p also
    after Holm's correction over all of these.
    """
    found = {
        (measure, who): trend(_pairs(takes, side, measure) for side in sides)
        for measure in MEASURES
        for who, sides in _SIDES.items()
    }
    return [
        MeasureTrend(measure=measure, side=who, trend=of.model_copy(update={"adjusted": adjusted}))
        for ((measure, who), of), adjusted in zip(found.items(), holm([of.p for of in found.values()]), strict=True)
    ]


def _pairs(takes: Sequence[Take], side: Side, measure: MeasureName) -> list[tuple[float, float]]:
    return [(t.heat, value) for t in takes if t.side == side and (value := t.value(measure)) is not None]


# ── trends ───────────────────────────────────────────────────────────────────────────────────────────────────────────

EXACT_UP_TO = 50_000
SHUFFLES = 1_999
_SAME = 1e-9
_FEWEST = 3

Pairs = Sequence[tuple[float, float]]
Scores = list[float]


def trend(strata: Iterable[Pairs]) -> Trend:
    """The trend of y with x over one or several strata of (x, y); those that are too small or constant are left out."""
    given = [list(pairs) for pairs in strata]
    scored = [s for pairs in given if (s := standardised(pairs)) is not None]
    if not scored:
        return Trend(n=sum(map(len, given)), reason="fewer than three speeches with the number, or all the same")
    total = sum(len(u) for u, _ in scored)
    rho = mean_rho(scored, [v for _, v in scored])
    exact = prod(factorial(len(u)) for u, _ in scored) <= EXACT_UP_TO
    nulls = all_rhos(scored) if exact else shuffled_rhos(scored)
    beyond = [abs(null) >= abs(rho) - _SAME for null in nulls]
    p = sum(beyond) / len(beyond) if exact else (sum(beyond) + 1) / (len(beyond) + 1)
    method = f"exact, {len(beyond)} arrangements" if exact else f"{SHUFFLES} seeded shuffles"
    return Trend(n=total, rho=round(rho, 4), p=round(p, 4), method=method)


def ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1, ties sharing their mean rank."""
    order = sorted(values)
    first = {value: order.index(value) for value in set(order)}
    return [first[value] + (order.count(value) + 1) / 2 for value in values]


def standardised(pairs: Pairs) -> tuple[Scores, Scores] | None:
    """The ranks of x and of y with mean 0 and length 1, whose product is rho; None where rho does not exist."""
    if len(pairs) < _FEWEST:
        return None
    u, v = (_unit(ranks(values)) for values in zip(*pairs, strict=True))
    return None if u is None or v is None else (u, v)


def _unit(values: Sequence[float]) -> Scores | None:
    middle = sum(values) / len(values)
    length = sqrt(sum((value - middle) ** 2 for value in values))
    return [(value - middle) / length for value in values] if length else None


def mean_rho(scored: Sequence[tuple[Scores, Scores]], arranged: Sequence[Sequence[float]]) -> float:
    """The weighted mean over strata, with y's scores arranged as given."""
    total = sum(len(u) for u, _ in scored)
    return sum(_dot(u, v) * len(u) for (u, _), v in zip(scored, arranged, strict=True)) / total


def all_rhos(scored: Sequence[tuple[Scores, Scores]]) -> list[float]:
    """Each rho under every arrangement of y within its stratum."""
    total = sum(len(u) for u, _ in scored)
    parts = [[_dot(u, arranged) * len(u) / total for arranged in permutations(v)] for u, v in scored]
    return [sum(chosen) for chosen in product(*parts)]


def shuffled_rhos(scored: Sequence[tuple[Scores, Scores]]) -> list[float]:
    """Each rho under seeded shuffles of y within its stratum."""

    def draw() -> Iterator[float]:
        chance = random.Random(0)
        for _ in range(SHUFFLES):
            yield mean_rho(scored, [chance.sample(v, len(v)) for _, v in scored])

    return list(draw())


def _dot(u: Sequence[float], v: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(u, v, strict=True))
