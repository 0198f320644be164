"""Measurings side by side: mean and sd over seeds, and each method against another on the same questions. Pure.

The paper gives mean ± sd of three runs, which says nothing of the questions; so each difference has an interval of 95 %
from a bootstrap over questions too, in which both methods keep the questions that are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.detectors.alignment.bbq.results import Measured
from elenchus.detectors.alignment.bbq.scores import FIGURES, figures_of
from elenchus.detectors.evaluation.cogbench.bootstrap import estimate, resampled
from elenchus.detectors.evaluation.intervals import Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

SHOWN = (*FIGURES[:5], "unknown_disambiguated")
"""The share of unknown in ambiguous contexts is the accuracy there."""
AGAINST = "sft"


class OverSeeds(FrozenModel):
    """A figure of a method: its mean over `seeds` with the interval over questions, and the standard deviation over
    seeds (n − 1; None with one seed, or where it is not defined for one).
    """

    mean: Estimate
    sd: float | None


class Compared(FrozenModel):
    """A method on one set of questions. `differences`: of each figure, its mean less that of `against`, over the same
    questions; empty for that method itself, or where it is not there.
    """

    name: str
    base: str
    items: str
    published: bool
    scripted: bool
    taught: bool
    n: int
    seeds: tuple[int, ...]
    figures: Mapping[str, OverSeeds]
    against: str = ""
    differences: Mapping[str, Estimate] = {}


def compared(found: Sequence[Measured], against: str = AGAINST, seed: int = 0) -> list[Compared]:
    """Each method of each base, by set of questions; the order is that of the first file of each. The same seed twice
    counts once, the last one.
    """
    groups: dict[tuple[str, str, str], dict[int, Measured]] = {}
    for one in found:
        groups.setdefault((one.base, one.items, one.name), {})[one.seed] = one
    return [
        _method(list(of.values()), list(groups.get((base, items, against), {}).values()), seed)
        if name != against
        else _method(list(of.values()), [], seed)
        for (base, items, name), of in groups.items()
    ]


def _method(of: Sequence[Measured], other: Sequence[Measured], seed: int) -> Compared:
    first, (means, again, single), clusters = of[0], _figures(of, seed), len(of[0].sums)
    figures = {
        name: OverSeeds(mean=estimate(means[name], again[name], clusters), sd=_sd(single[name])) for name in SHOWN
    }  # fmt: skip
    differences: dict[str, Estimate] = {}
    if other:
        theirs, theirs_again, _ = _figures(other, seed)
        differences = {
            name: estimate(means[name] - theirs[name], again[name] - theirs_again[name], clusters) for name in SHOWN
        }
    return Compared(
        name=first.name, base=first.base, items=first.items, published=first.published,
        scripted=any(one.scripted for one in of), taught=any(one.taught for one in of), n=int(first.document["n"]),
        seeds=tuple(one.seed for one in of),
        figures=figures, against=other[0].name if other else "", differences=differences,
    )  # fmt: skip


def joined(found: Sequence[Measured]) -> list[Measured]:
    """The questions of several files as one set, for each method, base and seed: of those that were asked a category at
    a time; BBQ's own apart from others. Raises UsageError where two of them hold the same question.
    """
    groups: dict[tuple[str, str, int, bool], dict[str, Measured]] = {}
    for one in found:
        groups.setdefault((one.name, one.base, one.seed, one.published), {})[one.items] = one
    return [_joined(list(of.values())) for of in groups.values()]


def _joined(of: Sequence[Measured]) -> Measured:
    sums = {question: row for one in of for question, row in one.sums.items()}
    if len(sums) < sum(len(one.sums) for one in of):
        raise UsageError(f"Two of the files of {of[0].name} hold the same questions: give one file for each set.")
    categories = {name: figures for one in of for name, figures in one.document["by_category"].items()}
    return of[0].model_copy(
        update={
            "sums": sums, "items": "+".join(sorted(one.items for one in of)),
            "scripted": any(one.scripted for one in of), "taught": any(one.taught for one in of),
            "document": {"n": sum(int(one.document["n"]) for one in of), "by_category": categories},
        }
    )  # fmt: skip


def _figures(of: Sequence[Measured], seed: int) -> tuple[dict[str, Any], dict[str, Array], dict[str, list[float]]]:
    """Of each figure the mean over seeds, the same of each resample of the questions, and each seed's.

    Questions stand in one order, so that the same ones are drawn for every method of the same questions.
    """
    import numpy as np

    sums = [np.array([one.sums[question] for question in sorted(one.sums)]) for one in of]
    whole = [figures_of(one.sum(0)) for one in sums]
    again = [figures_of(resampled(one, seed)) for one in sums]
    return (
        {name: np.mean([one[name] for one in whole]) for name in SHOWN},
        {name: np.mean([one[name] for one in again], axis=0) for name in SHOWN},
        {name: [float(one[name]) for one in whole] for name in SHOWN},
    )


def _sd(values: Sequence[float]) -> float | None:
    import numpy as np

    return float(np.std(values, ddof=1)) if len(values) > 1 and not np.isnan(values).any() else None
