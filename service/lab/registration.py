"""A study's registration: written before its first run, as files and in the store, never over another; and read again.

Results are compared with the newest that was kept for the scene before its first session began. A Discord server keeps
its own.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from elenchus.config.documents import UnreadableDocument, read_bytes
from elenchus.debate_engine import events
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.rulegen.study.departures import compared_with
from elenchus.debate_engine.protocols.rulegen.study.registration import (
    JSON,
    MARKDOWN,
    Registration,
    files_of,
    registration_of,
)
from elenchus.debate_engine.reports.files import write_new
from elenchus.debate_engine.reports.words import listed

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Recorded
    from elenchus.debate_engine.key_value_store import KeyValueStore
    from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
    from elenchus.debate_engine.protocols.rulegen.study.grid import Grid
    from elenchus.service.lab.scene_results import PlayedScene

LARGEST = 2_000_000
"""Bytes of a registration."""

NOT_KEPT = (
    "The registration that was given was not kept here: that it was written before the first session is what its own "
    "file says, and nothing here shows it."
)
KEPT, GRIDS = "registrations", "grids"
"""Namespaces: registrations by place, scene and time; plans of grids by id, each with what was registered of it."""


def of_scene(scene: PlayedScene) -> Registration:
    """What is registered of a scene now."""
    return registration_of(scene.name, scene.whole, scene.versions, events.now())


def of_grid(grid: Grid) -> Registration:
    """What is registered of a grid, before its first run."""
    return registration_of(grid.name, grid.whole, grid.scenes, events.now(), grid)


def write(registration: Registration, file: Path) -> list[Path]:
    """Write it to `file` (JSON) and beside it for people (.md). Blocks.

    Raises UsageError where one of the two is there already: a registration is never overwritten. Raises StorageError.
    """
    texts = files_of(registration)
    names = {file.name: texts[JSON], file.with_suffix(".md").name: texts[MARKDOWN]}
    written = write_new(file.parent, names)
    if not written:
        raise _taken(file)
    return written


def refuse_taken(file: Path) -> None:
    """Raises UsageError where a registration cannot be written to this file. Blocks."""
    if file.expanduser().exists() or file.expanduser().with_suffix(".md").exists():
        raise _taken(file)


def _taken(file: Path) -> UsageError:
    return UsageError(f"{file} is there already, and a registration is never overwritten: choose another name.")


def write_into(registration: Registration, folder: Path) -> bool:
    """Write it into the folder of an export; False where one is there already, which stays. Blocks; StorageError."""
    return bool(write_new(folder, files_of(registration)))


def read(path: Path) -> Registration:
    """A registration, from its file or the folder that it lies in. Blocks. Raises UsageError."""
    file = path / JSON if path.is_dir() else path
    try:
        return Registration.model_validate_json(read_bytes(file, LARGEST, "registration"))
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error
    except ValidationError as error:
        raise UsageError(f"{file} is no registration: give the JSON that `elenchus scene register` wrote.") from error


# ── in the store ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def register(store: KeyValueStore, scene: PlayedScene, place: str = "", file: Path | None = None) -> Registration:
    """Keep it for all later results of the scene in this place ("" for this computer), and write it to a new file.

    Raises UsageError where the file is there, StorageError.
    """
    made = of_scene(scene)
    if file is not None:
        await asyncio.to_thread(write, made, file)
    document = {"place": place, "registration": made.model_dump(mode="json")}
    await store.add(KEPT, f"{place}/{made.scene}/{made.written.isoformat()}", document)
    return made


async def kept(store: KeyValueStore, title: str, begun: datetime | None, place: str = "") -> Registration | None:
    """What was registered of a scene of this title before its sessions began, the newest; else the first at all.

    On this computer those of servers count where it has none itself and all are of one. Raises StorageError.
    """
    known = [(one["place"], _read(one["registration"])) for one in (await store.all(KEPT)).values()]
    of_scene = [(where, one) for where, one in known if (one.title or one.scene) == title]
    own = [one for where, one in of_scene if where == place]
    if not own and not place and len({where for where, _ in of_scene}) == 1:
        own = [one for _, one in of_scene]
    own.sort(key=lambda one: one.written)
    before = [one for one in own if begun is None or one.written <= begun]
    return before[-1] if before else next(iter(own), None)


async def unlike_kept(store: KeyValueStore, given: Registration) -> str:
    """In what a registration that was given differs from what is kept of its scene here, or that none is kept; "" where
    the very same is. Raises StorageError.

    The time in a file is whatever its writer has put there; what is kept has been here since, by this computer's clock.
    """
    known = [_read(one["registration"]) for one in (await store.all(KEPT)).values()]
    known += [one for grid in (await store.all(GRIDS)).values() if (one := registered_in(grid)) is not None]
    same = [one for one in known if (one.title or one.scene) == (given.title or given.scene)]
    if given in same:
        return ""
    if not same:
        return NOT_KEPT
    other = next((one for one in same if one.written == given.written), max(same, key=lambda one: one.written))
    differs = [name for name in Registration.model_fields if getattr(other, name) != getattr(given, name)]
    when = f"{other.written:%Y-%m-%d %H:%M:%S %Z}"
    return f"The registration that was given is not the one that is kept, of {when}: they differ in {listed(differs)}."


async def kept_of_grid(store: KeyValueStore, beginning: str) -> Registration | None:
    """What was registered of the one grid whose id begins so; None where none is, or several are, or without one."""
    grids = await store.all(GRIDS) if beginning else {}
    found = [one for name, one in grids.items() if name.startswith(beginning.rstrip("-"))]
    return registered_in(found[0]) if len(found) == 1 else None


def registered_in(grid: Mapping[str, Any]) -> Registration | None:
    """What was registered of a kept grid; None of one that was begun before there were registrations."""
    found = grid.get("registration")
    return None if found is None else _read(found)


def _read(document: Mapping[str, Any]) -> Registration:
    return Registration.model_validate_json(json.dumps(document))


# ── beside what was done ─────────────────────────────────────────────────────────────────────────────────────────────


def begun(logs: Mapping[str, Sequence[Recorded]]) -> datetime | None:
    """When the first of these sessions began, None for none."""
    return min((recorded[0].at for recorded in logs.values() if recorded), default=None)


def compare(
    study: Study, registration: Registration, logs: Mapping[str, Sequence[Recorded]], unlike: str = ""
) -> Study:
    """The study with what was done otherwise than registered; `unlike` is to be said of the registration itself."""
    return compared_with(study, registration, begun(logs), unlike)
