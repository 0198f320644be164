"""What the parts of a log that all databases share need of one: each has these few methods.

SQL that all understand stands in `changes` and `key_value`, with `?` for values; the rest is their connections' part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from elenchus.debate_engine.errors import StorageError

if TYPE_CHECKING:
    from elenchus.storage.additions import Addition

EventRow = tuple[str, int, str, str, str, str]
"""A row to insert: session, seq, at, kind, body, origin."""


@dataclass(slots=True)
class Head:
    """Where a session stands. `birth`: what no two sessions have in common, not even two of the same id."""

    epoch: int
    seq: int
    birth: int | None
    state: str | None = None


class Cursor(Protocol):
    """What a statement found."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""
        ...

    def fetchone(self) -> Any:
        """The next row, None after the last."""
        ...

    def fetchall(self) -> list[Any]:
        """All rows."""
        ...


class SqlExecutor(Protocol):
    """A connection that runs statements."""

    def execute(self, sql: str, parameters: Any = ..., /) -> Cursor:
        """Run one statement, whose values stand as `?`."""
        ...


class Connection(SqlExecutor, Protocol):
    """A connection to a database with our tables. One thread at a time uses it; it is in autocommit mode."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        ...

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> Cursor:
        """Run one statement for each tuple of values."""
        ...

    def commit(self) -> None:
        """Make the transaction last."""
        ...

    def rollback(self) -> None:
        """End the transaction, as if it had not been."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...

    def heads(self, session_ids: Sequence[str]) -> dict[str, Head]:
        """Where those of these sessions stand that exist; nobody else moves them before the transaction ends."""
        ...

    def insert(self, rows: Sequence[EventRow]) -> None:
        """Insert events."""
        ...

    def append(self, additions: Sequence[Addition], at: datetime, origin: str) -> None:
        """Append every addition that is allowed, and give each its outcome; what was lost of a log stays lost."""
        ...

    def outdate(self) -> None:
        """Note in this transaction that others' followers must read again: a session is deleted or rewritten."""
        ...

    @property
    def is_served(self) -> bool:
        """Whether a server does the work, beside this process."""
        ...

    @property
    def is_untold(self) -> bool:
        """Whether there is something to tell others."""
        ...

    def tell(self) -> None:
        """Wake other processes for what was committed, where they do not look by themselves; raises nothing."""
        ...

    def look(self) -> None:
        """See that it is still there, and holds what it is to hold; raises nothing."""
        ...


class Database(Protocol):
    """A database, apart from any connection to it."""

    @property
    def raw(self) -> tuple[type[Exception], ...]:
        """What its library raises."""
        ...

    def begin(self, connection: Connection, *, single: bool = False) -> None:
        """Open a transaction that writes, waiting for others where it must. Raises one of `raw`.

        `single`: one `append` is all that will be in it, which may need no more than itself.
        """
        ...

    def concerns_all(self, error: Exception) -> bool:
        """Whether the error says nothing about one change in particular: every other one would meet it too."""
        ...

    def explain(self, error: Exception) -> StorageError:
        """An error of `raw` in our words."""
        ...

    def damaged(self, detail: str) -> StorageError:
        """The error for rows that cannot be."""
        ...


OUTDATED = "deletions"
"""The counter of changes after which others' followers must read again: deletions, and rewrites."""

EMPTIED = "answers emptied"
"""The counter of the times at which the cache of answers was emptied: what was cached elsewhere before is good no
more.
"""


def count(connection: SqlExecutor, name: str) -> None:
    """Raise the counter `name` by one."""
    connection.execute(
        "INSERT INTO notes (name, value) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = notes.value + 1",
        (name,),
    )


def counted(connection: SqlExecutor, name: str) -> int:
    """The value of a counter, 0 where nobody counted."""
    row = connection.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()
    return row[0] if row else 0
