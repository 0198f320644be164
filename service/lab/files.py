"""Sessions as files: the export of a session, and an exported one brought back."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from elenchus.config.documents import UnreadableDocument, read_text
from elenchus.config.json_and_yaml import json_in
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.log import EventLog, SessionInfo
from elenchus.debate_engine.reports.events_jsonl import read_events
from elenchus.debate_engine.runner import new_id

LARGEST = 20_000_000
"""Bytes of a run.json."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The events, and the id that the session had, "" where no run.json beside them tells it."""

    session_id: str
    events: list[Recorded]


async def import_session(log: EventLog, path: Path, session_id: str = "") -> SessionInfo:
    """Bring an exported session back: an events.jsonl or the folder of an export; "" gives it the id it had.

    Raises UsageError for a file that is no export, and where a session of this id is there.
    """
    exported = await asyncio.to_thread(read_export, path)
    known = session_id.strip() or exported.session_id or new_id()
    await log.restore(known, exported.events)
    return await log.info(known)


def read_export(path: Path) -> Exported:
    """The session in an events.jsonl or in the folder of an export. Raises UsageError naming the line that is wrong."""
    file = path / "events.jsonl" if path.is_dir() else path
    return Exported(read_id(file.with_name("run.json")), read_events(file))


def read_id(run_json: Path) -> str:
    """The id of the session whose export a run.json belongs to, "" where it cannot be told."""
    try:
        run = json_in(read_text(run_json, LARGEST), str(run_json))
    except UnreadableDocument:
        return ""
    found = run.get("session") if isinstance(run, dict) else ""
    return found if isinstance(found, str) else ""
