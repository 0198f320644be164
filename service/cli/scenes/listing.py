"""The scenes that there are, one of them, and its page for teachers."""

from __future__ import annotations

from elenchus.debate_engine.scenes import canonical
from elenchus.service.cli import context
from elenchus.service.cli.output import CommandOutput
from elenchus.service.lab.scene_catalogue import LIBRARY, scene_rows
from elenchus.service.lab.scene_files import named, teachers_page

_COLUMNS = ("name", "title", "bias", "versions", "minutes", "age")
_WHERE = "from"


def list_all(out: CommandOutput) -> None:
    """Tell of every scene, those of the person's own folder last."""
    from rich.text import Text

    from elenchus.service.cli.tables import WordTable

    rows = scene_rows(context.settings().own_scenes)
    own = any(row["from"] != LIBRARY for row in rows)
    out.document(rows)
    if out.json:
        return
    columns = (*_COLUMNS, _WHERE) if own else _COLUMNS
    table = WordTable()
    for heading in columns:
        table.add_column(heading, overflow="fold", no_wrap=heading in ("name", "bias", "versions"))
    for row in rows:
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


def _cell(row: dict[str, object], column: str) -> str:
    """What the table shows: of a twin which of the two it is, in place of how many versions there are."""
    match column, row[column]:
        case "versions", _ if row["condition"]:
            return str(row["condition"])
        case "minutes", (low, high):
            return f"{low}–{high}"
        case _, told:
            return str(told or "–")
