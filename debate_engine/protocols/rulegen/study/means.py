"""Measured numbers: means and how they differ. All intervals are at 95 %. Pure; slow the first time (scipy).

- A mean's interval: Student's t.
- Two means: B. L. Welch, *Biometrika* 34 (1947) 28–35; three or more: B. L. Welch, *Biometrika* 38 (1951) 330–336.
  Neither supposes equal variances; both suppose that the means of samples of this size are about normal.
- Hedges' g: L. V. Hedges, *J. Educ. Stat.* 6 (1981) 107–128, the pooled standard deviation as its unit, corrected by
  the exact gamma function; its interval by the noncentral t: G. Cumming and S. Finch, *Educ. Psychol. Meas.* 61 (2001)
  532–574.
- Few numbers: the exact test of `permutation`. Welch's finds something in 8 and 13 of 100 experiments with 3 and 30, 2
  and 20 numbers where nothing is, his analysis of variance in 10 with 12 conditions of 5.
- η²: the share of the variance that lies between the conditions; its interval by the noncentral F: M. Smithson, *Educ.
  Psychol. Meas.* 61 (2001) 605–632. Both intervals suppose equal variances.
- Equivalence: two one-sided tests, D. J. Schuirmann, *J. Pharmacokinet. Biopharm.* 15 (1987) 657–680, with Welch's
  standard error; the margin is one that was said before.
- Over strata: the mean of the strata's differences, weighted by size as Mantel and Haenszel weight: n₁n₂/(n₁+n₂). Its
  standard error is Welch's within each, its degrees of freedom are Satterthwaite's over all (F. E. Satterthwaite,
  *Biometrics Bull.* 2 (1946) 110–114). Where effects differ it is their mean. Of one stratum it is Welch's test.

Numbers that hang together by model: `mixed_models`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import median
from typing import Literal

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.noncentral import (
    Size,
    Untold,
    noncentral,
    small_sample,
    standardised,
)
from elenchus.debate_engine.protocols.rulegen.study.permutation import are_drawn, p_of_several, p_of_two
from elenchus.debate_engine.protocols.rulegen.study.statistics import LEVEL, Equivalence

_TAIL = (1 - LEVEL) / 2

FEW = 5
"""Numbers in a group below which two means are told apart by an exact test, and nothing is claimed not to differ."""
FEW_OF_SEVERAL = 10
"""Numbers in a group below which several means are."""

Strata = Sequence[tuple[Sequence[float], Sequence[float]]]
"""The numbers of both groups, stratum by stratum."""


class Mean(FrozenModel):
    """Mean and median of `n` numbers in their own unit; what cannot be told of so few is None."""

    n: int
    mean: float | None = None
    median: float | None = None
    sd: float | None = None
    low: float | None = None
    high: float | None = None


class MeanDifference(FrozenModel):
    """Mean of the first minus mean of the second with its interval, a two-sided p, and Hedges' g with its own interval.

    p is Welch's, or (`exact`) that of a permutation test, of arrangements that were `drawn` where there are many; of
    subjects with themselves Student's, or (`signs`) that of all signs, and `g` is in the standard deviation of the
    differences (`unit`).

    All None where one of the two has fewer than two numbers, p and g where no number varies.
    """

    difference: float | None = None
    low: float | None = None
    high: float | None = None
    t: float | None = None
    df: float | None = None
    p: float | None = None
    exact: bool = False
    drawn: bool = False
    signs: bool = False
    unit: Literal["g", "d_z"] = "g"
    g: float | None = None
    g_low: float | None = None
    g_high: float | None = None


class Variance(FrozenModel):
    """Welch's F over `groups` conditions, and η² in [0, 1]. All None where a condition has fewer than two numbers, or
    none of its numbers varies.
    """

    groups: int
    f: float | None = None
    df_between: float | None = None
    df_within: float | None = None
    p: float | None = None
    exact: bool = False
    drawn: bool = False
    eta_squared: float | None = None
    eta_low: float | None = None
    eta_high: float | None = None


def mean_of(numbers: Sequence[float]) -> Mean:
    """Mean, standard deviation (n − 1) and interval."""
    n = len(numbers)
    if n == 0:
        return Mean(n=0)
    middle = sum(numbers) / n
    if n == 1:
        return Mean(n=1, mean=middle, median=middle)
    sd = sqrt(variance_of(numbers))
    half = _quantile(n - 1) * sd / sqrt(n)
    return Mean(n=n, mean=middle, median=median(numbers), sd=sd, low=middle - half, high=middle + half)


def means_apart(strata: Strata) -> MeanDifference:
    """How the means of two groups differ within strata, in each of which both have two numbers or more.

    Over several strata g is in the standard deviation within cells, which its interval takes as known.
    """
    if not strata or any(min(len(one), len(other)) < 2 for one, other in strata):
        return MeanDifference()
    apart, error, df = _apart(strata)
    if error == 0:
        return MeanDifference(difference=apart, low=apart, high=apart)
    from scipy.special import stdtr  # type: ignore[import-untyped]

    half, unit, few = _quantile(df) * error, _unit(strata), are_few(strata)
    sizes = hedges_g(*strata[0]) if len(strata) == 1 else (apart / unit, (apart - half) / unit, (apart + half) / unit)
    p = p_of_two(strata) if few else float(2 * stdtr(df, -abs(apart) / error))
    return MeanDifference(
        difference=apart, low=apart - half, high=apart + half, t=apart / error, df=df, p=p, exact=few,
        drawn=few and are_drawn([(len(one), len(other)) for one, other in strata]),
        g=sizes[0], g_low=sizes[1], g_high=sizes[2],
    )  # fmt: skip


def _unit(strata: Strata) -> float:
    """The standard deviation within cells, corrected as g is."""
    cells = [numbers for pair in strata for numbers in pair]
    df = sum(map(len, cells)) - len(cells)
    return sqrt(sum((len(numbers) - 1) * variance_of(numbers) for numbers in cells) / df) / small_sample(df)


def are_few(strata: Strata) -> bool:
    """Whether one of the two groups has fewer than five numbers in all."""
    return min(sum(len(pair[side]) for pair in strata) for side in (0, 1)) < FEW


def hedges_g(one: Sequence[float], other: Sequence[float]) -> Size:
    """Hedges' g with its interval. Raises ValueError where there are fewer than two numbers a side, or none varies."""
    n1, n2 = len(one), len(other)
    df = n1 + n2 - 2
    pooled = ((n1 - 1) * variance_of(one) + (n2 - 1) * variance_of(other)) / df if min(n1, n2) > 1 else 0.0
    if pooled == 0:
        raise ValueError("numbers that do not vary have no standard deviation to measure a difference by")
    size = sqrt(n1 * n2 / (n1 + n2))
    return standardised((sum(one) / n1 - sum(other) / n2) / sqrt(pooled) * size, df, size)


def analysis_of_variance(groups: Sequence[Sequence[float]]) -> Variance:
    """Whether the means of several conditions differ at all."""
    variances = [variance_of(group) if len(group) > 1 else 0.0 for group in groups]
    if len(groups) < 2 or not all(variances):
        return Variance(groups=len(groups))
    from scipy.special import fdtrc

    k, means = len(groups), [sum(group) / len(group) for group in groups]
    weights = [len(group) / variance for group, variance in zip(groups, variances, strict=True)]
    total = sum(weights)
    grand = sum(w * m for w, m in zip(weights, means, strict=True)) / total
    between = sum(w * (m - grand) ** 2 for w, m in zip(weights, means, strict=True)) / (k - 1)
    unsure = sum((1 - w / total) ** 2 / (len(group) - 1) for w, group in zip(weights, groups, strict=True))
    value = between / (1 + 2 * (k - 2) / (k * k - 1) * unsure)
    df, few = (k * k - 1) / (3 * unsure), min(map(len, groups)) < FEW_OF_SEVERAL
    eta, low, high = eta_squared(groups)
    return Variance(
        groups=k,
        f=value,
        df_between=k - 1,
        df_within=df,
        p=p_of_several(groups) if few else float(fdtrc(k - 1, df, value)),
        exact=few,
        drawn=few and are_drawn([[len(group) for group in groups]]),
        eta_squared=eta,
        eta_low=low,
        eta_high=high,
    )


def eta_squared(groups: Sequence[Sequence[float]]) -> tuple[float, float | None, float | None]:
    """η² with its interval, None where the conditions are more alike than chance makes them in 39 of 40 samples.

    Raises ValueError where there are fewer than two conditions, or nothing varies in any.
    """
    n, k = sum(map(len, groups)), len(groups)
    grand = sum(map(sum, groups)) / n if n else 0.0
    between = sum(len(group) * (sum(group) / len(group) - grand) ** 2 for group in groups if group)
    within = sum((len(group) - 1) * variance_of(group) for group in groups if len(group) > 1)
    if k < 2 or n <= k or within == 0:
        raise ValueError("nothing varies within the conditions, or there is but one")
    from scipy.special import fdtr, ncfdtr

    df1, df2 = k - 1, n - k
    value = between / df1 / (within / df2)

    def below(of: float) -> float:
        return float(ncfdtr(df1, df2, of, value)) if of > 0 else float(fdtr(df1, df2, value))

    eta = between / (between + within)
    try:
        low, high = noncentral(below, value * df1, least=0.0)
    except Untold:
        return eta, None, None
    return (eta, low / (low + n), high / (high + n)) if high else (eta, None, None)


def equivalent_means(strata: Strata, margin: float) -> Equivalence:
    """Whether two means differ within strata by less than the margin. Raises ValueError unless it is above 0."""
    if not margin > 0:
        raise ValueError("a margin of equivalence is above 0")
    if not strata or any(min(len(one), len(other)) < 2 for one, other in strata) or are_few(strata):
        return Equivalence(margin=margin)
    apart, error, df = _apart(strata)
    if error == 0:
        return Equivalence(margin=margin, low=apart, high=apart)
    return equivalent(apart, error, df, margin)


def equivalent(apart: float, error: float, df: float, margin: float) -> Equivalence:
    """Two one-sided tests by Student's t of a difference with its standard error."""
    from scipy.special import stdtr, stdtrit

    p = max(float(stdtr(df, -(apart + margin) / error)), float(stdtr(df, (apart - margin) / error)))
    half = float(stdtrit(df, LEVEL)) * error
    return Equivalence(margin=margin, p=p, low=apart - half, high=apart + half)


def variance_of(numbers: Sequence[float]) -> float:
    """Of the population, from a sample of two or more; exactly 0 where all are the same."""
    middle = sum(numbers) / len(numbers)
    if len(set(numbers)) == 1:
        return 0.0
    return sum((x - middle) ** 2 for x in numbers) / (len(numbers) - 1)


def _apart(strata: Strata) -> tuple[float, float, float]:
    """The weighted difference of the means, its standard error, and its degrees of freedom (infinite where nothing
    varies).
    """
    weights = [len(one) * len(other) / (len(one) + len(other)) for one, other in strata]
    apart, parts = 0.0, []
    for weight, pair in zip(weights, strata, strict=True):
        share = weight / sum(weights)
        means = [sum(numbers) / len(numbers) for numbers in pair]
        apart += share * (means[0] - means[1])
        parts += [(share**2 * variance_of(numbers) / len(numbers), len(numbers)) for numbers in pair]
    squared = sum(part for part, _ in parts)
    df = squared**2 / sum(part**2 / (n - 1) for part, n in parts) if squared else float("inf")
    return apart, sqrt(squared), df


def _quantile(df: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(df, 1 - _TAIL))
