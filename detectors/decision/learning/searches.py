"""Genetic search: population 45, 200 generations, crossover 0.1, mutation 0.1 (MindScope, appendix F)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elenchus.detectors.decision.learning.objective import Floats, Objective
from elenchus.detectors.decision.learning.progress import Tick
from elenchus.detectors.decision.weights import CRITERIA

Genes = NDArray[Any]
"""A row an individual: weights, or places in a list of moves."""


class Breeding(NamedTuple):
    """The settings of a genetic search; `crossover` a pair, `mutation` a gene."""

    population: int = 45
    generations: int = 200
    crossover: float = 0.1
    mutation: float = 0.1


def genetic(objective: Objective, rng: np.random.Generator, tick: Tick) -> None:
    """Search from weights drawn evenly in [−1, 1]; a mutation adds normal noise of 0.3."""
    how = Breeding()
    start = rng.uniform(-1, 1, (how.population, len(CRITERIA)))

    def mutate(genes: Floats) -> Floats:
        return np.asarray(genes + rng.normal(0, 0.3, genes.shape))

    evolve(start, objective.many, mutate, rng, how, tick)


def evolve(
    herd: Genes,
    fitness: Callable[[Genes], Floats],
    mutate: Callable[[Genes], Genes],
    rng: np.random.Generator,
    how: Breeding,
    tick: Tick,
) -> Genes:
    """The fittest row of the last herd. The best goes over unchanged; parents are the better of two drawn by chance."""
    fit = fitness(herd)
    for generation in range(how.generations):
        tick(generation, how.generations)
        parents = herd[_better_of_two(fit, rng, how.population)]
        mates = herd[_better_of_two(fit, rng, how.population)]
        crossed = (rng.random((how.population, 1)) < how.crossover) & (rng.random(parents.shape) < 0.5)
        children = np.where(crossed, mates, parents)
        mutated = rng.random(children.shape) < how.mutation
        children = np.where(mutated, mutate(children), children)
        children[0] = herd[fit.argmax()]
        herd, fit = children, fitness(children)
    return np.asarray(herd[fit.argmax()])


def _better_of_two(fit: Floats, rng: np.random.Generator, times: int) -> NDArray[np.int64]:
    pairs = rng.integers(0, len(fit), (times, 2))
    return np.asarray(np.where(fit[pairs[:, 0]] >= fit[pairs[:, 1]], pairs[:, 0], pairs[:, 1]))
