"""Proportions, what hangs together, and several tests. All intervals are at 95 %. Pure; slow the first time (imports).

- Wilson's score interval: E. B. Wilson, *J. Am. Stat. Assoc.* 22 (1927).
- Observations that hang together (the same record, the same question) count by their effective number: J. N. K. Rao and
  A. J. Scott, *Biometrics* 48 (1992) 577–585; counts are divided by the design effect, and the methods above applied.
  How far they hang together is itself uncertain where there are few clusters: the number shrinks by the squares of
  Student's quantiles (E. L. Korn and B. I. Graubard, *Surv. Methodol.* 24 (1998) 193–201), to the number of clusters
  of their size at the least.
- Several tests: S. Holm, *Scand. J. Stat.* 6 (1979) (five lines of our own: those of statsmodels collect garbage first,
  a quarter of a second each time). Two methods on the same texts: McNemar's exact test, by statsmodels. Two instruments
  on the same subjects: J. Cohen's kappa, *Educ. Psychol. Meas.* 20 (1960) 37–46, with the standard error of Fleiss,
  Cohen and Everitt (1969), by statsmodels.

How two shares or more differ: `shares`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import NormalDist

from elenchus.debate_engine.events import FrozenModel

LEVEL = 0.95
Z = NormalDist().inv_cdf(0.5 + LEVEL / 2)

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


class Equivalence(FrozenModel):
    """Whether a difference is smaller than `margin` either way, in its own unit: the greater of two one-sided p, and
    the 90 % interval, which lies within the margins where p < 0.05.
    """

    margin: float
    p: float | None = None
    low: float | None = None
    high: float | None = None


class Agreement(FrozenModel):
    """Two instruments on the same subjects: `both`, `first` alone, `second` alone, `neither` say yes.

    `raw` is the share in which they say the same, `kappa` Cohen's with its standard `error` and interval; None where
    nobody was read by both, kappa also where one of the two says the same of all.
    """

    both: int
    first: int
    second: int
    neither: int
    raw: float | None = None
    error: float | None = None
    kappa: float | None = None
    low: float | None = None
    high: float | None = None


def proportion(k: int, n: int, clusters: Iterable[Cluster] = ()) -> Proportion:
    """`k` of `n` with Wilson's interval; `clusters` are the observations by what they hang together in, if they do.

    Raises ValueError unless 0 ≤ k ≤ n.
    """
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is no proportion")
    if n == 0:
        return Proportion(k=k, n=n)
    share, worth = k / n, effective_number(tuple(clusters)) or n
    middle = (share + Z**2 / (2 * worth)) / (1 + Z**2 / worth)
    half = Z * sqrt(share * (1 - share) / worth + Z**2 / (4 * worth**2)) / (1 + Z**2 / worth)
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


def mcnemar(only_first: int, only_second: int) -> float:
    """McNemar's exact two-sided p for two methods on the same texts, by how many only the one and only the other has
    right.
    """
    from statsmodels.stats.contingency_tables import mcnemar as tested  # type: ignore[import-untyped]

    return float(tested([[0, only_first], [only_second, 0]], exact=True).pvalue)


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Each p after Holm's correction for all that are there, in their order."""
    known = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    adjusted, least = list(ps), 0.0
    for rank, (p, place) in enumerate(known):
        least = max(least, min(1.0, p * (len(known) - rank)))
        adjusted[place] = least
    return adjusted


def agreement(pairs: Iterable[tuple[bool, bool]]) -> Agreement:
    """How far two instruments agree, each pair what they say of one subject."""
    table = Counter(pairs)
    cells = [table[True, True], table[True, False], table[False, True], table[False, False]]
    both, first, second, neither = cells
    found = Agreement(both=both, first=first, second=second, neither=neither)
    if not sum(cells):
        return found
    found = found.model_copy(update={"raw": (both + neither) / sum(cells)})
    if 0 in (both + first, second + neither, both + second, first + neither):
        return found
    from statsmodels.stats.inter_rater import cohens_kappa  # type: ignore[import-untyped]

    of = cohens_kappa([[both, first], [second, neither]])
    low, high = max(-1.0, float(of.kappa_low)), min(1.0, float(of.kappa_upp))
    return found.model_copy(update={"kappa": float(of.kappa), "error": float(of.std_kappa), "low": low, "high": high})
