"""What can still be read of a damaged database: every event that is whole, whatever happened to the rest."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from debate_engine.events import EVENTS, Recorded
from storage.pages import Pages, Record, layouts, rows

_kept: dict[tuple[int, int], int] = {}
"""Descriptors that must stay open, by device and inode; see `_opened`."""


def readable_events(path: Path, session_id: str | None = None) -> dict[str, list[Recorded]]:
    """All whole events (of one session), by session and in order; {} where nothing can be read. Never raises.

    Gaps in the numbers are what was lost. An event whose text was altered without ceasing to be one is not noticed.
    """
    found: dict[str, dict[int, Recorded]] = {}
    with suppress(OSError), _opened(path) as database, _opened(path.with_name(path.name + "-wal")) as wal:
        if database is not None:
            for session, recorded in _events(database, wal, session_id):
                found.setdefault(session, {}).setdefault(recorded.seq, recorded)  # the newest version comes first
    return {session: [events[seq] for seq in sorted(events)] for session, events in sorted(found.items())}


def _events(database: int, wal: int | None, session_id: str | None) -> Iterator[tuple[str, Recorded]]:
    for record in (record for layout in layouts(database) for record in rows(Pages(database, wal, layout))):
        if (event := _event(record)) and session_id in (None, event[0]):
            yield event


def _event(record: Record) -> tuple[str, Recorded] | None:
    """Session and event of a row of the table `events`, None for any other row or an unreadable event."""
    match record:
        case [None, str(session), int(seq), str(at), str(kind), str(body), str()]:
            with suppress(ValueError):
                event = EVENTS.validate_json(body)
                if event.kind == kind and seq > 0:
                    return session, Recorded(seq=seq, at=datetime.fromisoformat(at), event=event)
    return None


@contextmanager
def _opened(path: Path) -> Iterator[int | None]:
    """A descriptor to read `path`, None where there is no such file.

    While this process also has the file open through SQLite, the descriptor is kept for good: POSIX drops all locks
    that a process has on a file when it closes any descriptor of it (sqlite.org/howtocorrupt.html, section 2.2).
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        yield None
        return
    key = status.st_dev, status.st_ino
    descriptor = _kept[key] if key in _kept else os.open(path, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        if _is_open_here(key, descriptor):
            _kept[key] = descriptor
        else:
            _kept.pop(key, None)
            os.close(descriptor)


def _is_open_here(key: tuple[int, int], besides: int) -> bool:
    """Whether this process has another descriptor of that file."""
    folder = Path("/dev/fd")
    numbers = [int(entry.name) for entry in folder.iterdir()] if folder.is_dir() else []
    for number in numbers:
        with suppress(OSError):
            status = os.fstat(number)
            if number != besides and (status.st_dev, status.st_ino) == key:
                return True
    return False
