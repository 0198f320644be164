"""Scenes as they are listed, shown, read from scripts, checked, completed by a model and accepted by a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from elenchus.config.catalogue import bias_meant
from elenchus.debate_engine.errors import ProviderError, UsageError
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.protocols.scene_reading.protocol import (
    READER,
    Completed,
    ReadingConfig,
    completed,
    left_to_decide,
    not_mended,
)
from elenchus.debate_engine.scenes import canonical, review as review_rules
from elenchus.debate_engine.scenes.comparison import Pair, pairs_of
from elenchus.debate_engine.scenes.faults import FaultyScene, Finding
from elenchus.debate_engine.scenes.library import beside_its_twin
from elenchus.debate_engine.scenes.picture_files import beside_its_pictures, with_pictures
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.script import check_any, read_any
from elenchus.service.cli import context
from elenchus.service.cli.displays import display_of
from elenchus.service.cli.live_loop import run_shown
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.preflight import checked_models, prepare
from elenchus.service.cli.scenes.writing import refuse_files_that_are_there
from elenchus.service.cli.session_outcome import sits_here
from elenchus.service.lab.detection import refuse_a_person
from elenchus.service.lab.new_sessions import NewSession
from elenchus.service.lab.options import RunOptions
from elenchus.service.lab.scene_files import bytes_of, found, named, store

if TYPE_CHECKING:
    from elenchus.debate_engine.scenes.lenient.reading import Reading


# ── scripts ──────────────────────────────────────────────────────────────────────────────────────────────────────


def parse(file: Path, bias: str, assist: str, target: Path | None, out: CommandOutput) -> None:
    """Print, or write into a new file, what is in a script; what is guessed is told."""
    known = _bias(bias)
    refuse_files_that_are_there(target)
    reading = read_any(bytes_of(file))
    reading, document = _assisted(file, reading, assist, out)
    _tell(out, file, reading.findings)
    text = canonical.write(reading.scene(bias=known))
    if target is not None:
        store(target, text)
        out.tell(f"written to {target}")
    out.document({**reading.as_json(), **document})
    if not out.json and target is None:
        out.line(text.rstrip("\n"))


def check(given: str, bias: str, assist: str, out: CommandOutput) -> None:
    """Tell what is wrong with a script, and how it is mended. Raises FaultyScene where it is no scene."""
    known, file = _bias(bias), _file_meant(given)
    source = bytes_of(file)
    findings = check_any(source, beside_its_twin(file.parent), beside_its_pictures(file.parent), bias=known)
    grave = tuple(finding for finding in findings if finding.grave)
    document: dict[str, Any] = {}
    if assist and not grave:
        findings, document = _checked_with(file, source, findings, assist, out)
    found = [_as_json(finding) for finding in findings]
    scene = Scene() if grave else read_any(source).scene(bias=known)
    scene = with_pictures(scene, file.parent, source.decode("utf-8-sig", "replace"))
    pairs = pairs_of(scene)
    compared: dict[str, Any] = {"versions": [pair.as_json() for pair in pairs]} if pairs else {}
    pictures = [one.model_dump(mode="json") for one in scene.pictures]
    compared |= {"pictures": pictures} if pictures else {}
    out.document({"file": str(file), "usable": not grave, "findings": found, **compared, **document})
    for finding in findings if not out.json else ():
        out.line(_shown(file, finding))
    for line in (*_compared(pairs), *_pictures(scene)) if not out.json else ():
        out.line(line)
    if grave:
        if out.json:
            raise typer.Exit(FaultyScene.exit_code)
        raise FaultyScene(grave)
    out.line(f"{file}: a scene" + (", to be completed before it is played." if findings else ", ready to be played."))


def _file_meant(given: str) -> Path:
    """The file of a scene that a path names, or its name as everywhere else: an own scene's or a shipped one's.

    Raises UsageError.
    """
    path = found(given, context.settings().own_scenes)
    if path.exists() or path.suffix or path.name != given:
        return path
    called, _, folder = named(given, context.settings().own_scenes)
    return folder / f"{called}.md"


def _compared(pairs: Iterable[Pair]) -> Iterator[str]:
    """What the versions differ in that one factor sets apart; what differs in several is the sum of these."""
    for pair in pairs:
        if len(pair.factors) == 1:
            yield f"{pair.one} | {pair.other} (they differ in {pair.factors[0]})"
            yield from (f"  {where}: {one or '–'} | {other or '–'}" for where, one, other in pair.apart)
            yield from (f"  warning: beside {pair.factors[0]}, {warning}" for warning in pair.warnings)


def _pictures(scene: Scene) -> Iterator[str]:
    """What is in the files of the pictures, and what is said of them to those who do not see them."""
    for one in scene.pictures:
        yield f"picture {one.name}: {one.file}, {one.media_type}, {one.size:,} bytes, sha256 {one.sha256}"
        yield from (f"  {line}" for line in one.alt.split("\n"))


def _bias(name: str) -> str:
    """The id of a bias that was named, "" for none. Raises UsageError."""
    try:
        return bias_meant(name).id if name.strip() else ""
    except ValueError as error:
        raise UsageError(f"The bias is not known: {error}.") from error


def _assisted(file: Path, reading: Reading, spec: str, out: CommandOutput) -> tuple[Reading, dict[str, Any]]:
    """The reading, and what a model did to it where one was asked."""
    if not spec.strip():
        return reading, {}

    done, document = assisted(file, reading, spec, out)
    return done, {"assist": document}


def _checked_with(
    file: Path, source: bytes, findings: tuple[Finding, ...], spec: str, out: CommandOutput
) -> tuple[tuple[Finding, ...], dict[str, Any]]:
    """The findings, with the model's decisions in the place of the reader's guesses."""
    reading = read_any(source)
    done, document = _assisted(file, reading, spec, out)
    others = [finding for finding in findings if finding not in reading.findings]
    return tuple(sorted((*not_mended(others, done.rules), *done.findings))), document


def _tell(out: CommandOutput, file: Path, findings: Iterable[Finding]) -> None:
    for finding in findings:
        out.warn(_shown(file, finding))


def _shown(file: Path, finding: Finding) -> str:
    """A finding as editors and people find it: file, line, what, remedy."""
    return f"{file}:{finding.line}: {finding.what}; {finding.remedy}"


def _as_json(finding: Finding) -> dict[str, object]:
    return {"line": finding.line, "what": finding.what, "remedy": finding.remedy, "grave": finding.grave}


# ── review ───────────────────────────────────────────────────────────────────────────────────────────────────────


def review(file: str, by: str, out: CommandOutput, *, accept: bool) -> None:
    """Show a scene with what is to be mended, and accept it where the person agrees."""
    path = found(file, context.settings().own_scenes)
    scene, findings = _read(path)
    if not out.json:
        _print(out, path, scene, findings)
    if accept or _agreed(out, scene):
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
    source = bytes_of(path)
    findings = check_any(source, beside_its_twin(path.parent), beside_its_pictures(path.parent))
    if grave := tuple(finding for finding in findings if finding.grave):
        raise FaultyScene(grave)
    reading = read_any(source)
    if reading.written is None or not canonical.is_canonical(source.decode("utf-8-sig")):
        raise FaultyScene((Finding(1, "it has no front matter", f"write it with `elenchus scene parse {path}` first"),))
    unread = {fault.what for fault in review_rules.left_to_review(reading.written)}
    return reading.written, tuple(finding for finding in findings if finding.what not in unread)


def _print(out: CommandOutput, path: Path, scene: Scene, findings: tuple[Finding, ...]) -> None:
    out.line(canonical.write(scene).rstrip("\n"))
    out.line("")
    for finding in findings:
        out.line(f"{path}:{finding.line}: {finding.what}; {finding.remedy}")


def _agreed(out: CommandOutput, scene: Scene) -> bool:
    """Whether the person at this terminal says yes; nobody is asked elsewhere, or where nothing is to be accepted."""
    if review_rules.is_reviewed(scene) or out.json or not sits_here():
        return False
    return typer.confirm("Have you read it, and may it be played?", default=False)


def _accepted(path: Path, scene: Scene, by: str) -> Scene:
    scene = review_rules.accepted(scene, by, datetime.now(UTC))
    store(path, canonical.write(scene))
    return scene


def _standing(path: Path, scene: Scene) -> str:
    if not review_rules.is_reviewed(scene):
        return f"{path}: not reviewed yet; when you have read it: elenchus scene review {path} --accept"
    return f"{path}: reviewed {scene.reviewed}" if scene.reviewed else f"{path}: written by hand, no review is needed"


# ── a model's help ───────────────────────────────────────────────────────────────────────────────────────────────


def assisted(file: Path, reading: Reading, spec: str, out: CommandOutput) -> tuple[Reading, dict[str, Any]]:
    """The reading as the model completed it, and the document of what it did, with the session's id.

    Without anything open nobody is asked. Raises UsageError, and ProviderError where the session did not end.
    """
    spec = spec.strip()
    refuse_a_person(spec)
    cfg = left_to_decide(reading, f"{file.name}, completed")
    if not cfg.open:
        return reading, {"model": spec, "session": None, "completed": []}
    session, found = context.run(_completed_by(cfg, spec))
    done = completed(reading, [Completed.model_validate(one) for one in found], spec)
    return done, {"model": spec, "session": session, "completed": found}


async def _completed_by(cfg: ReadingConfig, spec: str) -> tuple[str, list[dict[str, Any]]]:
    settings, quiet = context.settings(), CommandOutput(json=True)
    session = NewSession("scene-reading", cfg.title, [Seat(name=READER, spec=spec)], lambda _: cfg)
    async with checked_models(settings, session.seats) as registry:
        started = session.first_event(registry, RunOptions(), seed=0)
    prepare(None, settings)
    async with context.opened(settings) as app:
        session_id = await app.runner.create(started)
        quiet.tell(f"session {session_id}")
        run = await run_shown(app.log, app.runner, session_id, display_of(quiet, session_id, frozenset()))
    if run.outcome is None:
        raise ProviderError(f"The model did not complete the script ({run.state}: {run.reason}); try again later.")
    return run.session_id, run.outcome["completed"]
