"""SIMULATED debates: a generator, for trying the learners where there are no recorded debates. Nothing real is in it.

Each side has six hidden qualities (standard normal, with a common part, so that good sides are good at most things).
What a side is *worth* is not linear in them and owes nothing to any published weights:

    worth = min(support, reasonableness)             its weakest link among evidence and fit
          + tanh(consistency · completeness)         each counts only along with the other
          − max(0, persuasiveness − support)         eloquence beyond the evidence is held against it
          + ½ · refutation where support > 0         a refutation counts for one who has evidence

The first side is right with probability 1 / (1 + exp(−SHARPNESS · (worth₁ − worth₂))). Two referees score both sides in
both orders of showing: 5.5 + 1.5 · quality, drawn towards the side's overall impression (halo), plus a leniency of the
referee in this debate, a bonus for the side shown first (position), noise, rounded and cut to 0–10. One sheet in a
hundred cannot be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from elenchus.detectors.decision.data import Debate, ScoreSheet, Side
from elenchus.detectors.decision.weights import CRITERIA

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COMMON = 0.5
"""Share of the variance that the six qualities of a side have in common."""

SHARPNESS = 2.0
UNREAD = 0.01
SIDES: tuple[Side, Side] = ("first", "second")


class Referee(NamedTuple):
    """How one scores: `halo` is the share of the overall impression; the others are in points of the scale."""

    name: str
    halo: float
    position: float
    leniency: float
    noise: float


REFEREES = (Referee("analytical", 0.25, 0.2, 0.4, 0.8), Referee("intuitive", 0.6, 0.5, 0.7, 1.1))


def simulate(debates: int, seed: int) -> tuple[Debate, ...]:
    """So many debates, the same for the same seed; every one says that it is simulated."""
    import numpy as np

    rng = np.random.default_rng([seed, 0x5EED])
    common = rng.normal(size=(debates, 2, 1)) * COMMON**0.5
    quality = common + rng.normal(size=(debates, 2, len(CRITERIA))) * (1 - COMMON) ** 0.5
    ahead = worth(quality[:, 0]) - worth(quality[:, 1])
    first_right = rng.random(debates) < 1 / (1 + np.exp(-SHARPNESS * ahead))
    return tuple(
        Debate(
            first="simulated-a",
            second="simulated-b",
            right="first" if first_right[n] else "second",
            origin="simulated",
            sheets=tuple(_sheets(quality[n], rng)),
            group=f"simulated-{seed}-{n}",
        )
        for n in range(debates)
    )


def worth(quality: NDArray[Any]) -> NDArray[Any]:
    """What sides are worth by their qualities (rows, in the order of CRITERIA)."""
    import numpy as np

    support, consistency, refutation, completeness, persuasiveness, reasonableness = quality.T
    return np.asarray(
        np.minimum(support, reasonableness)
        + np.tanh(consistency * completeness)
        - np.maximum(0, persuasiveness - support)
        + 0.5 * refutation * (support > 0)
    )


def _sheets(quality: NDArray[Any], rng: np.random.Generator) -> Iterator[ScoreSheet]:
    """All sheets of one debate; `quality` has a row a side."""
    for referee in REFEREES:
        leniency = rng.normal() * referee.leniency
        for side, shown_first in product(range(2), range(2)):
            impression = quality[side].mean()
            seen = (1 - referee.halo) * quality[side] + referee.halo * impression
            points = 5.5 + 1.5 * seen + leniency + referee.position * (side == shown_first)
            points = (points + rng.normal(size=len(CRITERIA)) * referee.noise).round().clip(0, 10)
            read = rng.random() >= UNREAD
            yield ScoreSheet(
                referee=referee.name,
                side=SIDES[side],
                shown_first=SIDES[shown_first],
                scores=dict(zip(CRITERIA, points.tolist(), strict=True)) if read else None,
            )
