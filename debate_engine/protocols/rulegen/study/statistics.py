"""Proportions and their comparison. All intervals are at 95 %. Pure; tests are slow the first time (their imports).

- Wilson's score interval: E. B. Wilson, *J. Am. Stat. Assoc.* 22 (1927).
- The interval of a risk difference: the score interval of O. Miettinen and M. Nurminen, *Stat. Med.* 4 (1985) 213–226,
  in one stratum or, with Mantel–Haenszel weights, over several. It has a width also where all say the same.
- Fisher's exact test, two-sided, by scipy. It takes whole numbers: of the tables next to effective numbers the one with
  the greatest p counts.
- Observations that hang together (the same record, the same question) count by their effective number: J. N. K. Rao and
  A. J. Scott, *Biometrics* 48 (1992) 577–585; counts are divided by the design effect, and the methods above applied.
  How far they hang together is itself uncertain where there are few clusters: the number shrinks by the squares of
  Student's quantiles (E. L. Korn and B. I. Graubard, *Surv. Methodol.* 24 (1998) 193–201), to the number of clusters
  of their size at the least.
- Over strata: the Mantel–Haenszel risk difference and Cochran–Mantel–Haenszel's test without correction for continuity,
  by statsmodels; the interval holds 0 where that test's p is above 0.05. They suppose the same effect in all.
- Several tests: S. Holm, *Scand. J. Stat.* 6 (1979), and two methods on the same texts: McNemar's exact test; both by
  statsmodels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import ceil, floor, sqrt
from statistics import NormalDist

from elenchus.debate_engine.events import FrozenModel

LEVEL = 0.95
_Z = NormalDist().inv_cdf(0.5 + LEVEL / 2)

Cluster = tuple[int, int]
"""Observations that hang together: how many say yes, of how many."""


class Proportion(FrozenModel):
    """`k` of `n`; `share` and its Wilson interval are None where n is 0.

    `effective`: so many independent observations the n are worth; n itself where none hang together.
    """

    k: int
    n: int
    effective: float = 0.0
    share: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def counts(self) -> tuple[float, float]:
        """Yes and no, in effective numbers."""
        yes = (self.share or 0.0) * self.effective
        return yes, self.effective - yes


class Difference(FrozenModel):
    """Share of the first minus share of the second, in [−1, 1], its interval, and the two-sided p.

    All None where one of the two has no runs to count. `adjusted` is p after Holm's correction over its table.
    """

    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    adjusted: float | None = None


def proportion(k: int, n: int, clusters: Iterable[Cluster] = ()) -> Proportion:
    """`k` of `n` with Wilson's interval; `clusters` are the observations by what they hang together in, if they do.

    Raises ValueError unless 0 ≤ k ≤ n.
    """
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is no proportion")
    if n == 0:
        return Proportion(k=k, n=n)
    share, worth = k / n, effective_number(tuple(clusters)) or n
    middle = (share + _Z**2 / (2 * worth)) / (1 + _Z**2 / worth)
    half = _Z * sqrt(share * (1 - share) / worth + _Z**2 / (4 * worth**2)) / (1 + _Z**2 / worth)
    low, high = 0.0 if k == 0 else max(0.0, middle - half), 1.0 if k == n else min(1.0, middle + half)
    return Proportion(k=k, n=n, effective=worth, share=share, low=low, high=high)


def effective_number(clusters: Sequence[Cluster]) -> float:
    """How many independent observations they are worth: from one a cluster (of the mean size) to all; 0 for none."""
    n, k = sum(of for _, of in clusters), len(clusters)
    if not n:
        return 0.0
    least = n * n / sum(of * of for _, of in clusters)
    if k < 2 or k == n or sum(yes for yes, _ in clusters) in (0, n):
        return least
    from scipy.stats import t  # type: ignore[import-untyped]

    quantiles = t.ppf(0.5 + LEVEL / 2, [n - 1, k - 1])
    return max(least, n / design_effect(clusters) * float(quantiles[0] / quantiles[1]) ** 2)


def design_effect(clusters: Sequence[Cluster]) -> float:
    """The variance of the share between clusters over that of as many independent observations, 1 at the least.

    There are two clusters or more, and not all say the same.
    """
    n = sum(of for _, of in clusters)
    share = sum(k for k, _ in clusters) / n
    between = sum((k - of * share) ** 2 for k, of in clusters) * len(clusters) / (len(clusters) - 1) / n**2
    return max(1.0, between / (share * (1 - share) / n))


def difference(one: Proportion, other: Proportion) -> Difference:
    """How the two differ."""
    if one.share is None or other.share is None:
        return Difference()
    apart = one.share - other.share
    low, high = _score_interval([(one.counts, other.counts)], apart)
    return Difference(difference=apart, low=low, high=high, p=_fisher(one, other))


def _fisher(one: Proportion, other: Proportion) -> float:
    from scipy.stats import fisher_exact

    ps = [fisher_exact(table).pvalue for table in product(_whole(one), _whole(other))]
    return min(1.0, float(max(ps)))


def _whole(of: Proportion) -> set[tuple[int, int]]:
    """Yes and no in whole numbers, next to the effective ones."""
    n = floor(round(of.effective, 9))
    yes = round(n * (of.share or 0.0), 9)
    return {(whole, n - whole) for whole in (floor(yes), ceil(yes))}


def stratified(strata: Sequence[tuple[Proportion, Proportion]]) -> Difference:
    """How the two differ within strata, over all of them: nothing that differs between strata enters.

    Strata in which one of the two has nothing to count are left out; all None where there is no stratum.
    """
    sides = [(one.counts, other.counts) for one, other in strata if one.n and other.n]
    if not sides:
        return Difference()
    apart = _beyond(sides, 0.0, 0.0) / _weight(sides)
    low, high = _score_interval(sides, apart)
    return Difference(difference=apart, low=low, high=high, p=_mantel_haenszel(sides))


Sides = Sequence[tuple[tuple[float, float], tuple[float, float]]]
"""Strata: yes and no of the one and of the other."""


def _weight(sides: Sides) -> float:
    return sum((a + b) * (c + d) / (a + b + c + d) for (a, b), (c, d) in sides)


def _score_interval(sides: Sides, apart: float) -> tuple[float, float]:
    """All differences that the score test does not reject, around the estimate."""
    from scipy.optimize import brentq  # type: ignore[import-untyped]

    def edge(end: float, z: float) -> float:
        start = apart + (end - apart) * 1e-6  # off the estimate, where all may say the same and nothing varies
        if abs(end - apart) < 1e-9 or _beyond(sides, end, z) * end >= 0:
            return end
        return float(brentq(lambda of: _beyond(sides, of, z), start, end))

    return edge(-1.0, -_Z), edge(1.0, _Z)


def _beyond(sides: Sides, of: float, z: float) -> float:
    """The weighted sum of the observed differences, less what a true difference and `z` standard errors make."""
    found = spread = 0.0
    for (a, b), (c, d) in sides:
        n1, n0, n = a + b, c + d, a + b + c + d
        weight = n1 * n0 / n
        other = _likeliest((a, b), (c, d), of)
        one = other + of
        found += weight * (a / n1 - c / n0 - of)
        spread += weight**2 * (one * (1 - one) / n1 + other * (1 - other) / n0) * n / (n - 1)
    return found + z * sqrt(max(0.0, spread))


def _likeliest(one: tuple[float, float], other: tuple[float, float], of: float) -> float:
    """The likeliest share of the other where the one's is greater by `of`: where the likelihood's slope is 0."""
    from scipy.optimize import brentq

    (a, b), (c, d) = one, other
    least, most = max(0.0, -of), min(1.0, 1.0 - of)

    def slope(p: float) -> float:
        q = p + of
        return (a * (1 - q) - b * q) * p * (1 - p) + (c * (1 - p) - d * p) * q * (1 - q)

    inner = (most - least) * 1e-9
    if slope(least + inner) <= 0:
        return least
    return most if slope(most - inner) >= 0 else float(brentq(slope, least + inner, most - inner))


def _mantel_haenszel(sides: Sides) -> float | None:
    """The test's p; None where in every stratum all say the same."""
    if not any(min(a + c, b + d) > 0 for (a, b), (c, d) in sides):
        return None
    from statsmodels.stats.contingency_tables import StratifiedTable  # type: ignore[import-untyped]

    return float(StratifiedTable([[list(one), list(other)] for one, other in sides]).test_null_odds().pvalue)


def mcnemar(only_first: int, only_second: int) -> float:
    """McNemar's exact two-sided p for two methods on the same texts, by how many only the one and only the other has
    right.
    """
    from statsmodels.stats.contingency_tables import mcnemar as tested

    return float(tested([[0, only_first], [only_second, 0]], exact=True).pvalue)


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Each p after Holm's correction for all that are there, in their order."""
    known = [p for p in ps if p is not None]
    if not known:
        return list(ps)
    from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

    adjusted = iter(multipletests(known, method="holm")[1])
    return [None if p is None else min(1.0, float(next(adjusted))) for p in ps]
