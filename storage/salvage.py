"""What can still be read of a damaged database: every event that is whole, whatever happened to the rest.

SQLite itself decodes the rows, but gives up on a file whose skeleton is damaged. So a copy gets a new first page with
one table in it, and one page of rows after the other is put in the place of that table's only page: neither header nor
schema nor inner pages of the damaged file are asked for anything (docs/decisions/0056-sqlite-reads-damaged-pages.md).

Source: sqlite.org/fileformat2.html, sections 1.3 (header), 1.6 (b-tree pages) and 4.1 (the write-ahead log's frames).
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.events import EVENTS, Recorded
from elenchus.storage.schema import PAGE_SIZE
from elenchus.storage.sqlite_errors import RAW

LEAF = 0x0D
"""First byte of a page that holds rows of a table."""

CHANGES = 24
"""Where a database's header counts its changes; where it counts otherwise, connections forget the pages they know."""

FRAMES, FRAME = 32 + 24, 24 + PAGE_SIZE
"""Where the first page of a write-ahead log begins, and how far it is to the next: 24 bytes go before each."""

COPY = """\
import sys
for place in range(1, len(sys.argv), 2):
    with open(sys.argv[place], "rb") as old, open(sys.argv[place + 1], "xb") as new:
        while part := old.read(1 << 20):
            new.write(part)
"""
"""Copies the first file to the second, the third to the fourth; starts in half of the time that `shutil` takes."""

Row = tuple[Any, ...]

Older = dict[int, list[int]]
"""Where older versions of a page lie, by the place of the newest, oldest first. Places are counted from 0."""


def readable_events(path: Path, session_id: str | None = None) -> dict[str, list[Recorded]]:
    """All whole events (of one session), by session and in order; {} where nothing can be read.

    Gaps in the numbers are what was lost. An event whose text was altered without ceasing to be one is not noticed.
    Blocks. Raises StorageError where no copy can be made, never for a damage.
    """
    found: dict[str, dict[int, Recorded]] = {}
    try:
        for session, recorded in _events(path):
            if session_id in (None, session):
                found.setdefault(session, {}).setdefault(recorded.seq, recorded)  # the newest version comes first
    except (OSError, *RAW) as error:
        raise StorageError(
            f"What is left of {path} is read from a copy, and none can be made in the folder for temporary files "
            f"({error}): set TMPDIR to a folder with room for it."
        ) from error
    return {session: [events[seq] for seq in sorted(events)] for session, events in sorted(found.items())}


def _events(path: Path) -> Iterator[tuple[str, Recorded]]:
    """Sessions and events, in no order; newer versions of an event come first. Raises OSError, sqlite3.Error."""
    if path.is_file():
        with TemporaryDirectory(prefix="elenchus-") as folder:
            yield from filter(None, map(_event, _rows(*_copied(path, Path(folder)))))


def _event(row: Row) -> tuple[str, Recorded] | None:
    """Session and event of a row of the table `events`, None for any other row or an unreadable event."""
    match row:
        case [_, str(session), int(seq), str(at), str(kind), str(body), str()]:
            with suppress(ValueError):
                event = EVENTS.validate_json(body)
                if event.kind == kind and seq > 0:
                    return session, Recorded(seq=seq, at=datetime.fromisoformat(at), event=event)
    return None


# ── a copy of all pages ──────────────────────────────────────────────────────────────────────────────────────────


def _copied(path: Path, folder: Path) -> tuple[Path, Older]:
    """The pages of the database and its log in one file, with a sound first page. Raises OSError.

    Another process copies: POSIX drops all locks that a process has on a file when it closes any descriptor of it
    (sqlite.org/howtocorrupt.html, section 2.2), and this one may have the file open through SQLite.
    """
    copy, log = folder / "copy.db", folder / "copy.log"
    pairs = [path, copy]
    if (beside := path.with_name(f"{path.name}-wal")).is_file():
        pairs += [beside, log]
    done = subprocess.run(  # noqa: S603 - our own script, with two files for each argument
        [sys.executable, "-I", "-S", "-c", COPY, *pairs], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise OSError(done.stderr.strip().rpartition("\n")[2])
    older = Older()
    with copy.open("r+b") as pages:
        if log.exists():
            with log.open("rb") as frames:
                older = _apply(frames, pages)
        pages.seek(0)
        pages.write(_first_page())
        pages.truncate(_count(pages) * PAGE_SIZE)
    return copy, older


def _apply(log: BinaryIO, pages: BinaryIO) -> Older:
    """Put the log's pages in their places, and those that they replace at the end. A place far beyond the end is noise,
    or the file is cut off: such a page comes at the end too.

    Checksums are not asked: after one damaged page SQLite refuses all that was written later.
    """
    numbers = _committed(log)
    end = bound = _count(pages) + len(numbers)
    older, beyond = Older(), dict[int, int]()
    for frame, number in enumerate(numbers):
        place = number - 1 if 0 < number <= bound else beyond.setdefault(number, end)
        if place != end:
            _put(pages, end, _page(pages, place * PAGE_SIZE))
            older.setdefault(place, []).append(end)
        _put(pages, place, _page(log, FRAMES + frame * FRAME))
        end += 1
    return older


def _committed(log: BinaryIO) -> list[int]:
    """The page numbers of the log's frames up to the last commit, oldest first."""
    salts = log.read(32)[16:24]
    numbers: list[int] = []
    committed = 0
    while len(frame := log.read(FRAME)) == FRAME and frame[8:16] == salts:
        numbers.append(int.from_bytes(frame[:4], "big"))
        committed = len(numbers) if any(frame[4:8]) else committed
    return numbers[:committed]


def _first_page() -> bytes:
    """The page of an empty database. It leaves open how many pages follow: the file's size says that."""
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        empty.execute("PRAGMA user_version = 1")
        page = empty.serialize()
    return page[:28] + bytes(4) + page[32:]


def _count(pages: BinaryIO) -> int:
    """How many pages the file has, a last broken one included."""
    return -(-pages.seek(0, 2) // PAGE_SIZE)


def _page(file: BinaryIO, start: int) -> bytes:
    """The page that begins there, filled up with zeros where the file ends."""
    file.seek(start)
    return file.read(PAGE_SIZE).ljust(PAGE_SIZE, b"\0")


def _put(pages: BinaryIO, place: int, page: bytes) -> None:
    pages.seek(place * PAGE_SIZE)
    pages.write(page)


# ── rows, page by page ───────────────────────────────────────────────────────────────────────────────────────────


def _rows(copy: Path, older: Older) -> Iterator[Row]:
    """The rows of all tables that can be read, under the names of the events' columns.

    An older version of a page is read only where the newer is not whole: what was deleted stays deleted.
    """
    replaced = {place for places in older.values() for place in places}
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection, copy.open("r+b", buffering=0) as pages:
        count = _count(pages)
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        connection.execute("CREATE TABLE leaf (id INTEGER PRIMARY KEY, session, seq, at, kind, body, origin)")
        (root,) = connection.execute("SELECT rootpage FROM sqlite_schema").fetchone()
        for newest in sorted({*range(1, count)} - replaced):
            for place in (newest, *reversed(older.get(newest, []))):
                rows, whole = _read(connection, pages, root, place)
                yield from rows
                if whole:
                    break


def _read(connection: sqlite3.Connection, pages: BinaryIO, root: int, place: int) -> tuple[list[Row], bool]:
    """The rows on a page, put in the place of the table's own, and whether it is whole; one of zeros is not."""
    page = _page(pages, place * PAGE_SIZE)
    if page[0] != LEAF:
        return [], any(page)
    _put(pages, root - 1, page)
    pages.seek(CHANGES)
    pages.write((PAGE_SIZE + place).to_bytes(4, "big"))
    return _decoded(connection)


def _decoded(connection: sqlite3.Connection) -> tuple[list[Row], bool]:
    """The rows on the table's page, one by one where one of them cannot be read, and whether all of them can be."""
    with suppress(*RAW):
        return connection.execute("SELECT * FROM leaf").fetchall(), True
    rows: list[Row] = []
    with suppress(*RAW):
        (count,) = connection.execute("SELECT count(*) FROM leaf").fetchone()
        for place in range(count):
            with suppress(*RAW):
                rows += connection.execute("SELECT * FROM leaf LIMIT 1 OFFSET ?", (place,)).fetchall()
    return rows, False
