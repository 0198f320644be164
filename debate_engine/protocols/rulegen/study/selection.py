"""All sessions of a scene in a log, whoever ran them: for the results over all subjects, in any front end."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase

from elenchus.debate_engine.errors import UnknownSession
from elenchus.debate_engine.events import Recorded, SessionStarted
from elenchus.debate_engine.log import EventLog, SessionInfo
from elenchus.debate_engine.protocols.rulegen.assignment import as_played
from elenchus.debate_engine.protocols.rulegen.casting import target_of
from elenchus.debate_engine.protocols.rulegen.config import config_in
from elenchus.debate_engine.protocols.rulegen.people.ending import UNPLAYED
from elenchus.debate_engine.protocols.rulegen.study.analysis import ExcludedRuns, StudiedScene, Study, study_of
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation, observations_in, same_scene
from elenchus.debate_engine.protocols.rulegen.study.registration import hash_of_scene
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import without_withdrawn
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.measures import Number
from elenchus.debate_engine.scenes.outcome import UnreadableRule, unit_in
from elenchus.debate_engine.scenes.scene import Condition, Scene
from elenchus.debate_engine.scenes.versions import design_of, versions as versions_in

Logs = dict[str, list[Recorded]]
"""Whole logs by session."""

MODELS = "models"
"""Stands for all subjects that are no people, where subjects are chosen."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which sessions count. Everything that is given must hold; of several sessions or subjects one.

    `grid`, `sessions`: ids or their beginnings. `since`: begun then or later; `until`: begun before. `subjects`:
    `people`, `models`, or a model's name; `conditions`: versions; in both `*` stands for anything. `pilots`: they
    count, too.
    """

    grid: str = ""
    since: datetime | None = None
    subjects: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    pilots: bool = False
    until: datetime | None = None
    conditions: tuple[str, ...] = ()

    def __str__(self) -> str:
        told = [
            f"runs of {self.grid}" if self.grid else "",
            f"sessions begun since {self.since:%Y-%m-%d %H:%M %Z}" if self.since else "",
            f"sessions begun before {self.until:%Y-%m-%d %H:%M %Z}" if self.until else "",
            f"subjects: {', '.join(self.subjects)}" if self.subjects else "",
            f"versions: {', '.join(self.conditions)}" if self.conditions else "",
            f"sessions {', '.join(self.sessions)}" if self.sessions else "",
        ]
        return "; ".join(filter(None, told))

    def session(self, info: SessionInfo) -> bool:
        """Whether this session counts, as far as can be told from outside."""
        of_grid = not self.grid or info.id.rpartition("-")[0].startswith(self.grid.rstrip("-"))
        in_time = (self.since is None or info.created >= self.since) and (
            self.until is None or info.created < self.until
        )
        return of_grid and in_time and (not self.sessions or info.id.startswith(self.sessions))

    def run(self, one: Observation) -> bool:
        """Whether this subject's run counts, pilots apart."""
        played = not self.conditions or any(fnmatchcase(one.cell.condition, wanted) for wanted in self.conditions)
        return played and (not self.subjects or any(_plays(one.cell.subject, wanted) for wanted in self.subjects))


EVERYTHING = Selection(pilots=True)


def _plays(subject: str, wanted: str) -> bool:
    if wanted in (PEOPLE, MODELS):
        return (subject == PEOPLE) == (wanted == PEOPLE)
    return fnmatchcase(subject, wanted)


async def results_of(
    log: EventLog, name: str, versions: Sequence[Scene], chosen: Selection | None = None, whole: Scene | None = None
) -> tuple[Study, Logs]:
    """The study over the chosen sessions of a scene (all but pilots) in these versions; and their logs.

    `whole` is the scene's file, which plans what is compared; a version does not know it. Sessions of a scene of the
    same title whose text differs are left out, and counted. Raises StorageError, DamagedLog.
    """
    chosen = chosen or Selection()
    titles = {scene.title for scene in versions}
    found: Logs = {}
    left_out = 0
    for info in await log.sessions():
        if info.protocol != "rulegen" or info.title not in titles or not chosen.session(info):
            continue
        try:
            recorded = await log.read(info.id)
        except UnknownSession:
            continue  # deleted meanwhile
        if plays_one_of(recorded, versions):
            found[info.id] = recorded
        else:
            left_out += 1
    study = await counted(studied_scene(name, whole or versions[0], versions), found, chosen, left_out)
    counts = {one.session for one in study.observed}
    return study, {session: recorded for session, recorded in found.items() if session in counts}


async def results_in(log: EventLog, scene: StudiedScene, sessions: Iterable[str]) -> tuple[Study, Logs]:
    """The study over these sessions of a scene alone; those that were deleted are left out."""
    there = {info.id for info in await log.sessions()}
    found = {session: await log.read(session) for session in sessions if session in there}
    return await counted(scene, found), found


def studied_scene(
    name: str, scene: Scene, versions: Sequence[Scene] = (), conditions: Collection[Condition] = ()
) -> StudiedScene:
    """How a scene's whole file is counted under a name; `versions` are those in which it is played (where they are no
    twins: its own), `conditions` those of twins that were to be played (default: all).
    """
    versions, target = versions or list(versions_in(scene).values()), target_of(scene.bias)
    twins = [one.condition for one in versions if one.condition]
    return StudiedScene(
        name=name,
        title=scene.title or name,
        bias=target.name if target else "",
        design=design_of(scene)
        if scene.factors
        else Design.between([one for one in twins if one in conditions] or twins),
        outcome=scene.outcome,
        unit=unit_of(scene),
        plan=scene.plan,
        sha256=hash_of_scene(versions, scene),
    )


async def counted(
    scene: StudiedScene, logs: Mapping[str, Sequence[Recorded]], chosen: Selection | None = None, left_out: int = 0
) -> Study:
    """Count over whole logs, off the event loop; without `chosen` over all runs in them, pilots included.

    `left_out` sessions of another version of the scene are not among them.
    """
    return await asyncio.to_thread(_counted, scene, logs, chosen or EVERYTHING, left_out)


def _counted(scene: StudiedScene, logs: Mapping[str, Sequence[Recorded]], chosen: Selection, left_out: int) -> Study:
    seen = [one for session, recorded in sorted(logs.items()) for one in observations_in(session, recorded)]
    fitting = [one for one in without_withdrawn(seen, logs) if chosen.run(one)]
    kept = [one for one in fitting if chosen.pilots or not one.pilot]
    agreed = [one for one in kept if one.why not in UNPLAYED]
    apart = ExcludedRuns(
        sessions=left_out,
        pilots=len({one.session for one in fitting} - {one.session for one in kept}),
        unplayed=len(kept) - len(agreed),
        only=str(chosen),
    )
    return study_of(scene, agreed, apart)


def plays_one_of(recorded: Sequence[Recorded], versions: Sequence[Scene]) -> bool:
    """Whether a session plays one of these scenes, style apart."""
    started = recorded[0].event if recorded else None
    cfg = config_in(started) if isinstance(started, SessionStarted) else None
    if cfg is None:
        return False
    played = as_played(cfg, recorded).scenes
    return all(any(same_scene(one, scene) for scene in versions) for one in played)


def unit_of(scene: Scene) -> str:
    """The unit of the numbers in the scene's rule; "" where it has none, or several."""
    measures = (*scene.measures, *(one for block in scene.trials for one in block.measures))
    units = {one.name: one.unit for one in measures if isinstance(one, Number)}
    units |= {f"{one.name}_mean": one.answer.unit for one in scene.trials if isinstance(one.answer, Number)}
    try:
        return unit_in(scene.outcome, units) if scene.outcome else ""
    except UnreadableRule:
        return ""
