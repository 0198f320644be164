"""`elenchus cache`: the answers that are kept for measurements which are run again."""

from __future__ import annotations

import typer

from elenchus.service.cli import context
from elenchus.service.cli.options import Json
from elenchus.service.cli.output import Out

app = typer.Typer(no_args_is_help=True, help="Look at the answers kept by the bench, or remove them.")


@app.command("show")
def show(json: Json = False) -> None:
    """Show how many answers are kept of each model, and how often they were used again."""
    context.run(_show(Out(json)))


@app.command("clear")
def clear(json: Json = False) -> None:
    """Remove all kept answers, without a trace of them on disk; no session is touched."""
    context.run(_clear(Out(json)))


async def _show(out: Out) -> None:
    from dataclasses import asdict

    from elenchus.service.cli.tables import WordTable

    async with context.opened() as app_:
        kept = await app_.answers.overview()
    rows = [asdict(of) for of in kept]
    out.document({"answers": sum(of.answers for of in kept), "hits": sum(of.hits for of in kept), "by_model": rows})
    if out.json:
        return
    if not kept:
        out.line("No answers are kept.")
        return
    table = WordTable()
    table.add_column("model")
    for column in ("answers", "used again", "bytes"):
        table.add_column(column, justify="right")
    for of in kept:
        table.add_row(of.model, f"{of.answers:,}", f"{of.hits:,}", f"{of.bytes:,}")
    out.show(table)


async def _clear(out: Out) -> None:
    async with context.opened() as app_:
        removed = await app_.answers.clear()
    out.document({"removed": removed})
    if not out.json:
        out.line(f"{removed} kept answer{'' if removed == 1 else 's'} removed")
