"""Logistic regression on the differences of the sides' scores: the honest baseline, without chance and in no time."""

from __future__ import annotations

import numpy as np

from elenchus.detectors.decision.learning.objective import Objective
from elenchus.detectors.decision.learning.progress import Tick
from elenchus.detectors.decision.weights import CRITERIA

RIDGE, ROUNDS = 1.0, 50
"""The penalty on squared weights (half of it times their sum), and Newton's rounds at the most."""


def logistic(objective: Objective, rng: np.random.Generator, tick: Tick) -> None:
    """Most likely weights by Newton's method, no intercept: turning the sides round must turn the verdict.

    They are fitted to likelihood and not to accuracy, so they replace the kept best even where that is more accurate.
    """
    ahead, right = objective.table.ahead, objective.table.first.astype(np.float64)
    weights = np.zeros(len(CRITERIA))
    for done in range(ROUNDS):
        tick(done, ROUNDS)
        likely = 1 / (1 + np.exp(-np.clip(ahead @ weights, -500, 500)))
        slope = ahead.T @ (right - likely) - RIDGE * weights
        bend = (ahead.T * (likely * (1 - likely))) @ ahead + RIDGE * np.eye(len(CRITERIA))
        step = np.linalg.solve(bend, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-10:
            break
    objective(weights)
    objective.best, objective.accuracy = weights, objective.table.accuracy(weights)
