"""Keeps the panel message of a thread as the session stands, with as few edits as a reader needs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

import discord

from elenchus.bot import errors
from elenchus.bot.bindings import Bindings, ViewKey
from elenchus.bot.panel.content import PanelContent
from elenchus.bot.posting.discord_objects import embed_of, view_of

UNKNOWN_MESSAGE = 10008
ARCHIVED = 50083

LATEST = 10
"""Messages of the thread that are looked through for Discord's own about the pin."""

OLD = timedelta(minutes=58)
"""Of a message: after an hour Discord counts its edits (error 30046)."""


@dataclass
class PanelMessage:
    """The panel message of one thread. `interval` gives the seconds to leave between two edits.

    `may_not_pin` is told where the bot lacks the permission; the panel stands where it is then.
    """

    client: discord.Client
    bindings: Bindings
    key: ViewKey
    interval: Callable[[], float]
    may_not_pin: Callable[[], Awaitable[None]]
    _wanted: PanelContent | None = None
    _shown: PanelContent | None = None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _finished: asyncio.Event = field(default_factory=asyncio.Event)

    def show(self, wanted: PanelContent) -> None:
        """The panel is to show this."""
        self._wanted = wanted
        self._changed.set()

    def finish(self) -> None:
        """Nothing more will come."""
        self._finished.set()
        self._changed.set()

    async def ensure(self, wanted: PanelContent) -> None:
        """Have a panel in the thread. Raises discord.HTTPException."""
        if self.bindings.of(self.key).panel is None:
            await self._send(wanted)

    async def keep(self) -> None:
        """Edit the panel whenever what it should show has changed, until all is shown. Raises discord.HTTPException."""
        await self._pin()
        while not self._finished.is_set() or self._wanted != self._shown:
            self._changed.clear()
            wanted = self._wanted
            if wanted is None or wanted == self._shown:
                await self._changed.wait()
                continue
            await self._edit(wanted)
            self._shown = wanted
            with suppress(TimeoutError):  # the end is shown at once
                async with asyncio.timeout(self.interval()):
                    await self._finished.wait()

    async def _edit(self, wanted: PanelContent) -> None:
        panel = self.bindings.of(self.key).panel
        if panel is None:
            await self._send(wanted)
            await self._pin()
        elif is_old(panel):  # Discord allows few edits of old messages, and discord.py would wait until it does
            await self._send(wanted)
            with suppress(discord.NotFound):
                await self._message(panel).delete()
            await self._pin()
        else:
            await self._edited(panel, wanted)

    async def _edited(self, panel: int, wanted: PanelContent) -> None:
        try:
            await self._message(panel).edit(embed=embed_of(wanted.embed), view=view_of(wanted.buttons))
        except discord.HTTPException as error:
            if error.code == UNKNOWN_MESSAGE:
                await self._send(wanted)
                await self._pin()
            elif error.code != ARCHIVED:  # nobody looks at it then, and the next post opens the thread
                raise

    async def _send(self, wanted: PanelContent) -> None:
        """A new panel. Discord itself makes no second message of one nonce, should we die before it is written down."""
        binding = self.bindings.of(self.key)
        message = await self._thread().send(
            embed=embed_of(wanted.embed),
            view=view_of(wanted.buttons),
            nonce=f"panel-{self.key}-{(binding.panel or 0) % 10**8}"[:25],
            allowed_mentions=discord.AllowedMentions.none(),
        )
        await self.bindings.change(self.key, panel=message.id)
        self._shown = wanted

    async def _pin(self) -> None:
        """Have the panel among the thread's pinned messages, tried once for each panel; what fails hinders nothing."""
        binding = self.bindings.of(self.key)
        if binding.panel is None or binding.panel == binding.pinned:
            return
        try:
            await self._message(binding.panel).pin()
        except discord.Forbidden:
            await self.may_not_pin()
        except (discord.HTTPException, *errors.DISCONNECTED) as error:
            errors.logged(error, f"the panel of {self.key} was not pinned")
            return  # the next follower of the session tries again
        await self.bindings.change(self.key, pinned=binding.panel)
        with suppress(discord.HTTPException, *errors.DISCONNECTED):
            await self._unannounced(binding.panel)

    async def _unannounced(self, panel: int) -> None:
        """Delete Discord's own message that the panel was pinned. Raises discord.HTTPException."""
        async for message in self._thread().history(limit=LATEST):
            about = message.reference.message_id if message.reference else None
            if message.type is discord.MessageType.pins_add and about == panel:
                await message.delete()

    def _message(self, message: int) -> discord.PartialMessage:
        return self._thread().get_partial_message(message)

    def _thread(self) -> discord.PartialMessageable:
        binding = self.bindings.of(self.key)
        return self.client.get_partial_messageable(binding.thread, guild_id=binding.guild)


def is_old(message: int) -> bool:
    """Whether a message is better replaced than edited."""
    return discord.utils.utcnow() - discord.utils.snowflake_time(message) > OLD
