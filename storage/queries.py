"""What is read of the sessions in a SQLite file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from elenchus.debate_engine.errors import ElenchusError
from elenchus.debate_engine.log import rules
from elenchus.storage.database import Connection
from elenchus.storage.event_rows import from_rows
from elenchus.storage.readers import SESSIONS, Events, Session, session_of
from elenchus.storage.sqlite_connection import SqliteDatabase, birth_of


@dataclass(frozen=True, slots=True)
class SqliteQueries:
    """See `Queries`."""

    database: SqliteDatabase

    def sessions(self, connection: Connection) -> list[Session]:
        """All sessions, newest first. Raises DamagedLog."""
        rows = connection.execute(f"{SESSIONS} ORDER BY created DESC, rowid DESC").fetchall()
        return [session_of(self.database, row) for row in rows]

    def session(self, session_id: str) -> Callable[[Connection], Session]:
        """One session. Raises UnknownSession, DamagedLog."""
        rules.check_known(session_id)

        def query(connection: Connection) -> Session:
            row = connection.execute(f"{SESSIONS} WHERE id = ?", (session_id,)).fetchone()
            if row is None:
                raise self._absent(connection, session_id)
            return session_of(self.database, row)

        return query

    def derived_from(self, session_id: str) -> Callable[[Connection], list[str]]:
        """The ids of the sessions whose first event names this one as their source; unreadable ones are passed over."""

        def query(connection: Connection) -> list[str]:
            rows = connection.execute(
                """SELECT sessions.id FROM sessions JOIN events ON events.session = sessions.id AND events.seq = 1
                WHERE CASE WHEN json_valid(events.body) THEN json_extract(events.body, '$.source') END = ?""",
                (session_id,),
            )
            return [row[0] for row in rows.fetchall()]

        return query

    def events(self, session_id: str, after: int) -> Callable[[Connection], Events]:
        """The session's events with a number above `after`. Raises UnknownSession, DamagedLog, NewerSchema.

        A damaged index can hide rows without SQLite noticing, so the numbers are compared with the session's last one.
        """
        rules.check_known(session_id)
        after = max(after, 0)

        def query(connection: Connection) -> Events:
            with _one_moment(connection):
                head = connection.execute("SELECT head FROM sessions WHERE id = ?", (session_id,)).fetchone()
                birth = birth_of(connection, session_id)
                rows = connection.execute(
                    "SELECT seq, at, kind, body FROM events WHERE session = ? AND seq > ? ORDER BY seq",
                    (session_id, after),
                ).fetchall()
            if head is None:
                raise self._absent(connection, session_id)
            if not isinstance(head[0], int) or [row[0] for row in rows] != list(range(after + 1, head[0] + 1)):
                raise self.database.damaged(f"events of session {session_id} are missing")
            return birth, from_rows(self.database, session_id, rows)

        return query

    def _absent(self, connection: Connection, session_id: str) -> ElenchusError:
        """The error for a session that the index does not show: nobody made it, or the index is damaged."""
        hidden = connection.execute(
            """SELECT 1 FROM sessions NOT INDEXED WHERE id = :id
            UNION ALL SELECT 1 FROM events WHERE session = :id LIMIT 1""",
            {"id": session_id},
        ).fetchone()
        return self.database.damaged(f"session {session_id} is hidden") if hidden else rules.unknown(session_id)


@contextmanager
def _one_moment(connection: Connection) -> Iterator[None]:
    """What is read inside is of one moment."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.rollback()
