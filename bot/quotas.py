"""How often a member may start something: so many times in 24 hours, with a pause between two, as the server says.

When a member started something is kept for 24 hours, and only where the server counts.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

from elenchus.bot.desk import Desk
from elenchus.bot.guild import GuildSettings
from elenchus.bot.rendering.amounts import in_time
from elenchus.bot.shelf import Shelf
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import now

DRAWER = "starts"
DAY = timedelta(hours=24)


@asynccontextmanager
async def one_start(desk: Desk, guild: int, member: int, settings: GuildSettings) -> AsyncIterator[None]:
    """Around the start of something: one at a time, and counted unless it fails.

    Raises UsageError where the member may not start anything yet, StorageError.
    """
    async with desk.one_start:
        await check_quota(desk.shelf, guild, member, settings)
        yield
        if settings.member_starts or settings.member_minutes:
            recent = [*await starts(desk.shelf, guild, member), now()]
            await desk.shelf.put(DRAWER, _key(guild, member), {"at": [at.isoformat() for at in recent]})
        await _drop_old(desk.shelf)


async def check_quota(shelf: Shelf, guild: int, member: int, settings: GuildSettings) -> None:
    """Raises UsageError that says when the member may start something again, StorageError."""
    if not (recent := await starts(shelf, guild, member)):
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


async def starts(shelf: Shelf, guild: int, member: int) -> list[datetime]:
    """When the member started something in the last 24 hours, the last one last. Raises StorageError."""
    return _recent(await shelf.get(DRAWER, _key(guild, member)) or {})


async def kept(shelf: Shelf, member: int) -> list[str]:
    """When a member started something in any server, as far as it is kept. Raises StorageError."""
    documents = (await shelf.all(DRAWER)).items()
    return [at.isoformat() for key, one in documents if key.endswith(f":{member}") for at in _recent(one)]


async def _drop_old(shelf: Shelf) -> None:
    for key, document in (await shelf.all(DRAWER)).items():
        if not _recent(document):
            await shelf.remove(DRAWER, key)


def _recent(document: Mapping[str, Any]) -> list[datetime]:
    at = [datetime.fromisoformat(text) for text in document.get("at", ())]
    return sorted(one for one in at if one > now() - DAY)


def _key(guild: int, member: int) -> str:
    return f"{guild}:{member}"
