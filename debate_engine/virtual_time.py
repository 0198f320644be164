"""An event loop whose clock jumps to the next timer: what would take hours of waiting takes milliseconds.

For rehearsals, which do nothing but compute and sleep. Work in other threads still takes its real time.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.DefaultSelector):
    """Never waits for a time-out: it moves the clock on instead. Without a time-out it waits, as for a thread."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(None if timeout is None else 0)
        if not ready and timeout is not None:
            self.now += max(timeout, 0.0)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual seconds, counted from 0."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        """The virtual time in seconds."""
        return self._jumping.now


def run_virtually(work: Coroutine[Any, Any, T]) -> tuple[T, float]:
    """The result of `work`, and the virtual seconds it took. Call it in a thread that runs no event loop."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        result = runner.run(work)
        return result, runner.get_loop().time()
