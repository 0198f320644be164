"""Intervals for what was counted: Wilson's for a share, a seeded bootstrap for anything else. Pure."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.statistics import Cluster, proportion

RESAMPLES = 2_000


class Share(FrozenModel):
    """`count` of `of`, with Wilson's interval of 95 % (Wilson 1927); all three numbers None for nothing counted."""

    count: int
    of: int
    value: float | None = None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        """`40 % (22–61, 8 of 20)`, or a dash."""
        if self.value is None or self.low is None or self.high is None:
            return "–"
        return f"{self.value:.0%} ({self.low * 100:.0f}–{self.high * 100:.0f}, {self.count} of {self.of})"


class Estimate(FrozenModel):
    """A figure with its bootstrap interval of 95 % over items; None where it is not defined.

    `undefined` counts the resamples, of `RESAMPLES`, in which it was not defined: they are left out. There is no
    interval where nothing varies (a judge that is right on all items may still err on the next).
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    undefined: int = 0


def share(count: int, of: int, clusters: Iterable[Cluster] = ()) -> Share:
    """A share with its interval; `clusters` are what was counted by what hangs together in it, if anything does.

    Raises ValueError unless 0 ≤ count ≤ of.
    """
    p = proportion(count, of, clusters)
    return Share(count=p.k, of=p.n, value=p.share, low=p.low, high=p.high)


def clustered(said: Iterable[tuple[Hashable, bool]]) -> list[Cluster]:
    """What was counted, each with what it hangs together by, as the clusters of a share."""
    found: dict[Hashable, list[bool]] = {}
    for group, yes in said:
        found.setdefault(group, []).append(yes)
    return [(sum(of), len(of)) for of in found.values()]


def bootstrapped(
    items: Sequence[Any], figure: Callable[[Sequence[Any]], float | None], seed: int, resamples: int = RESAMPLES
) -> Estimate:
    """A figure of the items, and the 2.5th and 97.5th percentile of it over resampled items, if they differ.

    The same for a seed.
    """
    import numpy as np

    value = figure(items)
    if value is None:
        return Estimate(value=None)
    chance = np.random.default_rng(seed)
    draws = chance.integers(0, len(items), size=(resamples, len(items)))
    figures = [figure([items[place] for place in draw]) for draw in draws]
    known = [one for one in figures if one is not None]
    if not known:
        return Estimate(value=value, undefined=resamples)
    low, high = (float(edge) for edge in np.percentile(known, [2.5, 97.5]))
    undefined = resamples - len(known)
    if np.isclose(low, high):
        return Estimate(value=value, undefined=undefined)
    return Estimate(value=value, low=low, high=high, undefined=undefined)
