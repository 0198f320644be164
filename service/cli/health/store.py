"""The state of the database and of the disk it lies on."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any


async def database(path: Path) -> dict[str, Any]:
    """Where it is, how large, in which state, and how many sessions it holds. Nothing is made where there is none."""
    from debate_engine.errors import DamagedLog, NewerSchema, StorageError
    from service.cli.finding import state_of
    from storage.sqlite_log import open_log

    found: dict[str, Any] = {"path": str(path), "bytes": 0, "state": "not made yet", "sessions": {}, "problem": ""}
    found["bytes"] = await asyncio.to_thread(_size, path)
    if not found["bytes"]:
        return found
    try:
        log = await open_log(path)
        try:
            sessions = await log.sessions()
        finally:
            await log.aclose()
    except StorageError as error:
        states = {DamagedLog: "damaged", NewerSchema: "from a newer Elenchus"}
        return found | {"state": states.get(type(error), "cannot be used"), "problem": str(error)}
    return found | {"state": "ok", "sessions": dict(Counter(state_of(info) for info in sessions))}


def _size(path: Path) -> int:
    """Bytes of the database with its write-ahead log; 0 where there is none."""
    return sum(p.stat().st_size for p in path.parent.glob(path.name + "*") if p.is_file()) if path.exists() else 0


def disk(home: Path) -> dict[str, Any]:
    """The folder of all data: whether it can be written, and how many bytes are free there."""
    there = next((p for p in (home, *home.parents) if p.exists()), home)
    return {"home": str(home), "writable": os.access(there, os.W_OK), "free_bytes": shutil.disk_usage(there).free}
