"""What is read from the database, as functions of a connection, and the threads that run them beside the writer."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from elenchus.debate_engine.errors import ElenchusError
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.log import SessionInfo, rules
from elenchus.debate_engine.printable import one_line
from elenchus.storage import failures
from elenchus.storage.changes import Owner, birth_of
from elenchus.storage.schema import from_rows

T = TypeVar("T")

THREADS = 4
"""Connections that read side by side."""


class Readers:
    """Runs queries off the event loop. A query sees everything that was committed before it began."""

    def __init__(self, path: Path, connect: Callable[[], sqlite3.Connection]) -> None:
        self._path = path
        self._connect = connect
        self._own = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._pool = ThreadPoolExecutor(THREADS, "elenchus-log-reader")

    async def ask(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """The query's result. Raises what it raises; StorageError for errors of the database."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._run, query)

    async def aclose(self) -> None:
        """Finish what was asked for, then close the connections. Safe to call twice."""
        await asyncio.to_thread(self._pool.shutdown)
        while self._connections:
            self._connections.pop().close()

    def _run(self, query: Callable[[sqlite3.Connection], T]) -> T:
        with failures.explained(self._path):
            if not hasattr(self._own, "connection"):
                self._own.connection = self._connect()
                self._connections.append(self._own.connection)
            return query(self._own.connection)


@dataclass(frozen=True, slots=True)
class Session:
    """A row of the table of sessions. `owner` is who claimed it last and has not given it back, dead or alive."""

    id: str
    title: str
    protocol: str
    state: str
    created: datetime
    epoch: int
    owner: Owner | None

    def info(self, alive: bool) -> SessionInfo:
        """The row for people; `alive` says whether the owner lives."""
        name = rules.holder_name(self.owner.host, self.owner.pid) if self.owner and alive else None
        return SessionInfo(self.id, one_line(self.title), self.protocol, self.state, self.created, name, self.epoch > 0)


_SESSIONS = "SELECT id, title, protocol, state, created, epoch, owner, host, pid, since FROM sessions"


def sessions(path: Path) -> Callable[[sqlite3.Connection], list[Session]]:
    """All sessions, newest first. Raises DamagedLog."""

    def query(connection: sqlite3.Connection) -> list[Session]:
        rows = connection.execute(f"{_SESSIONS} ORDER BY created DESC, rowid DESC").fetchall()
        return [_session(path, row) for row in rows]

    return query


def session(path: Path, session_id: str) -> Callable[[sqlite3.Connection], Session]:
    """One session. Raises UnknownSession, DamagedLog."""
    rules.check_known(session_id)

    def query(connection: sqlite3.Connection) -> Session:
        row = connection.execute(f"{_SESSIONS} WHERE id = ?", (session_id,)).fetchone()
        if row is None:
            raise _absent(connection, path, session_id)
        return _session(path, row)

    return query


def derived_from(session_id: str) -> Callable[[sqlite3.Connection], list[str]]:
    """The ids of the sessions whose first event names this one as their source; unreadable ones are passed over."""

    def query(connection: sqlite3.Connection) -> list[str]:
        rows = connection.execute(
            """SELECT sessions.id FROM sessions JOIN events ON events.session = sessions.id AND events.seq = 1
            WHERE CASE WHEN json_valid(events.body) THEN json_extract(events.body, '$.source') END = ?""",
            (session_id,),
        )
        return [row[0] for row in rows]

    return query


Events = tuple[int | None, list[Recorded]]
"""A session's birth (see `changes.birth_of`), and some of its events."""


def events(path: Path, session_id: str, after: int) -> Callable[[sqlite3.Connection], Events]:
    """The session's events with a number above `after`. Raises UnknownSession, DamagedLog, NewerSchema.

    A damaged index can hide rows without SQLite noticing, so the numbers are compared with the session's last one.
    """
    rules.check_known(session_id)
    after = max(after, 0)

    def query(connection: sqlite3.Connection) -> Events:
        with _one_moment(connection):
            head = connection.execute("SELECT head FROM sessions WHERE id = ?", (session_id,)).fetchone()
            birth = birth_of(connection, session_id)
            rows = connection.execute(
                "SELECT seq, at, kind, body FROM events WHERE session = ? AND seq > ? ORDER BY seq", (session_id, after)
            ).fetchall()
        if head is None:
            raise _absent(connection, path, session_id)
        if not isinstance(head[0], int) or [row[0] for row in rows] != list(range(after + 1, head[0] + 1)):
            raise failures.damaged(path, f"events of session {session_id} are missing")
        return birth, from_rows(path, session_id, rows)

    return query


def _absent(connection: sqlite3.Connection, path: Path, session_id: str) -> ElenchusError:
    """The error for a session that the index does not show: nobody made it, or the index is damaged."""
    hidden = connection.execute(
        """SELECT 1 FROM sessions NOT INDEXED WHERE id = :id
        UNION ALL SELECT 1 FROM events WHERE session = :id LIMIT 1""",
        {"id": session_id},
    ).fetchone()
    return failures.damaged(path, f"session {session_id} is hidden") if hidden else rules.unknown(session_id)


@contextmanager
def _one_moment(connection: sqlite3.Connection) -> Iterator[None]:
    """What is read inside is of one moment."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.rollback()


def _session(path: Path, row: tuple[str, str, str, str, str, int, str | None, str, int, str]) -> Session:
    session_id, title, protocol, state, created, epoch, origin, host, pid, since = row
    owner = Owner(origin, host, pid, since) if origin else None
    try:
        return Session(session_id, title, protocol, state, datetime.fromisoformat(created), int(epoch), owner)
    except (ValueError, TypeError) as error:
        raise failures.damaged(path, f"session {session_id} is unreadable") from error
