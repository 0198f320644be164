"""How far people who rated the same things from 1 to 5 agree. Pure.

An item has a rating a rater, None where there is none. Where all have rated an item it counts for Fleiss' κ (Psychol.
Bull. 76, 1971); where ratings are missing, Krippendorff's α (Content Analysis) takes every item that two or more have
rated: nominal, as κ is, and ordinal, which knows that 4 is nearer to 5 than 1 is. Polarity: 1–2, 3, 4–5. Spearman's ρ
is the mean over the pairs of raters, each over the items that both have rated. Intervals of 95 %: see `bootstrap`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from elenchus.debate_engine.events import FrozenModel
from elenchus.detectors.evaluation.cogbench.bootstrap import Cluster, crosswise, estimate
from elenchus.detectors.evaluation.cogbench.measures import counts, spearman
from elenchus.detectors.evaluation.cogbench.shapes import SCALE
from elenchus.detectors.evaluation.intervals import Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

Ratings = tuple[int | None, ...]
Level = Literal["nominal", "ordinal"]
_POLARITY = {1: 1, 2: 1, 3: 2, 4: 3, 5: 3}


class Rated(NamedTuple):
    """An item with its ratings, one a rater in the same order everywhere, and what it hangs together with."""

    ratings: Ratings
    cluster: Cluster = ("", "")


class Agreement(FrozenModel):
    """Among `raters` on `items`, of which all have rated `whole`; a value of None is not defined.

    `fleiss` is over the `whole` items, the two α over all with two ratings or more.
    """

    fleiss: Estimate
    alpha_nominal: Estimate
    alpha_ordinal: Estimate


class RaterAgreement(FrozenModel):
    """Agreement by the five steps and by polarity; `spearman` over `pairs` of raters in which it is defined."""

    raters: int
    items: int
    whole: int
    missing: int
    ratings: Agreement
    polarity: Agreement
    spearman: float | None
    pairs: int


def agreement_of(items: Sequence[Rated], seed: int = 0) -> RaterAgreement:
    """All figures. Raises ValueError for items with different numbers of raters."""
    raters = {len(item.ratings) for item in items}
    if len(raters) > 1:
        raise ValueError("items have different numbers of raters")
    by_polarity = [item._replace(ratings=tuple(r and _POLARITY[r] for r in item.ratings)) for item in items]
    correlations = _pairwise(items)
    return RaterAgreement(
        raters=max(raters, default=0),
        items=len(items),
        whole=sum(None not in item.ratings for item in items),
        missing=sum(item.ratings.count(None) for item in items),
        ratings=_agreement(items, seed),
        polarity=_agreement(by_polarity, seed),
        spearman=fmean(correlations) if correlations else None,
        pairs=len(correlations),
    )


def _agreement(items: Sequence[Rated], seed: int) -> Agreement:
    import numpy as np

    clusters: dict[Cluster, list[Ratings]] = defaultdict(list)
    for item in items:
        clusters[item.cluster].append(item.ratings)
    none = Estimate(value=None)
    if not clusters:
        return Agreement(fleiss=none, alpha_nominal=none, alpha_ordinal=none)
    whole = np.stack([fleiss_sums(of) for of in clusters.values()])
    pairs = np.stack([coincidences(of) for of in clusters.values()])
    again_whole, again_pairs = (crosswise(sums, list(clusters), seed) for sums in (whole, pairs))
    found = {level: estimate(alpha(pairs.sum(0), level), alpha(again_pairs, level)) for level in ("nominal", "ordinal")}
    return Agreement(
        fleiss=estimate(fleiss(whole.sum(0)), fleiss(again_whole)),
        alpha_nominal=found["nominal"],
        alpha_ordinal=found["ordinal"],
    )


def _pairwise(items: Sequence[Rated]) -> list[float]:
    """ρ of every pair of raters for whom it is defined."""
    raters = range(len(items[0].ratings)) if items else range(0)
    found = []
    for one, other in combinations(raters, 2):
        both = [(a, b) for item in items if (a := item.ratings[one]) and (b := item.ratings[other])]
        if (rho := float(spearman(counts(both)))) == rho:  # not NaN
            found.append(rho)
    return found


# ── Fleiss' κ, from sums over items: [number, Σ agreement, Σ ratings of each step] ───────────────────────────────────


def fleiss_sums(of: Sequence[Ratings], scale: Sequence[int] = SCALE) -> Array:
    """[2 + steps]: how many items all have rated, how far they agree, how often each step of `scale` was named."""
    import numpy as np

    found = np.zeros(2 + len(scale))
    for ratings in of:
        if None in ratings or len(ratings) < 2:
            continue
        named = np.array([ratings.count(step) for step in scale], dtype=float)
        n = len(ratings)
        found += np.concatenate([[1, (named @ named - n) / (n * (n - 1))], named])
    return found


def fleiss(sums: Array) -> Array:
    """κ of such sums; NaN for nothing, or where all say one thing of everything."""
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        observed = sums[..., 1] / sums[..., 0]
        by_chance = ((sums[..., 2:] / sums[..., 2:].sum(-1, keepdims=True)) ** 2).sum(-1)
        return np.asarray(np.where(by_chance < 1, (observed - by_chance) / (1 - by_chance), np.nan))


# ── Krippendorff's α, from coincidences ──────────────────────────────────────────────────────────────────────────────


def coincidences(of: Sequence[Ratings]) -> Array:
    """[5, 5]: how often two raters of one item say this and that, each item weighed by 1 / (its ratings − 1)."""
    import numpy as np

    found = np.zeros((len(SCALE), len(SCALE)))
    for ratings in of:
        named = np.array([ratings.count(step) for step in SCALE], dtype=float)
        if (n := named.sum()) > 1:
            found += (np.outer(named, named) - np.diag(named)) / (n - 1)
    return found


def alpha(table: Array, level: Level) -> Array:
    """α of coincidences [..., 5, 5]; NaN for nothing, or where all ratings are the same."""
    import numpy as np

    named = table.sum(-1)
    distance = _ordinal(named) if level == "ordinal" else 1 - np.eye(len(SCALE))
    observed = (table * distance).sum((-1, -2))
    expected = (named[..., :, None] * named[..., None, :] * distance).sum((-1, -2))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = 1 - (named.sum(-1) - 1) * observed / expected
        return np.asarray(np.where(expected > 0, found, np.nan))


def _ordinal(named: Array) -> Array:
    """Squared distances between steps: how many ratings lie from the one to the other, their own counted half."""
    import numpy as np

    middles = np.cumsum(named, -1) - named / 2
    return np.asarray((middles[..., :, None] - middles[..., None, :]) ** 2)
