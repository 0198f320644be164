"""`elenchus scene …`: the scenes that come with the program, and scripts of scenes, read and checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elenchus.service.cli import completing
from elenchus.service.cli.context import Json
from elenchus.service.cli.output import Out
from elenchus.service.cli.scenes import listing, reviewing, running, writing
from elenchus.service.cli.scenes.assisting import Assist
from elenchus.service.cli.scenes.writing import refuse_files_that_are_there

if TYPE_CHECKING:
    from collections.abc import Iterable

    from elenchus.debate_engine.scenes.finding import Finding
    from elenchus.debate_engine.scenes.lenient.reading import Reading

app = typer.Typer(
    no_args_is_help=True, help="Play scenes that elicit a bias, and count how often it is seen; write and check scenes."
)

app.command("list")(listing.list_scenes)
app.command("show")(listing.show)
app.command("new")(writing.new)
app.command("save")(writing.save)
app.command("review")(reviewing.review)
running.add_to(app)

Script = Annotated[Path, typer.Argument(metavar="FILE", help="The scene's script, a text file.")]
Bias = Annotated[
    str,
    completing.bias("--bias", help="The bias it is about, where the script itself has no front matter."),
]


@app.command("parse")
def parse(
    file: Script,
    bias: Bias = "",
    assist: Assist = "",
    write: Annotated[
        Path | None, typer.Option("--write", metavar="FILE", help="Write the canonical form there, to a new file.")
    ] = None,
    json: Json = False,
) -> None:
    """Read a script however it is written, and print what is in it: the scene's canonical form, or JSON.

    What the script leaves open is guessed, and named on standard error, rule by rule. No model takes part in that;
    with --assist one decides instead, and is named with what it decided.
    """
    from elenchus.debate_engine.scenes import canonical
    from elenchus.debate_engine.scenes.script import read_any
    from elenchus.service.lab.scene_files import bytes_of, store

    out, known = Out(json), _bias(bias)
    refuse_files_that_are_there(write)
    reading = read_any(bytes_of(file))
    reading, document = _assisted(file, reading, assist, out)
    _tell(out, file, reading.findings)
    text = canonical.write(reading.scene(bias=known))
    if write is not None:
        store(write, text)
        out.tell(f"written to {write}")
    out.document({**reading.as_json(), **document})
    if not out.json and write is None:
        out.line(text.rstrip("\n"))


@app.command("check")
def check(file: Script, bias: Bias = "", assist: Assist = "", json: Json = False) -> None:
    """Check a scene before it is played: what is wrong on which line, and what mends it.

    A neutral twin that it names is read from the same folder, to see that only confederates differ. The exit code is 2
    where something keeps the file from being a scene. With --assist a model decides what the script leaves open, and
    says so.
    """
    from elenchus.debate_engine.scenes.finding import FaultyScene
    from elenchus.debate_engine.scenes.library import beside_its_twin
    from elenchus.debate_engine.scenes.script import check_any
    from elenchus.service.lab.scene_files import bytes_of

    out, known = Out(json), _bias(bias)
    source = bytes_of(file)
    findings = check_any(source, beside_its_twin(file.parent), bias=known)
    grave = tuple(finding for finding in findings if finding.grave)
    document: dict[str, Any] = {}
    if assist and not grave:
        findings, document = _checked_with(file, source, findings, assist, out)
    found = [_as_json(finding) for finding in findings]
    out.document({"file": str(file), "usable": not grave, "findings": found, **document})
    for finding in findings if not out.json else ():
        out.line(_shown(file, finding))
    if grave:
        if out.json:
            raise typer.Exit(FaultyScene.exit_code)
        raise FaultyScene(grave)
    out.line(f"{file}: a scene" + (", to be completed before it is played." if findings else ", ready to be played."))


def _bias(name: str) -> str:
    """The id of a bias that was named, "" for none. Raises UsageError."""
    from elenchus.config.catalogue import bias_meant
    from elenchus.debate_engine.errors import UsageError

    try:
        return bias_meant(name).id if name.strip() else ""
    except ValueError as error:
        raise UsageError(f"The bias is not known: {error}.") from error


def _assisted(file: Path, reading: Reading, spec: str, out: Out) -> tuple[Reading, dict[str, Any]]:
    """The reading, and what a model did to it where one was asked."""
    if not spec.strip():
        return reading, {}
    from elenchus.service.cli.scenes.assisting import assisted

    done, document = assisted(file, reading, spec, out)
    return done, {"assist": document}


def _checked_with(
    file: Path, source: bytes, findings: tuple[Finding, ...], spec: str, out: Out
) -> tuple[tuple[Finding, ...], dict[str, Any]]:
    """The findings, with the model's decisions in the place of the reader's guesses."""
    from elenchus.debate_engine.protocols.scene_writing.assist import not_mended
    from elenchus.debate_engine.scenes.script import read_any

    reading = read_any(source)
    done, document = _assisted(file, reading, spec, out)
    others = [finding for finding in findings if finding not in reading.findings]
    return tuple(sorted((*not_mended(others, done.rules), *done.findings))), document


def _tell(out: Out, file: Path, findings: Iterable[Finding]) -> None:
    for finding in findings:
        out.warn(_shown(file, finding))


def _shown(file: Path, finding: Finding) -> str:
    """A finding as editors and people find it: file, line, what, remedy."""
    return f"{file}:{finding.line}: {finding.what}; {finding.remedy}"


def _as_json(finding: Finding) -> dict[str, object]:
    return {"line": finding.line, "what": finding.what, "remedy": finding.remedy, "grave": finding.grave}
