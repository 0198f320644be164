"""How often a member may start something: so many times in 24 hours, with some minutes between two, as the server says.

When a member started something is kept for 24 hours, and only where the server counts.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

from elenchus.bot.guild import GuildSettings
from elenchus.bot.rendering.amounts import in_time
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import now
from elenchus.debate_engine.key_value_store import KeyValueStore

NAMESPACE = "starts"
DAY = timedelta(hours=24)


@asynccontextmanager
async def one_start(services: BotServices, guild: int, member: int, settings: GuildSettings) -> AsyncIterator[None]:
    """Around the start of something: one at a time, and counted unless it fails.

    Raises UsageError where the member may not start anything yet, StorageError.
    """
    async with services.one_start:
        await check_quota(services.store, guild, member, settings)
        yield
        if settings.member_starts or settings.member_minutes:
            recent = [*await starts(services.store, guild, member), now()]
            await services.store.put(NAMESPACE, _key(guild, member), {"at": [at.isoformat() for at in recent]})
        await _drop_old(services.store)


async def check_quota(store: KeyValueStore, guild: int, member: int, settings: GuildSettings) -> None:
    """Raises UsageError that says when the member may start something again, StorageError."""
    if not (recent := await starts(store, guild, member)):
        return
    if settings.member_starts is not None and len(recent) >= settings.member_starts:
        again = recent[-settings.member_starts] + DAY
        raise UsageError(msg("allowed-starts-used", most=settings.member_starts, wait=_until(again)))
    if settings.member_minutes is not None:
        again = recent[-1] + timedelta(minutes=settings.member_minutes)
        if again > now():
            raise UsageError(msg("allowed-too-soon", wait=_until(again)))


def _until(again: datetime) -> str:
    return in_time((again - now()).total_seconds())


async def starts(store: KeyValueStore, guild: int, member: int) -> list[datetime]:
    """When the member started something in the last 24 hours, the last one last. Raises StorageError."""
    return _recent(await store.get(NAMESPACE, _key(guild, member)) or {})


async def kept(store: KeyValueStore, member: int) -> list[str]:
    """When a member started something in any server, as far as it is kept. Raises StorageError."""
    documents = (await store.all(NAMESPACE)).items()
    return [at.isoformat() for key, one in documents if key.endswith(f":{member}") for at in _recent(one)]


async def _drop_old(store: KeyValueStore) -> None:
    for key, document in (await store.all(NAMESPACE)).items():
        if not _recent(document):
            await store.remove(NAMESPACE, key)


def _recent(document: Mapping[str, Any]) -> list[datetime]:
    at = [datetime.fromisoformat(text) for text in document.get("at", ())]
    return sorted(one for one in at if one > now() - DAY)


def _key(guild: int, member: int) -> str:
    return f"{guild}:{member}"
