"""How long a piece of work still takes, from how long it took so far."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

TENTHS = 10
SHORTEST = 3.0
"""Seconds below which nobody need be told."""


@dataclass
class Remaining:
    """`pieces` of about the same size, at the most, from now on. Seconds."""

    pieces: int
    clock: Callable[[], float] = time.monotonic
    _began: float = field(init=False)
    _told: int = 0

    def __post_init__(self) -> None:
        self._began = self.clock()

    def seconds(self, done: int) -> float | None:
        """How long the rest takes when it goes on as so far; None before the first piece, and after the last."""
        if not 0 < done < self.pieces:
            return None
        return (self.clock() - self._began) / done * (self.pieces - done)

    def news(self, done: int) -> str:
        """A sentence at each further tenth of the work, "" in between and where little is left."""
        tenth = done * TENTHS // self.pieces if self.pieces else 0
        left = self.seconds(done)
        if tenth <= self._told or left is None or left < SHORTEST:
            return ""
        self._told = tenth
        return f"{tenth * TENTHS}% done, about {in_words(left)} left"


def in_words(seconds: float) -> str:
    """A time as people say it: 40 s, 12 min, 3 h."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 3 * 3600 else f"{round(seconds / 3600)} h"
