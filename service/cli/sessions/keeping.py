"""`sessions export`, `import` and `delete`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import context
from elenchus.service.cli.options import Json, SessionId
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Recorded


def export(
    session: SessionId,
    folder: Annotated[Path, typer.Option("--export", metavar="DIR", help="The folder to write to.")],
    json: Json = False,
) -> None:
    """Write a session's report, data and pictures to a folder; of a damaged database, all that can be read."""
    context.run(_export(session, folder, Out(json)))


async def _export(beginning: str, folder: Path, out: Out) -> None:
    from elenchus.debate_engine.reports.export import check_folder
    from elenchus.debate_engine.reports.export import export as write
    from elenchus.detectors.files import more_of
    from elenchus.service.cli.exporting import tell_what_is_there

    check_folder(folder)
    session_id, recorded, lost = await _readable(beginning)
    tell_what_is_there(folder, session_id, out)
    if lost:
        out.warn(f"the database is damaged: {lost}")
    files = await write(session_id, recorded, folder, more_of)
    out.document({"id": session_id, "files": [str(file) for file in files], "damage": lost})
    if not out.json:
        for file in files:
            out.line(str(file))


async def _readable(beginning: str) -> tuple[str, list[Recorded], str]:
    """The session's id and events, and what was lost of them, "" where nothing was."""
    from elenchus.debate_engine.errors import DamagedLog
    from elenchus.service.cli.session_lookup import find

    try:
        async with context.opened() as app:
            info = await find(app.log, beginning)
            return info.id, await app.log.read(info.id), ""
    except DamagedLog as damage:
        return await _salvaged(beginning, damage)


async def _salvaged(beginning: str, damage: Exception) -> tuple[str, list[Recorded], str]:
    """What can still be read of a session in a damaged database. Raises the damage where nothing can."""
    import asyncio

    from elenchus.service.app import database_path
    from elenchus.service.cli.session_lookup import matching
    from elenchus.storage.salvage import readable_events

    saved = await asyncio.to_thread(readable_events, database_path(context.settings()))
    if not saved:
        raise damage
    session_id = matching(list(saved), beginning)
    events = saved[session_id]
    gaps = events[-1].seq - len(events)
    return session_id, events, f"{len(events)} events were saved, {gaps} before the last one are lost"


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An events.jsonl, or the folder of an export.")],
    new_id: Annotated[str, typer.Option("--id", metavar="ID", help="The id to give it (default: its own).")] = "",
    json: Json = False,
) -> None:
    """Bring an exported session back."""
    context.run(_import(file, new_id, Out(json)))


async def _import(file: Path, new_id: str, out: Out) -> None:
    import asyncio

    from elenchus.debate_engine.log import RESCUED
    from elenchus.service.lab.files import read_export

    exported = await asyncio.to_thread(read_export, file)  # long for a long session: a signal ends it
    async with context.opened() as app:
        from elenchus.debate_engine import runner

        session_id = new_id.strip() or exported.session_id or runner.new_id()
        await app.log.restore(session_id, exported.events)
        info = await app.log.info(session_id)
    if info.state == RESCUED:
        out.warn("a part of the session is lost: it can be shown and exported, not gone on with")
    out.document({"id": info.id, "title": info.title, "protocol": info.protocol, "state": info.state})
    if not out.json:
        out.line(f"{info.id}: {len(exported.events)} events; look at it with: elenchus sessions show {info.id}")


def delete(
    session: SessionId,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Delete a session, without a trace of its text on disk."""
    context.run(_delete(session, Out(json), yes=yes))


async def _delete(beginning: str, out: Out, *, yes: bool) -> None:
    import asyncio

    from elenchus.debate_engine.errors import DiskFull
    from elenchus.service.app import database_path
    from elenchus.service.cli.session_lookup import find
    from elenchus.storage.place import delete_without_room

    full = False
    async with context.opened() as app:
        info = await find(app.log, beginning)
        context.confirm(f"Delete {info.id} ({info.title})", yes=yes or out.json)
        try:
            await app.log.delete(info.id)
        except DiskFull:
            full = True
    if full:
        await asyncio.to_thread(delete_without_room, database_path(context.settings()), info.id)
    out.document({"id": info.id, "deleted": True})
    if not out.json:
        out.line(f"{info.id} is deleted")
