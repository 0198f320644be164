"""Debates made for tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from elenchus.detectors.decision.data import Debate, ScoreSheet, Side
from elenchus.detectors.decision.weights import CRITERIA

PLANTED = np.array([1.0, 0.0, -1.0, 0.3, 0.5, 0.0])
"""Weights that decide every debate of `planted` rightly."""


def sheet(side: Side, scores: Sequence[float] | None, referee: str = "analytical") -> ScoreSheet:
    return ScoreSheet(
        referee=referee,
        side=side,
        scores=None if scores is None else dict(zip(CRITERIA, map(float, scores), strict=True)),
    )


def debate(first: Sequence[float] | None, second: Sequence[float] | None, right: Side = "first") -> Debate:
    sheets = (sheet("first", first), sheet("second", second))
    return Debate(first="a", second="b", right=right, origin="imported", sheets=sheets)


def planted(count: int, seed: int = 0) -> list[Debate]:
    """Debates in which the side with the higher sum of planted weights is right, never narrowly."""
    rng = np.random.default_rng(seed)
    made: list[Debate] = []
    while len(made) < count:
        first, second = rng.integers(0, 11, (2, len(CRITERIA)))
        ahead = float((first - second) @ PLANTED)
        if abs(ahead) > 0.5:
            made.append(debate(first.tolist(), second.tolist(), "first" if ahead > 0 else "second"))
    return made


def turned(one: Debate) -> Debate:
    """The same debate with the other side said to be right."""
    return one.model_copy(update={"right": "second" if one.right == "first" else "first"})
