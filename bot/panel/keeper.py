"""Keeps the panel message of a thread as the session stands, with as few edits as a reader needs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

import discord

from bot.bindings import Bindings
from bot.panel import face
from bot.panel.board import Board
from bot.panel.face import Shown
from bot.posting.outgoing import embed_of, view_of

UNKNOWN_MESSAGE = 10008
ARCHIVED = 50083

OLD = timedelta(minutes=58)
"""Of a message: after an hour Discord counts its edits (error 30046)."""


@dataclass
class PanelKeeper:
    """Owns the panel message of one session. `pause` gives the seconds to leave between two edits."""

    client: discord.Client
    bindings: Bindings
    session: str
    pause: Callable[[], float]
    _wanted: Shown | None = None
    _shown: Shown | None = None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _finished: asyncio.Event = field(default_factory=asyncio.Event)

    def show(self, board: Board) -> None:
        """The panel is to show this."""
        self._wanted = face.shown(board)
        self._changed.set()

    def finish(self) -> None:
        """Nothing more will come."""
        self._finished.set()
        self._changed.set()

    async def ensure(self, board: Board) -> None:
        """Have a panel in the thread. Raises discord.HTTPException."""
        if self.bindings.of(self.session).panel is None:
            await self._send(face.shown(board))

    async def keep(self) -> None:
        """Edit the panel whenever what it should show has changed, until all is shown. Raises discord.HTTPException."""
        while not self._finished.is_set() or self._wanted != self._shown:
            self._changed.clear()
            wanted = self._wanted
            if wanted is None or wanted == self._shown:
                await self._changed.wait()
                continue
            await self._edit(wanted)
            self._shown = wanted
            with suppress(TimeoutError):  # the end is shown at once
                async with asyncio.timeout(self.pause()):
                    await self._finished.wait()

    async def _edit(self, wanted: Shown) -> None:
        panel = self.bindings.of(self.session).panel
        if panel is None:
            await self._send(wanted)
        elif is_old(panel):  # Discord allows few edits of old messages, and discord.py would wait until it does
            await self._send(wanted)
            with suppress(discord.NotFound):
                await self._message(panel).delete()
        else:
            await self._edited(panel, wanted)

    async def _edited(self, panel: int, wanted: Shown) -> None:
        try:
            await self._message(panel).edit(embed=embed_of(wanted.embed), view=view_of(wanted.buttons))
        except discord.HTTPException as error:
            if error.code == UNKNOWN_MESSAGE:
                await self._send(wanted)
            elif error.code != ARCHIVED:  # nobody looks at it then, and the next post opens the thread
                raise

    async def _send(self, wanted: Shown) -> None:
        """A new panel. Discord itself makes no second message of one nonce, should we die before it is written down."""
        binding = self.bindings.of(self.session)
        message = await self._thread().send(
            embed=embed_of(wanted.embed),
            view=view_of(wanted.buttons),
            nonce=f"panel-{self.session}-{(binding.panel or 0) % 10**8}"[:25],
            allowed_mentions=discord.AllowedMentions.none(),
        )
        await self.bindings.change(self.session, panel=message.id)
        self._shown = wanted

    def _message(self, message: int) -> discord.PartialMessage:
        return self._thread().get_partial_message(message)

    def _thread(self) -> discord.PartialMessageable:
        binding = self.bindings.of(self.session)
        return self.client.get_partial_messageable(binding.thread, guild_id=binding.guild)


def is_old(message: int) -> bool:
    """Whether a message is better replaced than edited."""
    return discord.utils.utcnow() - discord.utils.snowflake_time(message) > OLD
