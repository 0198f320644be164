"""What whoever takes part in a scene may do: take a place, ask, withdraw, leave, read once more what it was about."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

import discord

from elenchus.bot.components import TimelyForms, filled_in
from elenchus.bot.discord_internals import is_in_thread
from elenchus.bot.interactions import Interaction, requester_of, tell
from elenchus.bot.modal_forms import modal
from elenchus.bot.people.members import member_spec, person
from elenchus.bot.posting.discord_objects import view_of
from elenchus.bot.rendering.post import Button
from elenchus.bot.rendering.safe import speech
from elenchus.bot.rendering.split import LIMIT, split
from elenchus.bot.scenes.place_opener import PlaceOpener
from elenchus.bot.scenes.plays import Play
from elenchus.bot.scenes.scene_sessions import SceneSessions
from elenchus.bot.scenes.scene_view import SceneView
from elenchus.bot.scenes.seat_thread import PANEL
from elenchus.bot.scenes.start_command import check_blind
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import SeatLeft, UnforeseenQuestion
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.rulegen.people.ending import debrief_of
from elenchus.debate_engine.protocols.rulegen.people.procedure import withdraw
from elenchus.service.lab import person_records
from elenchus.service.lab.forms import TEXT, Field

QUESTION = "squestion"
"""The name of the filled-in form of a question; the rest is SESSION:PLACE."""

LONGEST_QUESTION = 1_000


@dataclass(frozen=True, slots=True)
class ParticipantHandlers:
    """Answers them. Everything raises UsageError, StorageError, discord.HTTPException."""

    services: BotServices
    scenes: SceneSessions
    opener: PlaceOpener
    forms: TimelyForms = field(default_factory=TimelyForms)

    async def pressed(self, interaction: Interaction, play: str) -> None:
        """The button of an invitation."""
        await self.join(interaction, play)

    async def join(self, interaction: Interaction, play: str = "") -> None:
        """Give the member the next place of a play of this server, the newest where none is named."""
        member = requester_of(interaction)
        meant = await self._play(member, play)

        async def check(known: Play) -> None:
            await self._check(known, member, interaction.client)

        thread = await self.opener.subject(interaction.client, meant.id, member_spec(member.id), interaction.id, check)
        assert thread is not None, "a member's seat has a thread"
        await tell(interaction, msg("scenes-joined", thread=thread))

    async def _play(self, member: discord.Member, wanted: str) -> Play:
        known = await self.scenes.plays.of_guild(member.guild.id, wanted)
        found = [play for play in known if wanted or play.free]
        if not found:
            raise UsageError(msg("scenes-no-play") if wanted else msg("scenes-nothing-to-join"))
        return max(found, key=lambda play: play.control)

    async def _check(self, play: Play, member: discord.Member, client: discord.Client) -> None:
        """Raises UsageError where the member may not be a subject of this play."""
        channel = client.get_channel(play.channel) or await client.fetch_channel(play.channel)
        assert isinstance(channel, discord.TextChannel), "a play is started in a text channel"
        check_blind(member, channel, play.moderator)
        others = await self.scenes.names.members_of([seat.spec for seat in play.seats])
        if member.id in others.values():
            raise UsageError(msg("scenes-sits-elsewhere"))
        for session in play.sessions:
            with suppress(UnknownSession):
                view = await self.scenes.view(session)
                if view.seats_of(member.id):
                    raise UsageError(msg("scenes-already-in"))
                if view.scene.ended != "no consent" and await self._was_in(session, view, member, client):
                    raise UsageError(msg("scenes-was-in"))

    async def _was_in(self, session: str, view: SceneView, member: discord.Member, client: discord.Client) -> bool:
        """Whether the member sat in a scene whose log has forgotten its person: Discord knows whose thread it was."""
        for binding in self.scenes.bindings.views_of(session):
            place = binding.key.seat
            if place is None or not is_human(view.seats[place].spec) or view.member_on(view.seats[place].name):
                continue
            if await is_in_thread(client, binding.thread, member.id):
                return True
        return False

    # ── afterwards ───────────────────────────────────────────────────────────────────────────────────────────────

    async def debrief(self, interaction: Interaction) -> None:
        """Show the member the debriefing of this thread's scene, else of the newest in which they took part."""
        member = requester_of(interaction)
        if (text := await self._debriefing(member, interaction.channel_id)) is None:
            raise UsageError(msg("scenes-not-in-one"))
        for piece in split(msg("scene-seats-debrief", text=speech(text)), LIMIT):
            await tell(interaction, piece)

    async def _debriefing(self, member: discord.Member, thread: int | None) -> str | None:
        """The newest debriefing that the member may read; of this thread's seat, if it is one.

        After a withdrawal the log does not know whose seat it was, but the thread is still the person's own.
        """
        own, found = "", ""
        for play in sorted(await self.scenes.plays.of_guild(member.guild.id), key=lambda play: play.control):
            for session in play.sessions:
                try:
                    view = await self.scenes.view(session)
                except UnknownSession:
                    continue  # deleted
                here = [b.key.seat for b in self.scenes.bindings.views_of(session) if b.thread == thread]
                seats = [view.seats[place].name for place in here if place is not None]
                own = next(filter(None, (debriefing(view, seat) for seat in seats)), own)
                found = next(filter(None, (debriefing(view, seat) for seat in view.seats_of(member.id))), found)
        return own or found or None

    # ── the panel of a seat ──────────────────────────────────────────────────────────────────────────────────────

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
            shown = view_of((Button(f"el:{PANEL}:{where}:{sure}", button, "danger"),))
            await tell(interaction, text, view=shown)
        elif action == "withdrawn":
            await self._withdraw(interaction, view, seat)
        else:
            by = await self.scenes.names.name_of(interaction.user.id)
            await self.services.log.send(view.session, SeatLeft(by=by, seat=seat))
            await tell(interaction, msg("scene-seats-has-left"))

    async def _withdraw(self, interaction: Interaction, view: SceneView, seat: str) -> None:
        """The engine ends the scene, removes the words and tells what it was about; the drafts here go as well."""
        member = interaction.user.id
        by = await self.scenes.names.name_of(member)
        await person_records.remove(self.services.store, person=person(member), session=view.session)
        await withdraw(self.services.log, self.services.runner, view.session, seat, by)
        self.scenes.manager.show_all(view.session)
        await tell(interaction, msg("scene-seats-withdrawn"))
        await self.scenes.has_withdrawn(view.session, member)

    async def _question_form(self, interaction: Interaction, where: str) -> discord.ui.Modal:
        view, seat = await self._seat(interaction, where)
        check_may_ask(view, seat)
        label, hint = msg("scene-seats-question-label"), msg("scene-seats-question-hint")
        field = Field(TEXT, "text", hint, least=1, most=LONGEST_QUESTION, called=label)
        return modal(f"el:{QUESTION}:{where}", msg("scene-seats-question-title"), (field,))

    async def question(self, interaction: Interaction, where: str) -> None:
        """SESSION:PLACE: a question was sent."""
        view, seat = await self._seat(interaction, where)
        check_may_ask(view, seat)
        text = filled_in(interaction).get(TEXT, "").strip()
        if not text:
            raise UsageError(msg("scene-seats-no-question"))
        by = await self.scenes.names.name_of(interaction.user.id)
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
    if seat in view.scene.debriefings:
        raise UsageError(msg("scene-seats-is-over"))
    if not view.scene.has_moderator:
        raise UsageError(msg("scene-seats-no-moderator"))
    if not view.scene.rule or not view.scene.agreed.get(seat):
        raise UsageError(msg("scene-seats-question-early"))


def debriefing(view: SceneView, seat: str) -> str:
    """What the person on a seat was told, or is to be told where the scene broke off; "" before the end."""
    scene = view.scene
    played = view.status.over and scene.agreed.get(seat) and not scene.is_judge(seat)
    return scene.debriefings.get(seat) or (debrief_of(scene.config, seat) if played and scene.config else "")
