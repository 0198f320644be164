"""What a design can find: power, and the smallest effect that it detects. Pure; slow the first time.

Two shares: the exact power of Fisher's two-sided test, summed over all tables; of many, the normal approximation of
arcsines (J. Cohen, *Statistical Power Analysis for the Behavioral Sciences*, 2nd ed. 1988, chapter 6). Two means: the
noncentral t (Cohen, chapter 2), which supposes equal variances. Subjects with themselves: the exact power of McNemar's
test where what is answered at the two levels is unrelated (where the same people tend to answer alike it is greater);
the noncentral t of the mean difference in standard deviations of the differences. An interaction of two factors
between subjects: the noncentral t over four groups; of shares about one half the normal approximation. Of fewer than
five numbers on a side, which an exact test compares, the least p alone. No difference: the margin within which what
does not differ is shown not to, by the normal approximation (S.-C. Chow and others, *Sample Size Calculations*,
2003).

After the start what counts is the smallest effect that so many would have found, never the "power" of the effect that
was found, which only says its p once more (J. M. Hoenig and D. M. Heisey, *Am. Stat.* 55 (2001) 19–24).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import asin, comb, prod, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from elenchus.debate_engine.protocols.rulegen.study.statistics import LEVEL

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

POWER = 0.8
"""What a design should have for the effect that it is made for."""

MOST = 100
"""Subjects an arm up to which Fisher's tables are all looked at."""

ALPHA = 1 - LEVEL


def power_of_shares(one: float, other: float, n: int, alpha: float = ALPHA) -> float:
    """The chance that shares of `one` and `other` in [0, 1] are told apart by `n` subjects an arm, at level `alpha`."""
    if n < 1:
        return 0.0
    if n > MOST:
        normal, h = NormalDist(), abs(2 * asin(sqrt(one)) - 2 * asin(sqrt(other))) * sqrt(n / 2)
        bound = normal.inv_cdf(1 - alpha / 2)
        return normal.cdf(h - bound) + normal.cdf(-h - bound)
    from numpy import arange, outer
    from scipy.stats import binom  # type: ignore[import-untyped]

    counts = arange(n + 1)
    return float(outer(binom.pmf(counts, n, one), binom.pmf(counts, n, other))[rejected(n, alpha)].sum())


@lru_cache(maxsize=32)
def rejected(n: int, alpha: float = ALPHA) -> NDArray[bool_]:
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
        found[one[rarest], yes - one[rarest]] = p[last] < alpha
    return found


def power_of_means(g: float, n: int, alpha: float = ALPHA) -> float:
    """The chance that two means `g` standard deviations apart are told apart by `n` subjects an arm."""
    return _of_t(abs(g) * sqrt(n / 2), 2 * n - 2, alpha) if n >= 2 else 0.0


def _of_t(size: float, df: int, alpha: float) -> float:
    """The power of a two-sided t test whose noncentrality is `size`."""
    from scipy.stats import nct, t

    bound = float(t.ppf(1 - alpha / 2, df))
    return float(nct.sf(bound, df, size) + nct.cdf(-bound, df, size))


def smallest_difference(n: int, base: float = 0.5, alpha: float = ALPHA) -> float | None:
    """The smallest difference from a share of `base` that `n` subjects an arm find with a power of 0.8.

    Of the two directions the one that is easier to find; None where not even the greatest difference is found so.
    """
    ends = [end for end in (0.0, 1.0) if power_of_shares(base, end, n, alpha) >= POWER]
    found = [abs(_least(lambda share: power_of_shares(base, share, n, alpha), base, end) - base) for end in ends]
    return min(found, default=None)


def smallest_g(n: int, alpha: float = ALPHA) -> float | None:
    """The smallest g that `n` subjects an arm find with a power of 0.8; None below two subjects."""
    return _least(lambda g: power_of_means(g, n, alpha), 0.0, 1e3) if n >= 2 else None


def smallest_margin(n: int, spread: float = 1.0, alpha: float = ALPHA) -> float | None:
    """The smallest margin within which `n` subjects an arm show no difference with a power of 0.8 where there is none.

    In units of `spread`, the standard deviation of one subject (of a share p: √(p(1 − p))). None below two subjects.
    """
    return margin_of(spread * sqrt(2 / n), alpha) if n >= 2 else None


def margin_of(error: float, alpha: float = ALPHA) -> float:
    """The same of whatever has this standard error."""
    normal = NormalDist()
    return (normal.inv_cdf(1 - alpha) + normal.inv_cdf((1 + POWER) / 2)) * error


def least_p(sizes: Sequence[int], strata: int = 1) -> float:
    """The least two-sided p of the exact test of two groups, or (one size) of subjects with themselves.

    Groups are spread evenly over `strata`.
    """
    if len(sizes) == 1:
        return min(1.0, 2.0 ** (1 - sizes[0]))
    spread = [[n // strata + (place < n % strata) for place in range(strata)] for n in sizes]
    arrangements = prod(comb(one + other, one) for one, other in zip(*spread, strict=True))
    return min(1.0, (2 if sizes[0] == sizes[1] else 1) / arrangements)


# ── subjects with themselves ─────────────────────────────────────────────────────────────────────────────────────────


def power_of_changes(one: float, other: float, n: int, alpha: float = ALPHA) -> float:
    """The chance that McNemar's exact test tells shares of `one` and `other` apart by `n` subjects, each of whom
    answers at both levels, the one answer unrelated to the other.
    """
    if n < 1:
        return 0.0
    up, down = one * (1 - other), other * (1 - one)
    if not up + down:
        return 0.0
    if n > MOST * 5:
        error = sqrt((up + down - (up - down) ** 2) / n)
        bound = NormalDist().inv_cdf(1 - alpha / 2) * sqrt((up + down) / n)
        return NormalDist(abs(up - down), error).cdf(-bound) + 1 - NormalDist(abs(up - down), error).cdf(bound)
    from numpy import arange
    from scipy.stats import binom

    changed = arange(1, n + 1)
    fewest = binom.ppf(alpha / 2, changed, 0.5)  # the greatest count that is rejected from below, or one above it
    fewest = fewest - (2 * binom.cdf(fewest, changed, 0.5) >= alpha)
    share = up / (up + down)
    found = binom.cdf(fewest, changed, share) + binom.cdf(fewest, changed, 1 - share)
    return float((binom.pmf(changed, n, up + down) * found).sum())


def power_of_differences(d_z: float, n: int, alpha: float = ALPHA) -> float:
    """The chance that a mean difference of `d_z` standard deviations of the differences is found by `n` subjects."""
    return _of_t(abs(d_z) * sqrt(n), n - 1, alpha) if n >= 2 else 0.0


def smallest_change(n: int, base: float = 0.5, alpha: float = ALPHA) -> float | None:
    """The smallest change from a share of `base` that `n` subjects find with a power of 0.8, either way."""
    ends = [end for end in (0.0, 1.0) if power_of_changes(base, end, n, alpha) >= POWER]
    found = [abs(_least(lambda share: power_of_changes(base, share, n, alpha), base, end) - base) for end in ends]
    return min(found, default=None)


def smallest_d_z(n: int, alpha: float = ALPHA) -> float | None:
    """The smallest d_z that `n` subjects find with a power of 0.8; None below two."""
    return _least(lambda d_z: power_of_differences(d_z, n, alpha), 0.0, 1e3) if n >= 2 else None


# ── interactions between subjects ────────────────────────────────────────────────────────────────────────────────────


def smallest_crossed(sizes: Sequence[int], alpha: float = ALPHA) -> float | None:
    """The smallest difference of differences, in standard deviations, that four groups find with a power of 0.8; None
    where one has fewer than two.
    """
    if min(sizes) < 2:
        return None
    error = sqrt(sum(1 / n for n in sizes))
    return _least(lambda size: _of_t(size / error, sum(sizes) - 4, alpha), 0.0, 1e3)


def smallest_crossed_shares(sizes: Sequence[int], alpha: float = ALPHA) -> float | None:
    """The same of shares about one half; None where a group is empty, or not even the greatest is found."""
    if min(sizes) < 1:
        return None
    normal = NormalDist()
    found = (normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(POWER)) * sqrt(sum(0.25 / n for n in sizes))
    return found if found < 2 else None


def balanced(one: int, other: int) -> int:
    """So many subjects an arm tell as much as these two numbers of them: their harmonic mean, rounded down."""
    return int(2 * one * other / (one + other)) if one and other else 0


def _least(power: Callable[[float], float], near: float, far: float) -> float:
    """The point next to `near` from which on the power is 0.8, to four places; at `far` it is."""
    for _ in range(40):
        middle = (near + far) / 2
        near, far = (middle, far) if power(middle) < POWER else (near, middle)
        if abs(far - near) < 1e-5:
            break
    return far
