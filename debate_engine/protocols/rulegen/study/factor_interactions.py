"""Interactions of two factors between subjects: the difference of two differences. All intervals are at 95 %. Pure.

Each of four groups has a coefficient, +1 −1 −1 +1; over strata the strata's differences are weighted by 1 / Σ 1/n, as
Mantel and Haenszel weight two groups, and nothing supposes that they are the same.

- Shares: the score test of a linear combination of shares, and the interval of all values that it does not reject
  (A. Martín Andrés, I. Herranz Tejedor and M. Álvarez Hernández, *J. Stat. Comput. Simul.* 82 (2012),
  doi:10.1080/00949655.2010.530601), with Miettinen and Nurminen's variance. It says whether differences in points
  differ, not whether odds ratios do: no exact test of that is known which is free of the four shares. Nothing is told
  with fewer than fifteen in a group, where it finds something in up to 7 of 100 experiments.
- Means: the contrast of four means with their own variances and Satterthwaite's degrees of freedom (B. L. Welch,
  *Biometrika* 38 (1951) 330–336; F. E. Satterthwaite, *Biometrics Bull.* 2 (1946) 110–114); g in the standard deviation
  within groups, its interval by the noncentral t, which supposes equal variances. No p with fewer than five in a group.
- No difference of differences: two one-sided tests at the margin, of the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

from elenchus.debate_engine.protocols.rulegen.study.means import FEW, MeanDifference, equivalent, variance_of
from elenchus.debate_engine.protocols.rulegen.study.noncentral import standardised
from elenchus.debate_engine.protocols.rulegen.study.shares import Difference
from elenchus.debate_engine.protocols.rulegen.study.statistics import LEVEL, Equivalence, Proportion, Z

FEWEST_SHARES = 15
"""Subjects in a group below which an interaction of shares is only estimated."""


def coefficients(sizes: Sequence[Sequence[float]], signs: Sequence[int] = (1, -1, -1, 1)) -> list[float]:
    """One for each group of each stratum, in their order."""
    weights = [1 / sum(1 / n for n in stratum) for stratum in sizes]
    return [sign * weight / sum(weights) for weight in weights for sign in signs]


# ── shares ───────────────────────────────────────────────────────────────────────────────────────────────────────────

Parts = Sequence[tuple[float, float, float]]
"""Of each group: how many yes, of how many, and its coefficient."""


def shares_crossed(strata: Sequence[Sequence[Proportion]]) -> Difference:
    """The difference of the differences of shares, over strata of four groups, each of which has somebody."""
    if not strata:
        return Difference()
    parts = _parts(strata)
    apart = sum(c * k / n for k, n, c in parts)
    if are_too_few(strata):
        return Difference(difference=apart)
    low, high = _interval(parts, apart, Z)
    p = None if _all_alike(parts) else 2 * NormalDist().cdf(-abs(_score(parts, 0.0)))
    return Difference(difference=apart, low=low, high=high, p=p)


def are_too_few(strata: Sequence[Sequence[Proportion]]) -> bool:
    """Whether a group has too few for more than an estimate."""
    return min(sum(stratum[k].effective for stratum in strata) for k in range(4)) < FEWEST_SHARES - 1e-9


def equivalent_crossed_shares(strata: Sequence[Sequence[Proportion]], margin: float) -> Equivalence:
    """Whether the differences of shares differ by less than the margin."""
    if not strata or are_too_few(strata):
        return Equivalence(margin=margin)
    parts, normal = _parts(strata), NormalDist()
    apart = sum(c * k / n for k, n, c in parts)
    p = max(normal.cdf(_score(parts, margin)), normal.cdf(-_score(parts, -margin)))
    low, high = _interval(parts, apart, normal.inv_cdf(LEVEL))
    return Equivalence(margin=margin, p=p, low=low, high=high)


def _parts(strata: Sequence[Sequence[Proportion]]) -> list[tuple[float, float, float]]:
    found = coefficients([[of.effective for of in stratum] for stratum in strata])
    groups = [of for stratum in strata for of in stratum]
    return [(of.counts[0], of.effective, c) for of, c in zip(groups, found, strict=True)]


def _all_alike(parts: Parts) -> bool:
    return sum(k for k, _, _ in parts) in (0, sum(n for _, n, _ in parts))


def _score(parts: Parts, of: float) -> float:
    """The statistic of a combination `of`: in standard errors as they are at the likeliest shares that have it."""
    most = sum(c for _, _, c in parts if c > 0)
    if abs(of) >= most:
        return float("-inf") if of > 0 else float("inf")
    from scipy.optimize import brentq  # type: ignore[import-untyped]

    def beyond(pull: float) -> float:
        return sum(c * _likeliest(k, n, pull * c) for k, n, c in parts) - of

    width = 1.0
    while beyond(-width) < 0 or beyond(width) > 0:
        width *= 2
    pull = float(brentq(beyond, -width, width, xtol=1e-12))
    shares = [_likeliest(k, n, pull * c) for k, n, c in parts]
    total = sum(n for _, n, _ in parts)
    variance = sum(c * c * p * (1 - p) / n for p, (_, n, c) in zip(shares, parts, strict=True)) * total / (total - 1)
    apart = sum(c * k / n for k, n, c in parts) - of
    return apart / sqrt(variance) if variance > 0 else float("inf") * apart if apart else 0.0


def _likeliest(k: float, n: float, pull: float) -> float:
    """The likeliest share under a pull to 0 (or, below 0, to 1): where k/p − (n − k)/(1 − p) is the pull."""
    whole = pull + n
    root = sqrt(max(0.0, whole * whole - 4 * pull * k))
    share = 2 * k / (whole + root) if whole > 0 else (whole - root) / (2 * pull)
    return min(1.0, max(0.0, share))


def _interval(parts: Parts, apart: float, z: float) -> tuple[float, float]:
    from scipy.optimize import brentq

    most = sum(c for _, _, c in parts if c > 0)

    def edge(end: float, bound: float) -> float:
        inner = end * (1 - 1e-6)
        if abs(end - apart) < 1e-6 or (_score(parts, inner) - bound) * end >= 0:
            return end
        start = apart + (end - apart) * 1e-6
        return float(brentq(lambda of: _score(parts, of) - bound, start, inner, xtol=1e-12))

    return edge(-most, z), edge(most, -z)


# ── means ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def means_crossed(strata: Sequence[Sequence[Sequence[float]]]) -> MeanDifference:
    """The difference of the differences of means, over strata of four groups, each of which has two numbers or more."""
    if not strata or any(len(group) < 2 for stratum in strata for group in stratum):
        return MeanDifference()
    groups, found = _with_coefficients(strata)
    apart, error, df = _contrast(groups, found)
    if error == 0:
        return MeanDifference(difference=apart, low=apart, high=apart)
    from scipy.special import stdtr, stdtrit  # type: ignore[import-untyped]

    half = float(stdtrit(df, (1 + LEVEL) / 2)) * error
    within = sum(map(len, groups)) - len(groups)
    pooled = sqrt(sum((len(group) - 1) * variance_of(group) for group in groups) / within)
    size = 1 / sqrt(sum(c * c / len(group) for c, group in zip(found, groups, strict=True)))
    g, g_low, g_high = standardised(apart / pooled * size, within, size) if pooled else (None, None, None)
    return MeanDifference(
        difference=apart, low=apart - half, high=apart + half, t=apart / error, df=df,
        p=None if are_too_few_numbers(strata) else float(2 * stdtr(df, -abs(apart) / error)),
        g=g, g_low=g_low, g_high=g_high,
    )  # fmt: skip


def are_too_few_numbers(strata: Sequence[Sequence[Sequence[float]]]) -> bool:
    """Whether a group has too few for a test."""
    return min(sum(len(stratum[k]) for stratum in strata) for k in range(4)) < FEW


def equivalent_crossed_means(strata: Sequence[Sequence[Sequence[float]]], margin: float) -> Equivalence:
    """Whether the differences of means differ by less than the margin."""
    if not strata or any(len(group) < 2 for stratum in strata for group in stratum) or are_too_few_numbers(strata):
        return Equivalence(margin=margin)
    apart, error, df = _contrast(*_with_coefficients(strata))
    if error == 0:
        return Equivalence(margin=margin, low=apart, high=apart)
    return equivalent(apart, error, df, margin)


def _with_coefficients(
    strata: Sequence[Sequence[Sequence[float]]],
) -> tuple[list[Sequence[float]], list[float]]:
    found = coefficients([[len(group) for group in stratum] for stratum in strata])
    return [group for stratum in strata for group in stratum], found


def _contrast(groups: Sequence[Sequence[float]], found: Sequence[float]) -> tuple[float, float, float]:
    """The combination of the means, its standard error, and its degrees of freedom."""
    apart = sum(c * sum(group) / len(group) for c, group in zip(found, groups, strict=True))
    parts = [(c * c * variance_of(group) / len(group), len(group)) for c, group in zip(found, groups, strict=True)]
    squared = sum(part for part, _ in parts)
    df = squared**2 / sum(part**2 / (n - 1) for part, n in parts) if squared else float("inf")
    return apart, sqrt(squared), df
