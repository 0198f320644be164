"""Proportions and their comparison. All intervals are at 95 %. Pure; tests are slow the first time (their imports).

- Wilson's score interval: E. B. Wilson, *J. Am. Stat. Assoc.* 22 (1927).
- The interval of a risk difference: Newcombe's hybrid score interval, method 10 in R. G. Newcombe, *Stat. Med.* 17
  (1998): made from both Wilson intervals, without correction for continuity.
- Fisher's exact test, two-sided, by scipy.
- Observations that hang together (the same record, the same question) count by their effective number: J. N. K. Rao and
  A. J. Scott, *Biometrics* 48 (1992) 577–585; counts are divided by the design effect, and the methods above applied.
- Over strata: the Mantel–Haenszel risk difference with the variance of T. Sato, *Biometrics* 45 (1989) 1323–1324, and
  Cochran–Mantel–Haenszel's test without correction for continuity, by statsmodels. They suppose the same effect in all.
- Several tests: S. Holm, *Scand. J. Stat.* 6 (1979), and two methods on the same texts: McNemar's exact test; both by
  statsmodels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import NormalDist

from debate_engine.events import Value

LEVEL = 0.95
_Z = NormalDist().inv_cdf(0.5 + LEVEL / 2)

Cluster = tuple[int, int]
"""Observations that hang together: how many say yes, of how many."""


class Proportion(Value):
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


class Difference(Value):
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
    share, worth = k / n, n / design_effect(tuple(clusters))
    middle = (share + _Z**2 / (2 * worth)) / (1 + _Z**2 / worth)
    half = _Z * sqrt(share * (1 - share) / worth + _Z**2 / (4 * worth**2)) / (1 + _Z**2 / worth)
    low, high = 0.0 if k == 0 else max(0.0, middle - half), 1.0 if k == n else min(1.0, middle + half)
    return Proportion(k=k, n=n, effective=worth, share=share, low=low, high=high)


def design_effect(clusters: Sequence[Cluster]) -> float:
    """How many times fewer independent observations there are: from 1 (none hang together) to their mean company.

    The variance of the share between clusters over that of as many independent observations. Where it cannot be told
    (one cluster, or all say the same) clusters are taken to agree wholly. 1 for no clusters.
    """
    n = sum(of for _, of in clusters)
    if not n:
        return 1.0
    share, company = sum(k for k, _ in clusters) / n, sum(of * of for _, of in clusters) / n
    if len(clusters) < 2 or share in (0, 1):
        return company
    between = sum((k - of * share) ** 2 for k, of in clusters) * len(clusters) / (len(clusters) - 1) / n**2
    return min(company, max(1.0, between / (share * (1 - share) / n)))


def difference(one: Proportion, other: Proportion) -> Difference:
    """How the two differ."""
    if one.share is None or other.share is None:
        return Difference()
    assert one.low is not None, "a share has an interval"
    assert one.high is not None, "a share has an interval"
    assert other.low is not None, "a share has an interval"
    assert other.high is not None, "a share has an interval"
    from scipy.stats import fisher_exact  # type: ignore[import-untyped]

    apart = one.share - other.share
    below = sqrt((one.share - one.low) ** 2 + (other.high - other.share) ** 2)
    above = sqrt((one.high - one.share) ** 2 + (other.share - other.low) ** 2)
    table = [[round(count) for count in side.counts] for side in (one, other)]
    return Difference(
        difference=apart,
        low=max(-1.0, apart - below),
        high=min(1.0, apart + above),
        p=min(1.0, float(fisher_exact(table).pvalue)),
    )


def stratified(strata: Sequence[tuple[Proportion, Proportion]]) -> Difference:
    """How the two differ within strata, over all of them: nothing that differs between strata enters.

    Strata in which one of the two has nothing to count are left out; all None where there is no stratum.
    """
    sides = [(one.counts, other.counts) for one, other in strata if one.n and other.n]
    if not sides:
        return Difference()
    weight = differed = spread = 0.0
    for (a, b), (c, d) in sides:
        n1, n0, n = a + b, c + d, a + b + c + d
        weight += n1 * n0 / n
        differed += (a * n0 - c * n1) / n
        spread += (a * d + b * c) / (2 * n)
    apart = differed / weight
    for (a, b), (c, d) in sides:
        n1, n0, n = a + b, c + d, a + b + c + d
        spread += apart * (n1**2 * c - n0**2 * a + n1 * n0 * (n0 - n1) / 2) / n**2
    half = _Z * sqrt(max(0.0, spread)) / weight
    return Difference(
        difference=apart, low=max(-1.0, apart - half), high=min(1.0, apart + half), p=_mantel_haenszel(sides)
    )


def _mantel_haenszel(sides: Sequence[tuple[tuple[float, float], tuple[float, float]]]) -> float | None:
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
