"""SQLite's errors in our words: which file, what is wrong, what to do."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from elenchus.debate_engine.errors import DamagedLog, DiskFull, StorageError

T = TypeVar("T")

RAW = (sqlite3.Error, UnicodeDecodeError)
"""What the sqlite3 module raises; the latter where a damaged file garbles the text of an error."""

WRITE_LOCK = range(120, 121)
READ_LOCKS = range(123, 128)
"""Bytes of the `-shm` file that SQLite locks in WAL mode (sqlite.org/walformat.html, section 2.3.1)."""


def is_busy(error: sqlite3.Error) -> bool:
    """Whether trying again later may help: another connection has a lock."""
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def concerns_all(error: Exception) -> bool:
    """Whether the error says nothing about one change in particular: every other one would meet it too."""
    if isinstance(error, UnicodeDecodeError):
        return True
    return isinstance(error, sqlite3.Error) and _code(error) not in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_TOOBIG)


def retry_while_busy(attempt: Callable[[], T], patience: float) -> T:
    """`attempt`'s result, tried again every few milliseconds for `patience` seconds while SQLite says busy.

    Short random waits let a writer in between two commits of a busier process, where SQLite's own growing waits
    may miss every gap.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            return attempt()
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise
        time.sleep(random.uniform(0.0005, 0.003))


def forbids_writing(error: sqlite3.Error) -> bool:
    """Whether the database cannot be written, while it can perhaps be read: by rights, medium or want of room."""
    return _code(error) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_FULL)


async def in_thread(path: Path, work: Callable[[], T]) -> T:
    """`work`'s result, done off the event loop; errors as `explained`."""
    with explained(path):
        return await asyncio.to_thread(work)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's and the system's errors inside into StorageError or DamagedLog."""
    try:
        yield
    except (*RAW, OSError) as error:
        raise explain(path, error) from error


def explain(path: Path, error: Exception) -> StorageError:
    """The error to raise for `error`, which came up while `path` was used."""
    if isinstance(error, UnicodeDecodeError) or "Could not decode" in str(error):
        return damaged(path, "text in it is garbled")
    if isinstance(error, OSError):
        return StorageError(f"{path} cannot be used ({_said(error)}): make the folder writable or set ELENCHUS_HOME.")
    if not isinstance(error, sqlite3.Error):
        return StorageError(f"{path} cannot be used ({error}): look at the disk, then try again.")
    if is_busy(error):
        return locked(path)
    match _code(error):
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return damaged(path, str(error))
        case sqlite3.SQLITE_FULL:
            return DiskFull(
                f"There is no room left to write {path} (disk, quota or file size limit): nothing of this was "
                "written; free some space and try again."
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return StorageError(
                f"{path} cannot be written ({error}): make the file and its folder writable or set ELENCHUS_HOME."
            )
    return StorageError(f"{path} cannot be used ({error}): look at the disk, then try again.")


def _said(error: OSError) -> str:
    """What the system said, and of which file: `permission denied: /srv/data`."""
    said = (error.strerror or str(error)).lower()
    return f"{said}: {error.filename}" if error.filename else said


_NO_ROOM = {
    sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_TRUNCATE, sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_IOERR_SHMMAP,
}  # fmt: skip
"""What SQLite says besides SQLITE_FULL when a quota, a file size limit or a full disk stops a write."""


def locked(path: Path) -> StorageError:
    """The error for a database that another process does not let go of."""
    return StorageError(
        f"{path} is kept locked by {_processes(path, WRITE_LOCK)}, which may be frozen in the middle of a write: "
        "end it and try again."
    )


def still_read(path: Path) -> str:
    """Why old text cannot be overwritten yet."""
    return f"{_processes(path, READ_LOCKS)} is reading it; close that program."


def not_erased(path: Path, reason: str) -> StorageError:
    """The error for text that was replaced or deleted while its traces could not be erased."""
    return StorageError(
        f"The text was replaced or deleted, but traces of it are still in {path}: {reason} "
        "Opening Elenchus again then finishes the erasing."
    )


def damaged(path: Path, detail: str) -> DamagedLog:
    """The error for a damaged file, with what can still be read of it. Reads the whole file."""
    from elenchus.storage.salvage import readable_events  # imported here, as salvage is needed in the worst case only

    try:
        saved = readable_events(path)
    except StorageError as error:
        return DamagedLog(f"{path} is damaged ({detail}). {error}")
    events = sum(map(len, saved.values()))
    what = f"{events} events of {len(saved)} sessions can still be read" if saved else "nothing in it can be read"
    cure = "save them with `elenchus sessions export ID --export DIR`, then move" if saved else "move"
    return DamagedLog(f"{path} is damaged ({detail}); {what}: {cure} the file away and start a new one.")


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code."""
    extended: int = getattr(error, "sqlite_errorcode", 0)
    return sqlite3.SQLITE_FULL if extended in _NO_ROOM else extended & 0xFF


def _processes(path: Path, lock: range) -> str:
    pids = holders(path, lock)
    return " and ".join(f"process {pid}" for pid in pids) if pids else "another program"


def holders(path: Path, lock: range) -> list[int]:
    """Ids of the processes that lock one of these bytes of the `-shm` file; empty where the system does not say.

    Read from /proc/locks, never by opening the file: closing it would drop this process's own locks on it.
    """
    try:
        inode = path.with_name(path.name + "-shm").stat().st_ino
        lines = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    except OSError:
        return []
    held = {
        int(pid)
        for _, _, _, _, pid, file, first, last in (fields for fields in lines if len(fields) == 8)
        if file.endswith(f":{inode}") and int(first) < lock.stop and (last == "EOF" or lock.start <= int(last))
    }
    return sorted(held)
