"""Runs a session at this terminal: shows it, and says what came of it and what can be done next."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.service.cli import failures
from elenchus.service.cli.output import CommandOutput

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Recorded
    from elenchus.debate_engine.reports.export import WrittenExport
    from elenchus.debate_engine.run_ends import Run
    from elenchus.service.app import App

    Ended = Callable[[App, Run, CommandOutput, Path | None], Awaitable[int]]
    """What is done when a session has ended or is paused; it may be exported there. The exit code."""


GOES_ON = ("paused", "running")
"""States of a session that was left before its end: paused, or at work at a worker."""


def sits_here() -> bool:
    """Whether a person at this terminal can press keys."""
    from elenchus.service.cli.live.keyboard import is_interactive

    return is_interactive()


async def play(
    app: App,
    session_id: str,
    out: CommandOutput,
    *,
    take_over: bool = False,
    export: Path | None = None,
    calls: int | None = None,
    ended: Ended | None = None,
    by: str = "",
) -> int:
    """Run the session, show it, and conclude it; the exit code. With `calls`, its most, people are told how long it
    takes. `by` is who sits here (default: the login).
    """
    from elenchus.debate_engine.errors import ElenchusError

    try:
        from elenchus.debate_engine.runner import started_of
        from elenchus.service.cli.displays import display_of, seats_here
        from elenchus.service.cli.live_loop import run_shown
        from elenchus.service.cli.progress import Remaining
        from elenchus.service.cli.turns import name_in

        started = started_of(await app.log.read(session_id))
        here = seats_here(started)
        who = await name_in(app, session_id, started, by) if here else ""
        display = display_of(out, session_id, here, who)
        display.terminal.pictures = app.pictures
        display.terminal.remaining = Remaining(calls) if calls else None
        async with app.retention.kept():
            run = await run_shown(app.log, app.runner, session_id, display, take_over=take_over)
    except (ElenchusError, asyncio.CancelledError, KeyboardInterrupt):
        out.tell(f"what is done of {session_id} is kept; later: elenchus sessions resume {session_id}")
        raise
    return await (ended or conclude)(app, run, out, export)


async def conclude(app: App, run: Run, out: CommandOutput, export: Path | None = None, *, played: bool = True) -> int:
    """Export what has ended, print the document, and say how it stands; the exit code.

    `played`: it was played here until now; else it had ended before, and whoever sits here is shown nothing that is for
    who played it.
    """
    from elenchus.debate_engine.human_seat import HUMAN
    from elenchus.debate_engine.protocols.registry import spec_or_default
    from elenchus.debate_engine.reports.as_json import session_json
    from elenchus.debate_engine.reports.export import tried
    from elenchus.debate_engine.runner import started_of

    recorded, cleared = await app.log.read(run.session_id), False
    if run.state not in GOES_ON and spec_or_default(started_of(recorded).protocol).has_subjects:
        from elenchus.service.cli.scenes.promises import keep_promises, leave_to_the_next

        played_here = played and any(seat.spec == HUMAN for seat in started_of(recorded).seats)
        recorded = await keep_promises(app, run.session_id, recorded, out, played=played)
        cleared = played_here and await leave_to_the_next(out)
        if not recorded:
            return run.exit_code
    view = await asyncio.to_thread(tried, run.session_id, recorded)
    made = None
    if export is not None and run.state not in GOES_ON:
        made = await _exported(app, run.session_id, recorded, export, out)
        view.faults = list(dict.fromkeys([*view.faults, *made.faults]))
    document = session_json(view)
    if made is not None:
        document["export"] = [str(file) for file in made.files]
    if hint := next_step(run, export):
        document["next"] = hint
    out.document(document)
    out.warn_of(view.faults)
    if cleared and not hint:
        out.tell(f"{run.session_id} is {run.state}")  # the next is not invited to look at it
    else:
        _farewell(run, out, hint)
    return run.exit_code


async def _exported(
    app: App, session_id: str, recorded: list[Recorded], folder: Path, out: CommandOutput
) -> WrittenExport:
    from elenchus.debate_engine.errors import StorageError
    from elenchus.debate_engine.reports.export import export

    try:
        made = await export(session_id, recorded, folder, app.pictures)
    except StorageError as error:
        again = f"elenchus sessions export {session_id} --export DIR"
        raise StorageError(f"{error} The session itself is safe; export it again with: {again}.") from error
    out.tell(written(made.files, folder))
    return made


def _farewell(run: Run, out: CommandOutput, hint: str) -> None:
    match run.state:
        case "paused":
            why = "" if run.exit_code == failures.PAUSED else f": {run.reason}"
            out.tell(f"{run.session_id} is paused{why}\n{hint}")
        case "running":
            out.tell(f"{run.session_id} goes on at its worker\n{hint}")
        case "failed":
            out.tell(f"{run.session_id} failed: {run.reason}\n{hint}")
        case _:
            out.tell(f"{run.session_id} is {run.state}; look at it with: elenchus sessions show {run.session_id}")


_INSTEAD = {"NoAgenda": "\nor begin anew with topics of your own (--agenda FILE)"}
"""What else can be done about an error by which a session failed."""


def next_step(run: Run, export: Path | None = None) -> str:
    """The command that goes on from here, "" where there is none."""
    resume = f"elenchus sessions resume {run.session_id}{f' --export {shlex.quote(str(export))}' if export else ''}"
    match run.state, run.exit_code:
        case "paused", failures.BUDGET:
            raised = f"elenchus sessions budget {run.session_id} --tokens N (or --usd X)"
            return f"raise the budget with: {raised}\nthen go on with: {resume}"
        case "paused", failures.PROVIDER:
            return f"when the model can be used again, go on with: {resume}"
        case "paused", _:
            return f"go on with: {resume}"
        case "running", _:
            return f"look at it with: elenchus sessions show {run.session_id} (sessions pause, stop, … moderate it)"
        case "failed", _:
            return f"try again with: {resume}{_INSTEAD.get(run.error, '')}"
    return ""


# ── an export ────────────────────────────────────────────────────────────────────────────────────────────────────


def tell_what_is_there(folder: Path, session_id: str, out: CommandOutput) -> None:
    """Warn where the folder holds another session's export: the same names are replaced, all else stays beside them."""
    from elenchus.service.lab.files import read_id

    before = read_id(folder.expanduser() / "run.json")
    if before and before != session_id:
        out.warn(
            f"{folder} holds files of session {before}: those of the same name are replaced, the others stay; "
            "another folder keeps the sessions apart"
        )


_PAGES = ("report.html", "report.md")


def written(files: Sequence[str | Path], folder: Path) -> str:
    """What is told after an export: how many files, and what a person opens first, where there is something to read."""
    names = {Path(file).name for file in files}
    page = next((page for page in _PAGES if page in names), None)
    return f"exported {len(files)} files to {folder}" + (f"; to read: {folder / page}" if page else "")
