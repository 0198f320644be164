"""The buttons of a seat's panel: a question of one's own, withdrawing, leaving the seat."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import discord

from elenchus.bot.components import filled_in
from elenchus.bot.errors import tell
from elenchus.bot.people.members import person
from elenchus.bot.posting.requests import modal_of, paragraph_of, view_of
from elenchus.bot.rendering.post import Button
from elenchus.bot.scenes.panels import SEAT
from elenchus.bot.scenes.sessions import SceneSessions
from elenchus.bot.scenes.view import SceneView
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.bot.timely_forms import TimelyForms
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import SeatLeft, UnforeseenQuestion
from elenchus.debate_engine.protocols.rulegen.people.procedure import withdraw
from elenchus.service.lab import person_records

QUESTION = "squestion"
"""The name of the filled-in form of a question; the rest is SESSION:PLACE."""

LONGEST_QUESTION = 1_000
Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class SeatHandlers:
    """Hears them. Everything raises UsageError, StorageError."""

    services: BotServices
    scenes: SceneSessions
    forms: TimelyForms = field(default_factory=TimelyForms)

    async def button(self, interaction: Interaction, rest: str) -> None:
        """SESSION:PLACE:ACTION."""
        where, _, action = rest.rpartition(":")
        if action == "ask":
            await self.forms.answer(interaction, self._question_form(interaction, where))
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        view, seat = await self._seat(interaction, where)
        if action in SURE:
            button, text, sure = SURE[action]
            shown = view_of((Button(f"el:{SEAT}:{where}:{sure}", button, "danger"),))
            await tell(interaction, text, view=shown)
        elif action == "withdrawn":
            await self._withdraw(interaction, view, seat)
        else:
            by = await self.scenes.people.name_of(interaction.user.id)
            await self.services.log.send(view.session, SeatLeft(by=by, seat=seat))
            await tell(interaction, msg("scene-seats-has-left"))

    async def _withdraw(self, interaction: Interaction, view: SceneView, seat: str) -> None:
        """The engine ends the scene, removes the words and tells what it was about; the drafts here go as well."""
        member = interaction.user.id
        by = await self.scenes.people.name_of(member)
        await person_records.remove(self.services.store, person=person(member), session=view.session)
        await withdraw(self.services.log, self.services.runner, view.session, seat, by)
        self.scenes.manager.show_all(view.session)
        await tell(interaction, msg("scene-seats-withdrawn"))

    async def _question_form(self, interaction: Interaction, where: str) -> discord.ui.Modal:
        view, seat = await self._seat(interaction, where)
        check_may_ask(view, seat)
        label = paragraph_of(msg("scene-seats-question-label"), LONGEST_QUESTION, msg("scene-seats-question-hint"))
        return modal_of(f"el:{QUESTION}:{where}", msg("scene-seats-question-title"), (label,))

    async def question(self, interaction: Interaction, where: str) -> None:
        """SESSION:PLACE: a question was sent."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        view, seat = await self._seat(interaction, where)
        check_may_ask(view, seat)
        text = filled_in(interaction).get("text", "").strip()
        if not text:
            raise UsageError(msg("scene-seats-no-question"))
        by = await self.scenes.people.name_of(interaction.user.id)
        await self.services.log.send(view.session, UnforeseenQuestion(by=by, seat=seat, text=text))
        await tell(interaction, msg("scene-seats-question-sent"))

    async def _seat(self, interaction: Interaction, where: str) -> tuple[SceneView, str]:
        """How the scene stands, and the seat of whoever clicked, which it must be."""
        session, _, place = where.partition(":")
        view = await self.scenes.view(session)
        seat = view.seats[int(place)].name
        if view.status.over:
            raise UsageError(msg("scene-seats-is-over"))
        if view.member_on(seat) != interaction.user.id:
            raise UsageError(msg("scene-seats-not-yours"))
        return view, seat


SURE = {
    "withdraw": (msg("scene-seats-withdraw-sure"), msg("scene-seats-sure-to-withdraw"), "withdrawn"),
    "leave": (msg("scene-seats-leave-sure"), msg("scene-seats-sure-to-leave"), "left"),
}
"""Actions that are asked once more: the button, the question, and the action of the button."""


def check_may_ask(view: SceneView, seat: str) -> None:
    """Raises UsageError where there is nobody to ask, or the scene has not begun or is over for this seat."""
    if seat in view.debriefed:
        raise UsageError(msg("scene-seats-is-over"))
    if not view.has_moderator:
        raise UsageError(msg("scene-seats-no-moderator"))
    if not view.rule or not view.agreed.get(seat):
        raise UsageError(msg("scene-seats-question-early"))
