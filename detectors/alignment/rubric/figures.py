"""From ratings to figures: CE, LS and BS of each method by type of bias, and how far those who rated agree. Pure.

As in the paper a mean is told from 0 to 100. Of several who rated, their mean counts for an answer. Intervals of 95 %
come from topics, as answers on one topic hang together, under whatever type of bias.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from elenchus.config.bias_type_catalogue import subject_of
from elenchus.debate_engine.events import FrozenModel
from elenchus.detectors.alignment.rubric.answers import Answer
from elenchus.detectors.alignment.rubric.rating import MEASURES, Measure, Rating
from elenchus.detectors.evaluation.cogbench.bootstrap import estimate, resampled
from elenchus.detectors.evaluation.cogbench.raters import fleiss, fleiss_sums
from elenchus.detectors.evaluation.intervals import Estimate

SCALE = tuple(range(11))
BANDS = (0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2)
"""0 to 3, 4 to 6, 7 to 10: little, some, much."""


class Figure(FrozenModel):
    """A measure of a method (0 to 100), over `n` answers; `bias` "" for all types."""

    name: str
    bias: str
    measure: Measure
    mean: Estimate
    n: int


class RubricAgreement(FrozenModel):
    """Fleiss' κ of a measure over the `items` that all `raters` have rated: by the eleven steps, and by three bands."""

    measure: Measure
    raters: int
    items: int
    kappa: Estimate
    bands: Estimate


class RatedReport(FrozenModel):
    """What came of rating. `by` says who rated: judges by name, or so many people. `gates`: of each judge whether it
    has passed the judge gate, None where nobody tried. `unread`: scores that are missing, of those who have given any
    score of this measure (a linear judge gives none but of bias). `simulated`: see `lineage.simulated_in`.
    """

    kind: str = "rldf-rated"
    by: tuple[str, ...]
    people: bool
    gates: Mapping[str, bool | None]
    figures: tuple[Figure, ...]
    agreement: tuple[RubricAgreement, ...]
    unread: int
    simulated: Mapping[str, str] = {}

    def named(self, name: str) -> str:
        """A method, with what spoke or taught where that was a script."""
        return f"{name} ({self.simulated[name]})" if name in self.simulated else name


def rated_report(
    answers: Sequence[Answer], by: Mapping[str, Sequence[Rating]], *, people: bool, gates: Mapping[str, bool | None],
    seed: int = 0, simulated: Mapping[str, str] = {},
) -> RatedReport:  # fmt: skip
    """All figures. `by`: who rated, with their ratings."""
    scores = {
        measure: {one.id: _scores(one.id, by, measure) for one in answers} for measure in MEASURES
    }  # fmt: skip
    groups = [(name, "") for name in dict.fromkeys(one.name for one in answers)]
    groups += list(dict.fromkeys((one.name, one.bias) for one in answers))
    figures = [
        _figure([one for one in answers if one.name == name and bias in ("", one.bias)], name, bias, measure, of, seed)
        for name, bias in groups
        for measure, of in scores.items()
    ]
    return RatedReport(
        by=tuple(by), people=people, gates=gates, simulated=simulated, figures=tuple(one for one in figures if one.n),
        agreement=tuple(_agreement(answers, measure, of, seed) for measure, of in scores.items() if len(by) > 1),
        unread=sum(column.count(None) for of in scores.values() for column in zip(*of.values(), strict=True)
                   if any(score is not None for score in column)),
    )  # fmt: skip


def _scores(answer: str, by: Mapping[str, Sequence[Rating]], measure: Measure) -> tuple[int | None, ...]:
    """What each who rated says of an answer."""
    return tuple(next((getattr(one, measure) for one in of if one.id == answer), None) for of in by.values())


def _figure(
    answers: Sequence[Answer], name: str, bias: str, measure: Measure, scores: Mapping[str, Sequence[int | None]],
    seed: int,
) -> Figure:  # fmt: skip
    import numpy as np

    clusters: dict[str, list[float]] = defaultdict(list)
    for one in answers:
        if known := [score for score in scores[one.id] if score is not None]:
            clusters[subject_of(one.topic)].append(10 * fmean(known))
    n = sum(map(len, clusters.values()))
    if not n:
        return Figure(name=name, bias=bias, measure=measure, mean=Estimate(value=None), n=0)
    sums = np.array([(sum(of), len(of)) for of in clusters.values()], dtype=float)
    again = resampled(sums, seed)
    whole = sums.sum(0)
    mean = estimate(whole[0] / whole[1], again[:, 0] / again[:, 1], len(sums))
    return Figure(name=name, bias=bias, measure=measure, mean=mean, n=n)


def _agreement(
    answers: Sequence[Answer], measure: Measure, scores: Mapping[str, Sequence[int | None]], seed: int
) -> RubricAgreement:
    clusters: dict[str, list[tuple[int | None, ...]]] = defaultdict(list)
    for one in answers:
        clusters[subject_of(one.topic)].append(tuple(scores[one.id]))
    rows = [row for of in clusters.values() for row in of]
    bands = [
        [tuple(None if score is None else BANDS[score] for score in row) for row in of] for of in clusters.values()
    ]
    return RubricAgreement(
        measure=measure, raters=len(rows[0]), items=sum(None not in row for row in rows),
        kappa=_kappa(list(clusters.values()), SCALE, seed), bands=_kappa(bands, (0, 1, 2), seed),
    )  # fmt: skip


def _kappa(clusters: Sequence[Sequence[tuple[int | None, ...]]], scale: Sequence[int], seed: int) -> Estimate:
    import numpy as np

    sums: Any = np.stack([fleiss_sums(of, scale) for of in clusters])
    return estimate(fleiss(sums.sum(0)), fleiss(resampled(sums, seed)), len(sums))
