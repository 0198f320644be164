"""`elenchus personas …`: who a model may be on a seat."""

from __future__ import annotations

from typing import Annotated

import typer

from elenchus.service.cli import options
from elenchus.service.cli.options import Json
from elenchus.service.cli.output import Out

app = typer.Typer(no_args_is_help=True, help="Read the personas that models may speak as.")


@app.command("list")
def list_personas(json: Json = False) -> None:
    """List the personas; one is put on a seat as PERSONA or PERSONA@PROVIDER:MODEL."""
    from elenchus.config.persona_catalogue import load_personas

    out = Out(json)
    entries = load_personas()
    out.document([entry.model_dump(mode="json") for entry in entries])
    for entry in () if out.json else entries:
        out.line(f"{entry.id:<14} {entry.name}: {entry.line}")


@app.command("show")
def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="PERSONA", help="Its id, as `elenchus personas list` shows it.", autocompletion=options.personas
        ),
    ],
    json: Json = False,
) -> None:
    """Show one persona: where it belongs, and what a model is told that speaks as it."""
    from elenchus.config.persona_catalogue import find_persona
    from elenchus.debate_engine.errors import UsageError

    out = Out(json)
    try:
        entry = find_persona(name)
    except ValueError as error:
        raise UsageError(str(error)) from error
    out.document(entry.model_dump(mode="json"))
    if not out.json:
        model = f" · prefers {entry.model}" if entry.model else ""
        out.line(f"{entry.name} ({entry.sits}){model}\n{entry.line}\n\n{entry.manner}")
