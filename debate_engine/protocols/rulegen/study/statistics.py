"""Proportions and their comparison, by scipy. All intervals are at 95 %. Pure; slow the first time (scipy's import).

- Wilson's score interval: E. B. Wilson, *J. Am. Stat. Assoc.* 22 (1927).
- The interval of a risk difference: Newcombe's hybrid score interval, method 10 in R. G. Newcombe, *Stat. Med.* 17
  (1998): made from both Wilson intervals, without correction for continuity.
- Fisher's exact test, two-sided.
"""

from __future__ import annotations

from math import sqrt

from debate_engine.events import Value

LEVEL = 0.95


class Proportion(Value):
    """`k` of `n`; `share` and its Wilson interval are None where n is 0."""

    k: int
    n: int
    share: float | None = None
    low: float | None = None
    high: float | None = None


class Difference(Value):
    """Share of the first minus share of the second, in [−1, 1], Newcombe's interval, and Fisher's two-sided p.

    All None where one of the two has no runs to count.
    """

    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None


def proportion(k: int, n: int) -> Proportion:
    """`k` of `n` with Wilson's interval. Raises ValueError unless 0 ≤ k ≤ n."""
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is no proportion")
    if n == 0:
        return Proportion(k=k, n=n)
    from scipy.stats import binomtest  # type: ignore[import-untyped]

    interval = binomtest(k, n).proportion_ci(LEVEL, method="wilson")
    low, high = (min(1.0, max(0.0, float(bound))) for bound in interval)
    return Proportion(k=k, n=n, share=k / n, low=0.0 if k == 0 else low, high=1.0 if k == n else high)


def difference(one: Proportion, other: Proportion) -> Difference:
    """How the two differ."""
    if one.share is None or other.share is None:
        return Difference()
    assert one.low is not None, "a share has an interval"
    assert one.high is not None, "a share has an interval"
    assert other.low is not None, "a share has an interval"
    assert other.high is not None, "a share has an interval"
    from scipy.stats import fisher_exact

    apart = one.share - other.share
    below = sqrt((one.share - one.low) ** 2 + (other.high - other.share) ** 2)
    above = sqrt((one.high - one.share) ** 2 + (other.share - other.low) ** 2)
    table = [[one.k, one.n - one.k], [other.k, other.n - other.k]]
    return Difference(
        difference=apart,
        low=max(-1.0, apart - below),
        high=min(1.0, apart + above),
        p=min(1.0, float(fisher_exact(table).pvalue)),
    )
