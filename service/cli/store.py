"""`elenchus store`: the database that keeps the sessions."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import context
from elenchus.service.cli.options import Json
from elenchus.service.cli.output import CommandOutput

if TYPE_CHECKING:
    from elenchus.service.cli.progress import Remaining

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
    one PostgreSQL is put into that of the other. Links, codes and tokens go along: whoever has one for the one place
    has it for the other, so copy from a home that you trust. Pictures, scenes and `models.yaml` are files of the home
    folder and stay there. A password is seen by all on the machine where it stands in a command: leave it out, and have
    it in `~/.pgpass`.
    """
    context.run(_copy(CommandOutput(json), source, target))


class _Told:
    """Says how many sessions are copied, and now and then how long the rest takes."""

    def __init__(self, out: CommandOutput) -> None:
        self._out = out
        self._remaining: Remaining | None = None

    def __call__(self, done: int, sessions: int) -> None:
        from elenchus.service.cli.progress import Remaining

        if self._remaining is None:
            self._remaining = Remaining(sessions)
            self._out.tell(f"copying {sessions} sessions")
        elif news := self._remaining.news(done):
            self._out.tell(news)


async def _copy(out: CommandOutput, source: str, target: str) -> None:
    from elenchus.service.store_copy import copy, opened

    async with opened(source, make=False) as here, opened(target, make=True) as there:
        copied = await copy(here, there, _Told(out))
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
