"""Ant colony: 15 ants, 100 generations, α 1, β 1, decay 0.6, pheromone 0.1 (MindScope, appendix F).

A path picks for each criterion one of 31 levels from −1 to 1, steps of 1/15: the paper's weights lie on such steps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from elenchus.detectors.decision.learning.objective import Floats, Objective
from elenchus.detectors.decision.learning.progress import Tick
from elenchus.detectors.decision.weights import CRITERIA

ANTS, GENERATIONS, ALPHA, BETA, DECAY, PHEROMONE = 15, 100, 1.0, 1.0, 0.6, 0.1
LEVELS = np.linspace(-1, 1, 31)
FAINTEST = 1e-3
"""So much pheromone stays on every level, so that none is lost for good."""


def ant_colony(objective: Objective, rng: np.random.Generator, tick: Tick) -> None:
    """An ant leaves pheromone in proportion to its accuracy; 60 % of what lies there is gone in a generation."""
    trail = np.full((len(CRITERIA), len(LEVELS)), PHEROMONE)
    sight = _sight(objective)
    for generation in range(GENERATIONS):
        tick(generation, GENERATIONS)
        pull = trail**ALPHA * sight**BETA
        odds = (pull / pull.sum(axis=1, keepdims=True)).cumsum(axis=1)
        drawn = rng.random((ANTS, len(CRITERIA), 1))
        paths = (drawn > odds[None]).sum(axis=2).clip(max=len(LEVELS) - 1)
        trail = renewed(trail, paths, objective.many(LEVELS[paths]))


def renewed(trail: Floats, paths: NDArray[np.int64], accuracies: Floats) -> Floats:
    """The pheromone (criteria × levels) after a generation whose paths (ants × criteria) had these accuracies."""
    left = np.maximum(trail * (1 - DECAY), FAINTEST)
    for path, accuracy in zip(paths, accuracies, strict=True):
        left[np.arange(len(CRITERIA)), path] += PHEROMONE * accuracy
    return np.asarray(left)


def _sight(objective: Objective) -> Floats:
    """What an ant sees of a level beforehand: how well its criterion decides alone, with the level's sign."""
    alone = objective.many(np.concatenate([np.eye(len(CRITERIA)), -np.eye(len(CRITERIA))]))
    plus, minus = alone[: len(CRITERIA), None], alone[len(CRITERIA) :, None]
    return np.asarray(np.where(LEVELS > 1e-9, plus, np.where(LEVELS < -1e-9, minus, 0.5)) + 1e-6)
