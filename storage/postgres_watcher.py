"""Notices what other processes commit, for `follow`: LISTEN, a cursor a session, and a look each second without it.

It listens to the channels of the sessions that are followed here, and is woken for no others: see docs/decisions/
0436-channels-by-session.md.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import psycopg

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.log.followers import Followers
from elenchus.storage.database import OUTDATED
from elenchus.storage.event_rows import from_rows
from elenchus.storage.postgres_connection import ALL, channel_of, is_readable
from elenchus.storage.postgres_database import PostgresDatabase
from elenchus.storage.watcher import look

POLL_SECONDS = 1.0
"""Seconds between two looks where nobody is told: a writer died before its NOTIFY, a replica cannot LISTEN."""

HEADS = "SELECT id, birth, head FROM sessions WHERE id = ANY(%s)"

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
    _known: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Of sessions that are followed: birth, and the last number that was published."""

    def __post_init__(self) -> None:
        self._wake, self._woken = socket.socketpair()
        for end in (self._wake, self._woken):
            end.setblocking(False)

    def stop(self) -> None:
        """See `Watch`."""
        self._stopped = True
        self.followed()

    def followed(self) -> None:
        """See `Watch`."""
        with suppress(OSError):  # it has ended, or is woken by many before
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
                    self._is_woken()

    def _look(self, connection: psycopg.Connection[Any]) -> None:
        listened = set[str]()
        told = set[str]()
        outdated = -1
        due = 0.0
        while not self._stopped:
            polls = (now := time.monotonic()) >= due
            if polls or self._is_woken():
                due = now + POLL_SECONDS if polls else due
                listened = self._listen(connection, listened)
            told.update(self._told(connection))
            if polls or ALL in told:
                before, outdated = outdated, _outdated(connection)
                if before != outdated:  # a deleted session's followers meet UnknownSession
                    self._call(self.followers.reread)
            self._publish(connection, (self._moved(connection) if polls else told) & self._known.keys())
            self._call(self.ready.set)
            told = set(self._told(connection))  # what came with the answers: nothing is to be read for it any more
            if not told:
                is_readable(max(due - time.monotonic(), 0), connection.fileno(), self._woken.fileno())

    def _is_woken(self) -> bool:
        try:
            return bool(self._woken.recv(1_000))
        except BlockingIOError:
            return False

    def _listen(self, connection: psycopg.Connection[Any], listened: set[str]) -> set[str]:
        """Listen to the channels of what is followed now, in place of these. New followers read what came before."""
        followed = set(self.followers.followed())
        wanted = {channel_of(self.database.schema, session_id) for session_id in (ALL, *followed)}
        changes = [f'LISTEN "{name}"' for name in wanted - listened] + [
            f'UNLISTEN "{name}"' for name in listened - wanted
        ]
        if changes:
            with suppress(psycopg.errors.ReadOnlySqlTransaction, psycopg.errors.FeatureNotSupported):  # a replica
                connection.execute(";".join(changes))
        self._known = {session_id: self._known[session_id] for session_id in followed & self._known.keys()}
        new = followed - self._known.keys()
        self._known |= self._heads(connection, new)
        for session_id in new:
            self._call(self.followers.reread, session_id)
        return wanted

    def _told(self, connection: psycopg.Connection[Any]) -> Iterator[str]:
        """The sessions that others have told of, `ALL` where something was deleted or rewritten."""
        for notice in connection.notifies(timeout=0):
            origin, *session_ids = notice.payload.split(" ")
            if origin != self.origin:
                yield from session_ids

    def _moved(self, connection: psycopg.Connection[Any]) -> set[str]:
        """Those of the known sessions that stand elsewhere than what is known, or was published here."""
        heads = self._heads(connection, self._known)
        return {session_id for session_id in self._known if heads.get(session_id) != self._last(session_id)}

    def _last(self, session_id: str) -> tuple[int, int]:
        """The birth of a known session, and the last number that was published, by whomever."""
        birth, last = self._known[session_id]
        return birth, max(last, self.followers.published(session_id, birth))

    def _heads(self, connection: psycopg.Connection[Any], session_ids: Iterable[str]) -> dict[str, tuple[int, int]]:
        found = connection.execute(HEADS, (list(session_ids),)).fetchall()
        return {session_id: (birth, head) for session_id, birth, head in found}

    def _publish(self, connection: psycopg.Connection[Any], sessions: Iterable[str]) -> None:
        for session_id in sessions:
            birth, last = self._last(session_id)
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
