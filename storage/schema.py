"""The SQLite database's tables, how connections to it are made, and how an older one is brought up to date.

`PRAGMA user_version` is the number of migrations that were applied; a migration, once released, is never changed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from elenchus.debate_engine.errors import NewerSchema, StorageError
from elenchus.storage.sqlite_connection import SqliteConnection

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


def connect(path: Path, patience: float, options: str = "") -> SqliteConnection:
    """A connection in autocommit mode that waits `patience` seconds for others' locks. One thread at a time uses it.

    `options` are those of SQLite's addresses, such as `?mode=ro`.
    """
    address = f"{path.as_uri()}{options}"
    connection = sqlite3.connect(
        address, timeout=patience, isolation_level=None, check_same_thread=False, factory=SqliteConnection, uri=True
    )
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def connect_writer(path: Path, sync: Sync) -> SqliteConnection:
    """A connection that writes, to a database with our tables, made or brought up to date where needed.

    It does not wait for others' locks: `sqlite_errors.retry_while_busy` does, better than SQLite.
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


def connect_reader(path: Path, patience: float, options: str = "") -> SqliteConnection:
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
