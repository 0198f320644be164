"""Subjects compared with themselves, at two levels that each met. All intervals are at 95 %. Pure; slow at first.

- Yes and no: McNemar's exact test (Q. McNemar, *Psychometrika* 12 (1947) 153–157), two-sided, over those who answered
  differently at the two. Of subjects that hang together (one session) the sums of their differences change sign
  together; of single ones that is McNemar's test.
- The risk difference of pairs: the score interval of T. Tango, *Stat. Med.* 17 (1998) 891–908, which has a width also
  where all answer alike. What hangs together is one pair, its mean.
- Odds of the one change to the other, with Clopper and Pearson's exact interval, which belongs to McNemar's test.
- No difference: two one-sided score tests at the margin (Tango), whose interval is the 90 % score interval.
- Numbers: Student's paired t; the mean difference in the standard deviation of the differences, d_z (J. Cohen 1988),
  corrected as Hedges' g is, with its interval by the noncentral t. It is the size that the test and its power go by,
  and no size for other subjects on each side. With fewer than five, the exact test in which each difference has either
  sign (R. A. Fisher, *The Design of Experiments* 1935), which finds nothing at 0.05 in so few.
- Order: whether the difference is another where the one level came first (of yes and no: Fisher's exact test of who
  changed which way, J. J. Gart, *Biometrika* 56 (1969) 75–80), and whether the sum of the two is (what the first left
  behind; J. E. Grizzle, *Biometrics* 21 (1965) 467–480). A check beside the result, never a choice between two
  analyses (P. R. Freeman, *Stat. Med.* 8 (1989) 1421–1432).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from math import sqrt
from statistics import NormalDist

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.means import FEW, MeanDifference, equivalent, mean_of
from elenchus.debate_engine.protocols.rulegen.study.noncentral import standardised
from elenchus.debate_engine.protocols.rulegen.study.shares import Difference, Odds
from elenchus.debate_engine.protocols.rulegen.study.statistics import LEVEL, Equivalence, Z

Answers = Sequence[Sequence[tuple[bool, bool]]]
"""What subjects answered at the two levels; those that hang together side by side."""


class OrderCheck(FrozenModel):
    """The same comparison by what was met first: of `n` subjects each, the `differences` of those who met the first
    side first and of the others; p of these differences being one, and p of the sums being one (`carry_over`).
    """

    n: tuple[int, int]
    differences: tuple[float | None, float | None] = (None, None)
    p: float | None = None
    drawn: bool = False
    carry_over: float | None = None
    carry_over_drawn: bool = False


# ── yes and no ───────────────────────────────────────────────────────────────────────────────────────────────────────


def discordant(answers: Answers) -> tuple[float, float]:
    """How many said yes at the first alone, and at the second alone; what hangs together counts as one."""
    return (
        sum(sum(one and not other for one, other in of) / len(of) for of in answers),
        sum(sum(other and not one for one, other in of) / len(of) for of in answers),
    )


def shares_within(answers: Answers) -> Difference:
    """How the share of yes differs between two levels that the same subjects met; p is None where nobody changed."""
    if not answers:
        return Difference()
    n, (b, c) = len(answers), discordant(answers)
    low, high = _score_interval(b, c, n, Z)
    p = signs_p([sum(one - other for one, other in of) for of in answers]) if b + c else None
    odds = _odds(round(b), round(c)) if all(len(of) == 1 for of in answers) and b + c else None
    return Difference(difference=(b - c) / n, low=low, high=high, p=p, exact=True, odds=odds)


def signs_p(nets: Sequence[int]) -> float:
    """The exact two-sided p of a sum of whole numbers, each of which might have had the other sign."""
    chances = {0: 1.0}
    for net in filter(None, map(abs, nets)):
        moved: dict[int, float] = defaultdict(float)
        for total, chance in chances.items():
            moved[total + net] += chance / 2
            moved[total - net] += chance / 2
        chances = moved
    seen = abs(sum(nets))
    return min(1.0, sum(chance for total, chance in chances.items() if abs(total) >= seen))


def equivalent_within(answers: Answers, margin: float) -> Equivalence:
    """Whether the share of yes differs by less than the margin. Raises ValueError unless 0 < margin < 1."""
    if not 0 < margin < 1:
        raise ValueError("a margin between shares lies between 0 and 1")
    if not answers:
        return Equivalence(margin=margin)
    n, (b, c) = len(answers), discordant(answers)
    normal = NormalDist()
    p = max(normal.cdf(_score(b, c, n, margin)), normal.cdf(-_score(b, c, n, -margin)))
    low, high = _score_interval(b, c, n, normal.inv_cdf(LEVEL))
    return Equivalence(margin=margin, p=p, low=low, high=high)


def _score(b: float, c: float, n: int, of: float) -> float:
    """Tango's statistic of a difference `of`: in standard errors as they are where that is the difference."""
    slope, least = (2 * n - b + c) * of - b - c, -c * of * (1 - of)
    second = (sqrt(max(0.0, slope * slope - 8 * n * least)) - slope) / (4 * n)
    variance = n * (2 * second + of * (1 - of))
    return (b - c - n * of) / sqrt(variance) if variance > 0 else 0.0


def _score_interval(b: float, c: float, n: int, z: float) -> tuple[float, float]:
    from scipy.optimize import brentq  # type: ignore[import-untyped]

    apart = (b - c) / n

    def edge(end: float, bound: float) -> float:
        inner = end * (1 - 1e-9)
        if abs(end - apart) < 1e-9 or (_score(b, c, n, inner) - bound) * end >= 0:
            return end
        start = apart + (end - apart) * 1e-6
        return float(brentq(lambda of: _score(b, c, n, of) - bound, start, inner))

    return edge(-1.0, z), edge(1.0, -z)


def _odds(b: int, c: int) -> Odds:
    from scipy.stats import beta  # type: ignore[import-untyped]

    tail = (1 - LEVEL) / 2
    low = float(beta.ppf(tail, b, c + 1)) if b else 0.0
    high = float(beta.ppf(1 - tail, b + 1, c)) if c else 1.0
    return Odds(ratio=b / c if c else None, low=low / (1 - low), high=high / (1 - high) if c else None)


# ── numbers ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def means_within(differences: Sequence[float]) -> MeanDifference:
    """Student's test of the differences, one a subject. p is None where none varies, all where there are fewer than
    two.
    """
    of = mean_of(differences)
    if of.n < 2 or of.mean is None or of.sd is None:
        return MeanDifference(difference=of.mean)
    if not of.sd:
        return MeanDifference(difference=of.mean, low=of.mean, high=of.mean)
    from scipy.special import stdtr  # type: ignore[import-untyped]

    t, few = of.mean / (of.sd / sqrt(of.n)), of.n < FEW
    p = _either_sign(differences) if few else float(2 * stdtr(of.n - 1, -abs(t)))
    size = standardised(t, of.n - 1, sqrt(of.n)) if of.n > 2 else (None, None, None)
    return MeanDifference(
        difference=of.mean, low=of.low, high=of.high, t=t, df=of.n - 1, p=p, signs=few,
        unit="d_z", g=size[0], g_low=size[1], g_high=size[2],
    )  # fmt: skip


def _either_sign(differences: Sequence[float]) -> float:
    """The exact p of fewer than five differences: each might have had the other sign."""
    seen = abs(sum(differences)) * (1 - 1e-9)
    sums = [abs(sum(map(float.__mul__, map(float, differences), signs))) for signs in _signs(len(differences))]
    return sum(total >= seen for total in sums) / len(sums)


def _signs(n: int) -> list[tuple[float, ...]]:
    return list(product((1.0, -1.0), repeat=n))


def equivalent_differences(differences: Sequence[float], margin: float) -> Equivalence:
    """Whether the mean difference is smaller than the margin; nothing of fewer than five, p of none that varies."""
    of = mean_of(differences)
    if of.n < FEW or of.mean is None or of.sd is None:
        return Equivalence(margin=margin)
    if not of.sd:
        return Equivalence(margin=margin, low=of.mean, high=of.mean)
    return equivalent(of.mean, of.sd / sqrt(of.n), of.n - 1, margin)
