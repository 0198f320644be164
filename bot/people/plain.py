"""What a member writes in the thread counts as the answer to an open turn, where the server and the intents let it.

Also what was written while the bot was away: it is looked up when the bot is back.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass

import discord

from bot.bindings import Binding
from bot.desk import Desk
from bot.guild import settings_of
from bot.people import consent
from bot.people.open_turns import opened_for
from bot.people.who import member_on, person
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


@dataclass(frozen=True, slots=True)
class PlainMessages:
    """Hears what is written in threads. All raise StorageError."""

    desk: Desk
    house: House

    async def written(self, message: discord.Message) -> None:
        """Somebody wrote a message: it counts for the longest open turn of theirs that asks for a free text."""
        if message.author.bot or not message.content.strip():
            return
        with suppress(UsageError):
            binding = self.house.bindings.in_thread(message.channel.id)
            if not (await settings_of(self.desk.shelf, binding.guild)).plain_messages:
                return
            view = DebateView.of(binding.session, await self.desk.log.read(binding.session))
            texts = [turn for turn in opened_for(view, message.author.id) if turn.answer_schema is None]
            if texts:
                await self._take(binding, texts[0], message)

    async def catch_up(self, client: discord.Client) -> None:
        """Look for messages that were written for open turns while the bot was away."""
        for binding in self.house.bindings:
            if binding.closed or not (await settings_of(self.desk.shelf, binding.guild)).plain_messages:
                continue
            with suppress(UnknownSession):
                view = DebateView.of(binding.session, await self.desk.log.read(binding.session))
                for turn in view.asked:
                    if turn.answer_schema is None and turn.seat not in view.hand.left:
                        await self._look_up(client, binding, turn, member_on(view.started, turn.seat))

    async def _look_up(self, client: discord.Client, binding: Binding, turn: OpenTurn, member: int | None) -> None:
        thread = client.get_partial_messageable(binding.thread, guild_id=binding.guild)
        try:
            async for message in thread.history(limit=MOST, after=turn.since, oldest_first=True):
                if message.author.id == member and message.content.strip():
                    await self._take(binding, turn, message)
                    return
        except (discord.HTTPException, OSError) as error:
            _log.info("session %s: messages could not be looked up: %s", binding.session, error)

    async def _take(self, binding: Binding, turn: OpenTurn, message: discord.Message) -> None:
        """The message is the answer, if its writer has agreed to sit."""
        if not await consent.has_agreed(self.desk.shelf, binding.session, message.author.id):
            return
        by, text = person(message.author.id), message.content.strip()
        await self.desk.log.send(binding.session, TurnAnswered(step=turn.step, seat=turn.seat, by=by, answer=text))
        with suppress(discord.HTTPException):
            await message.add_reaction(HEARD)
