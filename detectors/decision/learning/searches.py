"""Who looks for the weights that decide most debates rightly: three searches (MindScope, appendix F) and a baseline.

Each trains on an `Objective` and tells of its progress once a round. The fourth search needs torch: `dqn`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elenchus.detectors.decision.learning.objective import Floats, Objective, OnProgress
from elenchus.detectors.decision.weights import CRITERIA

# ── annealing ────────────────────────────────────────────────────────────────────────────────────────────────────────


class Annealing(NamedTuple):
    """The settings of simulated annealing: temperature T₀, what an iteration takes off it, iterations."""

    start: float = 2080.0
    cooling: float = 0.1
    iterations: int = 1000


STEP = 0.3
"""Standard deviation of a move, which changes one weight."""


def annealing(objective: Objective, rng: np.random.Generator, on_progress: OnProgress) -> None:
    """The energy is what is missing to 100 %, in points; each iteration takes a tenth off the temperature."""
    how = Annealing()
    weights = rng.uniform(-1, 1, len(CRITERIA))
    accuracy, temperature = objective(weights), how.start
    for iteration in range(how.iterations):
        on_progress(iteration, how.iterations)
        moved = weights.copy()
        moved[rng.integers(len(CRITERIA))] += rng.normal(0, STEP)
        found = objective(moved)
        worse = 100 * (accuracy - found)
        if worse <= 0 or rng.random() < math.exp(-worse / max(temperature, 1e-12)):
            weights, accuracy = moved, found
        temperature *= 1 - how.cooling


# ── ant colony ───────────────────────────────────────────────────────────────────────────────────────────────────────


class AntColonySettings(NamedTuple):
    """The settings of an ant colony; `decay` is the share of the pheromone that is gone after a generation."""

    ants: int = 15
    generations: int = 100
    alpha: float = 1.0
    beta: float = 1.0
    decay: float = 0.6
    pheromone: float = 0.1


LEVELS = np.linspace(-1, 1, 31)
"""A path picks one of them for each criterion, steps of 1/15: the paper's weights lie on such steps."""

FAINTEST = 1e-3
"""So much pheromone stays on every level, so that none is lost for good."""


def ant_colony(objective: Objective, rng: np.random.Generator, on_progress: OnProgress) -> None:
    """An ant leaves pheromone in proportion to its accuracy; 60 % of what lies there is gone in a generation."""
    how = AntColonySettings()
    trail = np.full((len(CRITERIA), len(LEVELS)), how.pheromone)
    visibility = _visibility(objective)
    for generation in range(how.generations):
        on_progress(generation, how.generations)
        pull = trail**how.alpha * visibility**how.beta
        odds = (pull / pull.sum(axis=1, keepdims=True)).cumsum(axis=1)
        drawn = rng.random((how.ants, len(CRITERIA), 1))
        paths = (drawn > odds[None]).sum(axis=2).clip(max=len(LEVELS) - 1)
        trail = renewed(trail, paths, objective.many(LEVELS[paths]), how)


def renewed(trail: Floats, paths: NDArray[np.int64], accuracies: Floats, how: AntColonySettings) -> Floats:
    """The pheromone (criteria × levels) after a generation whose paths (ants × criteria) had these accuracies."""
    left = np.maximum(trail * (1 - how.decay), FAINTEST)
    for path, accuracy in zip(paths, accuracies, strict=True):
        left[np.arange(len(CRITERIA)), path] += how.pheromone * accuracy
    return np.asarray(left)


def _visibility(objective: Objective) -> Floats:
    """What an ant sees of a level beforehand: how well its criterion decides alone, with the level's sign."""
    alone = objective.many(np.concatenate([np.eye(len(CRITERIA)), -np.eye(len(CRITERIA))]))
    plus, minus = alone[: len(CRITERIA), None], alone[len(CRITERIA) :, None]
    return np.asarray(np.where(LEVELS > 1e-9, plus, np.where(LEVELS < -1e-9, minus, 0.5)) + 1e-6)


# ── genetic ──────────────────────────────────────────────────────────────────────────────────────────────────────────

Genes = NDArray[Any]
"""A row an individual: weights, or places in a list of moves."""


class GeneticSettings(NamedTuple):
    """The settings of a genetic search; `crossover` a pair, `mutation` a gene."""

    population: int = 45
    generations: int = 200
    crossover: float = 0.1
    mutation: float = 0.1


def genetic(objective: Objective, rng: np.random.Generator, on_progress: OnProgress) -> None:
    """Search from weights drawn evenly in [−1, 1]; a mutation adds normal noise of 0.3."""
    how = GeneticSettings()
    start = rng.uniform(-1, 1, (how.population, len(CRITERIA)))

    def mutate(genes: Floats) -> Floats:
        return np.asarray(genes + rng.normal(0, 0.3, genes.shape))

    evolve(start, objective.many, mutate, rng, how, on_progress)


def evolve(
    population: Genes,
    fitness: Callable[[Genes], Floats],
    mutate: Callable[[Genes], Genes],
    rng: np.random.Generator,
    how: GeneticSettings,
    on_progress: OnProgress,
) -> Genes:
    """The fittest row of the last generation. The best goes over unchanged; a parent is the better of two drawn."""
    fit = fitness(population)
    for generation in range(how.generations):
        on_progress(generation, how.generations)
        parents = population[_better_of_two(fit, rng, how.population)]
        mates = population[_better_of_two(fit, rng, how.population)]
        crossed = (rng.random((how.population, 1)) < how.crossover) & (rng.random(parents.shape) < 0.5)
        children = np.where(crossed, mates, parents)
        mutated = rng.random(children.shape) < how.mutation
        children = np.where(mutated, mutate(children), children)
        children[0] = population[fit.argmax()]
        population, fit = children, fitness(children)
    return np.asarray(population[fit.argmax()])


def _better_of_two(fit: Floats, rng: np.random.Generator, times: int) -> NDArray[np.int64]:
    pairs = rng.integers(0, len(fit), (times, 2))
    return np.asarray(np.where(fit[pairs[:, 0]] >= fit[pairs[:, 1]], pairs[:, 0], pairs[:, 1]))


# ── logistic regression ──────────────────────────────────────────────────────────────────────────────────────────────

RIDGE, ROUNDS = 1.0, 50
"""The penalty on squared weights (half of it times their sum), and Newton's rounds at the most."""


def logistic(objective: Objective, rng: np.random.Generator, on_progress: OnProgress) -> None:
    """Logistic regression on the differences of the scores, the honest baseline: without chance and in no time.

    Newton's method, no intercept: turning the sides round must turn the verdict.

    They are fitted to likelihood and not to accuracy, so they replace the kept best even where that is more accurate.
    """
    ahead, right = objective.table.ahead, objective.table.first.astype(np.float64)
    weights = np.zeros(len(CRITERIA))
    for done in range(ROUNDS):
        on_progress(done, ROUNDS)
        likely = 1 / (1 + np.exp(-np.clip(ahead @ weights, -500, 500)))
        slope = ahead.T @ (right - likely) - RIDGE * weights
        bend = (ahead.T * (likely * (1 - likely))) @ ahead + RIDGE * np.eye(len(CRITERIA))
        step = np.linalg.solve(bend, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-10:
            break
    objective(weights)
    objective.best, objective.accuracy = weights, objective.table.accuracy(weights)
