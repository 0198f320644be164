"""What a member writes in the thread counts as the answer to an open turn, where the server and the intents let it.

Also what was written while the bot was away: it is looked up when the bot is back.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

import discord

from bot.bindings import Binding
from bot.desk import Desk
from bot.errors import DISCONNECTED
from bot.guild import settings_of
from bot.people import consent
from bot.people.open_turns import free_texts
from bot.people.who import person
from bot.running import House
from debate_engine.errors import UnknownSession, UsageError
from debate_engine.events import TurnAnswered
from debate_engine.reports.moderation import OpenTurn
from debate_engine.reports.view import DebateView

_log = logging.getLogger(__name__)

HEARD = "✅"
"""Put under a message that counts."""

MOST = 200
"""Messages that are looked through for one turn."""


class Seats(Protocol):
    """Whose turn it is in the sessions that a house shows. Raises UnknownSession, StorageError."""

    async def open_texts(self, binding: Binding) -> list[tuple[OpenTurn, int]]:
        """The open turns that ask for a free text, for which a message in this thread may count, with their members."""
        ...

    async def called_in_log(self, member: int) -> str:
        """How a member is called in the log."""
        ...


@dataclass(frozen=True, slots=True)
class DebateSeats:
    """Those of debates: only who has agreed to sit is heard."""

    desk: Desk

    async def open_texts(self, binding: Binding) -> list[tuple[OpenTurn, int]]:
        """The longest open first."""
        view = DebateView.of(binding.session, await self.desk.log.read(binding.session))
        shelf = self.desk.shelf
        return [
            (turn, member)
            for turn, member in free_texts(view)
            if await consent.has_agreed(shelf, binding.session, member)
        ]

    async def called_in_log(self, member: int) -> str:
        """By the account."""
        return person(member)


@dataclass(frozen=True, slots=True)
class PlainMessages:
    """Hears what is written in threads. All raise StorageError."""

    desk: Desk
    house: House
    seats: Seats

    async def written(self, message: discord.Message) -> None:
        """Somebody wrote a message: it counts for the longest open turn of theirs that asks for a free text."""
        if message.author.bot or not message.content.strip():
            return
        with suppress(UsageError):
            binding = self.house.bindings.in_thread(message.channel.id)
            if not (await settings_of(self.desk.shelf, binding.guild)).plain_messages:
                return
            mine = [turn for turn, member in await self.seats.open_texts(binding) if member == message.author.id]
            if mine and not await self._too_early(binding, message):
                await self._take(binding, mine[0], message)

    async def catch_up(self, client: discord.Client) -> None:
        """Look for messages that were written for open turns while the bot was away."""
        for binding in self.house.bindings:
            if binding.closed or not (await settings_of(self.desk.shelf, binding.guild)).plain_messages:
                continue
            with suppress(UnknownSession):
                for turn, member in await self.seats.open_texts(binding):
                    await self._look_up(client, binding, turn, member)

    async def _look_up(self, client: discord.Client, binding: Binding, turn: OpenTurn, member: int) -> None:
        thread = client.get_partial_messageable(binding.thread, guild_id=binding.guild)
        try:
            async for message in thread.history(limit=MOST, after=turn.since, oldest_first=True):
                wrote = message.author.id == member and message.content.strip()
                if wrote and not await self._too_early(binding, message):
                    await self._take(binding, turn, message)
                    return
        except (discord.HTTPException, *DISCONNECTED) as error:
            _log.info("session %s: messages could not be looked up: %s", binding.session, error)

    async def _too_early(self, binding: Binding, message: discord.Message) -> bool:
        """Whether it was written before its writer agreed to sit, however late it is heard."""
        return await consent.wrote_before(self.desk.shelf, binding.session, message.author.id, message.id)

    async def _take(self, binding: Binding, turn: OpenTurn, message: discord.Message) -> None:
        by, text = await self.seats.called_in_log(message.author.id), message.content.strip()
        session = binding.session.partition("@")[0]
        await self.desk.log.send(session, TurnAnswered(step=turn.step, seat=turn.seat, by=by, answer=text))
        with suppress(discord.HTTPException):
            await message.add_reaction(HEARD)
