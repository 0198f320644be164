"""What is in a file that a member has attached: its bytes, a text, an agenda."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import discord

from elenchus.bot.rendering import safe
from elenchus.bot.strings import msg
from elenchus.config import documents
from elenchus.config.addresses import proxy_for
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.socrasynth.agenda_text import is_structured, topics_in
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.service.lab.options import LARGEST_AGENDA, LONGEST_BRIEF

LONGEST_TYPED = 6_000
"""Characters of an option; longer texts come as files."""

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


async def from_files(brief: discord.Attachment | None, agenda: discord.Attachment | None) -> dict[str, Any]:
    """What stands in an attached brief and agenda, where it is something. Raises UsageError, discord.HTTPException."""
    found = {
        "brief": await text_in(brief, LONGEST_BRIEF) if brief else "",
        "agenda": await agenda_in(agenda) if agenda else (),
    }
    return {name: text for name, text in found.items() if text}


async def text_in(file: discord.Attachment, longest: int) -> str:
    """The text of a file of at most so many characters. Raises UsageError, discord.HTTPException."""
    data = await content_of(file, 4 * longest)
    try:
        text = documents.text_in(data, "The file") if len(data) <= 4 * longest else ""
    except documents.UnreadableDocument as error:
        raise UsageError(msg("crit-unreadable")) from error
    if len(data) > 4 * longest or len(text) > longest:
        raise UsageError(msg("crit-too-long", most=longest))
    return text


async def agenda_in(file: discord.Attachment) -> tuple[Topic, ...]:
    """The topics in a file, by the rules of `--agenda`. Raises UsageError, discord.HTTPException."""
    if file.size > LARGEST_AGENDA:
        raise UsageError(msg("debate-agenda-too-large", most=LARGEST_AGENDA))
    try:
        data = await content_of(file, LARGEST_AGENDA)
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(msg("debate-agenda-unreadable")) from error
    if len(data) > LARGEST_AGENDA:
        raise UsageError(msg("debate-agenda-too-large", most=LARGEST_AGENDA))
    name, structured = safe.inline(file.filename), is_structured(file.filename)
    return await asyncio.to_thread(topics_in, text, name, structured=structured)
