"""What is compared over a table of cases: versions, people with models, styles; like with like. Pure; slow at first.

Everything is a comparison of two groups of cells within strata (`scenes.contrasts`). Subjects are never added up:

- *versions*: the contrasts of the scene's file, within the styles of one subject. People are a family, each model is
  one.
- models together, from three on: one difference a model (`nested`); and, from two on, these models alone, supposing the
  same effect in each: models as strata.
- *subjects*: people against each model in each of its styles, within versions.
- *styles*: each two styles of one subject, within versions.

Within a family p values are Holm's. Every test is two-sided, whatever was expected; where the file expects `same`, p is
that of two one-sided tests at its margin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Literal

from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.cases import MODELS, Case, CellTable, Key, Sample
from elenchus.debate_engine.protocols.rulegen.study.means import (
    MeanDifference,
    Variance,
    analysis_of_variance,
    are_few,
    equivalent_means,
    means_apart,
)
from elenchus.debate_engine.protocols.rulegen.study.nested import (
    ByModel,
    Mixed,
    by_model,
    equivalent_by_model,
    mixed_model,
)
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.debate_engine.protocols.rulegen.study.shares import (
    Difference,
    equivalent_shares,
    same_shares,
    shares_apart,
)
from elenchus.debate_engine.protocols.rulegen.study.statistics import Equivalence, holm
from elenchus.debate_engine.scenes.contrasts import Contrast, strata_of

PEOPLE_AND_MODELS = "people and models"
THESE = "these models"
"""Whoever was played, supposing the same effect in each: nothing is said of other models."""


class Compared(FrozenModel):
    """Two groups, within `strata` strata of one subject: `n` counted cases each, and how they differ.

    `shares` for an outcome of yes or no (`in_points`), `means` for a number, `by_model` for one difference a model;
    `equivalent` where the file claims that they do not differ. `adjusted` is p after Holm's correction in its family.
    `why` says in one sentence what keeps it from being compared, `confounded` what else differs between the two groups.
    `pairs` are the cells that were looked at, stratum by stratum, also those in which nobody counts.
    """

    over: Literal["versions", "subjects", "styles"]
    contrast: Contrast
    subject: str
    n: tuple[int, int] = (0, 0)
    strata: int = 0
    shares: Difference | None = None
    means: MeanDifference | None = None
    by_model: ByModel | None = None
    mixed: Mixed | None = None
    equivalent: Equivalence | None = None
    adjusted: float | None = None
    why: str = ""
    in_points: bool = False
    confounded: tuple[str, ...] = ()
    pairs: tuple[tuple[Key, Key], ...] = Field((), exclude=True)

    @property
    def found(self) -> Difference | MeanDifference | ByModel | None:
        """The difference, however it was taken."""
        return next((one for one in (self.shares, self.means, self.by_model) if one is not None), None)

    @property
    def p(self) -> float | None:
        """The p value of what is claimed: a difference, or none."""
        if self.contrast.expect == "same":
            return self.equivalent.p if self.equivalent else None
        return self.found.p if self.found else None

    @property
    def as_expected(self) -> bool | None:
        """Whether the difference has the expected direction; None where none was expected, or nothing differs."""
        apart = self.found.difference if self.found else None
        if not apart or self.contrast.expect not in ("greater", "less"):
            return None
        return (apart > 0) == (self.contrast.expect == "greater")


class Arms(FrozenModel):
    """Whether anything differs over all `versions` of one subject and style: `p` for shares, `variance` for numbers."""

    subject: str
    style: str
    versions: int
    p: float | None = None
    variance: Variance | None = None


def compared(cases: Sequence[Case], contrasts: Sequence[Contrast], versions: Sequence[str]) -> tuple[Compared, ...]:
    """Everything that is compared, family by family."""
    table = CellTable(cases, versions)
    models = [name for name in table.subjects if name != PEOPLE]
    families = [[_of_versions(table, contrast, (name,), name) for contrast in contrasts] for name in table.subjects]
    if len(models) > 1:
        families.append([_of_versions(table, contrast, models, THESE) for contrast in contrasts])
    if len(models) > 2:
        families.append([_by_model(table, contrast, models) for contrast in contrasts])
    if PEOPLE in table.subjects:
        families.append([_people_against(table, model, style) for model in models for style in table.styles(model)])
    families += [_of_styles(table, name) for name in table.subjects]
    return tuple(one for family in families for one in _corrected(family))


def _corrected(family: Sequence[Compared]) -> list[Compared]:
    adjusted = holm([one.p for one in family])
    return [one.model_copy(update={"adjusted": p}) for one, p in zip(family, adjusted, strict=True)]


# ── which cells ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _of_versions(table: CellTable, contrast: Contrast, subjects: Sequence[str], name: str) -> Compared:
    pairs = [pair for subject in subjects for pair in _strata(table, contrast, subject)]
    return _compared(table, Compared(over="versions", contrast=contrast, subject=name), pairs)


def _strata(table: CellTable, contrast: Contrast, subject: str) -> list[tuple[Key, Key]]:
    return [
        ((subject, style, one), (subject, style, other))
        for style in table.styles(subject)
        for one, other in strata_of(contrast, table.versions)
    ]


def _people_against(table: CellTable, model: str, style: str) -> Compared:
    (own, *_) = table.styles(PEOPLE)
    pairs = [((PEOPLE, own, version), (model, style, version)) for version in table.versions]
    compare = f"{PEOPLE} - {model}{f' ({style})' if style else ''}"
    return _compared(
        table, Compared(over="subjects", contrast=Contrast(compare=compare), subject=PEOPLE_AND_MODELS), pairs
    )


def _of_styles(table: CellTable, subject: str) -> list[Compared]:
    found = []
    for one, other in combinations(table.styles(subject), 2):
        pairs = [((subject, one, version), (subject, other, version)) for version in table.versions]
        contrast = Contrast(compare=f"{one or 'no style'} - {other or 'no style'}")
        found.append(_compared(table, Compared(over="styles", contrast=contrast, subject=subject), pairs))
    return found


def _by_model(table: CellTable, contrast: Contrast, models: Sequence[str]) -> Compared:
    """One difference a model, its strata with equal weight; a model that lacks a version of them is left out."""
    means: dict[str, tuple[list[float], list[float]]] = {}
    raw: dict[str, tuple[list[float], list[float]]] = {}
    n, strata = [0, 0], 0
    for model in models:
        sides = [tuple(table.of(key) for key in pair) for pair in _strata(table, contrast, model)]
        if sides and all(sample.n for pair in sides for sample in pair):
            ones, others = [[sample.numbers for sample in side] for side in zip(*sides, strict=True)]
            means[model] = ([_mean(numbers) for numbers in ones], [_mean(numbers) for numbers in others])
            n = [n[k] + sum(pair[k].n for pair in sides) for k in (0, 1)]
            strata = max(strata, len(sides))
            if len(sides) == 1:
                raw[model] = (ones[0], others[0])
    margin = contrast.margin if _claims_none(contrast) else None
    found = Compared(
        over="versions", contrast=contrast, subject=MODELS, n=(n[0], n[1]), strata=strata, by_model=by_model(means),
        in_points=table.has_shares,
        pairs=tuple(pair for model in models for pair in _strata(table, contrast, model)),
        mixed=None if table.has_shares else mixed_model(raw),
        equivalent=equivalent_by_model(means, margin) if margin else None,
    )  # fmt: skip
    return found if found.p is not None else found.model_copy(update={"why": _FEW})


_FEW = "fewer than three models played what is compared, or all differ by the same"


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


# ── how they differ ──────────────────────────────────────────────────────────────────────────────────────────────────


def _claims_none(contrast: Contrast) -> bool:
    return contrast.expect == "same"


def _compared(table: CellTable, of: Compared, pairs: Sequence[tuple[Key, Key]]) -> Compared:
    filled = [pair for pair in pairs if all(table.of(key).n for key in pair)]
    n = [sum(table.of(pair[k]).n for pair in pairs) for k in (0, 1)]
    found = of.model_copy(
        update={
            "n": (n[0], n[1]),
            "strata": len(filled),
            "in_points": table.has_shares,
            "pairs": tuple(pairs),
            "confounded": _confounded(table, filled, of.over),
        }
    )
    if not filled:
        return found.model_copy(update={"why": _nobody(of, n)})
    samples = [(table.of(one), table.of(other)) for one, other in filled]
    return _of_shares(found, samples) if table.has_shares else _of_numbers(found, samples)


def _nobody(of: Compared, n: Sequence[int]) -> str:
    missing = [side for side, count in zip((of.contrast.one, of.contrast.other), n, strict=True) if not count]
    return f"nobody counts in {' and '.join(missing)}" if missing else "no stratum has both"


Samples = Sequence[tuple[Sample, Sample]]


def _of_shares(found: Compared, samples: Samples) -> Compared:
    pairs = [(one.share, other.share) for one, other in samples]
    apart, margin = shares_apart(pairs), found.contrast.margin
    if all(one.k == other.k == 0 or (one.k == one.n and other.k == other.n) for one, other in pairs):
        apart = apart.model_copy(update={"p": None})
        found = found.model_copy(update={"why": "all say the same: there is nothing to be told apart"})
    update: dict[str, object] = {"shares": apart}
    if _claims_none(found.contrast):
        if margin is None or margin >= 1:
            update["why"] = "any two shares lie within a margin of 1: nothing is claimed"
        else:
            update["equivalent"] = equivalent_shares(pairs, margin)
    return found.model_copy(update=update)


def _of_numbers(found: Compared, samples: Samples) -> Compared:
    numbers = [(one.numbers, other.numbers) for one, other in samples]
    enough = [pair for pair in numbers if min(map(len, pair)) > 1]
    means = means_apart(enough)
    update: dict[str, object] = {"means": means, "strata": len(enough)}
    if not enough:
        update["why"] = "a mean of one number has no spread: two on each side are needed"
    elif means.t is None:
        update["why"] = "no number varies: there is no spread to measure a difference by"
    elif _claims_none(found.contrast) and are_few(enough):
        update["why"] = "fewer than five on a side are too few to claim that nothing differs"
    if _claims_none(found.contrast) and found.contrast.margin is not None:
        update["equivalent"] = equivalent_means(enough, found.contrast.margin)
    return found.model_copy(update=update)


def arms_of(cases: Sequence[Case], versions: Sequence[str]) -> tuple[Arms, ...]:
    """Of each subject and style that played three versions or more."""
    table, found = CellTable(cases, versions), []
    for subject in table.subjects:
        for style in table.styles(subject):
            samples = [sample for version in versions if (sample := table.of((subject, style, version))).n]
            if len(samples) < 3:
                continue
            arms = Arms(subject=subject, style=style, versions=len(samples))
            tested: dict[str, object] = (
                {"p": same_shares([sample.share for sample in samples])}
                if table.has_shares
                else {"variance": analysis_of_variance([sample.numbers for sample in samples])}
            )
            found.append(arms.model_copy(update=tested))
    return tuple(found)


def _confounded(table: CellTable, pairs: Sequence[tuple[Key, Key]], over: str) -> tuple[str, ...]:
    """The settings whose values were not taken equally often (in shares) by the two groups of a stratum.

    People have no temperature and no system agent beside them: with models only seats that both have are compared.
    """
    found: dict[str, None] = {}
    for pair in pairs:
        sides = [[dict(case.settings) for case in table.by_cell[key]] for key in pair]
        names = [dict.fromkeys(name for settings in side for name in settings) for side in sides]
        both = [*dict.fromkeys([*names[0], *names[1]])]
        if over == "subjects":
            both = [name for name in both if name in names[0] and name in names[1] and name != "temperature"]
        found |= dict.fromkeys(name for name in both if len({_shares(name, side) for side in sides}) > 1)
    return tuple(found)


def _shares(name: str, side: Sequence[dict[str, str]]) -> frozenset[tuple[str, Fraction]]:
    taken: Counter[str] = Counter(settings.get(name, "") for settings in side)
    return frozenset((value, Fraction(times, len(side))) for value, times in taken.items())
