"""Learners over seeds: each trains on one part of the debates and is then measured on the other.

Held-out debates choose nothing: a learner is given the training table and no more (`learn`), the weights that it keeps
are the most accurate there, and which seed's weights are exported is told by train accuracy too (`Row.best`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from elenchus.debate_engine.events import FrozenModel
from elenchus.detectors.decision.data import Debate, origin_in_words
from elenchus.detectors.decision.learning.objective import Floats, Objective, OnProgress, Table
from elenchus.detectors.decision.weights import built_in

Learner = Callable[[Objective, np.random.Generator, OnProgress], None]

BASELINE = "logistic"
NAMES = ("dqn-genetic", "genetic", "annealing", "ant-colony", BASELINE)
TRAIN_SHARE = 600 / 683
"""Of the debates: the paper trains on 600 of 683."""


class Run(FrozenModel):
    """One learner on one split. Accuracies are shares; `evaluations` counts weights tried on the training debates."""

    seed: int
    weights: tuple[float, float, float, float, float, float]
    train: float
    held_out: float
    evaluations: int = 0
    seconds: float = 0.0


class Mean(FrozenModel):
    """A mean over seeds and its 95 % interval (Student's t); no interval for one seed."""

    mean: float
    low: float | None = None
    high: float | None = None


class Row(FrozenModel):
    """A learner, or given weights (`given`), over all seeds."""

    name: str
    given: bool
    runs: tuple[Run, ...]

    @property
    def train(self) -> Mean:
        """Train accuracy."""
        return share_of([run.train for run in self.runs])

    @property
    def held_out(self) -> Mean:
        """Held-out accuracy."""
        return share_of([run.held_out for run in self.runs])

    @property
    def best(self) -> Run:
        """The run with the highest train accuracy, the first among equals."""
        return max(self.runs, key=lambda run: run.train)


class Report(FrozenModel):
    """What came of it. `data` says in words where the debates are from; `simulated` that some or all are not real."""

    data: str
    simulated: bool
    train: int
    held_out: int
    rows: tuple[Row, ...]
    verdict: str


def installed() -> tuple[str, ...]:
    """The learners that can run here: one needs torch."""
    return tuple(name for name in NAMES if name != "dqn-genetic" or find_spec("torch"))


def learner_of(name: str, *, published_reward: bool = False) -> Learner:
    """A learner by its name; torch is loaded for one alone. Raises KeyError, ImportError."""
    if name == "dqn-genetic":
        from elenchus.detectors.decision.learning import dqn

        return partial(dqn.dqn, how=dqn.Settings(published_reward=published_reward))
    from elenchus.detectors.decision.learning.searches import annealing, ant_colony, genetic, logistic

    return {"genetic": genetic, "annealing": annealing, "ant-colony": ant_colony, BASELINE: logistic}[name]


def learn(train: Table, learner: Learner, seed: int, on_progress: OnProgress) -> tuple[Objective, float]:
    """Train; the objective with the best weights, and the seconds it took. Raises Stopped."""
    objective, begun = Objective(train), time.perf_counter()
    learner(objective, np.random.default_rng(seed), on_progress)
    return objective, time.perf_counter() - begun


def compare(
    debates_of: Callable[[int], Sequence[Debate]],
    learners: Mapping[str, Learner],
    seeds: Sequence[int],
    tell: Callable[[str, int], OnProgress],
    given: Mapping[str, Floats] | None = None,
) -> Report:
    """All learners on the same splits, one a seed, beside given weights; blocks for seconds to minutes.

    `debates_of` gives a seed's debates, `tell` who is told of a learner and a seed. Raises ValueError where there are
    too few debates to split, Stopped.
    """
    runs: dict[str, list[Run]] = {name: [] for name in (*learners, *(given or {}))}
    debates: Sequence[Debate] = ()
    sizes = (0, 0)
    for seed in seeds:
        debates = debates_of(seed)
        train, held_out = map(Table.of, split(debates, seed))
        sizes = (len(train.first), len(held_out.first))
        for name, learner in learners.items():
            found, took = learn(train, learner, seed, tell(name, seed))
            runs[name].append(_run(seed, found.best, train, held_out, found.evaluations, took))
        for name, weights in (given or {}).items():
            runs[name].append(_run(seed, weights, train, held_out))
    rows = tuple(Row(name=name, given=name not in learners, runs=tuple(of)) for name, of in runs.items())
    return Report(
        data=origin_in_words(debates),
        simulated=any(debate.origin == "simulated" for debate in debates),
        train=sizes[0],
        held_out=sizes[1],
        rows=rows,
        verdict=verdict_on(rows),
    )


def _run(seed: int, weights: Floats, train: Table, held_out: Table, evaluations: int = 0, seconds: float = 0.0) -> Run:
    values: Any = tuple(float(weight) for weight in weights)
    return Run(
        seed=seed,
        weights=values,
        train=train.accuracy(weights),
        held_out=held_out.accuracy(weights),
        evaluations=evaluations,
        seconds=round(seconds, 3),
    )


def published() -> dict[str, Floats]:
    """The plain mean and the paper's vectors, for reference."""
    return {
        "plain mean" if name == "mean" else f"the paper's {name} weights": np.array(weights.values)
        for name, weights in built_in().items()
    }


# ── pure ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def split(debates: Sequence[Debate], seed: int, share: float = TRAIN_SHARE) -> tuple[list[Debate], list[Debate]]:
    """Training and held-out debates; those of one group stay together. Raises ValueError where one part is empty."""
    groups: dict[str, list[Debate]] = {}
    for n, debate in enumerate(debates):
        groups.setdefault(debate.group or f" {n}", []).append(debate)
    if len(groups) < 2:
        raise ValueError("all debates are about one text: to train on some and hold out others, give more")
    order = np.random.default_rng([seed, 1]).permutation(len(groups))
    shuffled = [list(groups.values())[place] for place in order]
    train: list[Debate] = []
    while len(shuffled) > 1 and len(train) + len(shuffled[0]) / 2 <= share * len(debates):
        train += shuffled.pop(0)
    return train or shuffled.pop(0), [debate for group in shuffled for debate in group]


def mean_of(values: Sequence[float]) -> Mean:
    """The mean with Student's interval."""
    from scipy.stats import t  # type: ignore[import-untyped]

    mean, freedom = math.fsum(values) / len(values), len(values) - 1
    if not freedom:
        return Mean(mean=mean)
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / freedom)
    half = float(t.ppf(0.975, freedom)) * spread / math.sqrt(len(values))
    return Mean(mean=mean, low=mean - half, high=mean + half)


def share_of(values: Sequence[float]) -> Mean:
    """The same of shares, whose interval ends at 0 and 1."""
    mean = mean_of(values)
    if mean.low is None or mean.high is None:
        return mean
    return mean.model_copy(update={"low": max(0.0, mean.low), "high": min(1.0, mean.high)})


def verdict_on(rows: Sequence[Row]) -> str:
    """Whether the searches gain anything over logistic regression, held out and seed by seed; "" without it."""
    baseline = next((row for row in rows if row.name == BASELINE and not row.given), None)
    others = [row for row in rows if not row.given and row is not baseline]
    if baseline is None or not others:
        return ""
    rival = max(others, key=lambda row: row.held_out.mean)
    gap = mean_of([a.held_out - b.held_out for a, b in zip(baseline.runs, rival.runs, strict=True)])
    if gap.mean >= 0:
        return f"Logistic regression wins or draws: it is ahead of the best search, {rival.name}, by {_points(gap)}."
    sure = "" if gap.high is not None and gap.high < 0 else ", which these seeds cannot tell from chance"
    return f"{rival.name} is ahead of logistic regression by {_points(gap)}{sure}."


def _points(gap: Mean) -> str:
    """By how much the side that is ahead is ahead, with the interval as seen from it."""
    ends = [] if gap.low is None or gap.high is None else [gap.low, gap.high]
    if gap.mean < 0:
        ends = [-end for end in reversed(ends)]
    span = f" ({100 * ends[0]:+.1f} to {100 * ends[1]:+.1f})" if ends else ""
    return f"{100 * abs(gap.mean):.1f} points of held-out accuracy{span}"
