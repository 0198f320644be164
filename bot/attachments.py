"""What is in a file that a member has attached, however large Discord says that it is."""

from __future__ import annotations

import aiohttp
import discord

from elenchus.bot.strings import msg
from elenchus.config.addresses import proxy_for
from elenchus.debate_engine.errors import UsageError

UNPACKED = {"Accept-Encoding": "identity"}
"""Of a file; what is sent packed all the same is read as it comes."""

LONGEST_WAIT = aiohttp.ClientTimeout(total=60)
"""For a file."""


async def content_of(file: discord.Attachment, largest: int) -> bytes:
    """What is in a file: at most one byte more than `largest`, whatever size it is said to have.

    Raises UsageError where Discord has it no more, discord.HTTPException, aiohttp.ClientError, TimeoutError.
    """
    data, proxy = bytearray(), proxy_for(file.url)
    async with (
        aiohttp.ClientSession(timeout=LONGEST_WAIT, auto_decompress=False) as session,
        session.get(file.url, proxy=proxy, headers=UNPACKED, allow_redirects=False) as reply,
    ):
        if reply.status == 404:
            raise UsageError(msg("crit-file-gone"))
        if reply.status != 200:
            raise discord.HTTPException(reply, reply.reason)
        async for piece in reply.content.iter_any():
            data += piece[: largest + 1 - len(data)]
            if len(data) > largest:
                break
    return bytes(data)
