"""Whether the server that runs here is alive: it touches a file while it is connected, and the file's age is looked at.

The file lies in the folder for temporary files, which belongs to one machine or container, not among the sessions,
which several may share. A server that hangs, or has lost its connection, touches it no more.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import gettempdir
from time import time

EVERY = 10.0


def alive_file(home: Path) -> Path:
    """Where the server of this data folder says that it is alive."""
    owner = os.getuid() if hasattr(os, "getuid") else ""
    name = hashlib.sha256(str(home.absolute()).encode()).hexdigest()[:16]
    return Path(gettempdir()) / f"elenchus-{owner}-{name}.alive"


def silent_for(home: Path) -> float | None:
    """Seconds since the server was last alive; None where no server runs here."""
    try:
        return max(0.0, time() - alive_file(home).stat().st_mtime)
    except FileNotFoundError:
        return None


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
                file.touch()

    file.touch()
    telling = asyncio.create_task(tell(), name="alive")
    try:
        yield
    finally:
        telling.cancel()
        file.unlink(missing_ok=True)
