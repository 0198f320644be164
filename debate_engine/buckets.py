"""Token buckets by name, in memory: so many at once, filled again by so many a second."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import NamedTuple

MOST = 10_000
"""Buckets that are remembered at once; the one that has been left alone longest is forgotten first."""


class Rate(NamedTuple):
    """A bucket of `burst`, filled by `a_second`."""

    a_second: float
    burst: float


@dataclass(slots=True)
class Buckets:
    """Buckets of one process."""

    clock: Callable[[], float] = monotonic
    _left: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def left(self, name: str, rate: Rate, *, take: bool) -> float:
        """What the bucket holds now; with `take` one is taken from it, where it holds one."""
        held, at = self._left.get(name, (rate.burst, self.clock()))
        held = min(rate.burst, held + (self.clock() - at) * rate.a_second)
        if take:
            self._left[name] = (max(0.0, held - 1) if held >= 1 else held, self.clock())
            self._left.move_to_end(name)
            while len(self._left) > MOST:
                self._left.popitem(last=False)
        return held
