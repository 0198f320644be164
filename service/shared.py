"""What the processes of a house share beside log and store: over Redis where the settings name one, else in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elenchus.debate_engine.shared import LocalShared

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.day_budget import PayerOf
    from elenchus.debate_engine.key_value_store import KeyValueStore
    from elenchus.debate_engine.llm.cache import ReplyCache
    from elenchus.debate_engine.shared import Shared
    from elenchus.storage.key_value import SqlReplyCache

PAYERS = "session-payers"
"""In the store: by session, who has begun it over HTTP, by the id of their grant."""


async def shared_of(settings: Settings) -> Shared:
    """What this process shares with others. Raises StorageError for a Redis that is no use."""
    if (url := settings.redis.url) is None:
        return LocalShared()
    from elenchus.storage.redis_shared import open_shared

    return await open_shared(url.get_secret_value())


def replies_over(shared: Shared, cache: SqlReplyCache) -> ReplyCache:
    """The cache of replies, with Redis before the database's where there is one."""
    if isinstance(shared, LocalShared):
        return cache
    from elenchus.storage.redis_replies import RedisReplies
    from elenchus.storage.redis_shared import RedisShared

    assert isinstance(shared, RedisShared)
    return RedisReplies(shared.link, cache)


def payer_in(store: KeyValueStore) -> PayerOf:
    """Who pays for a session, by the store."""

    async def payer_of(session: str) -> str:
        return str((await store.get(PAYERS, session) or {}).get("grant", ""))

    return payer_of
