"""`elenchus scene review`: a person reads what a model wrote of a scene, and accepts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import context
from elenchus.service.cli.context import By, Json
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from pathlib import Path

    from elenchus.debate_engine.scenes.finding import Finding
    from elenchus.debate_engine.scenes.scene import Scene


def review(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The scene's file, or its name in your scene folder.")],
    accept: Annotated[
        bool, typer.Option("--accept", help="Accept it: you have read it, and it may be played.")
    ] = False,
    by: By = "",
    json: Json = False,
) -> None:
    """Read a scene that a model wrote, with what is still to be mended, and accept it.

    Who is to be its subject should not look. At a terminal you are asked; elsewhere say --accept.
    """
    from elenchus.service.lab.scene_files import found

    out = Out(json)
    path = found(file, context.settings().own_scenes)
    scene, findings = _read(path)
    if not out.json:
        _show(out, path, scene, findings)
    if accept or _asked(out, scene):
        scene = _accepted(path, scene, context.name_of(by))
    out.document(
        {"file": str(path), "title": scene.title, "written_by": scene.written_by, "reviewed": scene.reviewed,
         "findings": [{"line": f.line, "what": f.what, "remedy": f.remedy, "grave": f.grave} for f in findings]}
    )  # fmt: skip
    out.line(_standing(path, scene))


def _read(path: Path) -> tuple[Scene, tuple[Finding, ...]]:
    """The scene and what is to be looked at, in its twin too; that nobody has read it yet is settled here.

    Raises FaultyScene where it is none.
    """
    from elenchus.debate_engine.scenes import canonical
    from elenchus.debate_engine.scenes.finding import FaultyScene, Finding
    from elenchus.debate_engine.scenes.library import beside_its_twin
    from elenchus.debate_engine.scenes.review import left_to_review
    from elenchus.debate_engine.scenes.script import check_any, read_any
    from elenchus.service.lab.scene_files import bytes_of

    source = bytes_of(path)
    findings = check_any(source, beside_its_twin(path.parent))
    if grave := tuple(finding for finding in findings if finding.grave):
        raise FaultyScene(grave)
    reading = read_any(source)
    if reading.written is None or not canonical.is_canonical(source.decode("utf-8-sig")):
        raise FaultyScene((Finding(1, "it has no front matter", f"write it with `elenchus scene parse {path}` first"),))
    unread = {fault.what for fault in left_to_review(reading.written)}
    return reading.written, tuple(finding for finding in findings if finding.what not in unread)


def _show(out: Out, path: Path, scene: Scene, findings: tuple[Finding, ...]) -> None:
    from elenchus.debate_engine.scenes.canonical import write

    out.line(write(scene).rstrip("\n"))
    out.line("")
    for finding in findings:
        out.line(f"{path}:{finding.line}: {finding.what}; {finding.remedy}")


def _asked(out: Out, scene: Scene) -> bool:
    """Whether the person at this terminal says yes; nobody is asked elsewhere, or where nothing is to be accepted."""
    from elenchus.debate_engine.scenes.review import is_reviewed
    from elenchus.service.cli.playing import sits_here

    if is_reviewed(scene) or out.json or not sits_here():
        return False
    return typer.confirm("Have you read it, and may it be played?", default=False)


def _accepted(path: Path, scene: Scene, by: str) -> Scene:
    from datetime import UTC, datetime

    from elenchus.debate_engine.scenes.canonical import write
    from elenchus.debate_engine.scenes.review import accepted
    from elenchus.service.lab.scene_files import store

    scene = accepted(scene, by, datetime.now(UTC))
    store(path, write(scene))
    return scene


def _standing(path: Path, scene: Scene) -> str:
    from elenchus.debate_engine.scenes.review import is_reviewed

    if not is_reviewed(scene):
        return f"{path}: not reviewed yet; when you have read it: elenchus scene review {path} --accept"
    return f"{path}: reviewed {scene.reviewed}" if scene.reviewed else f"{path}: written by hand, no review is needed"
