"""The comparisons of a scene over a table of cases: within strata, people and models apart. Pure; slow.

What a contrast compares, and within which strata: `scenes.contrasts`. Subjects are never added up over kinds: people
are a family of comparisons, each model is one, and models together are compared by one difference a model. Within a
family p values are Holm's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.means import (
    ByModel,
    MeanDifference,
    by_model,
    mean_difference,
    small_sample,
)
from elenchus.debate_engine.protocols.rulegen.study.statistics import (
    LEVEL,
    Difference,
    difference,
    holm,
    proportion,
    stratified,
)
from elenchus.debate_engine.scenes.contrasts import Contrast, strata_of

PEOPLE, MODELS = "people", "models"


class Case(FrozenModel):
    """One subject in one run: who played (`people`, or a model), which version, and what came out.

    `outcome` is yes or no (a bool) or a number; None where it cannot be told. `excluded` says why it does not count.
    """

    subject: str
    version: str
    outcome: bool | float | None = None
    excluded: str = ""

    @property
    def counts(self) -> bool:
        """Whether it is compared."""
        return not self.excluded and self.outcome is not None


class Compared(FrozenModel):
    """A contrast within `strata` strata of one subject kind: `n` counted cases each, and how the two groups differ.

    `shares` for an outcome of yes or no, `means` for a number; `adjusted` is p after Holm's correction in its family.
    """

    contrast: Contrast
    subject: str
    n: tuple[int, int]
    strata: int
    shares: Difference | None = None
    means: MeanDifference | None = None
    by_model: ByModel | None = None
    adjusted: float | None = None

    @property
    def p(self) -> float | None:
        """The p value, whichever test gave it."""
        tests = (self.shares, self.means, self.by_model)
        return next((test.p for test in tests if test is not None), None)


def compared(cases: Sequence[Case], contrasts: Sequence[Contrast], versions: Sequence[str]) -> tuple[Compared, ...]:
    """Every contrast for people, for each model, and for models together where there are three or more of them."""
    subjects = sorted({case.subject for case in cases}, key=lambda name: (name != PEOPLE, name))
    models = [name for name in subjects if name != PEOPLE]
    families = [[_within(cases, contrast, versions, name) for contrast in contrasts] for name in subjects]
    if len(models) > 2:
        families.append([_over_models(cases, contrast, versions, models) for contrast in contrasts])
    return tuple(one for family in families for one in _corrected(family))


def _corrected(family: Sequence[Compared]) -> list[Compared]:
    adjusted = holm([one.p for one in family])
    return [one.model_copy(update={"adjusted": p}) for one, p in zip(family, adjusted, strict=True)]


Sides = list[tuple[list[float], list[float]]]
"""The counted outcomes of both groups, stratum by stratum."""


def _sides(cases: Sequence[Case], contrast: Contrast, versions: Sequence[str], subject: str) -> Sides:
    values: dict[str, list[float]] = defaultdict(list)
    for case in cases:
        if case.counts and case.subject == subject:
            values[case.version].append(float(case.outcome or 0))
    return [(values[one], values[other]) for one, other in strata_of(contrast, versions)]


def _within(cases: Sequence[Case], contrast: Contrast, versions: Sequence[str], subject: str) -> Compared:
    sides = _sides(cases, contrast, versions, subject)
    filled = [pair for pair in sides if all(pair)]
    n = (sum(len(one) for one, _ in sides), sum(len(other) for _, other in sides))
    found = Compared(contrast=contrast, subject=subject, n=n, strata=len(filled))
    if not filled:
        return found
    if all(isinstance(case.outcome, bool) for case in cases if case.counts):
        pairs = [(proportion(int(sum(a)), len(a)), proportion(int(sum(b)), len(b))) for a, b in filled]
        return found.model_copy(update={"shares": difference(*pairs[0]) if len(pairs) == 1 else stratified(pairs)})
    means = mean_difference(*filled[0]) if len(filled) == 1 else stratified_means(filled)
    return found.model_copy(update={"means": means})


def _over_models(cases: Sequence[Case], contrast: Contrast, versions: Sequence[str], models: Sequence[str]) -> Compared:
    """One difference a model, its strata with equal weight; a model that lacks a version of them is left out."""
    pairs: dict[str, tuple[list[float], list[float]]] = {}
    n = [0, 0]
    for model in models:
        sides = _sides(cases, contrast, versions, model)
        if sides and all(one and other for one, other in sides):
            pairs[model] = ([_mean(one) for one, _ in sides], [_mean(other) for _, other in sides])
            n = [n[0] + sum(len(one) for one, _ in sides), n[1] + sum(len(other) for _, other in sides)]
    strata = len(strata_of(contrast, versions))
    return Compared(contrast=contrast, subject=MODELS, n=(n[0], n[1]), strata=strata, by_model=by_model(pairs))


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def stratified_means(sides: Sequence[tuple[Sequence[float], Sequence[float]]]) -> MeanDifference:
    """The mean of the strata's differences, each weighted by its size as Mantel and Haenszel weight: n₁n₂/(n₁+n₂).

    Its standard error is Welch's within each stratum, its degrees of freedom are Satterthwaite's over all (F. E.
    Satterthwaite, *Biometrics Bull.* 2 (1946) 110–114). All None where a stratum has fewer than two numbers on a side.
    """
    if any(min(len(one), len(other)) < 2 for one, other in sides):
        return MeanDifference()
    weights = [len(one) * len(other) / (len(one) + len(other)) for one, other in sides]
    shares = [weight / sum(weights) for weight in weights]
    parts = [(_spread(numbers), len(numbers)) for pair in sides for numbers in pair]
    squared = [share**2 * spread / n for (spread, n), share in zip(parts, _twice(shares), strict=True)]
    apart = sum(share * (_mean(one) - _mean(other)) for share, (one, other) in zip(shares, sides, strict=True))
    error = sqrt(sum(squared))
    if error == 0:
        return MeanDifference(difference=apart, low=apart, high=apart)
    from scipy.stats import t as student  # type: ignore[import-untyped]

    df = sum(squared) ** 2 / sum(part**2 / (n - 1) for part, (_, n) in zip(squared, parts, strict=True) if part)
    half = float(student.ppf(0.5 + LEVEL / 2, df)) * error
    return MeanDifference(
        difference=apart, low=apart - half, high=apart + half, t=apart / error, df=df,
        p=float(2 * student.sf(abs(apart) / error, df)), g=_size(sides, apart),
    )  # fmt: skip


def _twice(shares: Iterable[float]) -> list[float]:
    return [share for share in shares for _ in range(2)]


def _spread(numbers: Sequence[float]) -> float:
    middle = _mean(numbers)
    return sum((x - middle) ** 2 for x in numbers) / (len(numbers) - 1)


def _size(sides: Sequence[tuple[Sequence[float], Sequence[float]]], apart: float) -> float | None:
    """Hedges' g of the difference, in the standard deviation within cells; its interval is not told."""
    cells = [numbers for pair in sides for numbers in pair]
    df = sum(map(len, cells)) - len(cells)
    within = sum((len(numbers) - 1) * _spread(numbers) for numbers in cells) / df
    return small_sample(df) * apart / sqrt(within) if within else None


def excluded_by(cases: Iterable[Case]) -> Mapping[str, int]:
    """How many cases do not count, by the reason; those without an outcome under their own."""
    found: dict[str, int] = defaultdict(int)
    for case in cases:
        if not case.counts:
            found[case.excluded or "no outcome"] += 1
    return dict(found)
