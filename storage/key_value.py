"""Small JSON documents by drawer and key, in the log's own file and through its one writing thread."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from elenchus.storage.queries import Readers
from elenchus.storage.writer import Writer

Document = dict[str, Any]


class SqliteShelf:
    """A front end's shelf, made by `SqliteLog.shelf`; it is closed with the log.

    What `put` and `remove` returned from survives the death of the process. All methods raise StorageError.
    """

    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    async def get(self, drawer: str, key: str) -> Document | None:
        """The document, None where there is none."""

        def query(connection: sqlite3.Connection) -> str | None:
            row = connection.execute("SELECT body FROM shelf WHERE drawer = ? AND key = ?", (drawer, key)).fetchone()
            return row[0] if row else None

        body = await self._readers.ask(query)
        return None if body is None else _document(body)

    async def put(self, drawer: str, key: str, value: Document) -> None:
        """Put a document there, in place of the one that was there."""
        body = json.dumps(value, ensure_ascii=False)

        def change(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO shelf (drawer, key, body) VALUES (?, ?, ?)", (drawer, key, body))

        await self._writer.change(change)

    async def remove(self, drawer: str, key: str) -> None:
        """Take a document away, if it is there."""

        def change(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM shelf WHERE drawer = ? AND key = ?", (drawer, key))

        await self._writer.change(change)

    async def all(self, drawer: str) -> dict[str, Document]:
        """All documents of a drawer by key, keys in order."""

        def query(connection: sqlite3.Connection) -> list[tuple[str, str]]:
            found = connection.execute("SELECT key, body FROM shelf WHERE drawer = ? ORDER BY key", (drawer,))
            return found.fetchall()

        return {key: _document(body) for key, body in await self._readers.ask(query)}


def _document(body: str) -> Document:
    value = json.loads(body)
    assert isinstance(value, dict), "only objects are put on the shelf"
    return value
