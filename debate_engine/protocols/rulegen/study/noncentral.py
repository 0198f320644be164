"""Effect sizes in standard deviations, with intervals by noncentral distributions at 95 %. Pure; slow at first.

Here as in the tests of means the distributions are those of `scipy.special`, which `scipy.stats` calls: forty times as
fast for a single number.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, isnan, lgamma, sqrt

from elenchus.debate_engine.protocols.rulegen.study.statistics import LEVEL

_TAIL = (1 - LEVEL) / 2

Size = tuple[float, float | None, float | None]
"""A standardised difference with its interval."""

FARTHEST = 1e4
"""Standard errors beyond which an effect size has no interval: what hardly varies is no unit."""


class Untold(ArithmeticError):
    """A chance that could not be computed."""


def standardised(t: float, df: float, size: float) -> Size:
    """A t of so many degrees of freedom as a difference in standard deviations, `size` times smaller, corrected for
    small samples; its interval by the noncentral t. Without one where scipy cannot tell it: its noncentral t is not a
    number at places far from a great t of few degrees of freedom.
    """
    from scipy.special import nctdtr  # type: ignore[import-untyped]

    unit = small_sample(df) / size
    if abs(t) > FARTHEST:
        return t * unit, None, None
    try:
        low, high = noncentral(lambda of: float(nctdtr(df, of, t)), t)
    except Untold:
        return t * unit, None, None
    return t * unit, low * unit, high * unit


def small_sample(df: float) -> float:
    """By how much a standardised difference of so many degrees of freedom is too large (Hedges 1981)."""
    return exp(lgamma(df / 2) - lgamma((df - 1) / 2)) / sqrt(df / 2)


def noncentral(below: Callable[[float], float], near: float, least: float = -1e4) -> tuple[float, float]:
    """The noncentralities for which what was seen stands at the upper and at the lower 2.5 %, `least` at the least.

    `below`, falling, is the chance of less than what was seen. Raises Untold where it is not a number on the way.
    """
    from scipy.optimize import brentq  # type: ignore[import-untyped]

    def chance(of: float) -> float:
        if isnan(found := below(of)):
            raise Untold(f"the chance at {of} is not a number")
        return found

    def edge(share: float) -> float:
        if not isnan(end := below(least)) and end <= share:
            return least
        width = 1.0
        while chance(near + width) > share:
            width *= 2
        low = max(least, near - 1.0)
        while low > least and chance(low) <= share:
            low = max(least, near - 2 * (near - low))
        return float(brentq(lambda of: chance(of) - share, low, near + width))

    return edge(1 - _TAIL), edge(_TAIL)
