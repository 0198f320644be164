"""Whether the server that runs here is alive: it touches a file while it is connected, and the file's age is looked at.

The file lies in the folder for temporary files, which belongs to one machine or container, not among the sessions,
which several may share. A server that hangs, or has lost its connection, touches it no more.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from time import time

EVERY = 10.0
_log = logging.getLogger(__name__)


def alive_file(home: Path) -> Path:
    """Where the server of this data folder says that it is alive."""
    owner = os.getuid() if hasattr(os, "getuid") else ""
    name = hashlib.sha256(str(home.absolute()).encode()).hexdigest()[:16]
    return Path(gettempdir()) / f"elenchus-{owner}-{name}.alive"


def silent_for(home: Path) -> float | None:
    """Seconds since the server was last alive; None where no server runs here."""
    try:
        found = alive_file(home).lstat()
    except FileNotFoundError:
        return None
    if hasattr(os, "getuid") and found.st_uid != os.getuid():  # somebody else's
        return None
    return max(0.0, time() - found.st_mtime)


@asynccontextmanager
async def told_alive(home: Path, connected: Callable[[], bool]) -> AsyncIterator[None]:
    """Inside, it is told every ten seconds, as long as it is connected; at the end no server runs here any more.

    The beginning counts too, so that a server that never connects is found out.
    """
    file = alive_file(home)

    async def tell() -> None:
        while True:
            await asyncio.sleep(EVERY)
            if connected():
                _touch(file)

    _touch(file)
    telling = asyncio.create_task(tell(), name="alive")
    try:
        yield
    finally:
        telling.cancel()
        with suppress(OSError):
            file.unlink()


def _touch(file: Path) -> None:
    """Set the file's time, where it is our own: in a folder that all may write to, somebody else may have put one, a
    link or a pipe of its name there. Then nothing tells that the server is alive, which runs all the same.
    """
    flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        number = os.open(file, flags, 0o600)
        try:
            os.utime(number if os.utime in os.supports_fd else file)
        finally:
            os.close(number)
    except OSError as error:
        _log.warning("whether the server is alive cannot be told: %s", error)
