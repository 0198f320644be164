"""The figures of a results file: authenticity and rationality as the released scorer takes them, and others beside.

Authenticity of an iteration is one unweighted κ over all its answers; rationality is their mean. What nobody has rated
(−1) is left out and counted; an iteration without data has no figure, and the average is over those of iterations 1 to
10 that have one. The released scorer takes −1 for a rating, and divides by ten whatever there is: where nothing is
missing, the figures are the same to the last digit.

Intervals are of 95 %, from a seeded bootstrap over topics and, crosswise, profiles, each with all its iterations (see
`bootstrap`). Pure; a second for the release's size.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from elenchus.debate_engine.events import FrozenModel
from elenchus.detectors.evaluation.cogbench import measures
from elenchus.detectors.evaluation.cogbench.bootstrap import Cluster, crosswise, estimate, nan_mean
from elenchus.detectors.evaluation.cogbench.measures import Figure
from elenchus.detectors.evaluation.cogbench.results import Answer
from elenchus.detectors.evaluation.cogbench.shapes import SCALE
from elenchus.detectors.evaluation.intervals import RESAMPLES, Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

AVERAGED = range(1, 11)
"""The iterations that an average is over: 0 is asked before anything was read."""


class FigureByIteration(FrozenModel):
    """A figure by iteration; None where it is not defined, and `undefined` says why.

    `average` is over `averaged` iterations, those from 1 to 10 that have a value. `left_out`: answers in no figure.
    """

    average: float | None
    averaged: int
    fifth: float | None
    tenth: float | None
    by_iteration: Mapping[int, float | None]
    undefined: Mapping[int, str] = {}
    left_out: int = 0


class AdditionalFigure(FrozenModel):
    """A figure that the released scorer does not take: its average, fifth and tenth with intervals, and all values."""

    average: Estimate
    fifth: Estimate
    tenth: Estimate
    by_iteration: Mapping[int, float | None]


class PaperFormula(FrozenModel):
    """The paper's formula: a κ a question over who answered it, and the mean of these.

    Of `questions` (a topic's, in one iteration) `defined` have a κ: with a single profile a question none can have.
    """

    average: float | None
    averaged: int
    by_iteration: Mapping[int, float | None]
    questions: int
    defined: int


class Score(FrozenModel):
    """One method's figures. `left_out`: answers in no κ, as people or the method have not rated them.

    `judges`: how many of the reasons were rated by which model, and not by people.

    `beside`: `authenticity` and `rationality` again, with intervals; `quadratic_kappa`, `spearman`,
    `mean_absolute_error`. What was resampled: `topics` and `profiles`, of which there are `clusters` pairs.
    """

    method: str
    answers: int
    left_out: int
    authenticity: FigureByIteration
    rationality: FigureByIteration
    judges: Mapping[str, int] = {}
    beside: Mapping[str, AdditionalFigure]
    paper_formula: PaperFormula
    clusters: int
    topics: int
    profiles: int
    resamples: int = RESAMPLES
    seed: int = 0

    @property
    def document(self) -> dict[str, Any]:
        """As JSON: the three parts of the released scorer first."""
        first = ("authenticity", "rationality", "left_out")
        whole = self.model_dump(mode="json")
        return {name: whole[name] for name in first} | {n: part for n, part in whole.items() if n not in first}


def score(method: str, answers: Sequence[Answer], seed: int = 0) -> Score:
    """All figures of a method."""
    rated = [answer for answer in answers if answer.human is not None and answer.rating is not None]
    reasoned = [answer for answer in answers if answer.rationality is not None]
    iterations = iterations_of(answers)
    tables = Tables.of(answers, iterations)
    return Score(
        method=method,
        answers=len(answers),
        left_out=len(answers) - len(rated),
        authenticity=by_iteration(iterations, rated, _kappa, len(answers) - len(rated)),
        rationality=by_iteration(iterations, reasoned, _mean_rationality, len(answers) - len(reasoned)),
        judges=Counter(answer.judge for answer in reasoned if answer.judge),
        beside={name: with_intervals(iterations, *of) for name, of in tables.figures(seed).items()},
        paper_formula=paper_formula(iterations, rated),
        clusters=len(tables.clusters),
        topics=len({topic for topic, _ in tables.clusters}),
        profiles=len({profile for _, profile in tables.clusters}),
        seed=seed,
    )


# ── as the released scorer takes them ────────────────────────────────────────────────────────────────────────────────


def by_iteration(
    iterations: Sequence[int], answers: Sequence[Answer], figure: Callable[[Sequence[Answer]], Figure], left_out: int
) -> FigureByIteration:
    """A figure of each iteration's answers, and what is made of them."""
    of = _grouped(answers)
    found = {iteration: figure(of[iteration]) for iteration in iterations}
    values = {iteration: one.value for iteration, one in found.items()}
    average, averaged = _average(values)
    return FigureByIteration(
        average=average,
        averaged=averaged,
        fifth=values[5],
        tenth=values[10],
        by_iteration=values,
        undefined={iteration: one.reason for iteration, one in found.items() if one.value is None},
        left_out=left_out,
    )


def _kappa(answers: Sequence[Answer]) -> Figure:
    return measures.cohen(_pairs(answers))


def _mean_rationality(answers: Sequence[Answer]) -> Figure:
    given = [answer.rationality for answer in answers if answer.rationality is not None]
    return Figure(sum(given) / len(given)) if given else Figure(None, "nothing was rated")


def paper_formula(iterations: Sequence[int], rated: Sequence[Answer]) -> PaperFormula:
    """By iteration the mean over questions of κ over the profiles, where a question has one."""
    of, questions, defined = _grouped(rated), 0, 0
    values: dict[int, float | None] = {}
    for iteration in iterations:
        by_question: dict[tuple[str, str], list[Answer]] = defaultdict(list)
        for answer in of[iteration]:
            by_question[answer.topic, answer.question].append(answer)
        kappas = [k for group in by_question.values() if len(group) > 1 and (k := _kappa(group).value) is not None]
        questions, defined = questions + len(by_question), defined + len(kappas)
        values[iteration] = sum(kappas) / len(kappas) if kappas else None
    average, averaged = _average(values)
    return PaperFormula(
        average=average, averaged=averaged, by_iteration=values, questions=questions, defined=defined
    )  # fmt: skip


def _average(values: Mapping[int, float | None]) -> tuple[float | None, int]:
    """The mean over iterations 1 to 10 that have a value, and how many these are."""
    there = [value for iteration in AVERAGED if (value := values.get(iteration)) is not None]
    return (sum(there) / len(there) if there else None), len(there)


def _pairs(answers: Sequence[Answer]) -> list[measures.Pair]:
    return [(a.human, a.rating) for a in answers if a.human is not None and a.rating is not None]


def _grouped(answers: Sequence[Answer]) -> defaultdict[int, list[Answer]]:
    found: defaultdict[int, list[Answer]] = defaultdict(list)
    for answer in answers:
        found[answer.iteration].append(answer)
    return found


# ── beside them, with intervals ──────────────────────────────────────────────────────────────────────────────────────


class Tables(NamedTuple):
    """What was answered, by cluster and iteration: `ratings` [cluster, iteration, 5, 5] counts pairs of ratings,
    `reasons` [cluster, iteration, 2] has the sum and the number of the reasons' ratings.
    """

    iterations: Sequence[int]
    clusters: Sequence[Cluster]
    ratings: Array
    reasons: Array

    @classmethod
    def of(cls, answers: Sequence[Answer], iterations: Sequence[int]) -> Tables:
        """The tables of answers, whose clusters come in the order of the answers."""
        import numpy as np

        clusters = {cluster: n for n, cluster in enumerate(dict.fromkeys(answer.cluster for answer in answers))}
        places = {iteration: n for n, iteration in enumerate(iterations)}
        ratings = np.zeros((len(clusters), len(iterations), len(SCALE), len(SCALE)))
        reasons = np.zeros((len(clusters), len(iterations), 2))
        for answer in answers:
            at = clusters[answer.cluster], places[answer.iteration]
            if answer.human is not None and answer.rating is not None:
                ratings[(*at, answer.human - 1, answer.rating - 1)] += 1
            if answer.rationality is not None:
                reasons[at] += answer.rationality, 1
        return cls(iterations, list(clusters), ratings, reasons)

    def figures(self, seed: int) -> dict[str, tuple[Array, Array]]:
        """Every figure by iteration, and again in every resample, [resample, iteration]; NaN where it is not defined.

        All come from the same resamples, and so do those of other tables with these clusters.
        """
        ratings, reasons = (crosswise(sums, self.clusters, seed) for sums in (self.ratings, self.reasons))
        whole = self.ratings.sum(0)
        found = {name: (figure(whole), figure(ratings)) for name, figure in measures.FIGURES.items()}
        rationality = _mean_of(self.reasons.sum(0)), _mean_of(reasons)
        return {"authenticity": found.pop("kappa"), "rationality": rationality, **found}


def iterations_of(answers: Iterable[Answer]) -> list[int]:
    """Those that are averaged, and whatever others there are."""
    return sorted({*range(AVERAGED[-1] + 1), *(answer.iteration for answer in answers)})


def with_intervals(iterations: Sequence[int], values: Array, again: Array) -> AdditionalFigure:
    """`values` [iteration], `again` [resample, iteration]."""
    import numpy as np

    at = {iteration: n for n, iteration in enumerate(iterations)}
    averaged = [at[iteration] for iteration in AVERAGED]
    return AdditionalFigure(
        average=estimate(nan_mean(values[averaged]), nan_mean(again[:, averaged])),
        fifth=estimate(values[at[5]], again[:, at[5]]),
        tenth=estimate(values[at[10]], again[:, at[10]]),
        by_iteration={i: None if np.isnan(v) else float(v) for i, v in zip(iterations, values, strict=True)},
    )


def _mean_of(reasons: Array) -> Array:
    """The means of [.., 2] sums and numbers; NaN for nothing."""
    import numpy as np

    with np.errstate(invalid="ignore"):
        return reasons[..., 0] / reasons[..., 1]
