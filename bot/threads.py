"""Opening a thread for a session that needs one: a text to score, or a debate whose thread was deleted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import discord

from bot.rendering import safe
from bot.strings import sessions as words
from debate_engine.errors import UsageError

ARCHIVE_AFTER: Literal[4320] = 4320
"""Minutes without a message after which Discord archives the thread."""


async def open_thread(
    client: discord.Client, channel: int, title: str, session: str, *, private: bool, members: Iterable[int] = ()
) -> discord.Thread:
    """A new thread in a text channel, with these members in it where it is private.

    Raises UsageError where the channel holds no threads, discord.HTTPException.
    """
    place = client.get_channel(channel) or await client.fetch_channel(channel)
    if not isinstance(place, discord.TextChannel):
        raise UsageError(words.NO_THREADS_THERE)
    thread = await place.create_thread(
        name=safe.shortened(safe.plain(title), 100) or session,
        type=discord.ChannelType.private_thread if private else discord.ChannelType.public_thread,
        auto_archive_duration=ARCHIVE_AFTER,
        invitable=not private,
        reason=words.thread_reason(session),
    )
    for member in dict.fromkeys(members) if private else ():
        await thread.add_user(discord.Object(member))
    return thread
