"""`elenchus crit`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import context, options
from elenchus.service.cli.options import whole
from elenchus.service.cli.output import clean

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options


@options.with_run_options("temperature", "dry_run", "export")
def crit(
    how: Options,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A text or Markdown file that argues for something, or -."),
    ],
    source: Annotated[
        list[Path] | None, typer.Option("--source", metavar="FILE", help="A document that the text may rest on.")
    ] = None,
    model: Annotated[str, options.model("--model", help="Who reads and scores: provider:model, or human.")] = "",
    max_reasons: Annotated[
        int,
        whole("--max-reasons", metavar="N", help="Reasons of each kind that are looked at, at the most."),
    ] = 5,
    language: Annotated[
        str, typer.Option("--language", metavar="L", help="Of what is written about it (default: the text's).")
    ] = "",
) -> None:
    """Score a document's claim by its reasons and rival reasons (CRIT)."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.launch import launch_from
    from elenchus.service.cli.text_file import name_of_file_or_input
    from elenchus.service.lab.options import CritOptions, options_of

    given = {
        "title": name_of_file_or_input(file),
        "document": _text(file),
        "sources": [{"name": clean(path.name), "text": _text(str(path))} for path in source or ()],
        "model": model,
        "max_reasons": max_reasons,
        "language": clean(language),
    }
    raise typer.Exit(context.run(launch_from(options_of(CritOptions, given, checks.option), how)))


def _text(file: str) -> str:
    from elenchus.service.cli.text_file import text_of_file_or_input
    from elenchus.service.lab.options import LONGEST_DOCUMENT

    return clean(text_of_file_or_input(file, LONGEST_DOCUMENT, "document")).strip()
