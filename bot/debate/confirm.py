"""The word to start: a thread, its session, and the binding of the two; then it runs."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.bindings import Binding
from bot.debate.offers import Offer, Offers
from bot.debate.rules import check_start
from bot.debate.spending import left_today
from bot.debate.start import check_left, member_of
from bot.desk import Desk
from bot.errors import tell
from bot.people.who import member_of as member_behind
from bot.running import House
from bot.strings import debate as words
from bot.threads import open_thread
from debate_engine.human import HUMAN
from debate_engine.runner import new_id


@dataclass(frozen=True, slots=True)
class Confirmer:
    """Starts what was offered."""

    desk: Desk
    house: House
    offers: Offers
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def pressed(self, interaction: discord.Interaction[Any], rest: str) -> None:
        """Start or cancel was pressed under an offer."""
        key, _, what = rest.partition(":")
        offer = self.offers.look(key)
        if offer is None:
            await interaction.response.edit_message(content=words.EXPIRED, embed=None, view=None)
        elif interaction.user.id != offer.member:
            await tell(interaction, words.NOT_YOURS)
        elif what == "no":
            self.offers.take(key)
            await interaction.response.edit_message(content=words.CANCELLED, embed=None, view=None)
        elif taken := self.offers.take(key):
            await interaction.response.edit_message(content=words.STARTING, embed=None, view=None)
            binding = await self.start(interaction, taken)
            await interaction.edit_original_response(content=words.started(binding.thread))

    async def start(self, interaction: discord.Interaction[Any], offer: Offer) -> Binding:
        """Start it if that is still allowed and paid for. Raises UsageError, StorageError, discord.HTTPException."""
        rules = await check_start(self.desk, member_of(interaction))
        async with self._one_at_a_time:  # two offers may not spend the same rest of the day's budget
            left = await left_today(self.desk.log, self.house.bindings, offer.guild, rules.guild)
            check_left(offer.needed_usd, offer.needed_tokens, left)
            return await self._begin(interaction.client, offer)

    async def _begin(self, client: discord.Client, offer: Offer) -> Binding:
        """The thread comes first: should we die behind it, nothing was spent and an empty thread is left."""
        session = new_id()
        people = (member_behind(seat.spec.removeprefix(f"{HUMAN}:")) for seat in offer.started.seats)
        thread = await open_thread(
            client,
            offer.channel,
            offer.started.title,
            session,
            private=offer.private,
            members=[offer.member, *filter(None, people)],
        )
        try:
            await self.desk.runner.start(offer.started, session)
        except BaseException:
            with suppress(discord.HTTPException):
                await thread.delete()
            raise
        binding = Binding(
            session=session,
            guild=offer.guild,
            channel=offer.channel,
            thread=thread.id,
            moderator=offer.member,
            private=offer.private,
        )
        await self.house.begin(binding)
        return binding
