"""The scenes that can be played: those that come along, and those of a person's own folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.scenes import review
from elenchus.debate_engine.scenes.library import load_scenes, scene_files
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.script import read_any
from elenchus.debate_engine.scenes.versions import versions
from elenchus.service.lab.scene_files import bytes_of

LIBRARY = "the library"
_TOLD = {"title", "bias", "condition", "twin", "differs"}


def scene_rows(own: Path) -> list[dict[str, Any]]:
    """What a list tells of every scene, those of the folder `own` last. Reads files: call it off the event loop."""
    return [*map(dict, _rows_of_library()), *_own(own)]


def scene_conditions(own: Path) -> dict[str, list[str]]:
    """The versions of every scene that has several, by its name. Reads files: call it off the event loop."""
    mine = {path.stem: path for path in scene_files(own)}
    found = {name: [*conditions] for name, conditions in _versions_of_library().items()}
    for name, path in mine.items():
        with suppress(UsageError):
            found[name] = [*versions(read_any(bytes_of(path)).scene())]
    return {name: conditions for name, conditions in found.items() if len(conditions) > 1}


@cache
def _rows_of_library() -> tuple[Mapping[str, Any], ...]:
    """Of the scenes that come along: these change no more, and a page asks for them at each wish."""
    return tuple(_row(name, scene, LIBRARY) for name, scene in load_scenes().items())


@cache
def _versions_of_library() -> Mapping[str, tuple[str, ...]]:
    return {name: tuple(versions(scene)) for name, scene in load_scenes().items()}


def _own(folder: Path) -> Iterator[dict[str, Any]]:
    """The scenes of the person's folder; a file that holds none is listed with what is to be done."""
    for path in scene_files(folder):
        try:
            scene = read_any(bytes_of(path)).scene()
        except UsageError:
            scene = Scene(title="(cannot be read: see `elenchus scene check`)")
        yield _row(path.stem, scene, "your folder" if review.is_reviewed(scene) else "your folder, not reviewed")


def _row(name: str, scene: Scene, where: str) -> dict[str, Any]:
    """What the list tells of a scene; `minutes` it takes, at the least and at the most, as its file says."""
    told = {"language": scene.language, **scene.model_dump(mode="json", include=_TOLD)}
    planned = {"versions": len(versions(scene)), "minutes": scene.plan.minutes, "age": scene.plan.age,
               "adults": scene.plan.least_age("") != scene.plan.age}  # fmt: skip
    return {"name": name, **told, **planned, "roles": len(scene.roles), "rules": len(scene.rules), "from": where}
