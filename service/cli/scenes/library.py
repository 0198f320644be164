"""The scenes there are: those that come with the program, and files, of which some lie in the person's own folder."""

from __future__ import annotations

from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.config.documents import UnreadableDocument, read_bytes
from elenchus.debate_engine.errors import StorageError, UsageError
from elenchus.service.cli import context
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    from elenchus.debate_engine.scenes.finding import FaultyScene
    from elenchus.debate_engine.scenes.library import BUILT_IN, find_scene, scene_meant
    from elenchus.debate_engine.scenes.script import read_any

    path = found(given, own)
    if path.is_file():
        reading = read_any(bytes_of(path))
        if any(finding.grave for finding in reading.findings):
            raise FaultyScene(reading.findings)
        return path.stem, reading.scene(), path.parent
    others = [*(path.stem for path in own.glob("*.md")), *(path.name for path in Path().glob("*.md"))]
    name = scene_meant(given)
    return name.casefold(), find_scene(name, also=others), BUILT_IN


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


def refuse_files_that_are_there(*paths: Path | None) -> None:
    """Raises UsageError: nothing of a person's is overwritten."""
    for path in paths:
        if path is not None and path.exists():
            raise UsageError(f"The file {path} is there already: give another name.")


# ── list and show ────────────────────────────────────────────────────────────────────────────────────────────────

_COLUMNS = ("name", "title", "bias", "condition")
_WHERE = "from"
_TOLD = {"title", "bias", "condition", "twin", "differs"}


def list_all(out: Out) -> None:
    """Tell of every scene, those of the person's own folder last."""
    from rich.text import Text

    from elenchus.debate_engine.scenes.library import load_scenes
    from elenchus.service.cli.tables import WordTable

    rows = [_row(name, scene, "the library") for name, scene in load_scenes().items()]
    own = list(_own(context.settings().own_scenes))
    out.document(rows + own)
    if out.json:
        return
    columns = (*_COLUMNS, _WHERE) if own else _COLUMNS
    table = WordTable()
    for heading in columns:
        table.add_column(heading, overflow="fold", no_wrap=heading in ("name", "bias", "condition"))
    for row in rows + own:
        table.add_row(*(Text(str(row[column] or "–")) for column in columns))
    out.show(table)


def show(name: str, out: Out) -> None:
    """Print a scene's canonical form."""
    from elenchus.debate_engine.scenes.canonical import write

    called, scene, _ = named(name, context.settings().own_scenes)
    out.document({"name": called, **scene.model_dump(mode="json")})
    if not out.json:
        out.line(write(scene).rstrip("\n"))


def _own(folder: Path) -> Iterator[dict[str, object]]:
    """The scenes of the person's folder; a file that holds none is listed with what is to be done."""
    from elenchus.debate_engine.scenes.review import is_reviewed
    from elenchus.debate_engine.scenes.scene import Scene
    from elenchus.debate_engine.scenes.script import read_any

    for path in sorted(folder.glob("*.md")):
        try:
            scene = read_any(bytes_of(path)).scene()
        except UsageError:
            scene = Scene(title="(cannot be read: see `elenchus scene check`)")
        yield _row(path.stem, scene, "your folder" if is_reviewed(scene) else "your folder, not reviewed")


def _row(name: str, scene: Scene, where: str) -> dict[str, object]:
    """What the list tells of a scene."""
    told = scene.model_dump(mode="json", include=_TOLD)
    return {"name": name, **told, "roles": len(scene.roles), "rules": len(scene.rules), "from": where}
