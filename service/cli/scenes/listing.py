"""`elenchus scene list` and `show`: the scenes that come with the program, and those of the person's own folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import completing, context
from elenchus.service.cli.context import Json
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from elenchus.debate_engine.scenes.scene import Scene

_COLUMNS = ("name", "title", "bias", "condition")
_WHERE = "from"
_TOLD = {"title", "bias", "condition", "twin", "differs"}


def list_scenes(json: Json = False) -> None:
    """List the scenes that come with the program, each with a neutral twin, and those of your own scene folder."""
    from rich.text import Text

    from elenchus.debate_engine.scenes.library import load_scenes
    from elenchus.service.cli.tables import WordTable

    out, folder = Out(json), context.settings().own_scenes
    rows = [_row(name, scene, "the library") for name, scene in load_scenes().items()]
    own = list(_own(folder))
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


def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="The scene's name, as `elenchus scene list` gives it, or its file.",
            autocompletion=completing.scenes,
        ),
    ],
    json: Json = False,
) -> None:
    """Show a scene in full: its canonical form, or JSON.

    Who is to be its subject should not look: it tells what the scene is about.
    """
    from elenchus.debate_engine.scenes.canonical import write
    from elenchus.service.lab.scene_files import named

    out = Out(json)
    called, scene, _ = named(name, context.settings().own_scenes)
    out.document({"name": called, **scene.model_dump(mode="json")})
    if not out.json:
        out.line(write(scene).rstrip("\n"))


def _own(folder: Path) -> Iterator[dict[str, object]]:
    """The scenes of the person's folder; a file that holds none is listed with what is to be done."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.debate_engine.scenes.review import is_reviewed
    from elenchus.debate_engine.scenes.scene import Scene
    from elenchus.debate_engine.scenes.script import read_any
    from elenchus.service.lab.scene_files import bytes_of

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
