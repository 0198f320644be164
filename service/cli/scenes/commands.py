"""`elenchus scene …`: the scenes that come with the program, and scripts of scenes, read and checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Json
from service.cli.output import Out

if TYPE_CHECKING:
    from collections.abc import Iterable

    from debate_engine.scenes.finding import Finding
    from debate_engine.scenes.scene import Scene

app = typer.Typer(no_args_is_help=True, help="Find a scene; read and check the script of one.")

Script = Annotated[Path, typer.Argument(metavar="FILE", help="The scene's script, a text file.")]


@app.command("list")
def list_scenes(json: Json = False) -> None:
    """List the scenes that come with the program. Each has a neutral twin, its control condition."""
    from rich.table import Table
    from rich.text import Text

    from debate_engine.scenes.library import load_scenes

    out = Out(json)
    rows = [_row(name, scene) for name, scene in load_scenes().items()]
    out.document(rows)
    if out.json:
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("name", "title", "bias", "condition", "rules"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(Text(str(row[column])) for column in ("name", "title", "bias", "condition", "rules")))
    out.show(table)


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The scene's name, as `elenchus scene list` gives it.")],
    json: Json = False,
) -> None:
    """Show a scene that comes with the program in full: its canonical form, or JSON.

    Who is to be its subject should not look: it tells what the scene is about.
    """
    from debate_engine.scenes.canonical import write
    from debate_engine.scenes.library import find_scene

    out = Out(json)
    scene = find_scene(name)
    out.document({"name": name.casefold(), **scene.model_dump(mode="json")})
    if not out.json:
        out.line(write(scene).rstrip("\n"))


@app.command("parse")
def parse(file: Script, json: Json = False) -> None:
    """Read a script however it is written, and print what is in it: the scene's canonical form, or JSON.

    What the script leaves open is guessed, and named on standard error, rule by rule.
    """
    from debate_engine.scenes.canonical import write
    from debate_engine.scenes.script import read_any
    from service.cli.scenes.files import bytes_of

    out = Out(json)
    reading = read_any(bytes_of(file))
    _tell(out, file, reading.findings)
    out.document(reading.as_json())
    if not out.json:
        out.line(write(reading.scene()).rstrip("\n"))


@app.command("check")
def check(file: Script, json: Json = False) -> None:
    """Check a scene before it is played: what is wrong on which line, and what mends it.

    The exit code is 2 where something keeps the file from being a scene.
    """
    from debate_engine.scenes.finding import FaultyScene
    from debate_engine.scenes.script import check_any
    from service.cli.scenes.files import bytes_of

    out = Out(json)
    findings = check_any(bytes_of(file))
    grave = tuple(finding for finding in findings if finding.grave)
    out.document({"file": str(file), "usable": not grave, "findings": [_as_json(finding) for finding in findings]})
    for finding in findings if not out.json else ():
        out.line(_shown(file, finding))
    if grave:
        if out.json:
            raise typer.Exit(FaultyScene.exit_code)
        raise FaultyScene(grave)
    out.line(f"{file}: a scene" + (", to be completed before it is played." if findings else ", ready to be played."))


def _row(name: str, scene: Scene) -> dict[str, object]:
    """What the list tells of a scene."""
    told = scene.model_dump(mode="json", include={"title", "bias", "condition", "twin", "differs"})
    return {"name": name, **told, "roles": len(scene.roles), "rules": len(scene.rules)}


def _tell(out: Out, file: Path, findings: Iterable[Finding]) -> None:
    for finding in findings:
        out.warn(_shown(file, finding))


def _shown(file: Path, finding: Finding) -> str:
    """A finding as editors and people find it: file, line, what, remedy."""
    return f"{file}:{finding.line}: {finding.what}; {finding.remedy}"


def _as_json(finding: Finding) -> dict[str, object]:
    return {"line": finding.line, "what": finding.what, "remedy": finding.remedy, "grave": finding.grave}
