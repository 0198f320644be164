"""The embedded log: one SQLite file, many processes. See docs/decisions/0002-sqlite-log.md."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from pathlib import Path

from elenchus.debate_engine.log.followers import Followers
from elenchus.storage import sqlite_errors
from elenchus.storage.database_file import Source, opened
from elenchus.storage.owner_locks import FileHolds
from elenchus.storage.queries import SqliteQueries
from elenchus.storage.readers import Readers
from elenchus.storage.schema import Sync
from elenchus.storage.secure_erasure import Eraser, cut_write_ahead_log, erase
from elenchus.storage.sql_log import Parts, SqlLog
from elenchus.storage.sqlite_connection import SqliteConnection, SqliteDatabase
from elenchus.storage.watcher import SqliteWatch, Watcher
from elenchus.storage.writer import Writer

PATIENCE = 10.0
"""Seconds to wait for another process's lock on the database."""


async def open_log(path: Path, *, sync: Sync = "normal", patience: float = PATIENCE) -> SqliteLog:
    """Open the log at `path`, made with its folder where missing. The caller closes it. Only its owner can read it.

    What cannot be written (a read-only medium, a full disk) can be read; every change raises why.

    `sync` "normal" loses nothing when the process dies at any moment, and in a power cut perhaps the last seconds;
    "full" waits for the disk at each commit. Raises StorageError, NewerSchema, DamagedLog.
    """
    absolute, source, connection = await asyncio.to_thread(_open, path, patience, sync)
    return SqliteLog(absolute, source, connection, patience)


def _open(path: Path, patience: float, sync: Sync) -> tuple[Path, Source, SqliteConnection]:
    """The absolute path, where to read, and the connection that writes; erasing is done that was prevented before."""
    path = path.absolute()
    with sqlite_errors.explained(path):
        source, connection = opened(path, sync, patience)
    with suppress(*sqlite_errors.RAW):  # it stays noted in the database, and must not keep people from their sessions
        if source.refusal is None and (traces := erase(connection, 0.1)):
            cut_write_ahead_log(connection, traces)
    return path, source, connection


class SqliteLog(SqlLog):
    """A log in a SQLite file, made by `open_log`. No byte of what was replaced or deleted stays in its files."""

    def __init__(self, path: Path, source: Source, connection: SqliteConnection, patience: float) -> None:
        self._source = source
        database, holds, followers = SqliteDatabase(path, patience), FileHolds(path), Followers()
        connect = partial(source.connect, patience)
        writer = Writer(connection, database, holds.origin, source.refusal)
        super().__init__(
            Parts(
                followers,
                writer,
                Readers(database, connect),
                Watcher(lambda: SqliteWatch(database, holds.origin, connect, followers)),
                holds,
                SqliteQueries(database),
                Eraser(writer, path, patience).run,
                "length(CAST(body AS BLOB))",
            )
        )

    async def _close(self) -> None:
        await super()._close()
        if self._source.copy is not None:
            with suppress(OSError):
                await asyncio.to_thread(self._source.copy.cleanup)
