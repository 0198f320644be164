"""The fake's own clock and its ids. A test moves the clock forward instead of waiting fifteen minutes."""

from __future__ import annotations

import datetime
import itertools
import time
from dataclasses import dataclass, field

EPOCH_MS = 1_420_070_400_000


@dataclass
class Clock:
    """Seconds since 1970, plus what a test advanced it by. Ids made from it rise without end, as Discord's do."""

    ahead: float = 0.0
    _serial: itertools.count[int] = field(default_factory=itertools.count)
    _last_ms: int = 0

    def now(self) -> float:
        return time.time() + self.ahead

    def advance(self, seconds: float) -> None:
        """Move the fake's time forward: tokens expire, edits become old, buckets refill."""
        self.ahead += seconds

    def snowflake(self) -> int:
        """A new id: 42 bits of milliseconds, 22 bits that count."""
        self._last_ms = max(self._last_ms, int(self.now() * 1000) - EPOCH_MS)
        return (self._last_ms << 22) | (next(self._serial) & 0x3FFFFF)


def seconds_of(snowflake: int) -> float:
    """When an id was made, in seconds since 1970."""
    return ((snowflake >> 22) + EPOCH_MS) / 1000


def iso(seconds: float) -> str:
    """A time as Discord writes it."""
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="microseconds")
