"""The state of the database and of the disk it lies on."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elenchus.config.settings import Settings


async def database(path: Path) -> dict[str, Any]:
    """Where it is, how large, in which state, and how many sessions it holds. Nothing is made where there is none."""
    from elenchus.debate_engine.errors import DamagedLog, NewerSchema, StorageError
    from elenchus.service.cli.session_lookup import state_of
    from elenchus.storage.sqlite_log import open_log

    found: dict[str, Any] = {"path": str(path), "bytes": 0, "state": "not made yet", "sessions": {}, "problem": ""}
    if not await asyncio.to_thread(path.exists):
        return found
    found["bytes"] = await asyncio.to_thread(_size, path)
    try:
        log = await open_log(path)
        try:
            sessions = await log.sessions()
        finally:
            await log.aclose()
    except StorageError as error:
        states = {DamagedLog: "damaged", NewerSchema: "from a newer Elenchus"}
        return found | {"state": states.get(type(error), "cannot be used"), "problem": str(error)}
    state, problem = ("ok", "") if log.refusal is None else ("read-only", str(log.refusal))
    counted = dict(Counter(state_of(info) for info in sessions))
    return found | {"state": state, "problem": problem, "sessions": counted}


def _size(path: Path) -> int:
    """Bytes of the database with its write-ahead log; 0 where there is none."""
    return sum(p.stat().st_size for p in path.parent.glob(path.name + "*") if p.is_file())


def library(settings: Settings) -> dict[str, Any]:
    """What detections know of biases: `vectors`, in a folder or on a server (`path`), or else the catalogue itself."""
    from importlib.util import find_spec

    from elenchus.config.addresses import shown_address

    if find_spec("chromadb") is None:
        said = "the catalogue itself, compared by words: for vectors pip install 'elenchus[detect]'"
        return {"vectors": False, "path": None, "embedding": None, "said": said}
    chosen = settings.library
    where = shown_address(chosen.server) if chosen.server else str(settings.library_dir)
    there = chosen.server is None and settings.library_dir.exists()
    state = "on a server" if chosen.server else "built" if there else "built at first use"
    return {
        "vectors": True,
        "path": where,
        "embedding": chosen.embedding,
        "said": f"knowledge by meaning ({chosen.embedding}), {state}",
    }


def disk(home: Path) -> dict[str, Any]:
    """The folder of all data: whether it can be written, and how many bytes are free there."""
    there = next((p for p in (home, *home.parents) if p.exists()), home)
    writable = there.is_dir() and os.access(there, os.W_OK | os.X_OK)
    return {"home": str(home), "writable": writable, "free_bytes": shutil.disk_usage(there).free}
