"""Opening a thread for a session that needs one: a text to score, or a debate whose thread was deleted."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Literal

import discord

from elenchus.bot.rendering import safe
from elenchus.bot.strings import sessions as words
from elenchus.debate_engine.errors import UsageError

ARCHIVE_AFTER: Literal[4320] = 4320
"""Minutes without a message after which Discord archives the thread."""

NO_ACCESS = 50001


async def made_thread(
    client: discord.Client, channel: int, title: str, session: str, *, private: bool
) -> discord.Thread:
    """A new thread in a text channel. Raises UsageError where it holds no such threads, discord.HTTPException."""
    place = client.get_channel(channel) or await client.fetch_channel(channel)
    if not isinstance(place, discord.TextChannel) or place.is_news():
        raise UsageError(words.NO_THREADS_THERE)
    return await place.create_thread(
        name=name_of(title, session),
        type=discord.ChannelType.private_thread if private else discord.ChannelType.public_thread,
        auto_archive_duration=ARCHIVE_AFTER,
        invitable=not private,
        reason=words.thread_reason(session),
    )


async def with_members(thread: discord.Thread, members: Iterable[int]) -> None:
    """Have the thread open, and these members in it, each once.

    Raises UsageError for a member who may not see the channel, discord.HTTPException.
    """
    if thread.archived:
        await thread.edit(archived=False)
    for member in dict.fromkeys(members):
        try:
            await thread.add_user(discord.Object(member))
        except discord.Forbidden as error:
            if error.code != NO_ACCESS:
                raise
            raise UsageError(words.SEES_NOT) from error


async def archived_since(client: discord.Client, channel: int, click: int, *, private: bool) -> list[discord.Thread]:
    """The threads of a channel that were made after a click and are archived; none where the bot may not read them.

    Raises discord.HTTPException.
    """
    place = client.get_channel(channel) or await client.fetch_channel(channel)
    if not isinstance(place, discord.TextChannel):
        return []
    found, clicked_at = list[discord.Thread](), discord.utils.snowflake_time(click)
    with suppress(discord.Forbidden):
        async for thread in place.archived_threads(private=private, joined=private, limit=None):
            if thread.id > click:
                found.append(thread)
            elif private or thread.archive_timestamp < clicked_at:
                break  # private ones come by their age, public ones by when they were archived
    return found


def name_of(title: str, session: str) -> str:
    """What a session's thread is called."""
    return safe.shortened(safe.plain(title), 100) or session
