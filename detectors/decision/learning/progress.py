"""How far a learner is, and how it is told to stop: it runs in a thread, which nobody can cancel from outside."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol


class Stopped(Exception):
    """The training was told to stop; what it had found so far is dropped."""


class Tick(Protocol):
    """Called in every round of a learner with how many rounds of how many are done. Raises Stopped."""

    def __call__(self, done: int, of: int) -> None: ...  # noqa: D102 - said above


def unheard(done: int, of: int) -> None:
    """A tick that nobody hears."""


def stoppable(told: Callable[[int, int], None], stop: threading.Event) -> Tick:
    """A tick that tells, and ends the learner when `stop` is set."""

    def tick(done: int, of: int) -> None:
        if stop.is_set():
            raise Stopped
        told(done, of)

    return tick
