"""`/scene list`, `status` and `stop`: what there is, how it stands, and its kind end, for whoever runs scenes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import discord

from elenchus.bot.debate.start import member_of
from elenchus.bot.errors import tell
from elenchus.bot.guild import may_start, may_steer, settings_of
from elenchus.bot.posting.requests import embed_of, view_of
from elenchus.bot.rendering import embeds, safe
from elenchus.bot.rendering.post import Button
from elenchus.bot.rendering.scenes import at_rule
from elenchus.bot.scenes.control_room_handlers import ControlRoomHandlers
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.panels import ROOM
from elenchus.bot.scenes.plays import Play, Plays
from elenchus.bot.scenes.sessions import SceneSessions
from elenchus.bot.services import BotServices
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.protocols.rulegen.casting import speaking
from elenchus.debate_engine.scenes.scene import Scene

MOST_PLAYS, MOST_BUTTONS = 10, 5
Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class OrganiserCommands:
    """Answers them. Everything raises UsageError, StorageError."""

    services: BotServices
    scenes: SceneSessions
    plays: Plays
    library: Library
    presses: ControlRoomHandlers

    async def listed(self, interaction: Interaction) -> None:
        """The scenes, for those who may start one; for everybody else those that look for subjects."""
        member = member_of(interaction)
        settings = await settings_of(self.services.store, member.guild.id)
        free = [play for play in await self.plays.of_guild(member.guild.id) if play.free]
        lines = [msg("scenes-open-place", channel=play.channel, n=play.free, play=play.id) for play in free]
        shown = embeds.embeds(msg("scenes-open-title"), "\n".join(lines) or msg("scenes-nothing-open"))
        if may_start(settings, member):
            own = await self.library.own(member.guild.id)
            known = await self.library.all(member.guild.id)
            told = [_listed(name, scene, own=name in own) for name, scene in known.items()]
            shown = [
                *embeds.embeds(msg("scenes-list-title"), "\n".join(told), footer=msg("scenes-list-footer")),
                *shown,
            ]
        await tell(interaction, "", embeds=[embed_of(one) for one in shown[: embeds.EMBEDS]])

    async def status(self, interaction: Interaction, wanted: str) -> None:
        """How the scenes stand that the member runs, or may steer; with a button for each that waits to go on."""
        lines, buttons = list[str](), list[Button]()
        for play in (await self.run_by(interaction, wanted))[:MOST_PLAYS]:
            lines.append(_standing(play))
            for number, session in enumerate(play.sessions, 1):
                line, waits = await self._stands(session, number)
                lines.append(line)
                buttons += (
                    [Button(f"el:{ROOM}:{session}:resume", f"{msg('scenes-resume')} {number}", "success")]
                    if waits
                    else []
                )
        embed = embeds.embeds(msg("scenes-status-title"), "\n".join(lines))[0]
        view = {"view": view_of(tuple(buttons[:MOST_BUTTONS]))} if buttons else {}
        await tell(interaction, "", embed=embed_of(embed), **view)

    async def _stands(self, session: str, number: int) -> tuple[str, bool]:
        try:
            view = await self.scenes.view(session)
        except UnknownSession:
            return msg("scenes-subject-deleted", number=number), False
        state = messages("scene-rooms-states")[view.status.state]
        waiting = ", ".join(safe.inline(turn.seat) for turn in view.open_turns) or msg("scene-rooms-models")
        rule = at_rule(view.rule, view.rules)
        line = msg(
            "scenes-subject-stands", number=number, state=state, rule=rule, waiting="–" if view.over else waiting
        )
        return line, view.status.waits_for_moderator and not view.status.over

    async def stop(self, interaction: Interaction, wanted: str, number: int | None) -> None:
        """End all scenes of a play kindly, or one subject's; no more subjects are looked for then."""
        play = (await self.run_by(interaction, wanted))[0]
        if number is not None and number > len(play.sessions):
            raise UsageError(msg("scenes-no-such-number"))
        if number is None:
            await self.plays.change(play.id, lambda known: known.model_copy(update={"closed": True}))
        by = await self.scenes.people.name_of(interaction.user.id)
        for session in play.sessions if number is None else play.sessions[number - 1 : number]:
            with suppress(UnknownSession):
                if not (await self.scenes.manager.status(session)).over:
                    await self.presses.close(interaction.client, session, by)
        await tell(interaction, msg("scenes-stopped"))

    async def run_by(self, interaction: Interaction, wanted: str) -> list[Play]:
        """The plays that the member may steer, this thread's first, then the newest. Raises UsageError for none."""
        member = member_of(interaction)
        settings = await settings_of(self.services.store, member.guild.id)
        known = await self.plays.of_guild(member.guild.id)
        found = [p for p in known if p.moderator == member.id or may_steer(settings, member, p.channel)]
        found = [p for p in found if wanted in ("", p.id)]
        here = [p for p in found if p.control == interaction.channel_id]
        if not found:
            raise UsageError(msg("scenes-no-runs"))
        return here or sorted(found, key=lambda play: -play.control)


def roles_of(scene: Scene) -> str:
    """Who speaks in a scene."""
    kinds = {role.name: role.kind for role in scene.roles}
    return ", ".join(f"{safe.inline(name)} ({kinds[name]})" for name in speaking(scene))


def _listed(name: str, scene: Scene, *, own: bool) -> str:
    """A scene in the list; `own`: the server's."""
    title, roles = safe.inline(scene.title), roles_of(scene)
    if own:
        return msg("scenes-listed-own", name=name, title=title, roles=roles)
    return msg("scenes-listed", name=name, title=title, roles=roles)


def _standing(play: Play) -> str:
    title = safe.inline(play.title)
    if play.free:
        return msg("scenes-standing-open", title=title, control=play.control, play=play.id, free=play.free)
    return msg("scenes-standing", title=title, control=play.control, play=play.id)
