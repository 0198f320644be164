"""Whether a number goes up or down with another: Spearman's rank correlation with a permutation test.

rho is Pearson's correlation of the ranks, ties sharing their mean rank (Spearman 1904). p is the two-sided share of
arrangements of the y ranks, within each stratum, whose |rho| is at least the observed one: exact over all of them
where these are at most `EXACT_UP_TO`, else over `SHUFFLES` seeded shuffles with (hits + 1) / (shuffles + 1). Over
several strata (the two sides) rho is the mean of theirs, weighted by their n.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from math import factorial, prod, sqrt

from elenchus.debate_engine.events import FrozenModel

EXACT_UP_TO = 50_000
SHUFFLES = 1_999
_SAME = 1e-9
_FEWEST = 3

Pairs = Sequence[tuple[float, float]]
Scores = list[float]


class Trend(FrozenModel):
    """A rank correlation over `n` pairs; `rho` and `p` are None where it cannot be told, with the reason.

    `method` says how p was found; `adjusted` is p after Holm's correction over the tests of its sweep.
    """

    n: int
    rho: float | None = None
    p: float | None = None
    method: str = ""
    reason: str = ""
    adjusted: float | None = None


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
