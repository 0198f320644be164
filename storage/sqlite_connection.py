"""SQLite behind the methods that all databases have (`storage.database`)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from elenchus.debate_engine.errors import StorageError
from elenchus.storage import sqlite_errors
from elenchus.storage.additions import Addition, settle
from elenchus.storage.database import OUTDATED, Connection, EventRow, Head, SqlExecutor, count

BIRTH = "(SELECT events.id FROM events WHERE events.session = sessions.id AND events.seq = 1)"
"""What no two sessions have in common, not even two of the same id one after the other: the row of event 1."""


def birth_of(connection: SqlExecutor, session_id: str) -> int | None:
    """The birth of the session that has this id now, None where there is none."""
    row = connection.execute(f"SELECT {BIRTH} FROM sessions WHERE id = ?", (session_id,)).fetchone()  # noqa: S608 - ours
    return row[0] if row else None


@dataclass(frozen=True, slots=True)
class SqliteDatabase:
    """A SQLite file; others' locks are waited for `patience` seconds."""

    path: Path
    patience: float
    raw: tuple[type[Exception], ...] = sqlite_errors.RAW

    def __str__(self) -> str:
        return str(self.path)

    def begin(self, connection: Connection, *, single: bool = False) -> None:
        """Open a transaction that writes. Raises sqlite3.Error."""
        sqlite_errors.retry_while_busy(lambda: connection.execute("BEGIN IMMEDIATE"), self.patience)

    def concerns_all(self, error: Exception) -> bool:
        """See `sqlite_errors.concerns_all`."""
        return sqlite_errors.concerns_all(error)

    def explain(self, error: Exception) -> StorageError:
        """See `sqlite_errors.explain`."""
        return sqlite_errors.explain(self.path, error)

    def damaged(self, detail: str) -> StorageError:
        """See `sqlite_errors.damaged`."""
        return sqlite_errors.damaged(self.path, detail)


class SqliteConnection(sqlite3.Connection):
    """A connection to a SQLite file with our tables."""

    def heads(self, session_ids: Sequence[str]) -> dict[str, Head]:
        """Epoch, last number and birth of those sessions that exist, in one result row.

        One session is asked for plainly, which costs a sixth.
        """
        if len(session_ids) == 1:
            row = self.execute(f"SELECT epoch, head, {BIRTH} FROM sessions WHERE id = ?", session_ids).fetchone()  # noqa: S608 - ours
            return {session_ids[0]: Head(*row)} if row else {}
        (found,) = self.execute(
            f"""SELECT json_group_array(json_array(id, epoch, head, {BIRTH})) FROM sessions
            WHERE id IN (SELECT value FROM json_each(?))""",  # noqa: S608 - ours
            (json.dumps(session_ids),),
        ).fetchone()
        return {session_id: Head(*head) for session_id, *head in json.loads(found)}

    def insert(self, rows: Sequence[EventRow]) -> None:
        """Insert rows 64, 32, … 1 at a time: few statements for SQLite to run, few forms for it to prepare."""
        done, size = 0, 64
        while done < len(rows):
            while size > len(rows) - done:
                size //= 2
            places = ", ".join(["(?, ?, ?, ?, ?, ?)"] * size)
            values = [value for row in rows[done : done + size] for value in row]
            insert = f"INSERT INTO events (session, seq, at, kind, body, origin) VALUES {places}"  # noqa: S608 - only marks
            self.execute(insert, values)
            done += size

    def append(self, additions: Sequence[Addition], at: datetime, origin: str) -> None:
        """See `Connection`.

        Three statements for all of them, as each statement gives up the interpreter's lock and may wait for it.
        """
        heads, stamp = self.heads(sorted({a.session_id for a in additions})), at.isoformat()
        if placed := settle(additions, heads, at):
            self.insert([row for addition in placed for row in addition.rows(stamp, origin)])
            self._move({addition.session_id: heads[addition.session_id] for addition in placed})

    def _move(self, changed: Mapping[str, Head]) -> None:
        """Write down the new last numbers and states, in one statement."""
        if len(changed) == 1:
            for session_id, head in changed.items():
                values = (head.seq, head.state, session_id)
                self.execute(
                    """UPDATE sessions SET head = ?,
                    state = CASE state WHEN 'rescued' THEN state ELSE coalesce(?, state) END WHERE id = ?""",
                    values,
                )
            return
        self.execute(
            """UPDATE sessions SET head = json_extract(new.value, '$[1]'),
            state = CASE state WHEN 'rescued' THEN state ELSE coalesce(json_extract(new.value, '$[2]'), state) END
            FROM json_each(?) AS new WHERE sessions.id = json_extract(new.value, '$[0]')""",
            (json.dumps([(session_id, head.seq, head.state) for session_id, head in changed.items()]),),
        )

    def outdate(self) -> None:
        """Others' watchers see the counter grow."""
        count(self, OUTDATED)

    is_served = False
    is_untold = False

    def tell(self) -> None:
        """Others' watchers look every few milliseconds."""

    def look(self) -> None:
        """A file is there."""
