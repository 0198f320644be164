"""What a design can find before it is run: power, and the smallest effect that it detects. Pure; slow the first time.

Two shares: the exact power of Fisher's two-sided test, summed over all tables. Two means: the noncentral t (J. Cohen,
*Statistical Power Analysis for the Behavioral Sciences*, 2nd ed. 1988, chapter 2), which supposes equal variances.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.rulegen.study.statistics import LEVEL

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

POWER = 0.8
"""What a design should have for the effect that it is made for."""

MOST = 300
"""Subjects an arm up to which Fisher's tables are all looked at; beyond it power is told of as many."""


def power_of_shares(one: float, other: float, n: int) -> float:
    """The chance that shares of `one` and `other` in [0, 1] are told apart by `n` subjects an arm."""
    from numpy import arange, outer
    from scipy.stats import binom  # type: ignore[import-untyped]

    n = min(n, MOST)
    if n < 1:
        return 0.0
    counts = arange(n + 1)
    return float(outer(binom.pmf(counts, n, one), binom.pmf(counts, n, other))[rejected(n)].sum())


@lru_cache(maxsize=8)
def rejected(n: int) -> NDArray[bool_]:
    """Which tables (yes in the one arm, yes in the other) Fisher's two-sided test rejects, of `n` an arm."""
    from numpy import arange, cumsum, zeros
    from scipy.stats import hypergeom

    found = zeros((n + 1, n + 1), dtype=bool)
    for yes in range(2 * n + 1):
        one = arange(max(0, yes - n), min(n, yes) + 1)
        chance = hypergeom.pmf(one, 2 * n, yes, n)
        rarest = chance.argsort(kind="stable")
        p = cumsum(chance[rarest])
        # tables that are as rare as one another count together, as in the test
        last = [int((chance[rarest] <= of * (1 + 1e-7)).sum()) - 1 for of in chance[rarest]]
        found[one[rarest], yes - one[rarest]] = p[last] < 1 - LEVEL
    return found


def power_of_means(g: float, n: int) -> float:
    """The chance that two means `g` standard deviations apart are told apart by `n` subjects an arm."""
    if n < 2:
        return 0.0
    from scipy.stats import nct, t

    df, size = 2 * n - 2, abs(g) * sqrt(n / 2)
    bound = float(t.ppf(0.5 + LEVEL / 2, df))
    return float(nct.sf(bound, df, size) + nct.cdf(-bound, df, size))


def smallest_difference(n: int, base: float = 0.5) -> float | None:
    """The smallest difference from a share of `base` that `n` subjects an arm find with a power of 0.8.

    Of the two directions the one that is easier to find; None where not even the greatest difference is found so.
    """
    ends = [end for end in (0.0, 1.0) if power_of_shares(base, end, n) >= POWER]
    found = [abs(_least(lambda share: power_of_shares(base, share, n), base, end) - base) for end in ends]
    return min(found, default=None)


def smallest_g(n: int) -> float | None:
    """The smallest g that `n` subjects an arm find with a power of 0.8; None below two subjects."""
    return _least(lambda g: power_of_means(g, n), 0.0, 50.0) if n >= 2 else None


def subjects_for_means(g: float) -> int:
    """So many subjects an arm find a difference of `g`, other than 0, with a power of 0.8."""
    if g == 0:
        raise ValueError("no number of subjects finds a difference of nothing")
    n = 2
    while power_of_means(g, n) < POWER:
        n *= 2
    low, high = n // 2, n
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if power_of_means(g, middle) < POWER else (low, middle)
    return high


def _least(power: Callable[[float], float], near: float, far: float) -> float:
    """The point next to `near` from which on the power is 0.8, to four places; at `far` it is."""
    for _ in range(40):
        middle = (near + far) / 2
        near, far = (middle, far) if power(middle) < POWER else (near, middle)
        if abs(far - near) < 1e-5:
            break
    return far
