"""A study's registration as files: written before its first run, never over another, and read again for the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from elenchus.config.documents import UnreadableDocument, read_bytes
from elenchus.debate_engine import events
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.rulegen.study.registration import (
    JSON,
    MARKDOWN,
    Registration,
    compared_with,
    files_of,
    registration_of,
)
from elenchus.debate_engine.reports.files import write_new
from elenchus.service.lab.grid import versions_of, whole_of

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Recorded
    from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
    from elenchus.debate_engine.protocols.rulegen.study.grid import Grid

LARGEST = 2_000_000
"""Bytes of a registration."""


def of_scene(name: str, own: Path) -> Registration:
    """What is registered of a scene: a file, one of the folder `own`, or one of the library.

    Raises UsageError, FaultyScene.
    """
    called, versions = versions_of(name, own)
    return registration_of(called, whole_of(name, own), versions, events.now())


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
        raise UsageError(f"{file} is there already, and a registration is never overwritten: choose another name.")
    return written


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


def compare(study: Study, registration: Registration, logs: Mapping[str, Sequence[Recorded]]) -> Study:
    """The study with what was done otherwise than registered."""
    begun = min((recorded[0].at for recorded in logs.values() if recorded), default=None)
    return compared_with(study, registration, begun)
