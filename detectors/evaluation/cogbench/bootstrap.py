"""A bootstrap over topics and profiles crosswise, where every figure comes from sums over clusters. Pure, the same for
a seed.

A cluster is what a profile answers on a topic. Clusters of one topic are alike (its opinions, what was read), those of
one profile, too, so they are not drawn as if they told nothing of each other: topics and profiles are drawn, each with
replacement, and a cluster counts as often as its topic times as often as its profile (the pigeonhole bootstrap: A. B.
Owen, *Ann. Appl. Stat.* 1 (2007) 386–411). It errs to the wide side where topics and profiles are no different.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from elenchus.detectors.evaluation.intervals import RESAMPLES, Estimate

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    Array = NDArray[Any]

Cluster = tuple[str, str]
"""A topic and a profile."""

FEWEST = 6
"""Clusters of which there is an interval: of five no median has one of 95 % (2 · ½⁵ > .05)."""


def resampled(sums: Array, seed: int) -> Array:
    """[cluster, …] to [resample, …]: the sums over as many clusters that share nothing, drawn with replacement. The
    same clusters are drawn for every array with as many of them.
    """
    import numpy as np

    clusters = len(sums)
    drawn = np.random.default_rng(seed).multinomial(clusters, np.full(clusters, 1 / clusters), RESAMPLES)
    return (drawn.astype(float) @ sums.reshape(clusters, -1)).reshape(RESAMPLES, *sums.shape[1:])


def crosswise(sums: Array, clusters: Sequence[Cluster], seed: int) -> Array:
    """[cluster, …] to [resample, …]: the sums over what was drawn; NaN where fewer than `FEWEST` have anything.

    The same is drawn for every array of these clusters.
    """
    import numpy as np

    flat = sums.reshape(len(clusters), -1)
    if np.count_nonzero(flat.any(1)) < FEWEST:
        return np.full((RESAMPLES, *sums.shape[1:]), np.nan)
    chance = np.random.default_rng(seed)
    topics, profiles = zip(*clusters, strict=True)
    times = _times_drawn(topics, chance) * _times_drawn(profiles, chance)
    return (times @ flat).reshape(RESAMPLES, *sums.shape[1:])


def _times_drawn(names: Sequence[str], chance: Generator) -> Array:
    """[resample, place]: how often the name at each place is drawn, of as many draws as there are different names."""
    import numpy as np

    known = {name: n for n, name in enumerate(dict.fromkeys(names))}
    drawn = chance.multinomial(len(known), np.full(len(known), 1 / len(known)), RESAMPLES)
    return drawn[:, [known[name] for name in names]].astype(float)


def estimate(value: Any, of_resamples: Array, clusters: int | None = None) -> Estimate:
    """A figure with the 2.5th and 97.5th percentile of its resamples; no interval where they do not differ. NaN: not
    defined. `clusters`: of how many the resamples were drawn, see `edges`.
    """
    import numpy as np

    if np.isnan(value):
        return Estimate(value=None)
    known = of_resamples[~np.isnan(of_resamples)]
    undefined = len(of_resamples) - len(known)
    if not len(known) or (clusters is not None and clusters < FEWEST):
        return Estimate(value=float(value), undefined=undefined)
    low, high = (float(edge) for edge in np.percentile(known, [2.5, 97.5] if clusters is None else edges(clusters)))
    if np.isclose(low, high):
        return Estimate(value=float(value), undefined=undefined)
    return Estimate(value=float(value), low=low, high=high, undefined=undefined)


def edges(clusters: int, level: float = 0.95) -> tuple[float, float]:
    """The percentiles of resamples of so few clusters between which an interval of this level lies: expanded, since
    resamples of k vary by √((k − 1) / k) of what samples do, and are no t (T. C. Hesterberg, *Am. Stat.* 69 (2015)
    371–386, section 5.3).

    Raises ValueError for fewer than two.
    """
    from math import sqrt

    from scipy.special import ndtr, stdtrit  # type: ignore[import-untyped]

    if clusters < 2:
        raise ValueError("one cluster tells nothing of how clusters differ")
    below = 100 * float(ndtr(-sqrt(clusters / (clusters - 1)) * stdtrit(clusters - 1, (1 + level) / 2)))
    return below, 100 - below


def nan_mean(values: Array) -> Array:
    """The mean over the last axis of what is no NaN; NaN where all is."""
    import numpy as np

    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, values, 0).sum(-1) / known.sum(-1))
