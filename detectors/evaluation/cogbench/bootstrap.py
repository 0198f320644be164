"""A bootstrap over what hangs together, where every figure comes from sums over clusters. Pure, the same for a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from elenchus.detectors.evaluation.intervals import RESAMPLES, Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


def resampled(sums: Array, seed: int) -> Array:
    """[cluster, …] to [resample, …]: the sums over as many clusters, drawn with replacement. The same clusters are
    drawn for every array with as many of them.
    """
    import numpy as np

    clusters = len(sums)
    drawn = np.random.default_rng(seed).multinomial(clusters, np.full(clusters, 1 / clusters), RESAMPLES)
    return (drawn.astype(float) @ sums.reshape(clusters, -1)).reshape(RESAMPLES, *sums.shape[1:])


def estimate(value: Any, of_resamples: Array) -> Estimate:
    """A figure with the 2.5th and 97.5th percentile of its resamples; no interval where they do not differ. NaN: not
    defined.
    """
    import numpy as np

    if np.isnan(value):
        return Estimate(value=None)
    known = of_resamples[~np.isnan(of_resamples)]
    undefined = len(of_resamples) - len(known)
    if not len(known):
        return Estimate(value=float(value), undefined=undefined)
    low, high = (float(edge) for edge in np.percentile(known, [2.5, 97.5]))
    if np.isclose(low, high):
        return Estimate(value=float(value), undefined=undefined)
    return Estimate(value=float(value), low=low, high=high, undefined=undefined)


def nan_mean(values: Array) -> Array:
    """The mean over the last axis of what is no NaN; NaN where all is."""
    import numpy as np

    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, values, 0).sum(-1) / known.sum(-1))
