"""Exact tests of numbers, for few of them: who was in which group is drawn anew, within strata. Pure; slow at first.

E. J. G. Pitman, *Suppl. J. R. Stat. Soc.* 4 (1937) 119–130; p from drawn arrangements counts what was found as one of
them (M. Dwass, *Ann. Math. Stat.* 28 (1957) 181–187), so that it is exact with any number of them. The same are drawn
every time. It supposes that, where nothing differs, groups are alike in spread and shape too; of two groups the
statistic is Welch's t, which leans on that less (A. Janssen, *Stat. Probab. Lett.* 36 (1997) 9–21).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Numbers = NDArray[float64]

ARRANGEMENTS = 9_999


def p_of_two(strata: Sequence[tuple[Sequence[float], Sequence[float]]]) -> float:
    """The two-sided p of two groups; each stratum has numbers on both sides, and together more than one."""
    from numpy import concatenate, full

    apart, squared = full(ARRANGEMENTS + 1, 0.0), full(ARRANGEMENTS + 1, 0.0)
    for place, (one, other) in enumerate(strata):
        rows, n = _arranged(concatenate([one, other]), place), len(one)
        weight = n * len(other) / (n + len(other))
        apart += weight * (rows[:, :n].mean(axis=1) - rows[:, n:].mean(axis=1))
        for side in (rows[:, :n], rows[:, n:]):
            if side.shape[1] > 1:
                squared += weight**2 * side.var(axis=1, ddof=1) / side.shape[1]
    return _rank(_ratio(abs(apart), squared**0.5))


def p_of_several(groups: Sequence[Sequence[float]]) -> float:
    """The p of several groups being one: the share of the variance that lies between them."""
    from numpy import concatenate, cumsum, split

    rows = _arranged(concatenate(groups), 0)
    parts = split(rows, cumsum([len(group) for group in groups])[:-1], axis=1)
    return _rank(sum(part.shape[1] * (part.mean(axis=1) - rows.mean(axis=1)) ** 2 for part in parts))


def _arranged(numbers: Numbers, place: int) -> Numbers:
    """The numbers as they are, and below them in the drawn arrangements."""
    from numpy import tile, vstack
    from numpy.random import default_rng

    rows = tile(numbers, (ARRANGEMENTS, 1))
    return vstack([numbers, default_rng((ARRANGEMENTS, place)).permuted(rows, axis=1)])


def _ratio(apart: Numbers, error: Numbers) -> Numbers:
    """A difference in its standard errors; infinite where nothing varies but something differs."""
    from numpy import divide, full_like, inf

    return divide(apart, error, out=full_like(apart, inf), where=error > 1e-12 * (1 + apart))


def _rank(statistics: Numbers) -> float:
    """The share of arrangements, the first one (what was found) with them, that are as far out."""
    return float((statistics >= statistics[0] * (1 - 1e-9)).mean())
