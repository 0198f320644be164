"""An event loop whose clock jumps to the next timer: what would take hours of waiting takes milliseconds.

For dry runs, which do nothing but compute and sleep. What is done in other threads takes no virtual time: the clock
waits for it.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class _Jumping(selectors.DefaultSelector):
    """Never waits for a time-out: it moves the clock on instead, unless `threads` are at work: for those it waits."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.threads = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or (timeout > 0 and self.threads):
            return super().select()
        ready = super().select(0)
        if not ready:
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

    def run_in_executor(self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        """As of any loop; the clock stands still until it is done."""
        done = super().run_in_executor(executor, func, *args)
        self._jumping.threads += 1
        done.add_done_callback(self._returned)
        return done

    def _returned(self, _: object) -> None:
        self._jumping.threads -= 1


def run_virtually(work: Coroutine[Any, Any, T]) -> tuple[T, float]:
    """The result of `work`, and the virtual seconds it took. Call it in a thread that runs no event loop."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        result = runner.run(work)
        return result, runner.get_loop().time()
