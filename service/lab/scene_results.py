"""What came out over sessions of a scene, beside what was registered of it, and what is gone: for every front end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.rulegen.people.retention import UNKEPT
from elenchus.debate_engine.protocols.rulegen.study.selection import (
    Logs,
    Selection,
    results_in,
    results_of,
    studied_scene,
)
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import NONE_REMOVED, Removed
from elenchus.service.lab import registration as registrations
from elenchus.service.lab.grid import versions_of, whole_of

if TYPE_CHECKING:
    from elenchus.debate_engine.pictures import PictureStore
    from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
    from elenchus.debate_engine.protocols.rulegen.study.registration import Registration
    from elenchus.debate_engine.scenes.scene import Condition, Scene
    from elenchus.service.lab.retention import Retention
    from elenchus.service.lab.typed_options import SelectionKeywords

Gone = Counter[tuple[str, str, str]]
"""How many sessions are removed: by version, how they ended, what came out."""


@dataclass(frozen=True, slots=True)
class PlayedScene:
    """A scene by the name under which it is counted: its `whole` file, and the versions that are played."""

    name: str
    whole: Scene
    versions: Mapping[Condition, Scene]

    @classmethod
    def found(cls, name: str, own: Path) -> PlayedScene:
        """A file, a scene of the folder `own`, or one of the library. Raises UsageError, FaultyScene."""
        called, scenes = versions_of(name, own)
        return cls(called, whole_of(name, own), scenes)


@dataclass(frozen=True, slots=True)
class SceneResults:
    """The study over some sessions, their whole logs, the scene's file, what of them is removed already, and where the
    pictures lie that they have shown.
    """

    study: Study
    logs: Logs
    whole: Scene
    removed: Removed = NONE_REMOVED
    gone: Gone = field(default_factory=Gone)
    pictures: PictureStore | None = None

    def files(self, plan: Mapping[str, Any] | None = None) -> dict[str, bytes]:
        """All that there is to take home, by name. `plan`: the grid's. Draws pictures: call it off the event loop."""
        from elenchus.debate_engine.protocols.rulegen.study.export.files import study_files

        shown = self.pictures.files_of(chain.from_iterable(self.logs.values())) if self.pictures else {}
        return study_files(self.study, self.logs, plan, self.whole, self.removed, shown)

    async def export(self, folder: str | Path, plan: Mapping[str, Any] | None = None) -> list[Path]:
        """Write all of them into a folder; their paths. Raises StorageError.

        What an earlier export has left there of sessions that were taken back since is removed.
        """
        from elenchus.debate_engine.protocols.rulegen.study.export.sessions import withdrawals
        from elenchus.debate_engine.reports.files import write_all

        def write() -> list[Path]:
            written = write_all(Path(folder), self.files(plan))
            for gone in withdrawals(self.logs, self.removed):
                (Path(folder) / f"events-{gone['session']}.jsonl").unlink(missing_ok=True)
            return written

        return await asyncio.to_thread(write)


def chosen_by(**given: Unpack[SelectionKeywords]) -> Selection:
    """Which sessions count, where one name may stand for several. Raises UsageError for a name that means nothing."""
    several = ("subjects", "sessions", "conditions")
    found = {name: (value,) if name in several and isinstance(value, str) else value for name, value in given.items()}
    try:
        return Selection(**{name: tuple(value) if name in several else value for name, value in found.items()})  # type: ignore[arg-type]
    except TypeError as error:
        raise UsageError(f"Results are not chosen so: {error}.") from error


async def over_scene(
    retention: Retention,
    scene: PlayedScene,
    chosen: Selection,
    registered: Registration | None = None,
    *,
    pictures: PictureStore | None = None,
) -> SceneResults:
    """Over all chosen sessions of a scene, whoever ran them; what is over its time is removed before.

    Compared with `registered`, else with what is kept of the scene, else of the chosen grid. Raises StorageError.
    """
    await retention.sweep()
    versions = list(scene.versions.values())
    study, logs = await results_of(retention.people.log, scene.name, versions, chosen, scene.whole)
    found = await _with_removed(retention, scene, SceneResults(study, logs, scene.whole, pictures=pictures))
    if registered is not None:
        return _compared(found, registered, await registrations.unlike_kept(retention.people.store, registered))
    of_grid = await registrations.kept_of_grid(retention.people.store, chosen.grid)
    return await _beside_registered(retention, found, of_grid)


async def over_sessions(
    retention: Retention,
    scene: PlayedScene,
    sessions: Sequence[str],
    conditions: Collection[Condition] = (),
    *,
    of_grid: Registration | None = None,
    place: str = "",
    pictures: PictureStore | None = None,
) -> SceneResults:
    """Over these sessions alone, some of which may be gone; in the versions that were to be played (default: all).

    Compared with what is kept of the scene in this `place`, else with `of_grid`. Raises StorageError.
    """
    studied = studied_scene(scene.name, scene.whole, list(scene.versions.values()), conditions)
    study, logs = await results_in(retention.people.log, studied, sessions)
    results = SceneResults(study, logs, scene.whole, pictures=pictures)
    found = await _with_removed(retention, scene, results, sessions)
    return await _beside_registered(retention, found, of_grid, place)


async def _beside_registered(
    retention: Retention, found: SceneResults, of_grid: Registration | None, place: str = ""
) -> SceneResults:
    """What was kept of the scene beforehand goes before its grid's own, and that before what was kept afterwards."""
    begun = registrations.begun(found.logs)
    kept = await registrations.kept(retention.people.store, found.study.title, begun, place)
    late = kept is not None and begun is not None and kept.written > begun
    before = (of_grid or kept) if late else (kept or of_grid)
    return found if before is None else _compared(found, before)


def _compared(found: SceneResults, registered: Registration, unlike: str = "") -> SceneResults:
    """Beside what was registered; `unlike` is what is to be said of the registration itself."""
    return replace(found, study=registrations.compare(found.study, registered, found.logs, unlike))


async def _with_removed(
    retention: Retention, scene: PlayedScene, found: SceneResults, among: Collection[str] | None = None
) -> SceneResults:
    """With what is gone of the scene, of the sessions `among` alone where they are given."""
    titles = {version.title for version in scene.versions.values()}
    gone = sum([await retention.counts(title, found.logs, among) for title in titles], Gone())
    unkept = Counter[str]()
    for (_, ended, _), n in gone.items():
        unkept[ended] += n
    taken = [one for one in await retention.withdrawals() if one.scene in titles]
    days = {one.session: one.date for one in taken if among is None or one.session in among}
    return replace(found, gone=gone, removed=Removed(days, unkept[UNKEPT["no"]], unkept[UNKEPT["silent"]]))
