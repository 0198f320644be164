"""Between events and the rows that hold them: `body` is the event as JSON text, `at` ISO 8601 in UTC."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import get_args

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from elenchus.debate_engine.errors import NewerSchema, StorageError
from elenchus.debate_engine.events import EVENTS, Event, Recorded
from elenchus.debate_engine.log import state_after
from elenchus.storage import failures

KINDS = frozenset(model.model_fields["kind"].default for model in get_args(get_args(Event)[0]))
"""Every kind of event that this version knows."""

Row = tuple[int, str, str, str]
"""A stored event: seq, at, kind, body."""


@dataclass(frozen=True, slots=True)
class Body:
    """An event ready to be stored. `event` is what will be read back; `state` is what it makes of the session."""

    event: Event
    kind: str
    text: str
    state: str | None


def to_body(event: Event) -> Body:
    """The event as it is stored. Raises StorageError where it holds something that JSON cannot carry."""
    try:
        text = EVENTS.dump_json(event)
        return Body(EVENTS.validate_json(text), event.kind, text.decode(), state_after(event))
    except (PydanticSerializationError, ValidationError) as error:
        raise StorageError(f"An event of kind {event.kind} cannot be stored as JSON; correct it: {error}") from error


def from_rows(path: Path, session_id: str, rows: Iterable[Row]) -> list[Recorded]:
    """The events in these rows. Raises NewerSchema, DamagedLog."""
    load, parse = EVENTS.validate_json, datetime.fromisoformat
    kept: list[Recorded] = []
    for seq, at, kind, body in rows:
        try:
            kept.append(Recorded(seq=seq, at=parse(at), event=load(body)))
        except (ValueError, TypeError) as error:
            raise _unreadable(path, session_id, seq, kind, body, error) from error
    return kept


def _unreadable(path: Path, session_id: str, seq: int, kind: str, body: str, error: Exception) -> StorageError:
    """The error for a row that this version cannot read: made by a newer one, or damaged."""
    if _is_newer(kind, body, error):
        return NewerSchema(
            f"Event {seq} of session {session_id} in {path} (kind {kind}) was written by a newer Elenchus: "
            "upgrade Elenchus."
        )
    return failures.damaged(path, f"event {seq} of session {session_id} is unreadable")


def _is_newer(kind: str, body: str, error: Exception) -> bool:
    """Whether an intact body has a kind, or fields, that this version does not know."""
    try:
        stored = json.loads(body)
    except (ValueError, TypeError):
        return False
    if not isinstance(stored, dict) or stored.get("kind") != kind:
        return False
    if kind not in KINDS:
        return True
    return isinstance(error, ValidationError) and all(e["type"] == "extra_forbidden" for e in error.errors())
