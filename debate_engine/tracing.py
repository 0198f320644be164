"""Spans of what a session does, for whoever traces: which session, which step, which model; nobody's words.

Nothing is traced unless a program says by whom (`trace_with`): `service.tracing` does, by OpenTelemetry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from elenchus.debate_engine.session_logging import CONCERNED

OpenSpan = Callable[[str, dict[str, str]], AbstractContextManager[None]]
"""Opens a span of this name with these attributes; what is raised inside is its failure."""

_opened_by: list[OpenSpan] = []


def trace_with(open_span: OpenSpan | None) -> None:
    """From now on have spans opened by this; None: none any more."""
    _opened_by[:] = [open_span] if open_span else []


@contextmanager
def span(name: str, **attributes: str) -> Iterator[None]:
    """Inside, a span is open, where anybody traces."""
    if not _opened_by:
        yield
        return
    known = {f"elenchus.{key}": value for key, value in attributes.items() if value}
    if session := CONCERNED.get():
        known["elenchus.session"] = session
    with _opened_by[0](name, known):
        yield
