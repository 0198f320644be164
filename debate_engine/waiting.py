"""Whether a run only waits for people: nothing is left to be done in it until somebody outside does something."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta

from elenchus.debate_engine import events

_IN_STEP: ContextVar[bool] = ContextVar("in a step", default=False)


class Waits:
    """The steps of one run that are at work, and what is waited for. A step that waits is not at work meanwhile."""

    def __init__(self) -> None:
        self._at_work = 0
        self._waits: dict[object, datetime | None] = {}
        self._changed = time.monotonic()

    @contextmanager
    def step(self) -> Iterator[None]:
        """Around the work of a step."""
        token = _IN_STEP.set(True)
        self._count(1)
        try:
            yield
        finally:
            self._count(-1)
            _IN_STEP.reset(token)

    @contextmanager
    def somebody(self, until: datetime | None = None) -> Iterator[None]:
        """Around a wait for what people do; `until`: when the waiting has an end by itself, None for never."""
        own, in_step = object(), int(_IN_STEP.get())
        self._waits[own] = until
        self._count(-in_step)
        try:
            yield
        finally:
            del self._waits[own]
            self._count(in_step)

    def _count(self, more: int) -> None:
        self._at_work += more
        self._changed = time.monotonic()

    async def lasting(self, seconds: float) -> datetime | None:
        """Return once there were only waits for so long, none of which ends as soon; when the first ends, or None."""
        while True:
            waited = time.monotonic() - self._changed if self._waits and not self._at_work else 0.0
            if waited >= seconds:
                due = min((until for until in self._waits.values() if until), default=None)
                if due is None or due > events.now() + timedelta(seconds=seconds):
                    return due
                waited = 0.0
            await asyncio.sleep(seconds - waited)
