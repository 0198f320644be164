"""Tells a debate's moderator something in one sentence, once: by direct message, else in the channel of the thread."""

from __future__ import annotations

import asyncio
import logging

import discord

from elenchus.bot.bindings import Binding, Bindings, ViewKey
from elenchus.bot.errors import DISCONNECTED

_log = logging.getLogger(__name__)

WITHOUT_WEBHOOK = ("permission", "room")
"""Why there is none (see `Poster`): told once, as the thread goes on without it whatever is tried again."""


class Notifier:
    """Tells the moderators of sessions what hinders posting, each kind of it once."""

    def __init__(self, client: discord.Client, bindings: Bindings) -> None:
        self._client = client
        self._bindings = bindings
        self._told: set[tuple[ViewKey, str]] = set()

    def has_notified(self, key: ViewKey, what: str) -> bool:
        """Whether the moderator knows."""
        return (key, what) in self._told

    def tries_again(self, key: ViewKey) -> None:
        """Somebody saw to it: what hinders the view still is told anew."""
        self._told = {(k, what) for k, what in self._told if k != key or what in WITHOUT_WEBHOOK}

    async def notify(self, key: ViewKey, what: str, text: str) -> None:
        """Tell it, unless it was told, or the view has no thread."""
        if self.has_notified(key, what) or (binding := self._bindings.find(key)) is None:
            return
        self._told.add((key, what))
        try:
            await notify_moderator(self._client, binding, text)
        except asyncio.CancelledError:
            self._told.discard((key, what))  # whoever cancelled it has something to tell as well
            raise


async def notify_moderator(client: discord.Client, binding: Binding, text: str) -> bool:
    """Whether the moderator could be told. The text is in the log in any case. Never raises but for cancellation."""
    _log.warning("session %s, told to %s: %s", binding.key, binding.moderator, text)
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
