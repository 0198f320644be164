"""What is compared over a table of cases: versions, people with models, styles; like with like. Pure; slow at first.

Everything is a comparison of groups of subjects within strata (`scenes.contrasts`): of two groups, of one with itself
at two levels that it met, or of four (an interaction). Subjects are never added up:

- *versions*: the contrasts of the scene's file, within the styles of one subject. People are a family, each model is
  one.
- models together, from three on: one difference a model (`mixed_models`); and, from two on, these models alone,
  supposing the same effect in each: models as strata.
- *subjects*: people against each model in each of its styles, within versions.
- *styles*: each two styles of one subject, within versions.

Within a family p values are Holm's. Every test is two-sided, whatever was expected; where the file expects `same`, p is
that of two one-sided tests at its margin.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Literal

from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study import differences
from elenchus.debate_engine.protocols.rulegen.study.cases import MODELS, Case, CellTable, Key, Sample
from elenchus.debate_engine.protocols.rulegen.study.confounding import confounded
from elenchus.debate_engine.protocols.rulegen.study.means import MeanDifference
from elenchus.debate_engine.protocols.rulegen.study.mixed_models import (
    ByModel,
    MixedModelFit,
    by_differences,
    equivalent_by_model,
    mixed_model,
)
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.debate_engine.protocols.rulegen.study.paired import OrderCheck
from elenchus.debate_engine.protocols.rulegen.study.shares import Difference
from elenchus.debate_engine.protocols.rulegen.study.statistics import Equivalence, holm
from elenchus.debate_engine.scenes.contrasts import Contrast, Group, Kind, kind_of, strata_of
from elenchus.debate_engine.scenes.design import Design

PEOPLE_AND_MODELS = "people and models"
THESE = "these models"
"""Whoever was played, supposing the same effect in each: nothing is said of other models."""


Over = Literal["versions", "pooled", "strata", "subjects", "styles"]
"""What is compared: versions, over all or (`by_strata`) pooled over the plan's strata and in each; subjects; styles."""


class Compared(FrozenModel):
    """Groups, within `strata` strata of one subject: `n` counted cases each, and how they differ. `worth`: so many
    independent observations they are worth, rounded down.

    `kind` says who is compared with whom. `shares` for an outcome of yes or no, `means` for a number, `by_model` for
    one difference a model; `in_points`: what came out is yes or no. `equivalent` where the file claims that they do not
    differ. `changed` and `order`: of subjects with themselves, who answered differently, and by what was met first.
    `adjusted` is p after Holm's correction in its family. `why` says in one sentence what keeps it from being compared,
    or who is left out, `confounded` what else differs between the groups. `stratum` is that of the plan in which it is.
    `keys` are the groups that were looked at, stratum by stratum, also those in which nobody counts.
    """

    over: Over
    contrast: Contrast
    subject: str
    kind: Kind = "between"
    n: tuple[int, ...] = (0, 0)
    worth: tuple[int, ...] = (0, 0)
    strata: int = 0
    shares: Difference | None = None
    means: MeanDifference | None = None
    by_model: ByModel | None = None
    mixed: MixedModelFit | None = None
    equivalent: Equivalence | None = None
    changed: tuple[float, float] | None = None
    order: OrderCheck | None = None
    adjusted: float | None = None
    why: str = ""
    stratum: str = ""
    in_points: bool = False
    confounded: tuple[str, ...] = ()
    keys: tuple[tuple[Key, ...], ...] = Field((), exclude=True)

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


def compared(cases: Sequence[Case], contrasts: Sequence[Contrast], design: Design) -> tuple[Compared, ...]:
    """Everything that is compared, family by family."""
    table = CellTable(cases, design)
    models = [name for name in table.subjects if name != PEOPLE]
    families = [[_of_versions(table, contrast, (name,), name) for contrast in contrasts] for name in table.subjects]
    if len(models) > 1:
        families.append([_of_versions(table, contrast, models, THESE) for contrast in contrasts])
    if len(models) > 2:
        families.append([_by_model(table, contrast, models) for contrast in contrasts])
    if PEOPLE in table.subjects:
        families.append(_people_against(table, models))
    families += [_of_styles(table, name) for name in table.subjects]
    return tuple(one for family in families for one in corrected(family))


def corrected(family: Sequence[Compared]) -> list[Compared]:
    """A family of comparisons with Holm's p."""
    adjusted = holm([one.p for one in family])
    return [one.model_copy(update={"adjusted": p}) for one, p in zip(family, adjusted, strict=True)]


# ── which groups ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _of_versions(table: CellTable, contrast: Contrast, subjects: Sequence[str], name: str) -> Compared:
    strata = [keys for subject in subjects for keys in groups_of(table, contrast, subject)]
    of = Compared(over="versions", contrast=contrast, subject=name, kind=kind_of(contrast, table.design))
    return compared_groups(table, of, strata)


def groups_of(table: CellTable, contrast: Contrast, subject: str) -> list[tuple[Key, ...]]:
    """What is compared of one subject, stratum by stratum."""
    return [
        tuple(Key(subject, style, group) for group in groups)
        for style in table.styles(subject)
        for groups in strata_of(contrast, table.design)
    ]


def whole_groups(design: Design) -> list[Group]:
    """Each group of subjects, with the mean of all that they meet."""
    return [Group(1, tuple((cell, 1 / len(cells)) for cell in cells)) for cells in design.groups.values()]


def _beside(design: Design, one: tuple[str, str], other: tuple[str, str]) -> list[tuple[Key, ...]]:
    return [(Key(*one, group), Key(*other, group._replace(sign=-1))) for group in whole_groups(design)]


def _people_against(table: CellTable, models: Sequence[str]) -> list[Compared]:
    """People in each of their styles against each model in each of its."""
    found = []
    for own, model in product(table.styles(PEOPLE), models):
        for style in table.styles(model):
            sides = [f"{name}{f' ({of})' if of else ''}" for name, of in ((PEOPLE, own), (model, style))]
            of = Compared(over="subjects", contrast=Contrast(compare=" - ".join(sides)), subject=PEOPLE_AND_MODELS)
            found.append(compared_groups(table, of, _beside(table.design, (PEOPLE, own), (model, style))))
    return found


def _of_styles(table: CellTable, subject: str) -> list[Compared]:
    found = []
    for one, other in combinations(table.styles(subject), 2):
        contrast = Contrast(compare=f"{one or 'no style'} - {other or 'no style'}")
        of = Compared(over="styles", contrast=contrast, subject=subject)
        found.append(compared_groups(table, of, _beside(table.design, (subject, one), (subject, other))))
    return found


def _by_model(table: CellTable, contrast: Contrast, models: Sequence[str]) -> Compared:
    """One difference a model, its strata with equal weight; a model that lacks a group of them is left out."""
    apart: list[float] = []
    raw: dict[str, tuple[list[float], list[float]]] = {}
    strata, complete = 0, list[tuple[Key, ...]]()
    for model in models:
        own = groups_of(table, contrast, model)
        sides = [[(key.group.sign, table.of(key).numbers) for key in keys] for keys in own]
        if sides and all(numbers for stratum in sides for _, numbers in stratum):
            complete += own
            apart.append(_mean([sum(sign * _mean(numbers) for sign, numbers in stratum) for stratum in sides]))
            strata = max(strata, len(sides))
            if len(sides) == 1 and len(sides[0]) == 2:
                raw[model] = (sides[0][0][1], sides[0][1][1])
    keys = tuple(keys for model in models for keys in groups_of(table, contrast, model))
    margin = contrast.margin if _claims_none(contrast) else None
    found = Compared(
        over="versions", contrast=contrast, subject=MODELS, kind=kind_of(contrast, table.design), strata=strata,
        n=_sizes(table, complete), by_model=by_differences(apart), in_points=table.has_shares, keys=keys,
        mixed=None if table.has_shares else mixed_model(raw),
        equivalent=equivalent_by_model(apart, margin) if margin else None,
    )  # fmt: skip
    return found if found.p is not None else found.model_copy(update={"why": _FEW})


_FEW = "fewer than three models played what is compared, or all differ by the same"


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _sizes(table: CellTable, strata: Sequence[Sequence[Key]]) -> tuple[int, ...]:
    """How many cases count on each side, over all strata."""
    sizes = [[len(table.cases_in(key)) for key in keys] for keys in strata]
    return tuple(map(sum, zip(*sizes, strict=True))) or (0, 0)


def _worth(table: CellTable, strata: Sequence[Sequence[Key]]) -> tuple[int, ...]:
    """How many independent observations there are on each side, over the strata that have both: effective numbers of
    shares, of all else one for what hangs together.
    """
    sizes = [[_independent(table, key, alone=len(keys) == 1) for key in keys] for keys in strata]
    return tuple(int(sum(side)) for side in zip(*sizes, strict=True)) or (0, 0)


def _independent(table: CellTable, key: Key, *, alone: bool) -> float:
    sample = table.of(key)
    plain = table.has_shares and not alone and len(key.group.cells) == 1
    return sample.share.effective if plain else len(sample.clusters)


# ── how they differ ──────────────────────────────────────────────────────────────────────────────────────────────────


def _claims_none(contrast: Contrast) -> bool:
    return contrast.expect == "same"


def compared_groups(table: CellTable, of: Compared, strata: Sequence[tuple[Key, ...]]) -> Compared:
    """A comparison with what was found in these groups."""
    filled = [keys for keys in strata if all(table.cases_in(key) for key in keys)]
    found = of.model_copy(
        update={
            "n": _sizes(table, strata),
            "worth": _worth(table, filled),
            "strata": len(filled),
            "in_points": table.has_shares,
            "keys": tuple(strata),
            "confounded": confounded([[table.cases_in(key) for key in keys] for keys in filled], of.over),
        }
    )
    if not filled:
        return found.model_copy(update={"why": _nobody(table, found)})
    differ = _found(table, filled, of.contrast.margin if _claims_none(of.contrast) else None)
    if of.kind == "within":
        order = differences.order_of(_within(table, filled), pairs=differ.shares is not None)
        differ = differ.model_copy(update={"order": order})
    return found.model_copy(
        update={name: getattr(differ, name) for name in differences.EstimatedDifference.model_fields}
    )


def _found(
    table: CellTable, strata: Sequence[tuple[Key, ...]], margin: float | None
) -> differences.EstimatedDifference:
    cells = [key.group.cells for keys in strata for key in keys]
    if len(strata[0]) == 1:
        pairs = table.has_shares and all(len(of) == 2 for of in cells)
        return (differences.of_pairs if pairs else differences.of_differences)(_within(table, strata), margin)
    samples: list[list[Sample]] = [[table.of(key) for key in keys] for keys in strata]
    plain = table.has_shares and all(len(of) == 1 for of in cells)
    return (differences.of_shares if plain else differences.of_numbers)(samples, margin)


def _within(table: CellTable, strata: Sequence[tuple[Key, ...]]) -> differences.Within:
    return [(key.group, table.cases_in(key)) for (key,) in strata]


NO_STRATUM = "no stratum has both"


def _nobody(table: CellTable, of: Compared) -> str:
    if len(of.n) == 1:
        return f"nobody who counts met both {of.contrast.one} and {of.contrast.other}"
    named: Sequence[str] = of.contrast.sides if len(of.n) == 4 else (of.contrast.one, of.contrast.other)
    if of.kind == "interaction mixed":
        named = ["/".join(table.design.group(key.group.cells[0][0])) for key in of.keys[0]]
    missing = [side for side, count in zip(named, of.n, strict=True) if not count]
    return f"nobody counts in {' and '.join(missing)}" if missing else NO_STRATUM
