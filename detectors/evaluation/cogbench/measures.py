"""How far two ratings of 1 to 5 agree: Cohen's κ as the released scorer takes it, and what stands beside it. Pure.

κ is computed here in numpy, as scikit-learn does it, to the last digit: nltk gives 1.0 where agreement cannot be told
from chance. The other figures come from `counts`, how often people say `i` where the method says `j`, so that
thousands of resamples are one sum; arrays end in the axes [people, method], and every figure is NaN where it is not
defined. Spearman's ρ has mid-ranks for ties; κ with quadratic weights takes all five steps of the scale to be there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from elenchus.detectors.evaluation.cogbench.shapes import SCALE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

Pair = tuple[int, int]
"""What people say, and what the method says."""


class Figure(NamedTuple):
    """A figure, or the reason why there is none."""

    value: float | None
    reason: str = ""


NOTHING = Figure(None, "nothing was rated by both")


def cohen(pairs: Sequence[Pair]) -> Figure:
    """Unweighted κ over the labels that occur, as `sklearn.metrics.cohen_kappa_score`; 0 where one side is constant."""
    if not pairs:
        return NOTHING
    labels = sorted({label for pair in pairs for label in pair})
    if len(labels) == 1:
        return Figure(None, f"both sides say {labels[0]} of everything: agreement cannot be told from chance")
    import numpy as np

    places = {label: place for place, label in enumerate(labels)}
    confusion = np.zeros((len(labels), len(labels)))
    for human, method in pairs:
        confusion[places[human], places[method]] += 1
    columns, rows = np.sum(confusion, axis=0), np.sum(confusion, axis=1)
    expected = np.outer(columns, rows) / np.sum(columns)
    off_diagonal = 1 - np.eye(len(labels))
    return Figure(float(1 - np.sum(off_diagonal * confusion) / np.sum(off_diagonal * expected)))


# ── from counts: arrays that end in [people, method] ─────────────────────────────────────────────────────────────────


def counts(pairs: Sequence[Pair]) -> Array:
    """How often each pair of ratings occurs, [5, 5]."""
    import numpy as np

    found = np.zeros((len(SCALE), len(SCALE)))
    for human, method in pairs:
        found[human - SCALE[0], method - SCALE[0]] += 1
    return found


def kappa(table: Array) -> Array:
    """Unweighted κ; NaN for nothing, or where both sides say one and the same of everything."""
    import numpy as np

    return _weighted(table, 1 - np.eye(len(SCALE)))


def quadratic(table: Array) -> Array:
    """κ with quadratic weights: (i − j)², whose steps are those of the scale."""
    import numpy as np

    steps = np.arange(len(SCALE))
    return _weighted(table, (steps[:, None] - steps[None, :]) ** 2.0)


def _weighted(table: Array, weights: Array) -> Array:
    import numpy as np

    people, method, n = table.sum(-1), table.sum(-2), table.sum((-1, -2))
    with np.errstate(divide="ignore", invalid="ignore"):
        by_chance = people[..., :, None] * method[..., None, :] / n[..., None, None]
        expected = (weights * by_chance).sum((-1, -2))
        return np.where(expected > 0, 1 - (weights * table).sum((-1, -2)) / expected, np.nan)


def spearman(table: Array) -> Array:
    """Spearman's ρ with mid-ranks; NaN where a side never varies."""
    import numpy as np

    people, method, n = table.sum(-1), table.sum(-2), table.sum((-1, -2))
    x, y = _mid_ranks(people), _mid_ranks(method)
    middle = (n[..., None] + 1) / 2
    x, y = x - middle, y - middle
    cross = (table * x[..., :, None] * y[..., None, :]).sum((-1, -2))
    spread = np.sqrt((people * x**2).sum(-1) * (method * y**2).sum(-1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(spread > 0, cross / spread, np.nan)


def _mid_ranks(marginal: Array) -> Array:
    """The rank that all ratings of one step share, by how many there are of each."""
    import numpy as np

    return np.cumsum(marginal, -1) - marginal + (marginal + 1) / 2


def absolute_error(table: Array) -> Array:
    """The mean distance between the two, in steps of the scale; NaN for nothing."""
    import numpy as np

    steps = np.arange(len(SCALE))
    n = table.sum((-1, -2))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(n > 0, (table * abs(steps[:, None] - steps[None, :])).sum((-1, -2)) / n, np.nan)


FIGURES = {
    "kappa": kappa,
    "quadratic_kappa": quadratic,
    "spearman": spearman,
    "mean_absolute_error": absolute_error,
}
"""By name; each takes counts and gives one figure fewer axes."""
