"""How shares differ: two of them, within strata, and several at once. All intervals are at 95 %. Pure; slow at first.

- The interval of a risk difference: the score interval of O. Miettinen and M. Nurminen, *Stat. Med.* 4 (1985) 213–226,
  in one stratum or, with Mantel–Haenszel weights, over several. It has a width also where all say the same.
- Fisher's exact test, two-sided, by scipy. It takes whole numbers: of the tables next to effective numbers the one with
  the greatest p counts.
- The odds ratio: the conditional estimate with its exact interval, which belong to Fisher's test (J. Cornfield, *Proc.
  3rd Berkeley Symp.* 4 (1956) 135–148), by scipy; over strata that of N. Mantel and W. Haenszel, *J. Natl. Cancer
  Inst.* 22 (1959) 719–748, with the interval of J. Robins, N. Breslow and S. Greenland (1986), by statsmodels.
- Over strata: the Mantel–Haenszel risk difference and Cochran–Mantel–Haenszel's test without correction for continuity,
  by statsmodels; the interval holds 0 where that test's p is above 0.05. They suppose the same effect in all. Where
  counts are too small for it (N. Mantel and J. L. Fleiss, *Am. J. Epidemiol.* 112 (1980) 129–134: fewer than five on
  either side of what is expected) the exact test of the same, Fisher's over strata.
- No difference: two one-sided score tests at the margin (C. P. Farrington and G. Manning, *Stat. Med.* 9 (1990)
  1447–1454, with Miettinen and Nurminen's variance), whose interval is the 90 % score interval.
- Several shares: the exact test of Fisher, Freeman and Halton (G. H. Freeman and J. H. Halton, *Biometrika* 38 (1951)
  141–149), its p from tables drawn with these margins (A. Agresti, *Stat. Sci.* 7 (1992) 131–153), the same ones
  every time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import ceil, floor, isfinite, sqrt
from statistics import NormalDist

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.statistics import LEVEL, Equivalence, Proportion, Z

TABLES = 19_999
"""Tables that are drawn where several shares are compared: p is known to about 0.003 at 0.05."""


class Odds(FrozenModel):
    """An odds ratio and its interval; None in the place of what is infinite or cannot be told."""

    ratio: float | None = None
    low: float | None = None
    high: float | None = None


class Difference(FrozenModel):
    """Share of the first minus share of the second, in [−1, 1], its interval, and the two-sided p.

    All None where one of the two has no runs to count, p where all say the same. `exact`: p is an exact test's.
    """

    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    exact: bool = False
    odds: Odds | None = None


def shares_apart(pairs: Sequence[tuple[Proportion, Proportion]]) -> Difference:
    """How two groups differ, in one stratum or over several."""
    filled = [pair for pair in pairs if all(one.n for one in pair)]
    return difference(*filled[0]) if len(filled) == 1 else stratified(filled)


def difference(one: Proportion, other: Proportion) -> Difference:
    """How the two differ."""
    if one.share is None or other.share is None:
        return Difference()
    apart = one.share - other.share
    low, high = _score_interval([(one.counts, other.counts)], apart)
    return Difference(
        difference=apart, low=low, high=high, p=_fisher(one, other), exact=True, odds=_odds([(one, other)])
    )


def _fisher(one: Proportion, other: Proportion) -> float:
    from scipy.stats import fisher_exact  # type: ignore[import-untyped]

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
    exact = _are_whole(sides) and _is_sparse(sides)
    p = _p_over_strata(sides)
    return Difference(difference=apart, low=low, high=high, p=p, exact=exact, odds=_odds(strata))


def _p_over_strata(sides: Sides) -> float | None:
    return _exact_over_strata(sides) if _are_whole(sides) and _is_sparse(sides) else _mantel_haenszel(sides)


def p_apart(pairs: Sequence[tuple[Proportion, Proportion]]) -> float | None:
    """The p of `shares_apart` alone; None where in every stratum all say the same."""
    filled = [pair for pair in pairs if all(one.n for one in pair)]
    if all(sum(of.k for of in pair) in (0, sum(of.n for of in pair)) for pair in filled):
        return None
    if len(filled) == 1:
        return _fisher(*filled[0])
    return _p_over_strata([(one.counts, other.counts) for one, other in filled])


def equivalent_shares(pairs: Sequence[tuple[Proportion, Proportion]], margin: float) -> Equivalence:
    """Whether two shares differ by less than the margin, within each stratum.

    Raises ValueError unless 0 < margin < 1.
    """
    if not 0 < margin < 1:
        raise ValueError("a margin between shares lies between 0 and 1")
    sides = [(one.counts, other.counts) for one, other in pairs if one.n and other.n]
    if not sides:
        return Equivalence(margin=margin)
    apart = _beyond(sides, 0.0, 0.0) / _weight(sides)
    p = max(_tail(sides, -margin), _tail([pair[::-1] for pair in sides], -margin))
    low, high = _score_interval(sides, apart, NormalDist().inv_cdf(LEVEL))
    return Equivalence(margin=margin, p=p, low=low, high=high)


def _tail(sides: Sides, of: float) -> float:
    """The one-sided p of a difference that is not above `of`."""
    found = _beyond(sides, of, 0.0)
    spread = _beyond(sides, of, 1.0) - found
    return NormalDist().cdf(-found / spread) if spread else float(found <= 0)


def same_shares(arms: Sequence[Proportion]) -> float | None:
    """The p of several shares being one; None where fewer than two have anything to count, or all say the same.

    Effective numbers are rounded down, so that what hangs together tells no more than it can.
    """
    table = [(floor(round(yes, 9)), floor(round(no, 9))) for yes, no in (arm.counts for arm in arms) if yes + no]
    yes, no = (sum(counts) for counts in zip(*table, strict=True)) if table else (0, 0)
    if len(table) < 2 or not yes or not no:
        return None
    if len(table) == 2:
        from scipy.stats import fisher_exact

        return float(fisher_exact(table).pvalue)
    from numpy import array
    from numpy.random import default_rng
    from scipy.special import gammaln  # type: ignore[import-untyped]

    sizes = array([sum(row) for row in table])
    drawn = default_rng(TABLES).multivariate_hypergeometric(sizes, yes, size=TABLES, method="marginals")
    seen = array([[row[0] for row in table]])
    rarity, own = (gammaln(of + 1).sum(axis=1) + gammaln(sizes - of + 1).sum(axis=1) for of in (drawn, seen))
    return float((1 + (rarity >= own - 1e-7).sum()) / (1 + TABLES))


def _odds(pairs: Sequence[tuple[Proportion, Proportion]]) -> Odds | None:
    """The odds ratio, of counts that hang together not at all."""
    if any(one.effective != one.n for pair in pairs for one in pair):
        return None
    tables = [[[a.k, a.n - a.k], [b.k, b.n - b.k]] for a, b in pairs if a.n and b.n]
    if len(tables) == 1:
        from scipy.stats.contingency import odds_ratio  # type: ignore[import-untyped]

        found = odds_ratio(tables[0])
        interval = found.confidence_interval(LEVEL)
        return Odds(ratio=_finite(found.statistic), low=_finite(interval.low), high=_finite(interval.high))
    from statsmodels.stats.contingency_tables import StratifiedTable  # type: ignore[import-untyped]

    if not sum(a * d for (a, _), (_, d) in tables) or not sum(b * c for (_, b), (c, _) in tables):
        return None  # nothing, or infinite
    pooled = StratifiedTable(tables)
    low, high = pooled.oddsratio_pooled_confint(1 - LEVEL)
    return Odds(ratio=_finite(pooled.oddsratio_pooled), low=_finite(low), high=_finite(high))


def _finite(number: float) -> float | None:
    return float(number) if isfinite(number) else None


Sides = Sequence[tuple[tuple[float, float], tuple[float, float]]]
"""Strata: yes and no of the one and of the other."""


def _are_whole(sides: Sides) -> bool:
    """Whether all counts are whole numbers, as those of an exact test are."""
    return all(abs(count - round(count)) < 1e-9 for pair in sides for side in pair for count in side)


def _is_sparse(sides: Sides) -> bool:
    """Whether the expected number of yes in the first group is less than 5 away from what is possible."""
    expected = least = most = 0.0
    for (a, b), (c, d) in sides:
        n1, yes, n = a + b, a + c, a + b + c + d
        expected += n1 * yes / n
        least, most = least + max(0.0, yes - (c + d)), most + min(n1, yes)
    return min(expected - least, most - expected) < 5


def _exact_over_strata(sides: Sides) -> float | None:
    """Fisher's two-sided test over strata: the sum of yes in the first group, all margins given."""
    if not any(min(a + c, b + d) > 0 for (a, b), (c, d) in sides):
        return None
    from numpy import arange, array, convolve
    from scipy.stats import hypergeom

    chances, seen = array([1.0]), 0
    for counts in sides:
        (a, b), (c, d) = (tuple(round(x) for x in side) for side in counts)
        least, most = max(0, a + c - (c + d)), min(a + b, a + c)
        chances = convolve(chances, hypergeom.pmf(arange(least, most + 1), a + b + c + d, a + c, a + b))
        seen += a - least
    return min(1.0, float(chances[chances <= chances[seen] * (1 + 1e-7)].sum()))


def _weight(sides: Sides) -> float:
    return sum((a + b) * (c + d) / (a + b + c + d) for (a, b), (c, d) in sides)


def _score_interval(sides: Sides, apart: float, width: float = Z) -> tuple[float, float]:
    """All differences that the score test does not reject, around the estimate."""
    from scipy.optimize import brentq  # type: ignore[import-untyped]

    def edge(end: float, z: float) -> float:
        start = apart + (end - apart) * 1e-6  # off the estimate, where all may say the same and nothing varies
        if abs(end - apart) < 1e-9 or _beyond(sides, end, z) * end >= 0:
            return end
        return float(brentq(lambda of: _beyond(sides, of, z), start, end))

    return edge(-1.0, -width), edge(1.0, width)


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
    from statsmodels.stats.contingency_tables import StratifiedTable

    return float(StratifiedTable([[list(one), list(other)] for one, other in sides]).test_null_odds().pvalue)
