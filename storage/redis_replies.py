"""The cache of replies before that of the database: bodies that are asked for again and again come from Redis.

The database decides what is good: when somebody is forgotten there, or a session is deleted, the number of its
answers' generation grows in the same transaction, and nothing of an older generation is ever given out again, whether
Redis could be told of it or not. Its bytes go with the next use of the cache, at the latest after an hour.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import astuple
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, TypeAdapter

from elenchus.debate_engine.llm.client import Reply, Usage
from elenchus.storage.redis_link import RedisGone

if TYPE_CHECKING:
    from elenchus.storage.key_value import SqlReplyCache
    from elenchus.storage.redis_link import RedisLink

KEPT = 3600
"""Seconds after which a generation's replies are fetched from the database anew."""
LARGEST = 64 * 1024
"""Characters of a reply that is kept here."""

KEEP = """
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if redis.call('TTL', KEYS[1]) < 0 then redis.call('EXPIRE', KEYS[1], ARGV[3]) end
"""


class RedisReplies:
    """See `ReplyCache`."""

    def __init__(self, link: RedisLink, behind: SqlReplyCache) -> None:
        self._link, self._behind = link, behind
        self._place = ""

    async def get(self, key: str) -> Reply | None:
        """The kept reply, which counts as a hit."""
        place = await self._current()
        with suppress(RedisGone):
            body = await self._link.ask(lambda client: client.hget(place, key))
            if body and (kept := _read(str(body))) is not None:
                self._behind.note_hit(key)
                return kept
        if (reply := await self._behind.get(key)) is not None:
            await self._keep(place, key, reply)
        return reply

    async def put(self, key: str, model: str, reply: Reply) -> None:
        """Keep a reply, first where it lasts."""
        place = await self._current()
        await self._behind.put(key, model, reply)
        await self._keep(place, key, reply)

    async def _current(self) -> str:
        """Where this generation's replies are; those of an older one go."""
        place = f"elenchus:replies:{await self._behind.generation()}"
        before, self._place = self._place, place
        if before and before != place:
            with suppress(RedisGone):
                await self._link.ask(lambda client: client.unlink(before))
        return place

    async def _keep(self, place: str, key: str, reply: Reply) -> None:
        body = json.dumps([reply.text, reply.model, astuple(reply.usage), reply.seconds], ensure_ascii=False)
        if len(body) <= LARGEST:
            with suppress(RedisGone):
                await self._link.run(KEEP, [place], [key, body, KEPT])


Kept = tuple[str, str, list[Annotated[int, Field(ge=0)]], Annotated[float, Field(ge=0, allow_inf_nan=False)]]
_KEPT: TypeAdapter[Kept] = TypeAdapter(Kept)


def _read(body: str) -> Reply | None:
    """What was kept; None for what another program, or another version, has written there."""
    try:
        text, model, usage, seconds = _KEPT.validate_json(body, strict=True)
        return Reply(text, "stop", Usage(*usage), model, seconds)
    except (ValueError, TypeError):
        return None
