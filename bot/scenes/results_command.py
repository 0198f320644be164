"""`/scene results`: what came out over all subjects of a play, with the plot and the report; and all of it as a zip."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import discord

from elenchus.bot.guild import may_steer, settings_of
from elenchus.bot.interactions import Interaction, requester_of, tell
from elenchus.bot.posting.discord_objects import embed_of
from elenchus.bot.rendering import embeds, safe
from elenchus.bot.rendering.post import Embed, File
from elenchus.bot.rendering.report import ALT, ROOM
from elenchus.bot.scenes.library import Library
from elenchus.bot.scenes.plays import Play
from elenchus.bot.scenes.scene_sessions import SceneSessions
from elenchus.bot.scenes.scene_view import SceneView
from elenchus.bot.services import BotServices
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.protocols.rulegen.study import words
from elenchus.debate_engine.protocols.rulegen.study.analysis import Row, Study
from elenchus.debate_engine.protocols.rulegen.study.export.sessions import withdrawals
from elenchus.debate_engine.protocols.rulegen.study.in_short import in_short
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.debate_engine.protocols.rulegen.study.selection import Logs
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import renewed_consents
from elenchus.debate_engine.reports.canvas import Picture
from elenchus.debate_engine.reports.words import listed
from elenchus.service.lab.scene_results import PlayedScene, SceneResults, over_sessions

NONE = "–"
"""In the place of a number that there is not."""


@dataclass(frozen=True, slots=True)
class ResultsCommand:
    """Shows them: to whoever runs the play, and to whoever took part, when their own part is over."""

    services: BotServices
    scenes: SceneSessions
    library: Library

    async def of_play(self, interaction: Interaction, play: str = "", *, export: bool = False) -> None:
        """Of the named play, else of this thread's, else of the newest that the member may see."""
        meant = await self._play(interaction, play)
        if export:
            await self._hand_out(interaction, meant)
        else:
            await self._show(interaction, meant)

    async def of_session(self, interaction: Interaction, session: str) -> None:
        """Of the play to which a session belongs; acknowledged, and the member may steer it."""
        if (play := await self.scenes.plays.of_session(session)) is None:
            raise UsageError(msg("scenes-no-play"))
        await self._show(interaction, play)

    async def _play(self, interaction: Interaction, wanted: str) -> Play:
        member = requester_of(interaction)
        found = await self.scenes.plays.of_guild(member.guild.id, wanted)
        seen = [play for play in found if await self._may_see(play, member, interaction.channel_id)]
        if not seen:
            raise UsageError(msg("scenes-no-runs"))
        here = [play for play in seen if interaction.channel_id in await self._threads(play)]
        return max(here or seen, key=lambda play: play.control)

    async def _may_see(self, play: Play, member: discord.Member, thread: int | None) -> bool:
        """Raises UsageError for who still takes part: the results tell what it is about."""
        steers = may_steer(await settings_of(self.services.store, member.guild.id), member, play.channel)
        took_part = thread in await self._threads(play)
        for session in play.sessions:
            view = await self._view_of(session)
            seats = view.seats_of(member.id) if view else []
            if view is None or not seats:
                continue
            if not view.over and play.moderator != member.id:
                raise UsageError(msg("scenes-not-yet"))
            took_part = took_part or view.over
        return steers or took_part or play.moderator == member.id

    async def _view_of(self, session: str) -> SceneView | None:
        try:
            return await self.scenes.view(session)
        except UnknownSession:
            return None

    async def _threads(self, play: Play) -> set[int]:
        """The play's threads in which somebody may ask for results."""
        views = [binding for session in play.sessions for binding in self.scenes.bindings.views_of(session)]
        return {play.control, *(binding.thread for binding in views)}

    async def _show(self, interaction: Interaction, play: Play) -> None:
        results = await self._results(play)
        runs_it = await self._runs(interaction, play)
        study, counts = results.study, people_counts(results) if runs_it else []
        if not study.observed:
            if not counts or not (results.gone or results.removed.days or study.unplayed):
                raise UsageError(msg("scenes-no-results"))
            shown = embeds.embeds(msg("scene-results-title", title=safe.inline(play.title)), "\n".join(counts))[0]
            await tell(interaction, "", embed=embed_of(shown))
            return
        told = study if runs_it else study.model_copy(update={"flow": (), "attrition": (), "unplayed": 0})
        report, picture = await asyncio.to_thread(drawn, told, results.logs)
        plot = File(f"{picture.name}.png", picture.png, safe.shortened(picture.alt, ALT))
        files = [
            discord.File(io.BytesIO(report.encode()), f"{play.id}-results.md"),
            discord.File(io.BytesIO(plot.content), plot.name, description=plot.alt),
        ]
        shown = replace(table_of(study, counts), image=plot.name)
        await tell(interaction, "", embed=embed_of(shown), files=files)

    async def _results(self, play: Play) -> SceneResults:
        scene = await self.library.find(play.guild, play.scene)
        played = PlayedScene(play.scene, scene, await self.library.versions(play.guild, scene))
        place = place_of(play.guild)
        kept, shown = self.services.retention, self.services.pictures
        return await over_sessions(kept, played, play.sessions, play.conditions, place=place, pictures=shown)

    async def _runs(self, interaction: Interaction, play: Play) -> bool:
        """Whether the member runs the play, or may steer it."""
        member = requester_of(interaction)
        settings = await settings_of(self.services.store, member.guild.id)
        return play.moderator == member.id or may_steer(settings, member, play.channel)

    async def _hand_out(self, interaction: Interaction, play: Play) -> None:
        """All that there is to take home, to whoever runs the play alone."""
        if not await self._runs(interaction, play):
            raise UsageError(msg("scene-results-export-refused"))
        results = await self._results(play)
        if not results.study.observed:
            raise UsageError(msg("scene-results-nothing-left") if results.gone else msg("scenes-no-results"))
        packed = await asyncio.to_thread(lambda: zipped(results.files(), play.scene))
        told = msg("scene-results-export")
        if play.mode == "demonstration":
            told += " " + msg("scene-results-export-demonstration")
        await tell(interaction, told, file=discord.File(io.BytesIO(packed), f"{play.id}-export.zip"))


def place_of(guild: int) -> str:
    """Where a server's registrations are kept."""
    return f"discord:{guild}"


def zipped(files: Mapping[str, bytes], scene: str, room: int = ROOM) -> bytes:
    """The files of a scene in one folder of a zip. Blocks. Raises UsageError where it has no room in a message."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as folder:
        for name, content in files.items():
            folder.writestr(f"export/{name}", content)
    if (size := len(made.getvalue())) > room:
        told = f"{size / 2**20:.1f}"
        raise UsageError(msg("scene-results-export-too-large", size=told, scene=safe.inline(scene)))
    return made.getvalue()


def drawn(study: Study, logs: Logs) -> tuple[str, Picture]:
    """The report, and the plot. Imports matplotlib and blocks."""
    from elenchus.debate_engine.protocols.rulegen.study.plot import study_plot
    from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
    from elenchus.debate_engine.reports.spending import used_in

    return study_markdown(study, use=used_in(logs.values())), study_plot(study)


def people_counts(results: SceneResults) -> list[str]:
    """How far people came in each version, how many went and in which way, and what is removed by now; never who."""
    found = [
        msg(
            "scene-results-flow",
            version=safe.inline(one.version),
            began=one.began,
            finished=one.finished,
            n=one.analysed,
        )
        for one in results.study.flow
        if one.kind == PEOPLE
    ]
    why = Counter(one.why for one in results.study.observed if one.cell.subject == PEOPLE)
    renewed = renewed_consents(results.logs, results.removed)
    unkept, unplayed = renewed["no"] + renewed["silent"], results.study.unplayed
    withdrew = len(withdrawals(results.logs, results.removed)) - unkept
    if withdrew or unkept or unplayed or why["vanished"] or why["closed"]:
        lapsed, closed = why["vanished"], why["closed"]
        gone = msg("scene-results-gone", withdrew=withdrew, lapsed=lapsed, closed=closed, unplayed=unplayed)
        found.append(f"{gone} · {msg('scene-results-unkept', n=unkept)}" if unkept else gone)
    for parts, n in sorted(results.gone.items()):
        found.append(msg("scene-results-removed", n=n, what=safe.inline(", ".join(filter(None, parts)))))
    return found


def table_of(study: Study, counts: Sequence[str] = ()) -> Embed:
    """What came out in each cell with its interval, how the versions differ, and the `counts` of people."""
    rows = [
        [
            ", ".join(filter(None, (row.cell.subject, row.cell.condition))),
            *_came_out(row, study.unit),
            str(row.runs - row.counted),
        ]
        for row in study.rows
    ]
    contrasts = [safe.inline(line) for line in in_short(study)]
    told = [
        msg("scene-results-confounded", subject=safe.inline(subject), names=safe.inline(listed(names)))
        for subject, names in study.all_confounded.items()
    ]
    unfounded = sum(run.unfounded for run in study.observed)
    if asked := max(unfounded, sum(run.asked_again for run in study.observed)):
        told.append(msg("scene-results-unfounded", judgements=unfounded, asked=asked))
    text = "\n".join(
        [embeds.table(tuple(messages("scene-results-head").values()), rows, widest=36), *contrasts, *told, *counts]
    )
    title, bias = safe.inline(study.title), safe.inline(study.bias)
    over = (
        msg("scene-results-title-of-bias", title=title, bias=bias) if bias else msg("scene-results-title", title=title)
    )
    footer = msg("scene-results-footer", by=messages("scene-results-by")[study.instrument])
    return embeds.embeds(over, text, footer=footer, colour=embeds.BLUE)[0]


def _came_out(row: Row, unit: str) -> tuple[str, str]:
    """A share or a mean, and its interval."""
    if row.share is not None and row.share.n:
        low, high = row.share.low, row.share.high
        interval = NONE if low is None or high is None else f"{low:.0%}–{high:.0%}"
        return msg("scene-results-share", k=row.share.k, n=row.share.n), f"{row.share.share:.0%} ({interval})"
    if row.mean is None or row.mean.mean is None:
        return NONE, NONE
    return words.number(row.mean.mean, unit), words.within(row.mean.low, row.mean.high).strip() or NONE
