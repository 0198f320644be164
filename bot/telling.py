"""Tells a debate's moderator something in one sentence: by direct message, else in the channel of the thread."""

from __future__ import annotations

import logging

import discord

from bot.bindings import Binding
from bot.errors import DISCONNECTED

_log = logging.getLogger(__name__)


async def tell_moderator(client: discord.Client, binding: Binding, text: str) -> bool:
    """Whether the moderator could be told. The text is in the log in any case. Never raises but for cancellation."""
    _log.warning("session %s, told to %s: %s", binding.session, binding.moderator, text)
    return await _directly(client, binding, text) or await _in_channel(client, binding, text)


async def _directly(client: discord.Client, binding: Binding, text: str) -> bool:
    try:
        person = await client.create_dm(discord.Object(binding.moderator))
        await person.send(text, allowed_mentions=discord.AllowedMentions.none())
    except (discord.HTTPException, *DISCONNECTED) as error:
        _log.info("no direct message to %s: %s", binding.moderator, error)
        return False
    return True


async def _in_channel(client: discord.Client, binding: Binding, text: str) -> bool:
    channel = client.get_partial_messageable(binding.channel, guild_id=binding.guild)
    only = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(binding.moderator)])
    try:
        await channel.send(f"<@{binding.moderator}> {text}", allowed_mentions=only)
    except (discord.HTTPException, *DISCONNECTED) as error:
        _log.info("nothing told in channel %s: %s", binding.channel, error)
        return False
    return True
