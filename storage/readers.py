"""What every database is asked, and the threads that ask it beside the writer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeVar

from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.log import SessionInfo, rules
from elenchus.debate_engine.printable import one_line
from elenchus.storage.changes import Owner
from elenchus.storage.database import Connection, Database

T = TypeVar("T")

THREADS = 4
"""Connections that read side by side."""


class Readers:
    """Runs queries off the event loop. A query sees everything that was committed before it began."""

    def __init__(self, database: Database, connect: Callable[[], Connection]) -> None:
        self._database = database
        self._connect = connect
        self._own = threading.local()
        self._connections: list[Connection] = []
        self._pool = ThreadPoolExecutor(THREADS, "elenchus-log-reader")

    async def ask(self, query: Callable[[Connection], T]) -> T:
        """The query's result. Raises what it raises; StorageError for errors of the database."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._run, query)

    async def aclose(self) -> None:
        """Finish what was asked for, then close the connections. Safe to call twice."""
        await asyncio.to_thread(self._pool.shutdown)
        while self._connections:
            self._connections.pop().close()

    def _run(self, query: Callable[[Connection], T]) -> T:
        raw: tuple[type[Exception], ...] = (OSError, *self._database.raw)
        try:
            if not hasattr(self._own, "connection"):
                self._own.connection = self._connect()
                self._connections.append(self._own.connection)
            return query(self._own.connection)
        except raw as error:
            raise self._database.explain(error) from error


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


SESSIONS = "SELECT id, title, protocol, state, created, epoch, owner, host, pid, since FROM sessions"
"""The rows that `session_of` takes."""


def session_of(database: Database, row: tuple[Any, ...]) -> Session:
    """The session of a row of `SESSIONS`. Raises DamagedLog."""
    session_id, title, protocol, state, created, epoch, origin, host, pid, since = row
    owner = Owner(origin, host, pid, since) if origin else None
    try:
        return Session(session_id, title, protocol, state, datetime.fromisoformat(created), int(epoch), owner)
    except (ValueError, TypeError) as error:
        raise database.damaged(f"session {session_id} is unreadable") from error


Events = tuple[int | None, list[Recorded]]
"""A session's birth (see `database.Head`), and some of its events."""


class Queries(Protocol):
    """What is read of the sessions, as functions of a connection. Each raises DamagedLog and the database's errors."""

    def sessions(self, connection: Connection) -> list[Session]:
        """All sessions, newest first."""
        ...

    def session(self, session_id: str) -> Callable[[Connection], Session]:
        """One session. Raises UnknownSession."""
        ...

    def derived_from(self, session_id: str) -> Callable[[Connection], list[str]]:
        """The ids of the sessions whose first event names this one as their source; unreadable ones are passed over."""
        ...

    def events(self, session_id: str, after: int) -> Callable[[Connection], Events]:
        """The session's events with a number above `after`. Raises UnknownSession, NewerSchema."""
        ...
