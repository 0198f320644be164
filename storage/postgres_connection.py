"""PostgreSQL behind the methods that all databases have (`storage.database`). Needs the extra `scale` (psycopg 3)."""

from __future__ import annotations

import selectors
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from elenchus.storage.additions import Addition, settle
from elenchus.storage.database import OUTDATED, Cursor, EventRow, Head, count

Open = Callable[[], "psycopg.Connection[Any]"]

LARGE = 1_000_000
"""Characters of bodies that may take their time on the way: until they are there, the transaction counts as idle."""

APPEND = """
WITH head AS MATERIALIZED (
    SELECT id, epoch, head, birth FROM sessions WHERE id = ANY (%s::text[]) ORDER BY id FOR UPDATE
), allowed AS MATERIALIZED (
    SELECT n, session, state, head.head + sum(events) OVER (PARTITION BY session ORDER BY n) AS last, events
    FROM unnest(%s::text[], %s::bigint[], %s::bigint[], %s::text[], %s::bigint[])
        WITH ORDINALITY AS asked (session, epoch, birth, state, events, n) JOIN head ON head.id = session
    WHERE coalesce(asked.epoch = head.epoch, true) AND coalesce(asked.birth = head.birth, true)
), added AS (
    INSERT INTO events (session, seq, at, kind, body, origin)
    SELECT session, last - events + k, %s, kind, body, %s
    FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %b::text[]) AS event (n, k, kind, body) JOIN allowed USING (n)
), moved AS (
    UPDATE sessions SET head = new.last, state = CASE
        WHEN sessions.state = 'rescued' OR 'rescued' = ANY (states) THEN 'rescued'
        ELSE coalesce(states[array_upper(states, 1)], sessions.state) END
    FROM (SELECT session, max(last) AS last, array_agg(state ORDER BY n) FILTER (WHERE state IS NOT NULL) AS states
        FROM allowed GROUP BY session) AS new WHERE sessions.id = new.session
)
SELECT id, epoch, head, birth FROM head"""
"""Append what `Addition.refusal` allows; where the sessions stood before, for `settle` to come to the same.

They are locked in the order of their ids, so that two writers never wait for each other. Bodies go in binary, as they
would be escaped sign by sign.
"""

ALL = ""
"""In place of a session's id: whatever is followed is to be read again."""

CHANNELS = 1_000
"""Among which the sessions are distributed: a process is woken for those that it follows, and few others."""

NOTIFY = """SELECT set_config('synchronous_commit', 'off', true), pg_notify(channel, told)
FROM unnest(%b::text[], %b::text[]) AS news (channel, told)"""


def channel_of(schema: str, session_id: str) -> str:
    """Where is told what was committed of a session; what concerns `ALL` is told on the channel named as the schema."""
    return f"{schema[:50]}:{zlib.crc32(session_id.encode()) % CHANNELS}" if session_id else schema


@lru_cache(200)
def _marked(sql: str) -> str:
    """Our statements write values as `?`, and have neither that nor `%` otherwise."""
    return sql.replace("?", "%s")


_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""`select` knows numbers below 1,024 alone, but on Windows, which has no other."""


def is_readable(seconds: float, *files: int) -> bool:
    """Whether one of the files has something to read, within some seconds."""
    with _Selector() as selector:
        for file in files:
            selector.register(file, selectors.EVENT_READ)
        return bool(selector.select(seconds))


class PostgresConnection:
    """A connection that is opened when needed, and anew after it broke, but never amid a transaction.

    `schema` and `origin` say where, and in whose name, others are told of commits; `on_look` sees to what it holds.
    One thread at a time uses it.
    """

    is_served = True

    def __init__(
        self,
        connect: Open,
        schema: str = "",
        origin: str = "",
        on_look: Callable[[psycopg.Connection[Any]], None] = lambda _: None,
    ) -> None:
        self._connect, self._schema, self._origin, self._on_look = connect, schema, origin, on_look
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

    @property
    def is_quiet(self) -> bool:
        """Whether it is there, and the server has said nothing unasked: what it says then is mostly that it ends."""
        return self._raw is not None and not self._raw.closed and not is_readable(0, self._raw.fileno())

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
        """End the transaction, as if it had not been. Who is told of something in it looks in vain."""
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
        self._allow_time(sum(len(body) for *_, body, _ in rows))
        self.raw.execute(
            """INSERT INTO events (session, seq, at, kind, body, origin)
            SELECT * FROM unnest(%b::text[], %b::bigint[], %b::text[], %b::text[], %b::text[], %b::text[])""",
            [list(column) for column in zip(*rows, strict=True)],
        )

    def append(self, additions: Sequence[Addition], at: datetime, origin: str) -> None:
        """See `Connection`. One statement, as each costs the way to the server and back, during which others wait."""
        asked = [addition for addition in additions if addition.bodies]
        if self.in_transaction:
            self._allow_time(sum(len(body.text) for addition in asked for body in addition.bodies))
        names = _array({addition.session_id for addition in additions})
        values = (names, *_of_additions(asked), at.isoformat(), origin, *_of_events(asked))
        found = self.raw.execute(APPEND, values).fetchall()
        placed = settle(additions, {session_id: Head(*head) for session_id, *head in found}, at)
        self._changed.update(addition.session_id for addition in placed)

    def _allow_time(self, characters: int) -> None:
        if characters > LARGE:
            self.raw.execute("SET LOCAL idle_in_transaction_session_timeout = '120s'")

    def outdate(self) -> None:
        """Count it, and wake the others."""
        count(self, OUTDATED)
        self._changed.add(ALL)

    @property
    def is_untold(self) -> bool:
        """Whether others are to be told of commits."""
        return bool(self._changed)

    def tell(self) -> None:
        """NOTIFY, in a transaction of its own: within the other, all writers of the server would wait for each other's
        disk (a commit that notifies holds one lock for the whole database). That transaction waits for no disk, as
        there is nothing in it to lose. Who is not told looks once a second.
        """
        if self._changed and not self.in_transaction:
            channels = [channel_of(self._schema, session_id) for session_id in self._changed]
            told = [f"{self._origin} {session_id}" for session_id in self._changed]
            self._changed.clear()
            with suppress(psycopg.Error):
                self.raw.execute(NOTIFY, (channels, told))

    def look(self) -> None:
        """See that it is there, and holds what it is to hold, where nobody asks anything of it; raises nothing."""
        if self._raw is not None:
            with suppress(psycopg.Error):
                self.execute("SELECT 1")
                self._on_look(self.raw)


def _of_additions(asked: Sequence[Addition]) -> list[Any]:
    """Columns for `APPEND`: session, epoch, birth, state, how many events."""
    return [
        _array(addition.session_id for addition in asked),
        _array(addition.epoch for addition in asked),
        _array(addition.birth for addition in asked),
        _array(addition.state for addition in asked),
        _array(len(addition.bodies) for addition in asked),
    ]


def _of_events(asked: Sequence[Addition]) -> list[Any]:
    """Columns for `APPEND`: which addition the event is of, which of its events, kind, body."""
    rows = [(n, k, body) for n, addition in enumerate(asked, 1) for k, body in enumerate(addition.bodies, 1)]
    return [
        _array(n for n, _, _ in rows),
        _array(k for _, k, _ in rows),
        _array(body.kind for _, _, body in rows),
        [body.text for _, _, body in rows],
    ]


def _array(values: Iterable[int | str | None]) -> str:
    """An array for SQL, of numbers and names without quotes: psycopg takes many times as long over one."""
    return "{" + ",".join("NULL" if value is None else f'"{value}"' for value in values) + "}"
