"""Scene files, as the commands take them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.config.documents import UnreadableDocument, read_bytes
from elenchus.debate_engine.errors import StorageError, UsageError

if TYPE_CHECKING:
    from elenchus.debate_engine.pictures import PictureStore
    from elenchus.debate_engine.scenes.scene import Scene


def bytes_of(path: Path) -> bytes:
    """The file's content. Raises UsageError where it cannot be read."""
    from elenchus.debate_engine.scenes.script import LARGEST

    try:
        return read_bytes(path, LARGEST, "scene")
    except UnreadableDocument as error:
        raise UsageError(f"{error}.") from error


def found(given: str, folder: Path) -> Path:
    """The file that is meant: a path, or the name of a scene in the person's folder. It need not exist."""
    path = Path(given)
    own = folder / f"{given.casefold()}.md"
    return own if not path.exists() and path.name == given and own.exists() else path


def named(given: str, own: Path) -> tuple[str, Scene, Path]:
    """What a scene is called, the scene, and the folder in which its twin stands.

    It is a file, one of the person's folder `own`, or one of the library, which the bias it elicits names too. Raises
    UsageError, FaultyScene.
    """
    from elenchus.debate_engine.scenes.faults import FaultyScene
    from elenchus.debate_engine.scenes.library import BUILT_IN, find_scene, scene_files, scene_meant
    from elenchus.debate_engine.scenes.picture_files import with_pictures
    from elenchus.debate_engine.scenes.script import read_any

    path = found(given, own)
    if path.is_file():
        source = bytes_of(path)
        reading = read_any(source)
        if any(finding.grave for finding in reading.findings):
            raise FaultyScene(reading.findings)
        scene = with_pictures(reading.scene(), path.parent, source.decode("utf-8-sig"))
        return path.stem, scene, path.parent
    others = [*(path.stem for path in scene_files(own)), *(path.name for path in Path().glob("*.md"))]
    name = scene_meant(given)
    return name.casefold(), find_scene(name, also=others), BUILT_IN


async def keep_pictures(given: str, own: Path, scenes: Iterable[Scene], store: PictureStore) -> None:
    """Put the pictures of these versions of a scene where its sessions find them, before the first begins.

    Raises UsageError where one has changed since the scene was read, StorageError.
    """
    if not any(scene.pictures for scene in scenes):
        return
    from elenchus.debate_engine.scenes.picture_files import keep

    folder = (await asyncio.to_thread(named, given, own))[2]
    for scene in scenes:
        await asyncio.to_thread(keep, scene, folder, store)


def teachers_page(given: str, own: Path) -> str:
    """The page for teachers that stands beside a scene, as Markdown. Raises UsageError where there is none."""
    from elenchus.debate_engine.scenes.library import TEACHERS

    called, scene, folder = named(given, own)
    stems = [called, *([Path(scene.twin).stem] if scene.twin else [])]
    pages = (folder / f"{stem}{TEACHERS}" for stem in stems)
    if (page := next((path for path in pages if path.is_file()), None)) is None:
        raise UsageError(f"There is no page for teachers to {called}; it would stand beside it as {called}{TEACHERS}.")
    return bytes_of(page).decode("utf-8-sig", "replace")


def guessed(given: str, own: Path) -> list[str]:
    """What was guessed of a scene's rules, a line each: nothing unless it is a script in no canonical form."""
    from elenchus.debate_engine.scenes.script import read_any

    path = found(given, own)
    reading = read_any(bytes_of(path)) if path.is_file() else None
    if reading is None or reading.written is not None:
        return []
    return [f"{path}:{read.line}: {note}" for read in reading.rules for note in read.notes]


def free_name(folder: Path, name: str) -> Path:
    """The first of `name.md`, `name-2.md`, … in the folder that no file has, nor the twin of one."""
    numbered = (folder / f"{name}-{number}.md" for number in count(2))
    paths = chain([folder / f"{name}.md"], numbered)
    return next(path for path in paths if not path.exists() and not neutral_of(path).exists())


def neutral_of(path: Path) -> Path:
    """The file beside a scene's in which its neutral twin is written."""
    return path.with_name(f"{path.stem}-neutral.md")


def store(path: Path, text: str) -> None:
    """Write the file whole or not at all. Raises StorageError."""
    beside = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise StorageError(f"The scene cannot be written to {path} ({error.strerror}).") from error
