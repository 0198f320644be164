"""What is done with stored sessions: list, show, resume, export, import and delete them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import DamagedLog, DiskFull, SessionHeld
from elenchus.debate_engine.events import BudgetRaised, Recorded, ResumeAsked
from elenchus.debate_engine.log import ENDED, RESCUED, SessionInfo, rules as log_rules
from elenchus.debate_engine.pictures import PictureStore
from elenchus.service.cli import context
from elenchus.service.cli.output import CommandOutput, clean
from elenchus.service.cli.session_lookup import find, matching, state_of
from elenchus.service.cli.session_outcome import conclude, play, sits_here, tell_what_is_there
from elenchus.service.lab import person_records
from elenchus.service.store import database_path

if TYPE_CHECKING:
    from elenchus.service.app import App


async def list_all(out: CommandOutput) -> None:
    """Tell of every session, the newest first."""
    async with context.opened() as app:
        sessions = await app.log.sessions()
    rows = [
        {
            "id": info.id,
            "title": info.title,
            "protocol": info.protocol,
            "state": state_of(info),
            "created": info.created.isoformat(),
            "owner": info.owner,
        }
        for info in sessions
    ]
    out.document(rows)
    if out.json:
        return
    if not sessions:
        out.tell('There are no sessions yet; begin with: elenchus debate "Your motion"')
    else:
        _table(out, sessions)


_COLOURS = {"running": "green", "finished": "dim", "failed": "red"}
_COLOURS |= dict.fromkeys(("paused", "interrupted", "not begun"), "yellow")


def _table(out: CommandOutput, sessions: list[SessionInfo]) -> None:
    if not out.console.is_terminal:
        for info in sessions:
            out.line(f"{info.id}\t{state_of(info)}\t{info.protocol}\t{info.created.isoformat()}\t{clean(info.title)}")
        return
    from rich.text import Text

    from elenchus.debate_engine.protocols.registry import spec_or_default
    from elenchus.service.cli.tables import WordTable

    table = WordTable()
    for column in ("id", "state", "kind", "begun"):
        table.add_column(column, no_wrap=True)
    table.add_column("title", ratio=1)  # the only column that may be cut: an id in part is another session's too
    for info in sessions:
        state = state_of(info)
        table.add_row(
            Text(info.id, style="bold"),
            Text(state, style=_COLOURS.get(state, "")),
            spec_or_default(info.protocol).kind,
            _ago(info.created),
            Text(clean(info.title), no_wrap=True, overflow="ellipsis"),
        )
    out.show(table)


def _ago(then: datetime) -> str:
    minutes = int((datetime.now(UTC) - then).total_seconds() // 60)
    for size, word in ((60 * 24, "d"), (60, "h"), (1, "min")):
        if minutes >= size:
            return f"{minutes // size} {word} ago"
    return "just now"


async def show(beginning: str, out: CommandOutput) -> None:
    """Show one session as a document, or as it was shown while it ran."""
    from elenchus.debate_engine.reports.as_json import session_json
    from elenchus.debate_engine.reports.export import tried

    async with context.opened() as app:
        info = await find(app.log, beginning)
        recorded = await app.log.read(info.id)
    view = await asyncio.to_thread(tried, info.id, recorded)
    out.document(session_json(view, state_of(info)))
    if not out.json:
        _print(out, info, recorded, app.pictures)
    out.warn_of(view.faults)


def _print(out: CommandOutput, info: SessionInfo, recorded: list[Recorded], pictures: PictureStore) -> None:
    from elenchus.debate_engine.reports.view import SessionView
    from elenchus.service.cli.show import plain
    from elenchus.service.cli.show.render import rendered
    from elenchus.service.cli.show.terminal_view import TerminalView

    view, state = SessionView.of(info.id, recorded), state_of(info)
    seats = ", ".join(f"{s.seat}: {s.model or 'a person'}" for s in view.speakers)
    out.line(f"{info.id} · {state} · {info.created:%Y-%m-%d %H:%M} UTC\n{info.title}\n{seats}")
    for item in TerminalView(info.id, view=SessionView(info.id), pictures=pictures).take_all(recorded):
        if out.console.is_terminal:
            out.show(rendered(item))
        else:
            for line in plain.lines(item):
                out.line(line)
    if state not in ENDED:
        held = f" (run by {info.owner})" if info.owner else f"; go on with: elenchus sessions resume {info.id}"
        out.line(f"\n{state}{held}")


@dataclass(frozen=True)
class Resumed:
    """How a session is to be gone on with."""

    take_over: bool = False
    unpriced_ok: bool = False
    export: Path | None = None
    detach: bool = False


async def resume(beginning: str, out: CommandOutput, wanted: Resumed) -> int:
    """Go on with a session; the exit code. Raises SessionHeld where another process runs it."""
    from elenchus.debate_engine.reports.export import check_folder
    from elenchus.service.cli.launch import detached
    from elenchus.service.cli.preflight import refuse_unpriced_in

    async with context.opened(interactive=sits_here() and not (out.json or wanted.detach)) as app:
        info = await find(app.log, beginning)
        if info.state == RESCUED:
            raise log_rules.rescued(info.id)
        if wanted.export is not None:
            check_folder(wanted.export)
            tell_what_is_there(wanted.export, info.id, out)
        if info.state in ENDED:
            return await _ended(app, info, out, wanted.export)
        if info.owner and info.state == "paused" and not wanted.take_over:
            return await _ask_owner(app, info, out)
        if info.owner and not wanted.take_over:
            raise SessionHeld(f"Session {info.id} is run by {info.owner}: pause it there, or take it over.")
        if wanted.unpriced_ok:
            await app.log.send(info.id, BudgetRaised(by=context.name_of(""), unpriced_ok=True))
        refuse_unpriced_in(app, await app.log.read(info.id), out)
        if wanted.detach:
            return await detached(app, info.id, out)
        return await play(app, info.id, out, take_over=wanted.take_over, export=wanted.export)


async def _ended(app: App, info: SessionInfo, out: CommandOutput, export: Path | None) -> int:
    from elenchus.debate_engine.run_ends import end_of

    run = end_of(info.id, await app.log.read(info.id))
    assert run is not None, "the log says that it ended"
    return await conclude(app, run, out, export, played=False)


async def _ask_owner(app: App, info: SessionInfo, out: CommandOutput) -> int:
    """The session is held by a living process that waits: that one goes on with it."""
    recorded = await app.log.send(info.id, ResumeAsked(by=context.name_of("")))
    effect = f"{info.owner} holds it and was asked to go on"
    out.document({"id": info.id, "state": "running", "sent": recorded.line(), "effect": effect})
    if not out.json:
        out.line(f"{info.id}: {effect}")
    return 0


async def export(beginning: str, folder: Path, out: CommandOutput) -> None:
    """Write a session's files; of a damaged database, what can be read. Raises DamagedLog, StorageError."""
    from elenchus.debate_engine.reports.export import check_folder, export as write

    check_folder(folder)
    session_id, recorded, lost = await _readable(beginning)
    tell_what_is_there(folder, session_id, out)
    if lost:
        out.warn(f"the database is damaged: {lost}")
    files, faults = await write(session_id, recorded, folder, PictureStore(context.settings().pictures))
    told = {"faults": faults} if faults else {}
    out.document({"id": session_id, "files": [str(file) for file in files], "damage": lost, **told})
    if not out.json:
        for file in files:
            out.line(str(file))
    out.warn_of(faults)


async def _readable(beginning: str) -> tuple[str, list[Recorded], str]:
    """The session's id and events, and what was lost of them, "" where nothing was."""
    try:
        async with context.opened() as app:
            info = await find(app.log, beginning)
            return info.id, await app.log.read(info.id), ""
    except DamagedLog as damage:
        return await _salvaged(beginning, damage)


async def _salvaged(beginning: str, damage: Exception) -> tuple[str, list[Recorded], str]:
    """What can still be read of a session in a damaged database. Raises the damage where nothing can."""
    from elenchus.storage.salvage import readable_events

    saved = await asyncio.to_thread(readable_events, database_path(context.settings()))
    if not saved:
        raise damage
    session_id = matching(list(saved), beginning)
    events = saved[session_id]
    gaps = events[-1].seq - len(events)
    return session_id, events, f"{len(events)} events were saved, {gaps} before the last one are lost"


async def import_(file: Path, new_id: str, out: CommandOutput) -> None:
    """Restore a session from its export."""
    from elenchus.debate_engine import runner
    from elenchus.service.lab.files import read_export

    exported = await asyncio.to_thread(read_export, file)  # long for a long session: a signal ends it
    async with context.opened() as app:
        session_id = new_id.strip() or exported.session_id or runner.new_id()
        await app.log.restore(session_id, exported.events)
        await asyncio.to_thread(app.pictures.take_in, file, exported.events)
        info = await app.log.info(session_id)
    if info.state == RESCUED:
        out.warn("a part of the session is lost: it can be shown and exported, not gone on with")
    out.document({"id": info.id, "title": info.title, "protocol": info.protocol, "state": info.state})
    if not out.json:
        out.line(f"{info.id}: {len(exported.events)} events; look at it with: elenchus sessions show {info.id}")


async def delete(beginning: str, out: CommandOutput, *, yes: bool) -> None:
    """Delete a session, on a full disk too. Raises UsageError where nobody agrees."""
    from elenchus.storage.database_file import delete_without_room

    full = False
    async with context.opened() as app:
        info = await find(app.log, beginning)
        context.confirm(f"Delete {info.id} ({info.title})", yes=yes or out.json)
        try:
            await app.log.delete(info.id)
            await person_records.remove(app.store, session=info.id)
        except DiskFull:
            full = True
    if full:
        await asyncio.to_thread(delete_without_room, database_path(context.settings()), info.id)
    out.document({"id": info.id, "deleted": True})
    if not out.json:
        out.line(f"{info.id} is deleted")
