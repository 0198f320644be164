"""What a call of a provider passes: so many in flight at once, so many begun a minute.

`Gate` is what the retries need of it; `LocalGate` counts in this process alone, `storage.redis_gate` over all
processes.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from time import monotonic
from typing import NamedTuple, Protocol

WINDOW = 60.0
"""Seconds of a minute: calls begun are counted in any one of them."""


class Allowed(NamedTuple):
    """What a provider allows: calls in flight at once, and calls begun in any minute (None: any number)."""

    concurrency: int
    a_minute: int | None = None

    @property
    def burst(self) -> float:
        """Calls that may begin at the same moment: those of a second."""
        return max(1.0, self.a_minute / WINDOW) if self.a_minute else 0.0

    @property
    def rate(self) -> float:
        """Calls a second by which the bucket fills, 0 for any number: a burst of b and what fills in a minute are b - 1
        calls and the filling, which is never more than allowed.
        """
        return (self.a_minute - self.burst + 1) / WINDOW if self.a_minute else 0.0

    def share(self, of: int) -> Allowed:
        """What one of so many processes may do that cannot ask each other."""
        a_minute = None if self.a_minute is None else max(1, self.a_minute // of)
        return Allowed(max(1, self.concurrency // of), a_minute)


class Gate(Protocol):
    """The limits of one provider, for all who share them. Belongs to one event loop."""

    def passed(self) -> AbstractAsyncContextManager[None]:
        """Inside, a call is in flight; waits until it may be. Raises nothing of its own."""
        ...


class LocalGate:
    """The limits in this process. First come, first served."""

    def __init__(self, allowed: Allowed, clock: Callable[[], float] = monotonic) -> None:
        self.allowed, self._clock = allowed, clock
        self._in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._tokens, self._at = allowed.burst, clock()

    @asynccontextmanager
    async def passed(self) -> AsyncIterator[None]:
        """See `Gate`."""
        async with self.slot():
            await self.turn()
            yield

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Inside, one of the calls in flight at once is ours."""
        await self._enter()
        try:
            yield
        finally:
            self._in_flight -= 1
            self._wake()

    async def turn(self) -> None:
        """Wait until one more may begin in this minute."""
        if self.allowed.a_minute is None:
            return
        now = self._clock()
        self._tokens = min(self.allowed.burst, self._tokens + (now - self._at) * self.allowed.rate) - 1
        self._at = now
        if self._tokens < 0:  # taken in advance: who comes later waits longer
            await asyncio.sleep(-self._tokens / self.allowed.rate)

    async def _enter(self) -> None:
        if self._in_flight < self.allowed.concurrency and not self._waiting:
            self._in_flight += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was given to us, and we are gone
                self._in_flight -= 1
            elif turn in self._waiting:
                self._waiting.remove(turn)
            self._wake()
            raise

    def _wake(self) -> None:
        while self._waiting and self._in_flight < self.allowed.concurrency:
            turn = self._waiting.popleft()
            if not turn.done():
                self._in_flight += 1
                turn.set_result(None)
