"""The cache of answers in the log's own file: `AnswerCache` of the engine, with counts of hits.

A key is a fingerprint; prompts are not kept, replies are. Whenever a person is forgotten or a session is deleted, all
of it goes in the same transaction (see `changes`), as any reply may quote anybody.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import astuple, dataclass

from elenchus.debate_engine.llm.client import Reply, Usage
from elenchus.storage import changes
from elenchus.storage.queries import Readers
from elenchus.storage.writer import Writer


@dataclass(frozen=True, slots=True)
class KeptOf:
    """What is kept of one model: replies, how often they were used again, and their size in bytes."""

    model: str
    answers: int
    hits: int
    bytes: int


class SqliteAnswers:
    """Made by `SqliteLog.answers`, and closed with the log. All methods raise StorageError."""

    def __init__(self, writer: Writer, readers: Readers, erase: Callable[[], Awaitable[None]]) -> None:
        self._writer, self._readers, self._erase = writer, readers, erase

    async def get(self, key: str) -> Reply | None:
        """The kept reply, which counts as a hit."""

        def query(connection: sqlite3.Connection) -> str | None:
            row = connection.execute("SELECT body FROM answers WHERE key = ?", (key,)).fetchone()
            return row[0] if row else None

        if (body := await self._readers.ask(query)) is None:
            return None
        self._writer.post(lambda c: c.execute("UPDATE answers SET hits = hits + 1 WHERE key = ?", (key,)))
        return _reply(body)

    async def put(self, key: str, model: str, reply: Reply) -> None:
        """Keep a reply; the first one stays where two processes ask the same."""
        kept = {"text": reply.text, "model": reply.model, "usage": astuple(reply.usage), "seconds": reply.seconds}
        row = (key, model, json.dumps(kept, ensure_ascii=False))

        def change(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR IGNORE INTO answers (key, model, body) VALUES (?, ?, ?)", row)

        await self._writer.change(change)

    async def overview(self) -> list[KeptOf]:
        """What is kept, by model."""

        def query(connection: sqlite3.Connection) -> list[tuple[str, int, int, int]]:
            return connection.execute(
                """SELECT model, count(*), sum(hits), sum(length(CAST(body AS BLOB))) FROM answers
                GROUP BY model ORDER BY model"""
            ).fetchall()

        return [KeptOf(*row) for row in await self._readers.ask(query)]

    async def clear(self) -> int:
        """Remove every answer, without a trace on disk; how many there were."""
        removed = await self._writer.change(changes.clear_answers)
        await self._erase()
        return removed


def _reply(body: str) -> Reply:
    kept = json.loads(body)
    return Reply(kept["text"], "stop", Usage(*kept["usage"]), kept["model"], kept["seconds"])
