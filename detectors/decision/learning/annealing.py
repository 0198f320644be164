"""Simulated annealing: T₀ 2080, cooling 0.1, 1000 iterations (MindScope, appendix F)."""

from __future__ import annotations

import math

import numpy as np

from elenchus.detectors.decision.learning.objective import Objective
from elenchus.detectors.decision.learning.progress import Tick
from elenchus.detectors.decision.weights import CRITERIA

START, COOLING, ITERATIONS = 2080.0, 0.1, 1000
STEP = 0.3
"""Standard deviation of a move, which changes one weight."""


def annealing(objective: Objective, rng: np.random.Generator, tick: Tick) -> None:
    """The energy is what is missing to 100 %, in points; each iteration takes a tenth off the temperature."""
    weights = rng.uniform(-1, 1, len(CRITERIA))
    accuracy, temperature = objective(weights), START
    for iteration in range(ITERATIONS):
        tick(iteration, ITERATIONS)
        moved = weights.copy()
        moved[rng.integers(len(CRITERIA))] += rng.normal(0, STEP)
        found = objective(moved)
        worse = 100 * (accuracy - found)
        if worse <= 0 or rng.random() < math.exp(-worse / max(temperature, 1e-12)):
            weights, accuracy = moved, found
        temperature *= 1 - COOLING
