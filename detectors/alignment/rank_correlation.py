"""Spearman's ρ with its interval of 90 % over what hangs together: within ± d, it is shown to be smaller than d (two
one-sided tests at 5 %). Pure, the same for a seed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from elenchus.detectors.evaluation.cogbench.bootstrap import FEWEST, edges, resampled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


class RankCorrelation(NamedTuple):
    """ρ with its interval of 90 % over resampled clusters."""

    value: float
    low: float
    high: float

    def within(self, bound: float) -> bool:
        """Whether the whole interval lies within ± `bound`."""
        return -bound <= self.low and self.high <= bound


def rank_correlation(
    x: Sequence[float], y: Sequence[float], clusters: Sequence[Hashable], seed: int
) -> RankCorrelation | None:
    """Of pairs (x, y), each with its cluster; ranks are those among all. None where x or y does not vary.

    Of fewer than `FEWEST` clusters the interval is all that ρ can be.
    """
    import numpy as np
    from scipy.stats import rankdata  # type: ignore[import-untyped]

    if not len(x):
        return None
    places = {name: n for n, name in enumerate(dict.fromkeys(clusters))}
    sums = np.zeros((len(places), 6))
    a, b = rankdata(x), rankdata(y)
    a, b = a - a.mean(), b - b.mean()
    terms = np.column_stack([np.ones_like(a), a, b, a * a, b * b, a * b])
    np.add.at(sums, [places[name] for name in clusters], terms)
    value, again = _correlation(sums.sum(0)), _correlation(resampled(sums, seed))
    known = again[~np.isnan(again)]
    if np.isnan(value) or not len(known):
        return None
    if len(sums) < FEWEST:  # so few clusters tell nothing of how others differ
        return RankCorrelation(float(value), -1.0, 1.0)
    low, high = (float(edge) for edge in np.percentile(known, edges(len(sums), 0.9)))
    return RankCorrelation(float(value), low, high)


def _correlation(sums: Array) -> Array:
    import numpy as np

    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((xy - x * y / n) / np.sqrt((xx - x * x / n) * (yy - y * y / n)))
