"""The program's own log (`logging`, not the log of events): which session a line of it concerns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

CONCERNED: ContextVar[str] = ContextVar("session that is logged of", default="")
"""The session that the running code works for, "" for none; tasks and threads that it starts inherit it."""


@contextmanager
def concerning(session_id: str) -> Iterator[None]:
    """Inside, what is logged concerns this session."""
    before = CONCERNED.set(session_id)
    try:
        yield
    finally:
        CONCERNED.reset(before)
