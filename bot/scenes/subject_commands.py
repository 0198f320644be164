"""`/scene join` and `/scene debrief`: taking a subject's place, and reading once more what it was about."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import discord

from elenchus.bot.debate.start import member_of
from elenchus.bot.discord_internals import is_in_thread
from elenchus.bot.errors import tell
from elenchus.bot.people.members import spec_of
from elenchus.bot.rendering.safe import speech
from elenchus.bot.rendering.split import LIMIT, split
from elenchus.bot.scenes.plays import Play
from elenchus.bot.scenes.session_opener import Opener
from elenchus.bot.scenes.sessions import SceneSessions
from elenchus.bot.scenes.start import check_blind
from elenchus.bot.scenes.view import SceneView
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.rulegen.people.ending import DEBRIEF, debrief_of

Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class SubjectCommands:
    """Gives places to members. Everything raises UsageError, StorageError, discord.HTTPException."""

    scenes: SceneSessions
    opener: Opener

    async def pressed(self, interaction: Interaction, play: str) -> None:
        """The button of an invitation."""
        await self.join(interaction, member_of(interaction), play)

    async def join(self, interaction: Interaction, member: discord.Member, wanted: str) -> None:
        """Give the member the next place of a play of this server, the newest where none is named; acknowledged."""
        play = await self._play(member, wanted)

        async def check(known: Play) -> None:
            await self._check(known, member, interaction.client)

        thread = await self.opener.subject(interaction.client, play.id, spec_of(member.id), interaction.id, check)
        assert thread is not None, "a member's seat has a thread"
        await tell(interaction, msg("scenes-joined", thread=thread))

    async def _play(self, member: discord.Member, wanted: str) -> Play:
        found = [play for play in await self.opener.plays.of_guild(member.guild.id) if play.free]
        if wanted:
            found = [play for play in await self.opener.plays.of_guild(member.guild.id) if play.id == wanted]
        if not found:
            raise UsageError(msg("scenes-no-play") if wanted else msg("scenes-nothing-to-join"))
        return max(found, key=lambda play: play.control)

    async def _check(self, play: Play, member: discord.Member, client: discord.Client) -> None:
        """Raises UsageError where the member may not be a subject of this play."""
        channel = client.get_channel(play.channel) or await client.fetch_channel(play.channel)
        assert isinstance(channel, discord.TextChannel), "a play is started in a text channel"
        check_blind(member, channel, play.moderator)
        others = await self.scenes.people.members_of([seat.spec for seat in play.seats])
        if member.id in others.values():
            raise UsageError(msg("scenes-sits-elsewhere"))
        for session in play.sessions:
            with suppress(UnknownSession):
                view = await self.scenes.view(session)
                if view.seats_of(member.id):
                    raise UsageError(msg("scenes-already-in"))
                if view.ended != "no consent" and await self._was_in(session, view, member, client):
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
        member = member_of(interaction)
        if (text := await self._debriefing(member, interaction.channel_id)) is None:
            raise UsageError(msg("scenes-not-in-one"))
        for piece in split(msg("scene-seats-debrief", text=speech(text)), LIMIT):
            await tell(interaction, piece)

    async def _debriefing(self, member: discord.Member, thread: int | None) -> str | None:
        """The newest debriefing that the member may read; of this thread's seat, if it is one.

        After a withdrawal the log does not know whose seat it was, but the thread is still the person's own.
        """
        own, found = "", ""
        for play in sorted(await self.opener.plays.of_guild(member.guild.id), key=lambda play: play.control):
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


def debriefing(view: SceneView, seat: str) -> str:
    """What the person on a seat was told, or is to be told where the scene broke off; "" before the end."""
    for spoken in view.status.view.transcript:
        if spoken.said.step == f"{DEBRIEF}/{seat}":
            return spoken.said.text
    played = view.status.over and view.agreed.get(seat) and not view.is_judge(seat)
    return debrief_of(view.config, seat) if played and view.config else ""
