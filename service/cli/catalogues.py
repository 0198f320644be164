"""`elenchus biases …` and `elenchus personas …`: the catalogues, read and searched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from elenchus.service.cli import options
from elenchus.service.cli.options import Json
from elenchus.service.cli.output import CommandOutput

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pydantic import BaseModel

    from elenchus.config.catalogue import Bias

_SHOWN = 10
"""As many matches as a search shows: those that hold but one of many words would bury the rest."""

biases = typer.Typer(no_args_is_help=True, help="Read the catalogue of cognitive biases.")
personas = typer.Typer(no_args_is_help=True, help="Read the personas that models may speak as.")


EntryT = TypeVar("EntryT", bound="BaseModel")


def _entry(find: Callable[[str], EntryT], name: str, out: CommandOutput) -> EntryT:
    """The entry of this name, told as JSON where that is wanted. Raises UsageError."""
    from elenchus.debate_engine.errors import UsageError

    try:
        entry = find(name)
    except ValueError as error:
        raise UsageError(str(error)) from error
    out.document(entry.model_dump(mode="json"))
    return entry


@biases.command("list")
def list_biases(json: Json = False) -> None:
    """List the biases of the catalogue by name."""
    from elenchus.config.catalogue import load_biases

    _print(CommandOutput(json), load_biases())


@biases.command("show")
def show_bias(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="Its name, one of its other names, or its id.", autocompletion=options.biases
        ),
    ],
    json: Json = False,
) -> None:
    """Show one bias: what it is, its signs, near ones, a case, how to elicit it, and the source."""
    from elenchus.config.catalogue import bias_meant

    out = CommandOutput(json)
    bias = _entry(bias_meant, name, out)
    if not out.json:
        _print_one(out, bias)


@biases.command("search")
def search_biases(
    words: Annotated[list[str], typer.Argument(metavar="WORD...", help="Words, or the beginnings of words.")],
    json: Json = False,
) -> None:
    """Search every field of the catalogue for words, and show the ten best matches, the best first."""
    from elenchus.config.catalogue import search_biases as found_in

    out = CommandOutput(json)
    found = found_in(" ".join(words))[:_SHOWN]
    if not found:
        out.tell("No bias has these words: elenchus biases list shows all.")
    _print(out, found)


def _print(out: CommandOutput, biases: Sequence[Bias]) -> None:
    from rich.text import Text

    from elenchus.config.catalogue import as_row
    from elenchus.service.cli.tables import WordTable

    out.document([as_row(bias) for bias in biases])
    if out.json or not biases:
        return
    table = WordTable(show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for bias in biases:
        table.add_row(bias.name, Text(bias.definition, style="dim"))
    out.show(table)


def _print_one(out: CommandOutput, bias: Bias) -> None:
    from elenchus.config.catalogue import load_biases

    names = {other.id: other.name for other in load_biases()}
    out.line(bias.name + (f" ({', '.join(bias.aliases)})" if bias.aliases else ""))
    out.line(f"\n{bias.definition}")
    if bias.mindscope:
        out.line(f"\nIn MindScope: {bias.mindscope}")
    out.line("\nSigns in a text:")
    for element in bias.elements:
        out.line(f"  - {element}")
    out.line("\nNot to be taken for:")
    for neighbour in bias.neighbours:
        out.line(f"  - {names.get(neighbour.id, neighbour.id)}: {neighbour.apart}")
    out.line(f"\nA case: {bias.case}")
    out.line(f"\nHow to elicit it: {bias.recipe}")
    out.line(f"\nSource: {bias.source}" + ("" if bias.source.checked else " (not checked: no DOI was found)"))


# ── personas ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@personas.command("list")
def list_personas(json: Json = False) -> None:
    """List the personas; one is put on a seat as PERSONA or PERSONA@PROVIDER:MODEL."""
    from elenchus.config.persona_catalogue import load_personas

    out = CommandOutput(json)
    entries = load_personas()
    out.document([entry.model_dump(mode="json") for entry in entries])
    for entry in () if out.json else entries:
        out.line(f"{entry.id:<14} {entry.name}: {entry.line}")


@personas.command("show")
def show_persona(
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

    out = CommandOutput(json)
    entry = _entry(find_persona, name, out)
    if not out.json:
        model = f" · prefers {entry.model}" if entry.model else ""
        out.line(f"{entry.name} ({entry.sits}){model}\n{entry.line}\n\n{entry.manner}")
