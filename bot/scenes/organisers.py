"""What whoever runs scenes may do: `/scene list`, `status` and `stop`, and the buttons of the control room's panels."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

import discord
from discord.app_commands import Choice, Range

from elenchus.bot.completions import MOST, in_time, matches
from elenchus.bot.components import TimelyForms, filled_in
from elenchus.bot.guild import may_start, may_steer, settings_of
from elenchus.bot.interactions import Interaction, requester_of, tell
from elenchus.bot.modal_forms import modal
from elenchus.bot.posting.discord_objects import embed_of, view_of
from elenchus.bot.rendering import embeds, safe
from elenchus.bot.rendering.post import Button
from elenchus.bot.rendering.scenes import at_rule
from elenchus.bot.rules import check_steer
from elenchus.bot.scenes.control_room_panel import PANEL, panel_of
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.play_opener import PlayOpener
from elenchus.bot.scenes.plays import Play
from elenchus.bot.scenes.results_command import ResultsCommand
from elenchus.bot.scenes.scene_sessions import SceneSessions
from elenchus.bot.scenes.scene_view import SceneView
from elenchus.bot.services import BotServices
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import CloseAsked, Guidance, PauseAsked
from elenchus.debate_engine.protocols.rulegen.casting import speaking
from elenchus.debate_engine.protocols.rulegen.people.ending import UNPLAYED
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.service.lab.forms import TEXT, Field
from elenchus.service.lab.moderation import LONGEST_WORDS

WORD = "sword"
"""The name of the filled-in form of a word to somebody; the rest is the session."""

MOST_CHOICES = 25
MOST_PLAYS, MOST_BUTTONS = 10, 5
Number = Range[int, 1, 1_000]
"""Of a subject: places that are given again make more of them than places."""


@dataclass(frozen=True, slots=True)
class OrganiserHandlers:
    """Answers them. Everything raises UsageError, StorageError."""

    services: BotServices
    scenes: SceneSessions
    library: Library
    results: ResultsCommand
    opener: PlayOpener
    forms: TimelyForms = field(default_factory=TimelyForms)

    # ── commands ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def listed(self, interaction: Interaction) -> None:
        """The scenes, for those who may start one; for everybody else those that look for subjects."""
        member = requester_of(interaction)
        settings = await settings_of(self.services.store, member.guild.id)
        free = [play for play in await self.scenes.plays.of_guild(member.guild.id) if play.free]
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

    async def status(self, interaction: Interaction, play: str = "") -> None:
        """How the scenes stand that the member runs, or may steer; with a button for each that waits to go on."""
        lines, buttons = list[str](), list[Button]()
        for one in (await self.run_by(interaction, play))[:MOST_PLAYS]:
            lines += [_play_line(one), await self._counts(one)]
            for number, session in enumerate(one.sessions, 1):
                line, waits = await self._session_line(session, number)
                lines.append(line)
                if waits:
                    label = f"{msg('scenes-resume')} {number}"
                    buttons.append(Button(f"el:{PANEL}:{session}:resume", label, "success"))
        embed = embeds.embeds(msg("scenes-status-title"), "\n".join(lines))[0]
        view = {"view": view_of(tuple(buttons[:MOST_BUTTONS]))} if buttons else {}
        await tell(interaction, "", embed=embed_of(embed), **view)

    async def _counts(self, play: Play) -> str:
        """How many agreed, said no or stopped: whoever runs it sees no more of that."""
        agreed = declined = stopped = 0
        for session in play.sessions:
            with suppress(UnknownSession):
                view = await self.scenes.view(session)
                agreed += view.scene.agreed.get(play.subject_seat, False)
                declined += view.scene.ended in UNPLAYED
                stopped += view.scene.ended in ("withdrawn", "vanished", "not kept")
        return msg("scenes-counts", agreed=agreed, declined=declined, stopped=stopped)

    async def _session_line(self, session: str, number: int) -> tuple[str, bool]:
        try:
            view = await self.scenes.view(session)
        except UnknownSession:
            return msg("scenes-subject-deleted", number=number), False
        state = messages("scene-rooms-states")[view.status.state]
        waiting = ", ".join(safe.inline(turn.seat) for turn in view.open_turns) or msg("scene-rooms-models")
        rule = at_rule(view.scene.rule, view.scene.rules)
        line = msg(
            "scenes-subject-stands", number=number, state=state, rule=rule, waiting="–" if view.over else waiting
        )
        return line, view.status.waits_for_moderator and not view.status.over

    async def stop(self, interaction: Interaction, play: str = "", number: Number | None = None) -> None:
        """End all scenes of a play kindly, or one subject's; no more subjects are looked for then."""
        meant = (await self.run_by(interaction, play))[0]
        sessions = meant.numbered(number or 0)
        if number is None:
            await self.scenes.plays.change(meant.id, lambda known: known.model_copy(update={"closed": True}))
        by = await self.scenes.names.name_of(interaction.user.id)
        for session in sessions:
            with suppress(UnknownSession):
                if not (await self.scenes.manager.status(session)).over:
                    await self.close(interaction.client, session, by)
        await tell(interaction, msg("scenes-stopped"))

    async def names(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Scenes by name, title and bias, while somebody types who may start one; none where the storage takes too
        long to tell.
        """
        return await in_time(self._names(requester_of(interaction), current), [])

    async def _names(self, member: discord.Member, current: str) -> list[Choice[str]]:
        """Nothing for others: the names tell what they are about."""
        if not may_start(await settings_of(self.services.store, member.guild.id), member):
            return []
        known = await self.library.all(member.guild.id)
        called = {name: ": ".join(filter(None, (name, safe.plain(scene.title)))) for name, scene in known.items()}
        found = [name for name, scene in known.items() if matches(current, f"{called[name]} {scene.bias}")]
        return [Choice(name=safe.shortened(called[name], 100), value=name) for name in found[:MOST]]

    async def run_by(self, interaction: Interaction, wanted: str) -> list[Play]:
        """The plays that the member may steer, this thread's first, then the newest. Raises UsageError for none."""
        member = requester_of(interaction)
        settings = await settings_of(self.services.store, member.guild.id)
        known = await self.scenes.plays.of_guild(member.guild.id, wanted)
        found = [p for p in known if p.moderator == member.id or may_steer(settings, member, p.channel)]
        here = [p for p in found if p.control == interaction.channel_id]
        if not found:
            raise UsageError(msg("scenes-no-runs"))
        return here or sorted(found, key=lambda play: -play.control)

    # ── the control room ─────────────────────────────────────────────────────────────────────────────────────────

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
                shown = panel_of(view, self.scenes.control_of(session).key.subject or 0)
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
        by = await self.scenes.names.name_of(interaction.user.id)
        match action:
            case "pause":
                await tell(interaction, await self.pause(view, by))
            case "resume":
                await self.scenes.resume(interaction.client, view.session, by)
                await tell(interaction, msg("scene-rooms-resumed"))
            case "close":
                sure = Button(f"el:{PANEL}:{view.session}:closed", msg("scene-rooms-close-sure"), "danger")
                await tell(interaction, msg("scene-rooms-sure-to-close"), view=view_of((sure,)))
            case "closed":
                await self.close(interaction.client, view.session, by)
                await tell(interaction, msg("scene-rooms-closing-label"))

    async def _place_again(self, interaction: Interaction, view: SceneView) -> None:
        """Look for somebody in place of a subject whose scene ended early, in the version that was drawn for it."""
        if view.counts or not view.status.over:
            raise UsageError(msg("scene-rooms-place-counts"))
        if (play := await self.scenes.plays.offer_again(view.session)) is None:
            raise UsageError(msg("scene-rooms-place-there"))
        await self.opener.invite(interaction.client, play, interaction.id)
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
        names = speaking(view.scene.config.scene)[:MOST_CHOICES] if view.scene.config else ()
        to = Field("to", "choice", choices=tuple(names), called=msg("scene-rooms-word-to"))
        what = Field(TEXT, "text", least=1, most=LONGEST_WORDS, called=msg("scene-rooms-word-text"))
        shown = {name: safe.shortened(safe.plain(name), 100) for name in names}
        return modal(f"el:{WORD}:{session}", msg("scene-rooms-word-title"), (to, what), names=shown)

    async def word(self, interaction: Interaction, session: str) -> None:
        """The form was sent."""
        view = await self._steered(interaction, session)
        given = filled_in(interaction)
        if view.over:
            raise UsageError(msg("scene-rooms-is-over"))
        if not (text := given.get(TEXT, "").strip()) or view.scene.role(given.get("to", "")) is None:
            raise UsageError(msg("scene-rooms-no-words"))
        by = await self.scenes.names.name_of(interaction.user.id)
        await self.services.log.send(session, Guidance(by=by, to=(given["to"],), text=text))
        await tell(interaction, msg("scene-rooms-word-sent"))

    async def _steered(self, interaction: Interaction, session: str) -> SceneView:
        """How the scene stands, if whoever clicked may steer it and does not sit in it as its subject."""
        member = requester_of(interaction)
        await check_steer(self.services, self.scenes.control_of(session), member)
        view = await self.scenes.view(session)
        sits = [seat for seat in view.seats_of(member.id) if view.scene.is_subject(seat)]
        if sits and not view.over:
            raise UsageError(msg("scene-rooms-you-are-the-subject"))
        return view


def _listed(name: str, scene: Scene, *, own: bool) -> str:
    """A scene in the list; `own`: the server's."""
    kinds = {role.name: role.kind for role in scene.roles}
    roles = ", ".join(f"{safe.inline(name)} ({kinds[name]})" for name in speaking(scene))
    title = safe.inline(scene.title)
    if own:
        return msg("scenes-listed-own", name=name, title=title, roles=roles)
    return msg("scenes-listed", name=name, title=title, roles=roles)


def _play_line(play: Play) -> str:
    title = safe.inline(play.title)
    if play.free:
        return msg("scenes-standing-open", title=title, control=play.control, play=play.id, free=play.free)
    return msg("scenes-standing", title=title, control=play.control, play=play.id)
