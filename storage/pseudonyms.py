"""The key from people's accounts to their made-up names, in a file of its own (`people.db`) beside the log.

It is no part of the log, of its exports or of its copies. Each call opens the file and closes it again: the key is
small and seldom asked for, and a destroyed key must be open nowhere.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.privacy.pseudonyms import made_up
from elenchus.storage.database_file import keep_private

T = TypeVar("T")

_PATIENCE = 10.0
"""Seconds to wait for another process that writes the key."""
_TABLES = (
    "CREATE TABLE IF NOT EXISTS people (account TEXT PRIMARY KEY, pseudonym TEXT NOT NULL UNIQUE) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS expected (session TEXT, account TEXT, PRIMARY KEY (session, account)) WITHOUT ROWID",
)


class SqlitePseudonyms:
    """See `Pseudonyms`. Invariants: an account has one pseudonym, and a pseudonym one account; a session expects nobody
    who has none.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    async def of(self, account: str, session: str = "") -> str:
        """The account's pseudonym, made on first use, in one transaction with whom the session expects.

        Raises StorageError.
        """

        def query(connection: sqlite3.Connection) -> str:
            if session:
                connection.execute("INSERT OR IGNORE INTO expected VALUES (?, ?)", (session, account))
            while (found := _pseudonym(connection, account)) is None:
                with suppress(sqlite3.IntegrityError):  # drawn before, or another process was first
                    connection.execute("INSERT INTO people VALUES (?, ?)", (account, made_up()))
            connection.commit()
            return found

        return await self._do(query)

    async def find(self, account: str) -> str | None:
        """The account's pseudonym, None where it has none. Raises StorageError."""
        return await self._do(lambda connection: _pseudonym(connection, account)) if self._path.exists() else None

    async def account_of(self, pseudonym: str) -> str | None:
        """Whose it is, None where nobody knows. Raises StorageError."""

        def query(connection: sqlite3.Connection) -> str | None:
            row = connection.execute("SELECT account FROM people WHERE pseudonym = ?", (pseudonym,)).fetchone()
            return str(row[0]) if row else None

        return await self._do(query) if self._path.exists() else None

    async def expected(self) -> dict[str, list[str]]:
        """By session the pseudonyms of those whom it expects. Raises StorageError."""

        def query(connection: sqlite3.Connection) -> dict[str, list[str]]:
            found: dict[str, list[str]] = {}
            for session, name in connection.execute(
                "SELECT session, pseudonym FROM expected JOIN people USING (account) ORDER BY session, pseudonym"
            ):
                found.setdefault(str(session), []).append(str(name))
            return found

        return await self._do(query) if self._path.exists() else {}

    async def expect_nobody(self, session: str) -> None:
        """The session is over: from now on its log alone says who is in it. Raises StorageError."""

        def change(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM expected WHERE session = ?", (session,))
            connection.commit()

        if self._path.exists():
            await self._do(change)

    async def forget(self, account: str) -> bool:
        """Take one account out; SQLite overwrites what is freed in the file (`secure_delete`). Raises StorageError."""

        def change(connection: sqlite3.Connection) -> bool:
            connection.execute("DELETE FROM expected WHERE account = ?", (account,))
            gone = connection.execute("DELETE FROM people WHERE account = ?", (account,)).rowcount > 0
            connection.commit()
            return gone

        return await self._do(change) if self._path.exists() else False

    async def destroy(self) -> int:
        """Overwrite the file and remove it; how many accounts it held. Raises StorageError."""

        def count(connection: sqlite3.Connection) -> int:
            return int(connection.execute("SELECT count(*) FROM people").fetchone()[0])

        if not self._path.exists():
            return 0
        held = await self._do(count)
        await asyncio.to_thread(_shred, self._path)
        return held

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await asyncio.to_thread(self._opened, work)

    def _opened(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not self._path.exists():
                self._path.touch(mode=0o600)
            keep_private(self._path)
            with closing(sqlite3.connect(self._path, timeout=_PATIENCE)) as connection:
                connection.execute("PRAGMA secure_delete = ON")
                for table in _TABLES:
                    connection.execute(table)
                return work(connection)
        except (sqlite3.Error, OSError) as error:
            raise StorageError(
                f"The key to people's made-up names ({self._path.name}) cannot be used ({error}): see whether the disk "
                "is full and the file is a database."
            ) from error


def _pseudonym(connection: sqlite3.Connection, account: str) -> str | None:
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
