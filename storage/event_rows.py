"""Events and their rows, in whichever database: `body` is the event as JSON text, `at` ISO 8601 in UTC."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import get_args

from pydantic import BaseModel, ValidationError

from elenchus.debate_engine.errors import NewerSchema, StorageError
from elenchus.debate_engine.events import EVENTS, Event, Recorded
from elenchus.debate_engine.log import rules, state_after
from elenchus.storage.database import Database

KINDS = frozenset(model.model_fields["kind"].default for model in get_args(get_args(Event)[0]))
"""Every kind of event that this version knows."""

PLAIN = frozenset((int, float, bool, type(None), datetime))
"""Types of values that are small, whatever they are."""

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
    kept, text = rules.as_stored(event)
    return Body(kept, event.kind, text, state_after(event))


def is_small(event: Event, most: int = 300) -> bool:
    """Whether `to_body` takes a fraction of a millisecond: `most` values at the most, 500 characters for one.

    What records of calls hold is not counted: it is mostly text in one piece, which is fast.
    """
    waiting = list(event.__dict__.values())
    for value in waiting:  # which grows
        kind = type(value)
        if kind is str:
            if len(value) >= 500:
                most -= len(value) // 500
        elif kind is dict or kind is list or kind is tuple:
            if (most := most - len(value)) < 0:
                return False
            waiting += value
            if kind is dict:
                waiting += value.values()
        elif kind not in PLAIN and not isinstance(value, BaseModel):
            return False
    return most >= 0


def from_rows(database: Database, session_id: str, rows: Iterable[Row]) -> list[Recorded]:
    """The events in these rows. Raises NewerSchema, DamagedLog."""
    load, parse = EVENTS.validate_json, datetime.fromisoformat
    kept: list[Recorded] = []
    for seq, at, kind, body in rows:
        try:
            kept.append(Recorded(seq=seq, at=parse(at), event=load(body)))
        except (ValueError, TypeError) as error:
            raise _unreadable(database, session_id, seq, kind, body, error) from error
    return kept


def _unreadable(database: Database, session_id: str, seq: int, kind: str, body: str, error: Exception) -> StorageError:
    """The error for a row that this version cannot read: made by a newer one, or damaged."""
    if _is_newer(kind, body, error):
        return NewerSchema(
            f"Event {seq} of session {session_id} in {database} (kind {kind}) was written by a newer Elenchus: "
            "upgrade Elenchus."
        )
    return database.damaged(f"event {seq} of session {session_id} is unreadable")


def _is_newer(kind: str, body: str, error: Exception) -> bool:
    """Whether an intact body has a kind, or fields, that this version does not know."""
    try:
        stored = json.loads(body)
    except (ValueError, TypeError, RecursionError):
        return False
    if not isinstance(stored, dict) or stored.get("kind") != kind:
        return False
    if kind not in KINDS:
        return True
    return isinstance(error, ValidationError) and all(e["type"] == "extra_forbidden" for e in error.errors())
