"""`/scene delete`: the records of a play, or of one subject, are removed; people's words go from the threads too."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

import discord

from elenchus.bot.bindings import Binding
from elenchus.bot.discord_internals import delete_message
from elenchus.bot.interactions import Interaction, tell
from elenchus.bot.people.forgetting_messages import SHOWN_WITHIN, Forgetter
from elenchus.bot.people.members import person
from elenchus.bot.posting.discord_objects import view_of
from elenchus.bot.rendering import safe
from elenchus.bot.rendering.post import Button
from elenchus.bot.scenes.organisers import Number, OrganiserHandlers
from elenchus.bot.scenes.plays import Play
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import SessionHeld, UnknownSession, UsageError
from elenchus.debate_engine.human_seat import is_human
from elenchus.service.lab import person_records

DELETE = "sdelete"
"""The name of the click that confirms; the rest is PLAY:NUMBER, the number 0 for all subjects."""


@dataclass(frozen=True, slots=True)
class SceneDeleteCommand:
    """Deletes them. Everything raises UsageError, StorageError."""

    services: BotServices
    organisers: OrganiserHandlers
    forgetter: Forgetter

    async def delete(self, interaction: Interaction, play: str = "", number: Number | None = None) -> None:
        """Ask once more."""
        meant = (await self.organisers.run_by(interaction, play))[0]
        await self._check_over(meant, meant.numbered(number or 0))
        sure = Button(f"el:{DELETE}:{meant.id}:{number or 0}", msg("scenes-delete-sure"), "danger")
        title = safe.shortened(safe.inline(meant.title), 300)
        text = msg("scenes-sure-to-delete", title=title)
        if number:
            text = msg("scenes-sure-to-delete-one", number=number, title=title)
        await tell(interaction, text, view=view_of((sure,)))

    async def confirmed(self, interaction: Interaction, rest: str) -> None:
        """PLAY:NUMBER."""
        wanted, _, number = rest.rpartition(":")
        play = (await self.organisers.run_by(interaction, wanted))[0]
        meant = play.numbered(int(number))
        await self._check_over(play, meant)
        if not int(number):
            play = await self.organisers.scenes.plays.change(play.id, lambda p: p.model_copy(update={"closed": True}))
        for session in meant:
            with suppress(UnknownSession):
                await self._delete(interaction.client, session)
        if not int(number):
            await self._tell(interaction.client, play.control, play.guild, msg("scenes-play-deleted"))
            await self.organisers.scenes.plays.remove(play.id)
        await tell(interaction, msg("scenes-deleted"))

    async def _check_over(self, play: Play, sessions: tuple[str, ...]) -> None:
        """Raises UsageError where somebody still plays."""
        for session in sessions:
            with suppress(UnknownSession):
                if not (await self.organisers.scenes.manager.status(session)).over:
                    raise UsageError(msg("scenes-still-runs", play=play.id))

    async def _delete(self, client: discord.Client, session: str) -> None:
        """One subject's scene: the words of people first, in the threads too, then the threads are told, then the log.

        Whatever it breaks off at, it can be done again.
        """
        scenes = self.organisers.scenes
        view = await scenes.view(session)
        behind = [view.member_on(seat.name) for seat in view.seats if is_human(seat.spec)]
        members = list(dict.fromkeys(member for member in behind if member is not None))
        await self._shown(session)
        for member in members:
            await self.forgetter.forget(session, member)
        await self._shown(session)
        for binding in scenes.bindings.views_of(session):
            await self._tell_view(client, binding)
        try:
            await self.services.log.delete(session)
        except SessionHeld as error:
            raise UsageError(msg("scenes-held")) from error
        for binding in scenes.bindings.views_of(session):
            await scenes.bindings.remove(binding.key)
        await person_records.remove(self.services.store, session=session)
        for member in members:
            if not await self.services.people.held_on(person(member)):
                await scenes.names.forget(member)

    async def _shown(self, session: str) -> None:
        """Wait until all threads show it whole, without what is gone. Raises UsageError where that takes long."""
        until = monotonic() + SHOWN_WITHIN
        while not self.organisers.scenes.manager.is_shown(session):
            if monotonic() > until:
                raise UsageError(msg("scenes-not-shown"))
            await asyncio.sleep(0.1)

    async def _tell_view(self, client: discord.Client, binding: Binding) -> None:
        """Nothing can be pressed there any more, and why."""
        if binding.panel is not None:
            with suppress(discord.HTTPException):
                await delete_message(client, binding.thread, binding.panel)
        if binding.key.seat is not None:
            await self._tell(client, binding.thread, binding.guild, msg("scenes-record-deleted"))

    async def _tell(self, client: discord.Client, thread: int, guild: int, text: str) -> None:
        with suppress(discord.HTTPException):
            await client.get_partial_messageable(thread, guild_id=guild).send(text)
