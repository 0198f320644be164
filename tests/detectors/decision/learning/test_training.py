"""Every learner on debates whose weights are known, and what it may not see."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from elenchus.detectors.decision.data import Debate
from elenchus.detectors.decision.learning import searches
from elenchus.detectors.decision.learning.objective import OnProgress, Stopped, Table, no_progress, stoppable
from elenchus.detectors.decision.learning.searches import GeneticSettings, evolve
from elenchus.detectors.decision.learning.training import (
    BASELINE,
    Learner,
    Report,
    Row,
    Run,
    compare,
    installed,
    learn,
    learner_of,
    mean_of,
    published,
    share_of,
    split,
    verdict_on,
)
from elenchus.detectors.decision.simulate import simulate
from tests.detectors.decision.made_debates import planted, turned

QUICK = [name for name in installed() if name != "dqn-genetic"]


def silent(name: str, seed: int) -> OnProgress:
    return no_progress


def compared(debates: Sequence[Debate], *names: str, seeds: Sequence[int] = (1, 2)) -> Report:
    return compare(lambda seed: debates, {name: learner_of(name) for name in names}, seeds, silent)


# ── learning ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", QUICK)
def test_weights_that_were_planted_are_found_again_also_for_debates_that_were_held_out(name: str) -> None:
    (row,) = compared(planted(400), name, seeds=(1, 2, 3)).rows
    assert row.train.mean >= 0.93
    assert row.held_out.mean >= 0.9
    assert row.best.weights[0] > 0 > row.best.weights[2]


@pytest.mark.parametrize(("name", "tried"), [("genetic", 45 * 201), ("annealing", 1001), ("ant-colony", 1512)])
def test_a_search_tries_as_many_weights_as_its_settings_say(name: str, tried: int) -> None:
    found, _ = learn(Table.of(planted(50)), learner_of(name), 1, no_progress)
    assert found.evaluations == tried


def test_the_searches_have_the_papers_settings() -> None:
    assert tuple(searches.Annealing()) == (2080, 0.1, 1000)
    assert GeneticSettings() == GeneticSettings(population=45, generations=200, crossover=0.1, mutation=0.1)
    assert tuple(searches.AntColonySettings()) == (15, 100, 1, 1, 0.6, 0.1)


def test_sixty_per_cent_of_the_pheromone_is_gone_in_a_generation_and_each_ant_leaves_what_its_path_was_worth() -> None:
    trail = np.full((6, 31), 0.1)
    trail[0, 30] = 1e-9
    paths = np.array([[0, 1, 2, 3, 4, 5], [0, 9, 9, 9, 9, 9]])
    left = searches.renewed(trail, paths, np.array([0.5, 1.0]), searches.AntColonySettings())
    assert left[1, 20] == pytest.approx(0.1 * 0.4)
    assert left[1, 1] == pytest.approx(0.1 * 0.4 + 0.1 * 0.5)
    assert left[0, 0] == pytest.approx(0.1 * 0.4 + 0.1 * 0.5 + 0.1 * 1.0)
    assert left[0, 30] == searches.FAINTEST


def bred(how: GeneticSettings, population: NDArray[Any]) -> list[NDArray[Any]]:
    """The populations of a genetic search in which nobody is fitter than anybody, and a mutated gene is −1."""
    populations: list[NDArray[Any]] = []

    def fitness(genes: NDArray[Any]) -> NDArray[np.float64]:
        populations.append(genes)
        return np.zeros(len(genes))

    evolve(population, fitness, lambda genes: np.full(genes.shape, -1), np.random.default_rng(4), how, no_progress)
    return populations


def test_one_gene_in_ten_mutates_and_one_pair_in_ten_crosses() -> None:
    _, mutated = bred(GeneticSettings(3000, 1, 0.0, 0.1), np.zeros((3000, 6), dtype=np.int64))
    assert 0.09 < (mutated == -1).mean() < 0.11
    rows = np.repeat(np.arange(3000)[:, None], 6, axis=1)
    _, crossed = bred(GeneticSettings(3000, 1, 0.1, 0.0), rows)
    assert 0.08 < (crossed != crossed[:, :1]).any(axis=1).mean() < 0.12


def test_a_genetic_search_never_loses_its_best() -> None:
    best: list[float] = []

    def fitness(genes: NDArray[Any]) -> NDArray[np.float64]:
        best.append(float(genes.sum(axis=1).max()))
        return np.asarray(genes.sum(axis=1), dtype=np.float64)

    rng = np.random.default_rng(5)
    found = evolve(
        rng.normal(size=(20, 6)), fitness, lambda genes: genes - 5, rng, GeneticSettings(20, 30, 0.1, 0.9), no_progress
    )
    assert best == sorted(best)
    assert found.sum() == best[-1] >= best[0]


@pytest.mark.parametrize("name", QUICK)
def test_a_seed_gives_the_same_weights_every_time(name: str) -> None:
    one, other = (compared(planted(60), name).rows[0].runs for _ in range(2))
    assert [run.weights for run in one] == [run.weights for run in other]


def test_logistic_regression_is_at_its_most_likely_weights() -> None:
    table = Table.of(simulate(300, 7))
    found, _ = learn(table, learner_of(BASELINE), 1, no_progress)
    likely = 1 / (1 + np.exp(-(table.ahead @ found.best)))
    slope = table.ahead.T @ (table.first - likely) - found.best
    assert np.abs(slope).max() < 1e-6


@pytest.mark.parametrize("name", QUICK)
def test_a_learner_stops_when_it_is_told_to(name: str) -> None:
    stop, heard = threading.Event(), []

    def told(done: int, of: int) -> None:
        heard.append(done)
        stop.set()

    with pytest.raises(Stopped):
        learn(Table.of(planted(50)), learner_of(name), 1, stoppable(told, stop))
    assert heard == [0]


# ── held out ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", QUICK)
def test_held_out_labels_choose_nothing(name: str) -> None:
    debates = list(simulate(150, 3))
    _, held_out = split(debates, 1)
    hidden = {one.group for one in held_out}
    other_held_out = [turned(one) if one.group in hidden else one for one in debates]
    other_train = [one if one.group in hidden else turned(one) for one in debates]
    before, after, wrong = (
        compared(of, name, seeds=(1,)).rows[0].best for of in (debates, other_held_out, other_train)
    )
    assert after.weights == before.weights
    assert after.train == before.train
    assert after.held_out != before.held_out
    assert wrong.weights != before.weights


def test_of_several_seeds_the_best_on_train_is_kept_whatever_it_does_on_held_out_debates() -> None:
    shares = ((0.6, 0.9), (0.7, 0.5), (0.7, 0.8))
    runs = tuple(
        Run(seed=seed, weights=(seed, 0, 0, 0, 0, 0), train=train, held_out=held_out)
        for seed, (train, held_out) in enumerate(shares, 1)
    )
    assert Row(name="genetic", given=False, runs=runs).best.seed == 2


def test_debates_about_one_text_are_not_parted() -> None:
    debates = [one.model_copy(update={"group": f"text {n // 7}"}) for n, one in enumerate(planted(100))]
    for seed in range(20):
        train, held_out = split(debates, seed)
        assert len(train) + len(held_out) == 100
        assert train
        assert held_out
        assert not {one.group for one in train} & {one.group for one in held_out}
    assert len({tuple(one.group for one in split(debates, seed)[1]) for seed in range(20)}) > 1


def test_of_683_debates_600_train_as_in_the_paper() -> None:
    train, held_out = split(simulate(683, 1), 1)
    assert (len(train), len(held_out)) == (600, 83)


def test_debates_about_one_text_alone_cannot_be_split() -> None:
    with pytest.raises(ValueError, match="all debates are about one text"):
        split([one.model_copy(update={"group": "one"}) for one in planted(10)], 1)


# ── the report ───────────────────────────────────────────────────────────────────────────────────────────────────


def row(name: str, *held_out: float, given: bool = False) -> Row:
    runs = tuple(Run(seed=n, weights=(1, 0, 0, 0, 0, 0), train=0.5, held_out=share) for n, share in enumerate(held_out))
    return Row(name=name, given=given, runs=runs)


def test_the_interval_of_who_is_ahead_is_seen_from_there() -> None:
    """Whoever is ahead: the middle of the interval is the lead that stands before it."""
    ahead, behind = (0.80, 0.70, 0.74), (0.70, 0.71, 0.72)
    told = [
        verdict_on([row("genetic", *ahead), row(BASELINE, *behind)]),
        verdict_on([row("genetic", *behind), row(BASELINE, *ahead)]),
    ]
    found = [re.search(r"by ([\d.]+) points of held-out accuracy \((.+) to (.+?)\)", one) for one in told]
    leads, lows, highs = zip(*(tuple(map(float, one.groups())) for one in found if one), strict=True)
    assert leads == (3.7, 3.7)
    assert (lows[0] + highs[0]) / 2 == (lows[1] + highs[1]) / 2 == pytest.approx(3.7, abs=0.06)


def test_it_is_said_when_logistic_regression_wins() -> None:
    rows = [row("genetic", 0.7, 0.7, 0.72), row("annealing", 0.6, 0.7, 0.6), row(BASELINE, 0.75, 0.76, 0.77)]
    assert verdict_on(rows).startswith(
        "Logistic regression wins or draws: it is ahead of the best search, genetic, by 5.3"
    )
    assert verdict_on([row("genetic", 0.7), row(BASELINE, 0.7)]).startswith("Logistic regression wins or draws")


def test_a_search_that_wins_is_named_and_whether_that_may_be_chance() -> None:
    surely = verdict_on([row("genetic", 0.8, 0.81, 0.82), row(BASELINE, 0.7, 0.71, 0.72)])
    assert surely == "genetic is ahead of logistic regression by 10.0 points of held-out accuracy (+10.0 to +10.0)."
    perhaps = verdict_on([row("genetic", 0.9, 0.6), row(BASELINE, 0.7, 0.7)])
    assert "ahead of logistic regression by 5.0 points of held-out accuracy (-185.6 to +195.6), which these" in perhaps
    assert "cannot tell from chance" in perhaps
    assert "cannot tell from chance" in verdict_on([row("genetic", 0.9), row(BASELINE, 0.7)])


def test_given_weights_are_measured_and_do_not_compete() -> None:
    report = compare(lambda seed: simulate(100, seed), {BASELINE: learner_of(BASELINE)}, (1, 2), silent, published())
    assert [each.given for each in report.rows] == [False] + [True] * 5
    assert report.rows[1].name == "plain mean"
    assert report.rows[1].best.weights == pytest.approx((1 / 6,) * 6)
    assert (report.simulated, report.data, report.verdict) == (True, "100 simulated debates", "")


def test_the_interval_is_students() -> None:
    found = mean_of([1, 2, 3, 4, 5])
    assert found.low is not None
    assert (found.mean, round(found.low, 3)) == (3, round(3 - 2.776 * (2.5 / 5) ** 0.5, 3))
    assert mean_of([0.7]).low is None
    assert share_of([0.5, 1.0]).high == 1.0


def test_every_learner_of_the_paper_has_a_name_here() -> None:
    learners: dict[str, Learner] = {name: learner_of(name) for name in QUICK}
    assert set(learners) == {"genetic", "annealing", "ant-colony", BASELINE}
    with pytest.raises(KeyError):
        learner_of("guessing")
