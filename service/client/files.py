"""Files as a service sends them, in one archive."""

from __future__ import annotations

import asyncio
import io
import zipfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.log.rules import check_known
from elenchus.debate_engine.reports.files import write_all

if TYPE_CHECKING:
    from elenchus.service.client.connection import Connection

MOST_BYTES = 4_000_000_000
"""Of all files of an archive together."""


async def exported(connection: Connection, session_id: str, folder: Path) -> list[Path]:
    """Write a session's files into a folder; their paths. Raises UnknownSession, StorageError."""
    check_known(session_id)
    packed = await connection.ask("GET", f"/sessions/{session_id}/exports/all.zip", again=True, works=True)
    return await asyncio.to_thread(lambda: write_all(folder, unpacked(packed.body)))


def unpacked(archive: bytes) -> dict[str, bytes]:
    """The files of an archive by name, in its order, without the folder in which they lie. Blocks.

    Raises UsageError for what is no archive, or has files that would not lie in the folder that they are written to.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as packed:
            if sum(one.file_size for one in packed.infolist()) > MOST_BYTES:
                raise UsageError(f"The files that the server sent have more than {MOST_BYTES:,} bytes.")
            return {_plain(one.filename): packed.read(one) for one in packed.infolist() if not one.is_dir()}
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise UsageError("The files that the server sent cannot be read: export again.") from error


def _plain(name: str) -> str:
    path = PurePosixPath(name)
    inside = PurePosixPath(*path.parts[1:])
    if path.is_absolute() or ".." in path.parts or not inside.parts or any(mark in name for mark in "\\:\0"):
        raise UsageError(f"The server sent a file that is not to be written: {name!r}.")
    return str(inside)
