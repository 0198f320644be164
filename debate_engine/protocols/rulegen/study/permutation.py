"""Exact tests of numbers, for few of them: who was in which group is drawn anew, within strata. Pure; slow at first.

E. J. G. Pitman, *Suppl. J. R. Stat. Soc.* 4 (1937) 119–130; p from drawn arrangements counts what was found as one of
them (M. Dwass, *Ann. Math. Stat.* 28 (1957) 181–187), so that it is exact with any number of them. The same are drawn
every time. It supposes that, where nothing differs, groups are alike in spread and shape too; of two groups the
statistic is Welch's t, which leans on that less (A. Janssen, *Stat. Probab. Lett.* 36 (1997) 9–21).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Numbers = NDArray[float64]

ARRANGEMENTS = 9_999
AT_ONCE = 2_000_000
"""Numbers that are arranged at once, so that many subjects take time and no memory."""


def p_of_two(strata: Sequence[tuple[Sequence[float], Sequence[float]]]) -> float:
    """The two-sided p of two groups; each stratum has numbers on both sides, and together more than two."""
    sizes = [(len(one), len(other)) for one, other in strata]

    def statistic(rows: Sequence[Numbers]) -> Numbers:
        apart = squared = rows[0][:, 0] * 0.0
        for row, (n, m) in zip(rows, sizes, strict=True):
            weight = n * m / (n + m)
            sides = row[:, :n], row[:, n:]
            apart = apart + weight * (sides[0].mean(axis=1) - sides[1].mean(axis=1))
            for side in sides:
                if side.shape[1] > 1:
                    squared = squared + weight**2 * side.var(axis=1, ddof=1) / side.shape[1]
        return _ratio(abs(apart), squared**0.5)

    return _p([[*one, *other] for one, other in strata], statistic)


def p_of_several(groups: Sequence[Sequence[float]]) -> float:
    """The p of several groups being one: the share of the variance that lies between them."""
    from numpy import cumsum, split

    ends = cumsum([len(group) for group in groups])[:-1]

    def statistic(rows: Sequence[Numbers]) -> Numbers:
        middle = rows[0].mean(axis=1)
        between: Numbers = sum(
            part.shape[1] * (part.mean(axis=1) - middle) ** 2 for part in split(rows[0], ends, axis=1)
        )
        return between

    return _p([[x for group in groups for x in group]], statistic)


def _p(strata: Sequence[Sequence[float]], statistic: Callable[[Sequence[Numbers]], Numbers]) -> float:
    """The share of arrangements, what was found among them, in which the statistic is as great."""
    from numpy import array, tile
    from numpy.random import default_rng

    numbers = [array([stratum], dtype=float) for stratum in strata]
    chance = default_rng(ARRANGEMENTS)
    bound = statistic(numbers)[0] * (1 - 1e-9)
    size = max(1, AT_ONCE // sum(map(len, strata)))
    as_great = 1
    for begun in range(0, ARRANGEMENTS, size):
        times = min(size, ARRANGEMENTS - begun)
        as_great += int((statistic([chance.permuted(tile(row, (times, 1)), axis=1) for row in numbers]) >= bound).sum())
    return as_great / (ARRANGEMENTS + 1)


def _ratio(apart: Numbers, error: Numbers) -> Numbers:
    """A difference in its standard errors; infinite where nothing varies but something differs."""
    from numpy import divide, full_like, inf

    return divide(apart, error, out=full_like(apart, inf), where=error > 1e-12 * (1 + apart))
