"""The key from people's accounts to their made-up names: in SQLite in a file of its own (`people.db`) beside the log.

It is no part of the log, of its exports or of its copies. Each call opens the file and closes it again: the key is
small and seldom asked for, and a destroyed key must be open nowhere.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.privacy.pseudonyms import made_up
from elenchus.storage.database import SqlExecutor
from elenchus.storage.database_file import keep_private

T = TypeVar("T")

_PATIENCE = 10.0
"""Seconds to wait for another process that writes the key."""
_TABLES = (
    "CREATE TABLE IF NOT EXISTS people (account TEXT PRIMARY KEY, pseudonym TEXT NOT NULL UNIQUE) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS expected (session TEXT, account TEXT, PRIMARY KEY (session, account)) WITHOUT ROWID",
)


class SqlPseudonyms:
    """See `Pseudonyms`. Invariants: an account has one pseudonym, and a pseudonym one account; a session expects nobody
    who has none.
    """

    async def _do(self, work: Callable[[SqlExecutor], T]) -> T:
        """The result of `work`, done in one transaction. Raises StorageError."""
        raise NotImplementedError

    def _is_there(self) -> bool:
        """Whether there is a key, so that looking for a name makes none."""
        return True

    async def of(self, account: str, session: str = "") -> str:
        """The account's pseudonym, made on first use, in one transaction with whom the session expects.

        Raises StorageError.
        """

        def query(connection: SqlExecutor) -> str:
            if session:
                connection.execute("INSERT INTO expected VALUES (?, ?) ON CONFLICT DO NOTHING", (session, account))
            while (found := _pseudonym(connection, account)) is None:  # else drawn before, or another process was first
                connection.execute("INSERT INTO people VALUES (?, ?) ON CONFLICT DO NOTHING", (account, made_up()))
            return found

        return await self._do(query)

    async def find(self, account: str) -> str | None:
        """The account's pseudonym, None where it has none. Raises StorageError."""
        return await self._do(lambda connection: _pseudonym(connection, account)) if self._is_there() else None

    async def account_of(self, pseudonym: str) -> str | None:
        """Whose it is, None where nobody knows. Raises StorageError."""

        def query(connection: SqlExecutor) -> str | None:
            row = connection.execute("SELECT account FROM people WHERE pseudonym = ?", (pseudonym,)).fetchone()
            return str(row[0]) if row else None

        return await self._do(query) if self._is_there() else None

    async def expected(self) -> dict[str, list[str]]:
        """By session the pseudonyms of those whom it expects. Raises StorageError."""

        def query(connection: SqlExecutor) -> dict[str, list[str]]:
            found: dict[str, list[str]] = {}
            sql = "SELECT session, pseudonym FROM expected JOIN people USING (account) ORDER BY session, pseudonym"
            for session, name in connection.execute(sql).fetchall():
                found.setdefault(str(session), []).append(str(name))
            return found

        return await self._do(query) if self._is_there() else {}

    async def everybody(self) -> dict[str, str]:
        """Pseudonyms by account. Raises StorageError."""
        return dict(await self._listed("SELECT account, pseudonym FROM people ORDER BY account"))

    async def all_expected(self) -> list[tuple[str, str]]:
        """Sessions and accounts that they expect. Raises StorageError."""
        return await self._listed("SELECT session, account FROM expected ORDER BY session, account")

    async def _listed(self, sql: str) -> list[tuple[str, str]]:
        return await self._do(lambda connection: connection.execute(sql).fetchall()) if self._is_there() else []

    async def take_in(self, people: Mapping[str, str], expected: Sequence[tuple[str, str]]) -> None:
        """Put another key's pseudonyms and expectations beside what is there, which stays. Raises StorageError."""

        def change(connection: SqlExecutor) -> None:
            for table, found in (("people", people.items()), ("expected", expected)):
                for pair in found:
                    connection.execute(f"INSERT INTO {table} VALUES (?, ?) ON CONFLICT DO NOTHING", pair)  # noqa: S608 - ours

        if people:
            await self._do(change)

    async def expect_nobody(self, session: str) -> None:
        """The session is over: from now on its log alone says who is in it. Raises StorageError."""

        def change(connection: SqlExecutor) -> None:
            connection.execute("DELETE FROM expected WHERE session = ?", (session,))

        if self._is_there():
            await self._do(change)

    async def forget(self, account: str) -> bool:
        """Take one account out; whether it was there. Raises StorageError."""

        def change(connection: SqlExecutor) -> bool:
            connection.execute("DELETE FROM expected WHERE account = ?", (account,))
            return connection.execute("DELETE FROM people WHERE account = ?", (account,)).rowcount > 0

        return await self._do(change) if self._is_there() else False


class SqlitePseudonyms(SqlPseudonyms):
    """The key in a file of its own. SQLite overwrites there what is freed (`secure_delete`)."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def destroy(self) -> int:
        """Overwrite the file and remove it; how many accounts it held. Raises StorageError."""

        def count(connection: SqlExecutor) -> int:
            return int(connection.execute("SELECT count(*) FROM people").fetchone()[0])

        if not self._is_there():
            return 0
        held = await self._do(count)
        await asyncio.to_thread(_shred, self._path)
        return held

    def _is_there(self) -> bool:
        return self._path.exists()

    async def _do(self, work: Callable[[SqlExecutor], T]) -> T:
        return await asyncio.to_thread(self._opened, work)

    def _opened(self, work: Callable[[SqlExecutor], T]) -> T:
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not self._path.exists():
                self._path.touch(mode=0o600)
            keep_private(self._path)
            with closing(sqlite3.connect(self._path, timeout=_PATIENCE)) as connection:
                connection.execute("PRAGMA secure_delete = ON")
                for table in _TABLES:
                    connection.execute(table)
                with connection:
                    return work(connection)
        except (sqlite3.Error, OSError) as error:
            raise StorageError(
                f"The key to people's made-up names ({self._path.name}) cannot be used ({error}): see whether the disk "
                "is full and the file is a database."
            ) from error


def _pseudonym(connection: SqlExecutor, account: str) -> str | None:
    row = connection.execute("SELECT pseudonym FROM people WHERE account = ?", (account,)).fetchone()
    return str(row[0]) if row else None


def _shred(path: Path) -> None:
    """Overwrite a file, then remove it."""
    import os

    try:
        with path.open("r+b") as file:
            file.write(b"\0" * path.stat().st_size)
            file.flush()
            os.fsync(file.fileno())
        path.unlink()
        path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"{path.name} cannot be destroyed ({error}): remove the file by hand.") from error
