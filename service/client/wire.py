"""What a service sends, as the laboratory in this process has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from importlib.metadata import version
from typing import Any, TypeVar

from pydantic import ValidationError

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.log import SessionInfo

T = TypeVar("T")

INTERRUPTED = "interrupted"
"""How a list calls a session that runs by its log, and that nobody runs."""


def understood(read: Callable[[], T], server: str) -> T:
    """What comes of reading a document. Raises UsageError where it is of another version, which `server` is."""
    try:
        return read()
    except (ValidationError, KeyError, TypeError) as error:
        raise UsageError(
            f"The server speaks of what is not known here: it runs Elenchus {server}, and this is "
            f"{version('elenchus')}. Install the same version."
        ) from error


def recorded_in(document: Mapping[str, Any]) -> Recorded:
    """An event in its place."""
    return Recorded.model_validate({name: document[name] for name in ("seq", "at", "event")})


def info_in(row: Mapping[str, Any]) -> SessionInfo:
    """A session of a list."""
    state, created = str(row["state"]), datetime.fromisoformat(str(row["created"]))
    return SessionInfo(
        id=row["id"], title=row["title"], protocol=row["protocol"], created=created, owner=row["owner"],
        begun=row["begun"], state="running" if state == INTERRUPTED else state,
    )  # fmt: skip
