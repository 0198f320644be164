"""The word to start: a session with a thread of its own, which then runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import discord

from elenchus.bot.bindings import Binding
from elenchus.bot.debate.offers import Offer, Offers
from elenchus.bot.debate.options import members_of
from elenchus.bot.debate.rules import check_begin
from elenchus.bot.debate.spending import left_today
from elenchus.bot.debate.start import check_left, member_of, models_of, names_of
from elenchus.bot.debate.start_progress import starting
from elenchus.bot.errors import tell
from elenchus.bot.people.examination import check_wishes
from elenchus.bot.quotas import one_start
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import msg
from elenchus.bot.thread_opener import Opener, Opening
from elenchus.debate_engine.protocols.registry import told_by
from elenchus.debate_engine.runner import new_id
from elenchus.detectors.examined_text import people_examined
from elenchus.detectors.schemas import DetectConfig


@dataclass(frozen=True, slots=True)
class Confirmer:
    """Starts what was offered."""

    services: BotServices
    manager: SessionManager
    offers: Offers
    opener: Opener

    async def pressed(self, interaction: discord.Interaction[Any], rest: str) -> None:
        """Start or cancel was pressed under an offer."""
        key, _, what = rest.partition(":")
        offer = self.offers.look(key)
        if offer is None:
            await interaction.response.edit_message(content=msg("debate-expired"), embed=None, view=None)
        elif interaction.user.id != offer.member:
            await tell(interaction, msg("debate-not-yours"))
        elif what == "no":
            self.offers.take(key)
            await interaction.response.edit_message(content=msg("debate-cancelled"), embed=None, view=None)
        elif taken := self.offers.take(key):
            async with starting(self.services.store, interaction):
                binding = await self.start(interaction, taken)
            kind = told_by(taken.started.protocol).noun
            text = msg("debate-started-other", thread=binding.thread)
            if kind:
                text = msg("debate-started", kind=kind, thread=binding.thread)
            await interaction.edit_original_response(content=text)

    async def start(self, interaction: discord.Interaction[Any], offer: Offer) -> Binding:
        """Start it if that is still allowed and paid for. Raises UsageError, StorageError, discord.HTTPException."""
        member = member_of(interaction)
        rules = await check_begin(self.services, member, offer.channel)
        rules.check_models(models_of(offer.started.seats))
        if offer.started.protocol == "detect":  # somebody may have said no meanwhile
            cfg = DetectConfig.model_validate(offer.started.config)
            await check_wishes(self.services, people_examined(cfg.turns, cfg.speaker), member.id)
        people = members_of([seat.spec for seat in offer.started.seats])
        await names_of(member.guild, people)  # somebody may have left meanwhile
        async with one_start(self.services, offer.guild, member.id, rules.guild):
            left = await left_today(self.services.log, self.manager.bindings.paid, offer.guild, rules.guild)
            check_left(offer.needed_usd, offer.needed_tokens, left)
            return await self._begin(interaction, offer, people)

    async def _begin(self, interaction: discord.Interaction[Any], offer: Offer, people: Iterable[int]) -> Binding:
        opening = Opening(
            session=new_id(),
            guild=offer.guild,
            channel=offer.channel,
            moderator=offer.member,
            private=offer.private,
            title=offer.started.title,
            click=interaction.id,
            members=(offer.member, *people),
            started=offer.started,
        )
        binding = await self.opener.open(interaction.client, opening)
        self.manager.begin(binding.session)
        return binding
