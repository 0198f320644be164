"""`elenchus sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import context, options
from elenchus.service.cli.options import DefaultModel, whole
from elenchus.service.cli.output import clean

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options


@options.with_run_options("temperature", "seed", "dry_run", "export")
def sweep(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    how: Options,
    motion: Annotated[str, typer.Argument(metavar="MOTION", help="What both sides speak about, in quotes.")],
    model: DefaultModel = "",
    pro: Annotated[str, options.model("--pro", help="Who argues for it: provider:model.")] = "",
    con: Annotated[str, options.model("--con", help="Who argues against it.")] = "",
    crit: Annotated[str, options.model("--crit", help="Who reads the speeches, without knowing their heat.")] = "",
    heat: Annotated[
        list[float] | None, typer.Option("--heat", help="A heat; give it once for each (default: .9 .7 .5 .3 0).")
    ] = None,
    topics: Annotated[int, whole("--topics", metavar="K", help="Topics of the agenda, 1 to 10.")] = 2,
    samples: Annotated[int, whole("--samples", metavar="N", help="Speeches of each side at each heat.")] = 1,
    agenda: Annotated[Path | None, typer.Option("--agenda", metavar="FILE", help="Topics by hand.")] = None,
    language: Annotated[str, typer.Option("--language", metavar="L", help="Of the speeches.")] = "",
) -> None:
    """Have the same motion argued at several heats, and measure what changes."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.launch import launch_from
    from elenchus.service.cli.text_file import agenda_of
    from elenchus.service.lab.options import SweepOptions, options_of

    given = {
        "motion": clean(motion), "pro": pro, "con": con, "crit": crit, "topics": topics, "samples": samples,
        "agenda": agenda_of(agenda) if agenda else (), "language": clean(language), **({"heats": heat} if heat else {}),
    }  # fmt: skip
    raise typer.Exit(context.run(launch_from(options_of(SweepOptions, given, checks.option), how, model, long=True)))
