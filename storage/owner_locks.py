"""Who is alive: each log object that runs sessions holds an OS lock on a file named after it until it ends.

The database says which log object (`origin`) owns a session; whether that owner lives is asked of the system, which
drops the lock of a process the moment it dies, by `kill -9` too. An origin is random and never used again, so that
"its file is gone or can be locked" means for good "it is dead". One lock a log object, however many sessions it runs.

Of filelock (4.2, read in its source): a `FileLock` belongs to the acquiring *thread* unless `thread_local=False`; a
second object on the same path contends with the first, also within a process; a lock won on an unlinked file is
given back and tried again, so that a holder may unlink its file; a forked child closes the inherited descriptor;
without `fallback_to_soft=False` a file system without locks would silently get locks that outlive their process.
"""

from __future__ import annotations

import asyncio
import errno
import secrets
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.storage import sqlite_errors

if TYPE_CHECKING:
    from filelock import BaseFileLock

PROBE = 0.1
"""Seconds after which a lock that cannot be had counts as held for sure: another's probe lets go in microseconds."""


class Locks:
    """The lock files beside one database. Methods block; any thread may call them."""

    def __init__(self, database: Path) -> None:
        self._folder = database.with_name(database.name + "-locks")
        self._own: BaseFileLock | None = None
        self._mutex = threading.Lock()
        self.origin = secrets.token_hex(8)
        """The name of this log object."""

    def hold(self) -> None:
        """Count as alive for others from now until `release`. Raises OSError."""
        with self._mutex:
            if self._own is None:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._remove_stale()
                lock = _lock(self._folder / f"{self.origin}.lock")
                lock.acquire()
                self._own = lock

    def release(self) -> None:
        """Count as gone for others. Safe to call twice."""
        with self._mutex:
            if self._own is not None:
                _drop(self._own)
                self._own = None

    def alive(self, origin: str, patience: float = PROBE) -> bool:
        """Whether the log object named so still holds its lock. Raises OSError."""
        return origin == self.origin or not self._remove_unless_held(self._folder / f"{origin}.lock", patience)

    def _remove_stale(self) -> None:
        """Remove the files that nobody holds any more."""
        for path in self._folder.glob("*.lock"):
            self._remove_unless_held(path, 0.0)

    def _remove_unless_held(self, path: Path, patience: float) -> bool:
        """Whether nobody holds `path`; its file is gone then."""
        from filelock import Timeout

        if not path.exists():
            return True
        lock = _lock(path)
        try:
            lock.acquire(timeout=patience, poll_interval=0.005)
        except Timeout:
            return False
        except OSError as error:
            if error.errno == errno.EROFS:
                return True  # nobody runs a session on a read-only medium
            if isinstance(error, PermissionError):
                return False  # another account's: it may live, and nothing of it can be changed here
            raise
        _drop(lock)
        return True


class FileHolds:
    """Who is alive, by these locks. See `Holds`."""

    def __init__(self, database: Path) -> None:
        self._database, self._locks = database, Locks(database)
        self.origin = self._locks.origin

    async def hold(self) -> None:
        """Count as alive for others. Raises StorageError."""
        await sqlite_errors.in_thread(self._database, self._locks.hold)

    async def alive(self, origins: set[str], *, quick: bool = False) -> set[str]:
        """Those of these that live; `quick` takes another's probe for a lock. Raises StorageError."""
        patience, alive = 0.0 if quick else PROBE, self._locks.alive
        return await sqlite_errors.in_thread(self._database, lambda: {o for o in origins if alive(o, patience)})

    async def release(self) -> None:
        """Count as gone for others."""
        with suppress(OSError):  # the system drops the lock at the latest when this process ends
            await asyncio.to_thread(self._locks.release)


def _lock(path: Path) -> BaseFileLock:
    from filelock import FileLock  # 30 ms that a program which only reads does not pay

    return FileLock(path, timeout=5, thread_local=False, fallback_to_soft=False)


def _drop(lock: BaseFileLock) -> None:
    """Unlink the file while it is locked, then let it go."""
    try:
        with suppress(OSError):  # Windows: an open file stays, and filelock removes it; or the folder is gone
            Path(lock.lock_file).unlink(missing_ok=True)
    finally:
        lock.release()
