"""Notices what other processes commit, for `follow`: LISTEN, a cursor a session, and a look each second without it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import psycopg

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.log.followers import Followers
from elenchus.storage.database import OUTDATED
from elenchus.storage.event_rows import from_rows
from elenchus.storage.postgres_connection import is_readable
from elenchus.storage.postgres_database import PostgresDatabase
from elenchus.storage.watcher import look

POLL_SECONDS = 1.0
"""Seconds between two looks where nobody is told: a writer died before its NOTIFY, a replica cannot LISTEN."""

NEWS = """SELECT sessions.birth, sessions.head, events.seq, events.at, events.kind, events.body
FROM sessions LEFT JOIN events ON events.session = sessions.id AND events.seq > %s WHERE sessions.id = %s
ORDER BY events.seq"""


@dataclass(eq=False)
class PostgresWatch:
    """A `Watch` (see `watcher`) of one schema, for `followers`."""

    database: PostgresDatabase
    origin: str
    followers: Followers
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    _stopped: bool = False
    _told: set[str] = field(default_factory=set)
    _known: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Of sessions that are followed: birth, and the last number that was published."""

    def __post_init__(self) -> None:
        self._wake, self._woken = socket.socketpair()

    def stop(self) -> None:
        """See `Watch`."""
        self._stopped = True
        with suppress(OSError):
            self._wake.send(b"x")

    def run(self) -> None:
        """See `Watch`."""
        with self._wake, self._woken:
            while not self._stopped:
                with look(psycopg.Error, StorageError), self.database.connect() as connection:
                    self._look(connection)
                self._call(self.ready.set)  # followers need not wait for a database that fails: they read the error
                if not self._stopped:
                    is_readable(POLL_SECONDS, self._woken.fileno())

    def _look(self, connection: psycopg.Connection[Any]) -> None:
        connection.add_notify_handler(self._noted)
        with suppress(psycopg.errors.ReadOnlySqlTransaction, psycopg.errors.FeatureNotSupported):  # a replica
            connection.execute(f'LISTEN "{self.database.schema}"')
        outdated = _outdated(connection)
        self._call(self.followers.reread)  # what was committed before
        self._known.clear()
        self._call(self.ready.set)
        while not self._stopped:
            told = is_readable(POLL_SECONDS, connection.fileno(), self._woken.fileno())
            if (count := _outdated(connection)) != outdated:  # which also takes in what is told
                outdated = count
                self._call(self.followers.reread)  # a deleted session's followers meet UnknownSession
            sessions, self._told = self._told, set()
            self._publish(connection, sessions if told else self.followers.followed())

    def _noted(self, notice: psycopg.Notify) -> None:
        origin, *session_ids = notice.payload.split(" ")
        if origin != self.origin:
            self._told.update(filter(self.followers.has, session_ids))

    def _publish(self, connection: psycopg.Connection[Any], sessions: Iterable[str]) -> None:
        for session_id in sessions:
            birth, last = self._known.get(session_id, (None, None))
            if last is None:  # seen for the first time: only from now on is it known what is new
                found = connection.execute("SELECT birth, head FROM sessions WHERE id = %s", (session_id,)).fetchone()
                self._known |= {session_id: found} if found else {}
                self._call(self.followers.reread, session_id)
                continue
            rows = connection.execute(NEWS, (last, session_id)).fetchall()
            if not rows or rows[0][0] != birth:
                del self._known[session_id]
                self._call(self.followers.reread, session_id)
            elif rows[0][2] is not None:
                self._known[session_id] = (rows[0][0], rows[0][1])
                events = from_rows(self.database, session_id, [row[2:] for row in rows])
                self._call(self.followers.publish, session_id, events, birth)

    def _call(self, function: Callable[..., None], *arguments: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody follows any more
            self.loop.call_soon_threadsafe(function, *arguments)


def _outdated(connection: psycopg.Connection[Any]) -> int:
    row = connection.execute("SELECT value FROM notes WHERE name = %s", (OUTDATED,)).fetchone()
    return row[0] if row else 0
