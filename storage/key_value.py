"""What lies by key in the log's own database, beside the sessions: small documents, and the cache of models' replies.

Both go through the log's one writing thread and are closed with the log. All methods raise StorageError.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import astuple, dataclass
from typing import Any

from elenchus.debate_engine.llm.client import Reply, Usage
from elenchus.storage import changes
from elenchus.storage.database import EMPTIED, Connection, counted
from elenchus.storage.readers import Readers
from elenchus.storage.writer import Writer

Document = dict[str, Any]


class SqlKeyValueStore:
    """JSON documents by namespace and key, for what a front end must know after a restart; see `SqlLog`.

    What `put` and `remove` returned from survives the death of the process.
    """

    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    async def get(self, namespace: str, key: str) -> Document | None:
        """The document, None where there is none."""
        found = await self._readers.ask(rows("SELECT body FROM shelf WHERE drawer = ? AND key = ?", namespace, key))
        return _document(found[0][0]) if found else None

    async def put(self, namespace: str, key: str, value: Document) -> None:
        """Put a document there, in place of the one that was there."""
        sql = """INSERT INTO shelf (drawer, key, body) VALUES (?, ?, ?)
            ON CONFLICT (drawer, key) DO UPDATE SET body = excluded.body"""
        await self._writer.change(executed(sql, namespace, key, json.dumps(value, ensure_ascii=False)))

    async def add(self, namespace: str, key: str, value: Document) -> bool:
        """Put a document there if there is none; whether it was put. Of several at once one puts it."""
        sql = "INSERT INTO shelf (drawer, key, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        body = json.dumps(value, ensure_ascii=False)
        return await self._writer.change(executed(sql, namespace, key, body)) == 1

    async def remove(self, namespace: str, key: str) -> None:
        """Take a document away, if it is there."""
        await self._writer.change(executed("DELETE FROM shelf WHERE drawer = ? AND key = ?", namespace, key))

    async def all(self, namespace: str) -> dict[str, Document]:
        """All documents of a namespace by key, keys in order."""
        found = await self._readers.ask(rows("SELECT key, body FROM shelf WHERE drawer = ? ORDER BY key", namespace))
        return {key: _document(body) for key, body in found}

    async def everything(self) -> list[tuple[str, str, Document]]:
        """All documents with their namespaces and keys, in this order."""
        found = await self._readers.ask(rows("SELECT drawer, key, body FROM shelf ORDER BY drawer, key"))
        return [(namespace, key, _document(body)) for namespace, key, body in found]


def rows(sql: str, *values: str) -> Callable[[Connection], list[tuple[Any, ...]]]:
    """What a statement finds."""
    return lambda connection: connection.execute(sql, values).fetchall()


def executed(sql: str, *values: str) -> Callable[[Connection], int]:
    """How many rows a statement changes."""
    return lambda connection: connection.execute(sql, values).rowcount


def _document(body: str) -> Document:
    value = json.loads(body)
    assert isinstance(value, dict), "only objects are stored"
    return value


@dataclass(frozen=True, slots=True)
class CachedReplies:
    """What is cached of one model: replies, how often they were used again, and their size in bytes."""

    model: str
    answers: int
    hits: int
    bytes: int


class SqlReplyCache:
    """The engine's cache of replies (`ReplyCache`), with counts of hits.

    A key is a fingerprint; prompts are not kept, replies are. Whenever a person is forgotten or a session is deleted,
    all of it goes in the same transaction (see `changes`), as any reply may quote anybody.
    """

    def __init__(self, writer: Writer, readers: Readers, erase: Callable[[], Awaitable[None]], size: str) -> None:
        self._writer, self._readers, self._erase, self._size = writer, readers, erase, size

    async def get(self, key: str) -> Reply | None:
        """The kept reply, which counts as a hit."""
        if not (found := await self._readers.ask(rows("SELECT body FROM answers WHERE key = ?", key))):
            return None
        self.note_hit(key)
        return _reply(found[0][0])

    def note_hit(self, key: str) -> None:
        """Count that a reply was used again."""
        self._writer.post(executed("UPDATE answers SET hits = hits + 1 WHERE key = ?", key))

    async def generation(self) -> int:
        """How often the cache was emptied: a copy of an answer from before then is good no more."""
        return await self._readers.ask(lambda connection: counted(connection, EMPTIED))

    async def put(self, key: str, model: str, reply: Reply) -> None:
        """Keep a reply; the first one stays where two processes ask the same."""
        kept = {"text": reply.text, "model": reply.model, "usage": astuple(reply.usage), "seconds": reply.seconds}
        sql = "INSERT INTO answers (key, model, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        await self._writer.change(executed(sql, key, model, json.dumps(kept, ensure_ascii=False)))

    async def overview(self) -> list[CachedReplies]:
        """What is kept, by model."""
        sql = f"SELECT model, count(*), sum(hits), sum({self._size}) FROM answers GROUP BY model ORDER BY model"  # noqa: S608 - ours
        found = await self._readers.ask(rows(sql))
        return [CachedReplies(model, answers, int(hits), int(size)) for model, answers, hits, size in found]

    async def clear(self) -> int:
        """Remove every answer, without a trace on disk; how many there were."""
        removed = await self._writer.change(changes.clear_answers)
        await self._erase()
        return removed


def _reply(body: str) -> Reply:
    kept = json.loads(body)
    return Reply(kept["text"], "stop", Usage(*kept["usage"]), kept["model"], kept["seconds"])
