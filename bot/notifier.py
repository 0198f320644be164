"""Tells a debate's moderator something in one sentence, once: by direct message, else in the channel of the thread."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import discord

from elenchus.bot.bindings import Binding, Bindings, ViewKey
from elenchus.bot.errors import DISCONNECTED
from elenchus.bot.posting.failures import Kind
from elenchus.bot.posting.poster import Poster
from elenchus.bot.rendering import safe
from elenchus.bot.session_kind import SessionKind, title_of
from elenchus.bot.strings import msg
from elenchus.debate_engine.log import EventLog
from elenchus.service.lab.session_status import SessionStatus

_log = logging.getLogger(__name__)

WITHOUT_WEBHOOK = ("permission", "room")
"""Why there is none (see `Poster`): told once, as the thread goes on without it whatever is tried again."""


class Notifier:
    """Tells the moderators of sessions what hinders posting, each kind of it once. `kind_of` words it for a view."""

    def __init__(
        self, client: discord.Client, bindings: Bindings, log: EventLog, kind_of: Callable[[ViewKey], SessionKind]
    ) -> None:
        self._client = client
        self._bindings = bindings
        self._log = log
        self._kind_of = kind_of
        self._told: set[tuple[ViewKey, str]] = set()
        self._without_pins = set[int]()

    def _has_notified(self, key: ViewKey, what: str) -> bool:
        """Whether the moderator knows."""
        return (key, what) in self._told

    def tries_again(self, key: ViewKey) -> None:
        """Somebody saw to it: what hinders the view still is told anew."""
        self._told = {(k, what) for k, what in self._told if k != key or what in WITHOUT_WEBHOOK}

    async def hindered(self, binding: Binding, kind: Kind, reference: str, server: str = "") -> None:
        """Nothing can be posted in a thread. `server` is the name of the one that it was in, where it is known."""
        guild = self._client.get_guild(binding.guild)
        name = safe.inline(server or (guild.name if guild else str(binding.guild)))
        title = await self._title(binding.session)
        text = self._kind_of(binding.key).failure(kind, title, binding.session, name, reference)
        await self._notify(binding.key, kind, text)

    async def broke_off(self, session: str, reference: str) -> None:
        """A session broke off by a mistake of ours."""
        if (binding := self._bindings.main(session)) is not None:
            title = await self._title(session)
            text = msg("posting-broke-off", title=title, session=session, reference=reference)
            await self._notify(binding.key, "broke", text)

    async def failed(self, key: ViewKey) -> None:
        """All of a session is shown: tell that it failed, where its thread itself does not."""
        main = self._bindings.main(key.session)
        if (
            main is not None
            and main.key == key
            and (text := self._kind_of(key).broke_off(await self._status(key.session)))
        ):
            await self._notify(key, "failed", text)

    async def no_pins(self, key: ViewKey) -> None:
        """The panel may not be pinned: told once for all threads of a server."""
        if (guild := self._bindings.of(key).guild) not in self._without_pins:
            self._without_pins.add(guild)
            await self._notify(key, "pins", msg("posting-may-not-pin"))

    async def webhook(self, poster: Poster) -> None:
        """What became of the webhook; the log is read only where something is to be told."""
        key = poster.key
        if poster.without and not self._has_notified(key, poster.without):
            title = await self._title(key.session)
            text = (
                msg("posting-no-webhook", title=title)
                if poster.without == "permission"
                else msg("posting-webhooks-full", title=title)
            )
            await self._notify(key, poster.without, text)
        elif poster.remade:
            poster.remade = False
            text = msg("posting-webhook-remade", title=await self._title(key.session))
            await self._notify(key, f"webhook {poster.confirmed}", text)

    async def _status(self, session: str) -> SessionStatus:
        return SessionStatus.of(session, await self._log.read(session))

    async def _title(self, session: str) -> str:
        return title_of(await self._status(session))

    async def _notify(self, key: ViewKey, what: str, text: str) -> None:
        """Tell it, unless it was told, or the view has no thread."""
        if self._has_notified(key, what) or (binding := self._bindings.find(key)) is None:
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
