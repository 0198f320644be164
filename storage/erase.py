"""Leaving no trace on disk of text that was replaced or deleted.

`secure_delete` overwrites what is freed, but copies of moved rows stay in the unused middle of pages (measured with
SQLite 3.40: in 47 of 400 random histories), and the write-ahead log keeps older versions of pages: so the database is
built anew (VACUUM) and the log cut to nothing.

A counter in the database, `traces`, says that this is still to be done; it is raised in the transaction that makes the
change, so that whoever opens the database next finishes what a crash or a reader prevented.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from elenchus.storage import failures
from elenchus.storage.changes import counted

IN_MEMORY = 256 * 2**20
"""Bytes of a database that is rebuilt without a temporary file."""


def rebuild(connection: sqlite3.Connection, patience: float) -> int:
    """Write the whole database anew; the value of `traces` that this deals with, 0 if there was nothing to do."""
    if traces := counted(connection, "traces"):
        size = _pragma(connection, "page_count") * _pragma(connection, "page_size")
        connection.execute(f"PRAGMA temp_store = {'MEMORY' if size < IN_MEMORY else 'FILE'}")
        failures.patiently(lambda: connection.execute("VACUUM"), patience)
    return traces


def cut(connection: sqlite3.Connection, traces: int) -> bool:
    """Move the write-ahead log into the database and empty it; False while somebody still reads from it.

    Waits no longer than a tenth of a second, as nothing else can be written meanwhile.
    """
    with _waiting(connection, 0.1):
        busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    if busy:
        return False
    done = "DELETE FROM notes WHERE name = 'traces' AND value = ?"
    failures.patiently(lambda: connection.execute(done, (traces,)), 1.0)
    return True


@contextmanager
def _waiting(connection: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """Wait for locks that long inside."""
    before = _pragma(connection, "busy_timeout")
    connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA busy_timeout = {before}")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value
