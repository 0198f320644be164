"""The log in PostgreSQL, for several machines. See docs/decisions/0235-sessions-in-postgres.md."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psycopg

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.log import rules
from elenchus.debate_engine.log.followers import Followers
from elenchus.storage.database import Connection
from elenchus.storage.event_rows import from_rows
from elenchus.storage.postgres_connection import PostgresConnection
from elenchus.storage.postgres_database import SCHEMA, PostgresDatabase
from elenchus.storage.postgres_watcher import PostgresWatch
from elenchus.storage.readers import SESSIONS, Events, Readers, Session, session_of
from elenchus.storage.sql_log import Parts, SqlLog
from elenchus.storage.watcher import Watcher
from elenchus.storage.writer import Writer


async def open_postgres(url: str, *, schema: str = SCHEMA, patience: float = 10.0) -> PostgresLog:
    """Open the log in the database at `url` (`postgresql://…`), its tables made where missing. The caller closes it.

    What cannot be written (a replica) can be read; every change raises why. Raises StorageError, NewerSchema, and
    UsageError for what is no address.
    """
    database = PostgresDatabase(url, patience, schema)

    def prepared() -> StorageError | None:
        with database.explained():
            return database.prepared()

    return PostgresLog(database, await asyncio.to_thread(prepared))


class PostgresLog(SqlLog):
    """A log in PostgreSQL, made by `open_postgres`.

    What was replaced or deleted is gone from the tables, dead rows too; the server's write-ahead log, its archives and
    backups are its operator's (see the decision). An append during which the server dies raises StorageError and may
    have been written: who reads the session knows.
    """

    def __init__(self, database: PostgresDatabase, refusal: StorageError | None) -> None:
        followers = Followers()
        holds = AdvisoryHolds(database)
        connection = PostgresConnection(holds.connected, database.schema, holds.origin, holds.look)
        self._readers = Readers(database, lambda: PostgresConnection(database.connect))
        writer = Writer(connection, database, holds.origin, refusal)
        holds.writer, holds.readers = writer, self._readers
        watcher = Watcher(lambda: PostgresWatch(database, holds.origin, followers))
        queries = PostgresQueries(database)
        super().__init__(
            Parts(followers, writer, self._readers, watcher, holds, queries, self._vacuum, "octet_length(body)")
        )

    async def _vacuum(self) -> None:
        """Remove dead rows, which have the old text. It goes beside what is written meanwhile."""
        await self._readers.ask(lambda connection: connection.execute("VACUUM events, sessions, answers"))


class AdvisoryHolds:
    """Who is alive: each log object that runs sessions has an advisory lock, which ends with its writer's connection.

    The server ends the connection of a dead process at once, of a dead machine within half a minute. See `Holds`.
    """

    writer: Writer
    readers: Readers

    def __init__(self, database: PostgresDatabase) -> None:
        self._database, self._holding, self._has = database, False, False
        self.origin = secrets.token_hex(7)
        """A number of 56 bits, which is that of the lock."""

    def connected(self) -> psycopg.Connection[Any]:
        """A connection for the writer, with the lock where it was had before: the former connection broke."""
        made = self._database.connect()
        self._has = False
        self.look(made)
        return made

    def look(self, connection: psycopg.Connection[Any]) -> None:
        """Have the lock where it is wanted: what is left of a broken connection may have had it for a while longer."""
        if self._holding and not self._has:
            row = connection.execute("SELECT pg_try_advisory_lock(%s)", (int(self.origin, 16),)).fetchone()
            self._has = row is not None and row[0]

    async def hold(self) -> None:
        """Count as alive for others. Raises StorageError."""
        if not self._holding:

            def lock(connection: Connection) -> None:
                connection.execute("SELECT 1")  # one that was found broken is opened anew
                assert isinstance(connection, PostgresConnection)
                self._holding = True
                self.look(connection.raw)

            await self.writer.outside(lock)

    async def alive(self, origins: set[str], *, quick: bool = False) -> set[str]:
        """Those of these that live. Raises StorageError."""
        return origins & await self.readers.ask(_locked) if origins else set()

    async def release(self) -> None:
        """The writer's connection, which is closed by now, had the lock."""


def _locked(connection: Connection) -> set[str]:
    """The log objects whose locks are held in this database."""
    found = connection.execute(
        """SELECT lpad(to_hex((classid::bigint << 32) | objid::bigint), 14, '0') FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 1 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
    )
    return {origin for (origin,) in found.fetchall()}


@dataclass(frozen=True, slots=True)
class PostgresQueries:
    """See `Queries`. Each is one statement, and so of one moment."""

    database: PostgresDatabase

    def sessions(self, connection: Connection) -> list[Session]:
        """All sessions, newest first."""
        rows = connection.execute(f"{SESSIONS} ORDER BY created DESC, birth DESC").fetchall()
        return [session_of(self.database, row) for row in rows]

    def session(self, session_id: str) -> Callable[[Connection], Session]:
        """One session. Raises UnknownSession."""
        rules.check_known(session_id)

        def query(connection: Connection) -> Session:
            if (row := connection.execute(f"{SESSIONS} WHERE id = ?", (session_id,)).fetchone()) is None:
                raise rules.unknown(session_id)
            return session_of(self.database, row)

        return query

    def derived_from(self, session_id: str) -> Callable[[Connection], list[str]]:
        """The ids of the sessions whose first event names this one as their source."""
        sql = "SELECT session FROM events WHERE seq = 1 AND body::json ->> 'source' = ?"
        return lambda connection: [name for (name,) in connection.execute(sql, (session_id,)).fetchall()]

    def events(self, session_id: str, after: int) -> Callable[[Connection], Events]:
        """The session's events with a number above `after`. Raises UnknownSession, DamagedLog, NewerSchema."""
        rules.check_known(session_id)
        last = max(after, 0)

        def query(connection: Connection) -> Events:
            rows = connection.execute(
                """SELECT sessions.birth, sessions.head, seq, at, kind, body FROM sessions
                LEFT JOIN events ON events.session = sessions.id AND events.seq > ? WHERE sessions.id = ?
                ORDER BY seq""",
                (last, session_id),
            ).fetchall()
            if not rows:
                raise rules.unknown(session_id)
            birth, head = rows[0][:2]
            found = [row[2:] for row in rows if row[2] is not None]
            if [row[0] for row in found] != list(range(last + 1, head + 1)):
                raise self.database.damaged(f"events of session {session_id} are missing")
            return birth, from_rows(self.database, session_id, found)

        return query
