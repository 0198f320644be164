"""The database's tables, how connections to it are made, how an older one is brought up to date, and what events are
in it: `body` is the event as JSON text, `at` ISO 8601 in UTC.

`PRAGMA user_version` is the number of migrations that were applied; a migration, once released, is never changed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, get_args

from pydantic import ValidationError

from elenchus.debate_engine.errors import NewerSchema, StorageError
from elenchus.debate_engine.events import EVENTS, Event, Recorded
from elenchus.debate_engine.log import rules, state_after
from elenchus.storage import failures

APPLICATION_ID = 0x456C656E
"""`Elen`: tells our databases from other programs'."""

PAGE_SIZE = 4096
"""Bytes of a page of our databases, so that a file without a readable header can be salvaged."""

Sync = Literal["normal", "full"]


def first_tables(connection: sqlite3.Connection) -> None:
    """Sessions, their events, and `notes`: counters that processes leave for each other.

    `events.id` grows with every commit and is never used again, so that `id > cursor` finds exactly what is new.
    `origin` is the log object that wrote the event. `owner` is the log object that may run the session.
    """
    connection.execute(
        """CREATE TABLE sessions (
            id TEXT PRIMARY KEY, title TEXT NOT NULL, protocol TEXT NOT NULL, state TEXT NOT NULL,
            created TEXT NOT NULL, head INTEGER NOT NULL, epoch INTEGER NOT NULL,
            owner TEXT, host TEXT, pid INTEGER, since TEXT)"""
    )
    connection.execute(
        """CREATE TABLE events (
            id INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            seq INTEGER NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, origin TEXT NOT NULL,
            UNIQUE (session, seq))"""
    )
    connection.execute("CREATE TABLE notes (name TEXT PRIMARY KEY, value INTEGER NOT NULL)")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def shelf(connection: sqlite3.Connection) -> None:
    """A front end's small documents (see `storage.key_value`)."""
    connection.execute(
        """CREATE TABLE shelf (
            drawer TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (drawer, key)) WITHOUT ROWID"""
    )


def answers(connection: sqlite3.Connection) -> None:
    """The cache of answers by content (see `storage.key_value`)."""
    connection.execute(
        """CREATE TABLE answers (
            key TEXT PRIMARY KEY, model TEXT NOT NULL, body TEXT NOT NULL, hits INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID"""
    )


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (first_tables, shelf, answers)


def connect(path: Path, patience: float, options: str = "") -> sqlite3.Connection:
    """A connection in autocommit mode that waits `patience` seconds for others' locks. One thread at a time uses it.

    `options` are those of SQLite's addresses, such as `?mode=ro`.
    """
    address = f"{path.as_uri()}{options}"
    connection = sqlite3.connect(address, timeout=patience, isolation_level=None, check_same_thread=False, uri=True)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def connect_writer(path: Path, sync: Sync) -> sqlite3.Connection:
    """A connection that writes, to a database with our tables, made or brought up to date where needed.

    It does not wait for others' locks: `failures.retry_while_busy` does, better than SQLite.
    `normal` survives the death of the process at any moment; a power cut may cost the last seconds, never the
    database. `full` waits for the disk at every commit. Raises NewerSchema, StorageError, sqlite3.Error.
    """
    connection = connect(path, 0)
    try:
        refuse_others_files(connection, path)
        connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {sync}")
        connection.execute("PRAGMA secure_delete = ON")
        migrate(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def connect_reader(path: Path, patience: float, options: str = "") -> sqlite3.Connection:
    """A connection that reads only."""
    connection = connect(path, patience, options)
    connection.execute("PRAGMA query_only = ON")
    return connection


def refuse_others_files(connection: sqlite3.Connection, path: Path) -> None:
    """Raises StorageError for another program's database, NewerSchema for one of a newer Elenchus."""
    version, application = _pragma(connection, "user_version"), _pragma(connection, "application_id")
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if application != APPLICATION_ID and (version or application or tables):
        raise StorageError(f"{path} is a database of another program; choose another file or another ELENCHUS_HOME.")
    if version > len(MIGRATIONS):
        raise NewerSchema(
            f"{path} was written by a newer Elenchus (schema {version}, this version knows {len(MIGRATIONS)}): "
            "upgrade Elenchus."
        )


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Apply the migrations that are missing, all in one transaction."""
    if _pragma(connection, "user_version") == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        refuse_others_files(connection, path)
        for migration in MIGRATIONS[_pragma(connection, "user_version") :]:
            migration(connection)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value = connection.execute(f"PRAGMA {name}").fetchone()[0]
    assert isinstance(value, int)
    return value


# ── events and their rows ────────────────────────────────────────────────────────────────────────────────────────

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
    kept, text = rules.as_stored(event)
    return Body(kept, event.kind, text, state_after(event))


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
