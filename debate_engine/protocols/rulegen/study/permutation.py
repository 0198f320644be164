"""Exact tests of numbers, for few of them: who was in which group is arranged anew, within strata. Pure; slow at first.

E. J. G. Pitman, *Suppl. J. R. Stat. Soc.* 4 (1937) 119–130. All arrangements are gone through where there are 9,999 or
fewer; of more so many are drawn. Their p counts what was found as one of them (M. Dwass, *Ann. Math. Stat.* 28 (1957)
181–187), so that it is exact with any number of them; the same are drawn every time. It supposes that, where nothing
differs, groups are alike in spread and shape too; of two groups the statistic is Welch's t, which leans on that less
(A. Janssen, *Stat. Probab. Lett.* 36 (1997) 9–21).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb, prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Numbers = NDArray[float64]

ARRANGEMENTS = 9_999
AT_ONCE = 2_000_000
"""Numbers that are arranged at once, so that many subjects take time and no memory."""


Sizes = Sequence[Sequence[int]]
"""How many are in each group, stratum by stratum."""


def are_drawn(sizes: Sizes) -> bool:
    """Whether there are more arrangements than are gone through."""
    return prod(map(_ways, sizes)) > ARRANGEMENTS


def _ways(sizes: Sequence[int]) -> int:
    return prod(comb(sum(sizes[place:]), size) for place, size in enumerate(sizes))


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

    return _p([[*one, *other] for one, other in strata], sizes, statistic)


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

    return _p([[x for group in groups for x in group]], [[len(group) for group in groups]], statistic)


def _p(strata: Sequence[Sequence[float]], sizes: Sizes, statistic: Callable[[Sequence[Numbers]], Numbers]) -> float:
    """The share of arrangements, what was found among them, in which the statistic is as great."""
    from numpy import array

    numbers = [array([stratum], dtype=float) for stratum in strata]
    bound = statistic(numbers)[0] * (1 - 1e-9)
    if are_drawn(sizes):
        as_great = sum(int((statistic(rows) >= bound).sum()) for rows in _drawn(numbers))
        return (1 + as_great) / (ARRANGEMENTS + 1)
    return float((statistic(_every(numbers, sizes)) >= bound).mean())


def _drawn(numbers: Sequence[Numbers]) -> Iterator[list[Numbers]]:
    """The numbers of each stratum in arrangements drawn by chance, so many at once."""
    from numpy import tile
    from numpy.random import default_rng

    chance, size = default_rng(ARRANGEMENTS), max(1, AT_ONCE // sum(row.shape[1] for row in numbers))
    for begun in range(0, ARRANGEMENTS, size):
        times = min(size, ARRANGEMENTS - begun)
        yield [chance.permuted(tile(row, (times, 1)), axis=1) for row in numbers]


def _every(numbers: Sequence[Numbers], sizes: Sizes) -> list[Numbers]:
    """The numbers of each stratum in every arrangement, each with each of the other strata."""
    from numpy import array, unravel_index

    ways = [array([[row[0][at] for at in way] for way in _orders(range(row.shape[1]), of)])
            for row, of in zip(numbers, sizes, strict=True)]  # fmt: skip
    which = unravel_index(range(prod(map(len, ways))), [len(way) for way in ways])
    return [way[places] for way, places in zip(ways, which, strict=True)]


def _orders(left: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Everybody in order of their group, once for each way of sharing them out."""
    if len(sizes) == 1:
        yield tuple(left)
        return
    for chosen in combinations(left, sizes[0]):
        for others in _orders([place for place in left if place not in chosen], sizes[1:]):
            yield chosen + others


def _ratio(apart: Numbers, error: Numbers) -> Numbers:
    """A difference in its standard errors; infinite where nothing varies but something differs."""
    from numpy import divide, full_like, inf

    return divide(apart, error, out=full_like(apart, inf), where=error > 1e-12 * (1 + apart))
