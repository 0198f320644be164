"""PostgreSQL behind the methods that all databases have (`storage.database`). Needs the extra `scale` (psycopg 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from elenchus.storage.database import OUTDATED, Cursor, EventRow, Head, count

Open = Callable[[], "psycopg.Connection[Any]"]

LARGE = 1_000_000
"""Characters of bodies that may take their time on the way: until they are there, the transaction counts as idle."""

NAMED = 35
"""Sessions named in one notification, which has room for 8,000 characters."""


@lru_cache(200)
def _marked(sql: str) -> str:
    """Our statements write values as `?`, and have neither that nor `%` otherwise."""
    return sql.replace("?", "%s")


class PostgresConnection:
    """A connection that is opened when needed, and anew after it broke, but never amid a transaction.

    `channel` and `origin` say where, and in whose name, others are told of commits; `on_look` sees to what it holds.
    One thread at a time uses it.
    """

    def __init__(
        self,
        connect: Open,
        channel: str = "",
        origin: str = "",
        on_look: Callable[[psycopg.Connection[Any]], None] = lambda _: None,
    ) -> None:
        self._connect, self._channel, self._origin, self._on_look = connect, channel, origin, on_look
        self._raw: psycopg.Connection[Any] | None = None
        self._changed: set[str] = set()

    @property
    def raw(self) -> psycopg.Connection[Any]:
        """The connection itself. Raises psycopg.Error."""
        if self._raw is None or self._raw.closed:
            self._raw = self._connect()
        return self._raw

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._raw is not None and self._raw.info.transaction_status not in (
            TransactionStatus.IDLE,
            TransactionStatus.UNKNOWN,
        )

    def execute(self, sql: str, parameters: Any = None, /) -> Cursor:
        """Run one statement. One that only reads, or only begins, is run again where the connection was found broken.

        Raises psycopg.Error.
        """
        outside = not self.in_transaction
        try:
            return self.raw.execute(_marked(sql), parameters)
        except psycopg.OperationalError:
            if self._raw is None or not self._raw.closed or not (outside and sql.startswith(("SELECT", "BEGIN"))):
                raise
        return self.raw.execute(_marked(sql), parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> Cursor:
        """Run one statement for each tuple of values, all sent together."""
        cursor = self.raw.cursor()
        cursor.executemany(_marked(sql), parameters)
        return cursor

    def commit(self) -> None:
        """Make the transaction last."""
        if self._raw is not None:
            self._raw.commit()

    def rollback(self) -> None:
        """End the transaction, as if it had not been."""
        self._changed.clear()
        if self._raw is not None:
            with suppress(psycopg.Error):  # it broke, and the server has rolled back by itself
                self._raw.rollback()

    def close(self) -> None:
        """Let go of it."""
        if self._raw is not None:
            with suppress(psycopg.Error):
                self._raw.close()

    def heads(self, session_ids: Sequence[str]) -> dict[str, Head]:
        """Where they stand, locked in the order of their ids, so that two writers never wait for each other."""
        found = self.raw.execute(
            "SELECT id, epoch, head, birth FROM sessions WHERE id = ANY(%s) ORDER BY id FOR UPDATE",
            (list(session_ids),),
        )
        return {session_id: Head(*head) for session_id, *head in found.fetchall()}

    def insert(self, rows: Sequence[EventRow]) -> None:
        """Insert events, all in one statement: in binary, as text would be escaped sign by sign."""
        if sum(len(body) for *_, body, _ in rows) > LARGE:
            self.raw.execute("SET LOCAL idle_in_transaction_session_timeout = '120s'")
        self.raw.execute(
            """INSERT INTO events (session, seq, at, kind, body, origin)
            SELECT * FROM unnest(%b::text[], %b::bigint[], %b::text[], %b::text[], %b::text[], %b::text[])""",
            [list(column) for column in zip(*rows, strict=True)],
        )

    def move_heads(self, changed: Mapping[str, Head]) -> None:
        """Write down new last numbers and states, in one statement."""
        self.raw.execute(
            """UPDATE sessions SET head = new.head, state = CASE sessions.state
            WHEN 'rescued' THEN sessions.state ELSE coalesce(new.state, sessions.state) END
            FROM unnest(%s::text[], %s::bigint[], %s::text[]) AS new (id, head, state) WHERE sessions.id = new.id""",
            (list(changed), [head.seq for head in changed.values()], [head.state for head in changed.values()]),
        )
        self._changed.update(changed)

    def outdate(self) -> None:
        """Count it, and wake the others."""
        count(self, OUTDATED)
        self._changed.add("")

    def tell(self) -> None:
        """NOTIFY, in a transaction of its own: within the other, all writers of the server would wait for each other's
        disk (a commit that notifies holds one lock for the whole database). Who is not told looks once a second.
        """
        if self._changed and not self.in_transaction:
            changed = list(self._changed)
            told = [" ".join((self._origin, *changed[n : n + NAMED])) for n in range(0, len(changed), NAMED)]
            self._changed.clear()
            with suppress(psycopg.Error):
                self.raw.execute("SELECT pg_notify(%s, told) FROM unnest(%s::text[]) AS told", (self._channel, told))

    def look(self) -> None:
        """See that it is there, and holds what it is to hold, where nobody asks anything of it; raises nothing."""
        if self._raw is not None:
            with suppress(psycopg.Error):
                self.execute("SELECT 1")
                self._on_look(self.raw)
