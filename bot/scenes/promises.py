"""What people in scenes are promised, in Discord: their codes, taking back what they said, and its removal in time."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import monotonic

import discord

from elenchus.bot import errors
from elenchus.bot.discord_internals import delete_channel, delete_message, is_in_thread
from elenchus.bot.interactions import Interaction, tell
from elenchus.bot.scenes.scene_sessions import SceneSessions
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UsageError
from elenchus.service.lab import codes
from elenchus.service.lab.retention import Retention

EVERY = 300.0
"""Seconds between two looks for what is over its time."""
GUESSES, WITHIN = 5, 3_600.0
"""Codes that a member may try, in so many seconds."""
PATIENCE, LOOKS_EVERY = 15.0, 0.1
"""Seconds for the threads to show that words are gone, before they are taken away; and between two looks."""


@dataclass
class PromiseHandlers:
    """Answers them. Everything raises UsageError, StorageError, discord.HTTPException."""

    services: BotServices
    scenes: SceneSessions
    client: discord.Client
    tried: defaultdict[int, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def retention(self) -> Retention:
        """What keeps the promises, here with what the bot shows."""
        return replace(self.services.retention, hide=self.hide)

    async def codes(self, interaction: Interaction, where: str) -> None:
        """SESSION:PLACE: the codes of the person whose thread this is, for their eyes alone."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        session, _, place = where.partition(":")
        view = await self.scenes.view(session)
        seat = view.seats[int(place)].name
        if not await self._is_theirs(interaction, session, int(place), view.member_on(seat)):
            raise UsageError(msg("scene-seats-not-yours"))
        recorded = await self.services.log.read(session)
        lines = []
        if found := await codes.completion_code(self.services.store, session, recorded, seat):
            lines.append(msg("scene-seats-completion-code", ending=found[0], code=found[1]))
        if code := await codes.new_withdrawal_code(self.services.store, session, recorded, seat):
            lines.append(msg("scene-seats-withdrawal-code", code=code))
        await tell(interaction, "\n".join(lines) or msg("scene-seats-no-codes"))

    async def _is_theirs(self, interaction: Interaction, session: str, place: int, member: int | None) -> bool:
        """The log knows whose seat it was; where it has forgotten that, Discord knows whose thread it is."""
        if member is not None:
            return member == interaction.user.id
        threads = [b for b in self.scenes.bindings.views_of(session) if b.key.seat == place]
        own = [b for b in threads if b.thread == interaction.channel_id and b.moderator != interaction.user.id]
        return bool(own) and await is_in_thread(self.client, own[0].thread, interaction.user.id)

    async def withdraw(self, interaction: Interaction, code: str) -> None:
        """`/scene withdraw`: whoever has the code may, whoever they are."""
        self._check_guesses(interaction.user.id)
        try:
            gone = await self.retention.withdraw(code)
        except UsageError:
            self.tried[interaction.user.id].append(monotonic())
            raise
        await tell(interaction, msg("scene-seats-taken-back") if gone else msg("scene-seats-taken-back-soon"))

    def _check_guesses(self, member: int) -> None:
        known = [at for at in self.tried[member] if monotonic() - at < WITHIN]
        self.tried[member] = known
        if len(known) >= GUESSES:
            raise UsageError(msg("scene-seats-too-many-codes"))

    async def hide(self, session: str) -> None:
        """Take a session whose words are gone out of Discord: its people's own threads, and the panels elsewhere."""
        self.scenes.manager.show_all(session)
        for _ in range(int(PATIENCE / LOOKS_EVERY)):
            if self.scenes.manager.is_shown(session):
                break
            await asyncio.sleep(LOOKS_EVERY)
        for binding in self.scenes.bindings.views_of(session):
            with suppress(discord.HTTPException, *errors.DISCONNECTED):
                if binding.key.seat is not None:
                    await delete_channel(self.client, binding.thread)
                elif binding.panel is not None:
                    await delete_message(self.client, binding.thread, binding.panel)
            await self.scenes.bindings.remove(binding.key)
