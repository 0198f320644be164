"""`elenchus store`: the database that keeps the sessions."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from elenchus.service.cli import context
from elenchus.service.cli.options import Json
from elenchus.service.cli.output import CommandOutput

app = typer.Typer(no_args_is_help=True, help="Move the sessions from one database into another.")


@app.callback()
def store() -> None:
    """Move the sessions from one database into another."""


@app.command("copy")
def copy(
    source: Annotated[str, typer.Option("--from", metavar="PLACE", help="A home folder, or postgresql://….")],
    target: Annotated[str, typer.Option("--to", metavar="PLACE", help="A home folder, or postgresql://….")],
    json: Json = False,
) -> None:
    """Copy all sessions, documents and people's made-up names, and compare them by counts and hashes.

    Nothing is taken away. What is there already is passed over, so a copy that was broken off goes on when it is called
    again. Sessions that run are refused, and so are those that both have and that differ. What waits in the queue of
    one PostgreSQL is put into that of the other. Pictures, scenes and `models.yaml` are files of the home folder and
    stay there.
    """
    context.run(_copy(CommandOutput(json), source, target))


async def _copy(out: CommandOutput, source: str, target: str) -> None:
    from elenchus.service.store_copy import copy, opened

    async with opened(source, make=False) as here, opened(target, make=True) as there:
        copied = await copy(here, there, lambda session_id: None if out.json else out.line(f"copying {session_id}"))
    out.document(asdict(copied))
    if not out.json:
        out.line(
            f"{copied.sessions} sessions ({copied.new_sessions} copied now), {copied.events} events, "
            f"{copied.documents} documents and {copied.people} made-up names are the same in both "
            f"(SHA-256 {copied.sha256[:16]}…)."
        )
        if copied.jobs:
            out.line(f"{copied.jobs} jobs were put into the queue there: workers take them up.")
        if copied.without_job:
            out.line(f"{copied.without_job} sessions ran and are in no queue there: elenchus sessions resume ID.")
