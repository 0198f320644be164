"""All sessions of a scene in a log, whoever ran them: for the results over all subjects, in any front end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from debate_engine.errors import UnknownSession
from debate_engine.events import Recorded, SessionStarted
from debate_engine.log import EventLog
from debate_engine.protocols.rulegen.casting import target_of
from debate_engine.protocols.rulegen.schemas import Assignment
from debate_engine.protocols.rulegen.study.observed import PEOPLE, Observed, config_in, observed, same_scene
from debate_engine.protocols.rulegen.study.tally import Study, study_of
from debate_engine.scenes.scene import CONDITIONS, Scene

Logs = dict[str, list[Recorded]]
"""Whole logs by session."""


async def results_of(log: EventLog, name: str, versions: Sequence[Scene]) -> tuple[Study, Logs]:
    """The study over all sessions of a scene, of which `versions` are the treatment and its twin; and their logs.

    Sessions of a scene of the same title whose text differs are left out, and counted. Raises StorageError, DamagedLog.
    """
    titles = {scene.title for scene in versions}
    found: Logs = {}
    left_out = 0
    for info in await log.sessions():
        if info.protocol != "rulegen" or info.title not in titles:
            continue
        try:
            recorded = await log.read(info.id)
        except UnknownSession:
            continue  # deleted meanwhile
        if plays_one_of(recorded, versions):
            found[info.id] = recorded
        else:
            left_out += 1
    return await counted(name, versions[0], found, left_out), found


async def results_in(log: EventLog, name: str, scene: Scene, sessions: Iterable[str]) -> tuple[Study, Logs]:
    """The study over these sessions of a scene alone; those that were deleted are left out."""
    there = {info.id for info in await log.sessions()}
    found = {session: await log.read(session) for session in sessions if session in there}
    return await counted(name, scene, found), found


async def counted(name: str, scene: Scene, logs: Mapping[str, Sequence[Recorded]], left_out: int = 0) -> Study:
    """Count over whole logs, off the event loop."""
    target = target_of(scene.bias)

    def count() -> Study:
        runs: list[Observed] = [
            one for session, recorded in sorted(logs.items()) for one in observed(session, recorded)
        ]
        return study_of(name, scene.title or name, target.name if target else "", runs, left_out)

    return await asyncio.to_thread(count)


def plays_one_of(recorded: Sequence[Recorded], versions: Sequence[Scene]) -> bool:
    """Whether a session plays one of these scenes, style apart."""
    started = recorded[0].event if recorded else None
    cfg = config_in(started) if isinstance(started, SessionStarted) else None
    return cfg is not None and any(same_scene(cfg.scene, scene) for scene in versions)


def next_lot(study: Study, seed: int) -> Assignment:
    """The lot of the next person (see `drawn`): among the conditions that the fewest people have played so far."""
    people = [one for one in study.observed if one.cell.subject == PEOPLE and one.result != "ended early"]
    counts = {condition: sum(one.cell.condition == condition for one in people) for condition in CONDITIONS}
    fewest = min(counts.values())
    return Assignment(seed=seed, number=1, of=tuple(one for one in CONDITIONS if counts[one] == fewest))
