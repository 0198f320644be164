"""The database's file and its folder: whose they are, how a new one comes to be, how one is read that nobody may write,
as on a read-only medium or a full disk, and how no trace is left in it of text that was replaced or deleted.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import stat
import tempfile
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from elenchus.debate_engine.errors import StorageError
from elenchus.storage import sqlite_errors
from elenchus.storage.changes import clear_answers
from elenchus.storage.database import OUTDATED, count
from elenchus.storage.schema import Sync, connect_reader, connect_writer
from elenchus.storage.sqlite_connection import SqliteConnection

SIBLINGS = ("", "-wal", "-shm", "-journal")
"""What SQLite puts beside a database, and the database itself."""

OURS = frozenset({"models", "models.yaml", "library", "scenes", ".env"})
"""What else lies in a folder of ours."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where readers find the database, and with which options of SQLite's addresses.

    `refusal` says why it cannot be written; None: it can. `copy` is a folder that goes with the log.
    """

    path: Path
    options: str = ""
    refusal: StorageError | None = None
    copy: tempfile.TemporaryDirectory[str] | None = None

    def connect(self, patience: float) -> SqliteConnection:
        """A connection that reads."""
        return connect_reader(self.path, patience, self.options)


def opened(path: Path, sync: Sync, patience: float) -> tuple[Source, SqliteConnection]:
    """The database, made where missing, and a connection for the writer; one that cannot be written, to be read.

    Raises StorageError, NewerSchema, DamagedLog, sqlite3.Error, OSError.
    """
    if not path.exists():
        _make(path, sync, patience)
    _refuse_what_is_no_database(path)
    keep_private(path)
    try:
        return Source(path), sqlite_errors.retry_while_busy(lambda: connect_writer(path, sync), patience)
    except sqlite3.Error as error:
        if not sqlite_errors.forbids_writing(error):
            raise
        return _unwritable(path, sqlite_errors.explain(path, error), patience)


def _make(path: Path, sync: Sync, patience: float) -> None:
    """A database with its tables, under its name only when it is whole: an empty file is never one of ours."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    os.close(os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        sqlite_errors.retry_while_busy(lambda: connect_writer(made, sync), patience).close()
        with suppress(FileExistsError):  # another process was faster
            _name(made, path)
    finally:
        for suffix in SIBLINGS:
            made.with_name(made.name + suffix).unlink(missing_ok=True)


def _name(made: Path, path: Path) -> None:
    try:
        path.hardlink_to(made)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if not path.exists():
            made.replace(path)


def _refuse_what_is_no_database(path: Path) -> None:
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise StorageError(f"{path} is no file, but a folder, a pipe or a device: set ELENCHUS_HOME to another folder.")
    if status.st_size == 0:
        raise sqlite_errors.damaged(path, "it is empty: even without sessions a database has some thousand bytes")


def keep_private(path: Path) -> None:
    """Let nobody else read a database, its siblings and its folder, also where they were made by others' rules.

    A folder with things that are not ours in it stays as it is: it may be anything.
    """
    with suppress(OSError):  # somebody else's, or a read-only medium
        for suffix in SIBLINGS:
            with suppress(FileNotFoundError):
                _narrow(path.with_name(path.name + suffix), 0o600)
        with suppress(FileNotFoundError):
            _narrow(path.with_name(f"{path.name}-locks"), 0o700)
        names = {entry.name for entry in path.parent.iterdir()}
        if all(name in OURS or ".db" in name for name in names):
            _narrow(path.parent, 0o700)


def _narrow(path: Path, mode: int) -> None:
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        path.chmod(mode)


# ── without writing ──────────────────────────────────────────────────────────────────────────────────────────────


def _unwritable(path: Path, why: StorageError, patience: float) -> tuple[Source, SqliteConnection]:
    """The database for reading: as others write it, where they do, else as it lies there."""
    with suppress(sqlite3.OperationalError):
        return _read(Source(path, "?mode=ro", why), patience)
    return _read(_at_rest(path, why), patience)


def _read(source: Source, patience: float) -> tuple[Source, SqliteConnection]:
    connection = source.connect(patience)
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return source, connection


def _at_rest(path: Path, why: StorageError) -> Source:
    """A database that nobody changes. SQLite reads the log beside it only where it may write there: so in a copy."""
    wal = path.with_name(f"{path.name}-wal")
    if not wal.exists() or wal.stat().st_size == 0:
        return Source(path, "?immutable=1", why)
    folder = tempfile.TemporaryDirectory(prefix="elenchus-")
    copy = Path(folder.name) / path.name
    for suffix in ("", "-wal"):
        shutil.copyfile(path.with_name(path.name + suffix), copy.with_name(copy.name + suffix))
    return Source(copy, "", why, folder)


def delete_without_room(path: Path, session_id: str) -> None:
    """Remove a session where the disk has no room for a transaction: the rest is rebuilt in memory and written back.

    Nobody else may have the database open. Where not even the smaller file fits beside it, it is written over in place:
    unlike anything else here, that does not survive a power cut. Blocks. Raises StorageError.
    """
    with sqlite_errors.explained(path), closing(sqlite3.connect(":memory:", isolation_level=None)) as rebuilt:
        with closing(sqlite3.connect(path, timeout=1, isolation_level=None)) as alone:
            alone.execute("PRAGMA locking_mode = EXCLUSIVE")  # without the -shm file, and without anybody else
            alone.execute("BEGIN IMMEDIATE")
            alone.execute("COMMIT")
            alone.backup(rebuilt)
        rebuilt.execute("PRAGMA foreign_keys = ON")
        rebuilt.execute("DELETE FROM sessions WHERE id = ?", (session_id,))
        clear_answers(rebuilt)
        count(rebuilt, OUTDATED)
        rebuilt.execute("DELETE FROM notes WHERE name = 'traces'")
        rebuilt.execute("VACUUM")
        _write_back(path, rebuilt.serialize())


def _write_back(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        beside.touch(mode=0o600)
        beside.write_bytes(data)
    except OSError:
        beside.unlink(missing_ok=True)
    for suffix in SIBLINGS[1:]:  # all of it is in the data; an old log must not be applied to the new file
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    if beside.exists():
        beside.replace(path)
        return
    with path.open("r+b") as file:
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
