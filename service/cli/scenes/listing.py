"""The scenes that there are, one of them, and its page for teachers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.scenes import canonical, review as review_rules
from elenchus.debate_engine.scenes.library import scene_files
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.script import read_any
from elenchus.debate_engine.scenes.versions import versions
from elenchus.service.cli import context
from elenchus.service.cli.output import CommandOutput
from elenchus.service.lab.scene_files import bytes_of, named, teachers_page

if TYPE_CHECKING:
    pass


_COLUMNS = ("name", "title", "bias", "versions", "minutes", "age")
_WHERE = "from"
_TOLD = {"title", "bias", "condition", "twin", "differs"}


def list_all(out: CommandOutput) -> None:
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
        table.add_column(heading, overflow="fold", no_wrap=heading in ("name", "bias", "versions"))
    for row in rows + own:
        table.add_row(*(Text(_cell(row, column)) for column in columns))
    out.show(table)


def show(name: str, out: CommandOutput) -> None:
    """Print a scene's canonical form."""
    called, scene, folder = named(name, context.settings().own_scenes)
    out.document({"name": called, **scene.model_dump(mode="json")})
    if not out.json:
        out.line(canonical.write(scene).rstrip("\n"))
    if scene.pictures:
        files = ", ".join(str(folder / one.file) for one in scene.pictures)
        out.tell(f"who copies it copies its pictures too: {files}")


def teach(name: str, out: CommandOutput) -> None:
    """Print a scene's page for teachers, as it stands in its file. Raises UsageError where it has none."""
    own = context.settings().own_scenes
    page, scene = teachers_page(name, own), named(name, own)[1]
    age = scene.plan.least_age("")
    out.document({"name": name, "page": page, "least_age": age})
    if not out.json:
        out.line(page.rstrip("\n"))
    if scene.plan.misleads and (scene.plan.age or 0) < 18:
        out.tell(
            f"the scene leaves something unsaid, so it is for people of {age} years and more; with younger ones name "
            "who allowed it, and they read it: --ethics-approval TEXT (in Discord: ethics_approval)"
        )


def _own(folder: Path) -> Iterator[dict[str, object]]:
    """The scenes of the person's folder; a file that holds none is listed with what is to be done."""
    for path in scene_files(folder):
        try:
            scene = read_any(bytes_of(path)).scene()
        except UsageError:
            scene = Scene(title="(cannot be read: see `elenchus scene check`)")
        yield _row(path.stem, scene, "your folder" if review_rules.is_reviewed(scene) else "your folder, not reviewed")


def _row(name: str, scene: Scene, where: str) -> dict[str, object]:
    """What the list tells of a scene; `minutes` it takes, at the least and at the most, as its file says."""
    told = scene.model_dump(mode="json", include=_TOLD)
    planned = {"versions": len(versions(scene)), "minutes": scene.plan.minutes, "age": scene.plan.age}
    return {"name": name, **told, **planned, "roles": len(scene.roles), "rules": len(scene.rules), "from": where}


def _cell(row: dict[str, object], column: str) -> str:
    """What the table shows: of a twin which of the two it is, in place of how many versions there are."""
    match column, row[column]:
        case "versions", _ if row["condition"]:
            return str(row["condition"])
        case "minutes", (low, high):
            return f"{low}–{high}"
        case _, told:
            return str(told or "–")
