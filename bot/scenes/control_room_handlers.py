"""The buttons of the control room's panels: pause, resume, a word to somebody, status, a kind end, results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import discord

from elenchus.bot.components import filled_in
from elenchus.bot.debate.rules import check_steer
from elenchus.bot.debate.start import member_of
from elenchus.bot.errors import tell
from elenchus.bot.posting.requests import embed_of, menu_of, modal_of, paragraph_of, view_of
from elenchus.bot.rendering import safe
from elenchus.bot.rendering.post import Button
from elenchus.bot.scenes import panels
from elenchus.bot.scenes.panels import ROOM
from elenchus.bot.scenes.play_opener import PlayOpener
from elenchus.bot.scenes.results import Results
from elenchus.bot.scenes.sessions import SceneSessions
from elenchus.bot.scenes.view import SceneView
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.bot.timely_forms import TimelyForms
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import CloseAsked, Guidance, PauseAsked
from elenchus.debate_engine.protocols.rulegen.casting import speaking

WORD = "sword"
"""The name of the filled-in form of a word to somebody; the rest is the session."""

LONGEST_WORD, MOST_CHOICES = 2_000, 25
Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class ControlRoomHandlers:
    """Hears them. Everything raises UsageError, StorageError."""

    services: BotServices
    scenes: SceneSessions
    results: Results
    beginner: PlayOpener
    forms: TimelyForms = field(default_factory=TimelyForms)

    async def button(self, interaction: Interaction, rest: str) -> None:
        """SESSION:ACTION."""
        session, _, action = rest.partition(":")
        if action == "word":
            await self.forms.answer(interaction, self._word_form(interaction, session))
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        view = await self._steered(interaction, session)
        match action:
            case "status":
                shown = panels.of_room(view, self.scenes.control_of(session).key.subject or 0)
                await tell(interaction, "", embed=embed_of(shown.embed))
            case "results":
                await self.results.of_session(interaction, session)
            case "place":
                await self._place_again(interaction, view)
            case _:
                await self._act(interaction, view, action)

    async def _act(self, interaction: Interaction, view: SceneView, action: str) -> None:
        if view.status.over:
            raise UsageError(msg("scene-rooms-is-over"))
        by = await self.scenes.people.name_of(interaction.user.id)
        match action:
            case "pause":
                await tell(interaction, await self.pause(view, by))
            case "resume":
                await self.scenes.resume(interaction.client, view.session, by)
                await tell(interaction, msg("scene-rooms-resumed"))
            case "close":
                sure = Button(f"el:{ROOM}:{view.session}:closed", msg("scene-rooms-close-sure"), "danger")
                await tell(interaction, msg("scene-rooms-sure-to-close"), view=view_of((sure,)))
            case "closed":
                await self.close(interaction.client, view.session, by)
                await tell(interaction, msg("scene-rooms-closing-label"))

    async def _place_again(self, interaction: Interaction, view: SceneView) -> None:
        """Look for somebody in place of a subject whose scene ended early, in the version that was drawn for it."""
        if view.counts or not view.status.over:
            raise UsageError(msg("scene-rooms-place-counts"))
        if (play := await self.results.plays.offer_again(view.session)) is None:
            raise UsageError(msg("scene-rooms-place-there"))
        await self.beginner.invite(interaction.client, play, interaction.id)
        await tell(interaction, msg("scene-rooms-place-opened"))

    async def pause(self, view: SceneView, by: str) -> str:
        """Hold the scene before its next step; the answer to show."""
        if view.status.state != "running" or not (await self.services.log.info(view.session)).owner:
            return msg("scene-rooms-paused-already")
        await self.services.log.send(view.session, PauseAsked(by=by, reason=msg("scene-rooms-why-paused")))
        return msg("scene-rooms-pausing")

    async def close(self, client: discord.Client, session: str, by: str) -> None:
        """End the scene kindly, whoever runs it."""
        await self.services.log.send(session, CloseAsked(by=by))
        await self.scenes.resume(client, session, by)

    # ── a word to somebody ───────────────────────────────────────────────────────────────────────────────────────

    async def _word_form(self, interaction: Interaction, session: str) -> discord.ui.Modal:
        view = await self._steered(interaction, session)
        names = speaking(view.config.scene)[:MOST_CHOICES] if view.config else ()
        to = menu_of("to", msg("scene-rooms-word-to"), {name: safe.shortened(safe.plain(name), 100) for name in names})
        what = paragraph_of(msg("scene-rooms-word-text"), LONGEST_WORD)
        return modal_of(f"el:{WORD}:{session}", msg("scene-rooms-word-title"), (to, what))

    async def word(self, interaction: Interaction, session: str) -> None:
        """The form was sent."""
        view = await self._steered(interaction, session)
        given = filled_in(interaction)
        if view.over:
            raise UsageError(msg("scene-rooms-is-over"))
        if not (text := given.get("text", "").strip()) or view.role(given.get("to", "")) is None:
            raise UsageError(msg("scene-rooms-no-words"))
        by = await self.scenes.people.name_of(interaction.user.id)
        await self.services.log.send(session, Guidance(by=by, to=(given["to"],), text=text))
        await tell(interaction, msg("scene-rooms-word-sent"))

    async def _steered(self, interaction: Interaction, session: str) -> SceneView:
        """How the scene stands, if whoever clicked may steer it and does not sit in it as its subject."""
        member = member_of(interaction)
        await check_steer(self.services, self.scenes.control_of(session), member)
        view = await self.scenes.view(session)
        sits = [seat for seat in view.seats_of(member.id) if view.is_subject(seat)]
        if sits and not view.over:
            raise UsageError(msg("scene-rooms-you-are-the-subject"))
        return view
