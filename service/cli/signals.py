"""SIGINT, SIGTERM and SIGHUP, from the first moment on: one handler, and one word for what it does now.

No exception is thrown into whatever runs when a signal arrives: Python swallows one that lands in a callback of the
garbage collector or of an import, and the program would run on. While nothing is running that could be lost, a signal
ends the program on the spot; while an event loop works, it wakes the loop, which then cancels that work.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

PAUSED = 130
"""The exit code of what was interrupted (`failures.PAUSED`, which this module may not import: it must load at once)."""

Action = Callable[[int], None]
"""Takes the number of signals since the program's start, from 1. It is called between any two steps of the main thread,
and must not raise. Whoever acts on the first one ends the program well; from the third on it ends on the spot.
"""


def take_over() -> None:
    """Have signals heard by the action in force. What is ignored (`nohup`) stays so, but for Ctrl-C."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and (name == "SIGINT" or signal.getsignal(number) is not signal.SIG_IGN):
            signal.signal(number, _heard)


@contextmanager
def heard_by(action: Action) -> Iterator[None]:
    """Inside, a signal does this."""
    before, _state.action = _state.action, action
    try:
        yield
    finally:
        _state.action = before


def on_loop(action: Action, at_last: Callable[[], None] | None = None) -> Action:
    """Have the running event loop do it at its next turn; the third ends the program, after `at_last`."""
    import asyncio

    loop = asyncio.get_running_loop()

    def wake(times: int) -> None:
        if times > 2:
            if at_last is not None:
                at_last()
            os._exit(PAUSED)
        with suppress(RuntimeError):  # the loop has been closed
            loop.call_soon_threadsafe(action, times)

    return wake


def end_at_once(times: int) -> None:
    """Say that it was interrupted, and end: as safe as a crash, which loses nothing that the log has taken.

    The second of several does nothing: the first was heard by somebody else, and the program is about to end.
    """
    if times == 1:
        if "--json" in sys.argv:
            _write(1, '{"error": {"kind": "Interrupted", "message": "Interrupted.", "hint": ""}}\n')
        _write(2, "elenchus: Interrupted.\n")
    if times != 2:
        os._exit(PAUSED)


def _write(stream: int, text: str) -> None:
    """Past all buffers: one of them may be in use."""
    with suppress(OSError):
        os.write(stream, text.encode())


class _State:
    def __init__(self) -> None:
        self.action: Action = end_at_once
        self.times = 0


_state = _State()


def _heard(_number: int, _frame: FrameType | None) -> None:
    _state.times += 1
    _state.action(_state.times)
