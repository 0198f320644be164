"""`sessions list` and `sessions show`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from elenchus.service.cli import context
from elenchus.service.cli.options import Json, SessionId
from elenchus.service.cli.output import Out, clean

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Recorded
    from elenchus.debate_engine.log import SessionInfo


def list_sessions(json: Json = False) -> None:
    """List the stored sessions, newest first."""
    context.run(_list(Out(json)))


async def _list(out: Out) -> None:
    from elenchus.service.cli.session_lookup import state_of

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


_COLOURS = {"running": "green", "finished": "dim", "paused": "yellow", "interrupted": "yellow", "failed": "red"}


def _table(out: Out, sessions: list[SessionInfo]) -> None:
    from rich.text import Text

    from elenchus.service.cli.session_lookup import state_of
    from elenchus.service.cli.show.naming import kind_of
    from elenchus.service.cli.tables import WordTable

    if not out.console.is_terminal:
        for info in sessions:
            out.line(f"{info.id}\t{state_of(info)}\t{info.protocol}\t{info.created.isoformat()}\t{clean(info.title)}")
        return
    table = WordTable()
    for column in ("id", "state", "kind", "begun"):
        table.add_column(column, no_wrap=True)
    table.add_column("title", ratio=1)  # the only column that may be cut: an id in part is another session's too
    for info in sessions:
        state = state_of(info)
        table.add_row(
            Text(info.id, style="bold"),
            Text(state, style=_COLOURS.get(state, "")),
            kind_of(info.protocol),
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


def show(session: SessionId, json: Json = False) -> None:
    """Show a session: what was said, the scores, the verdict."""
    context.run(_show(session, Out(json)))


async def _show(beginning: str, out: Out) -> None:
    from elenchus.debate_engine.reports.view import DebateView
    from elenchus.service.cli.session_lookup import find, state_of
    from elenchus.service.cli.show.document import session_document

    async with context.opened() as app:
        info = await find(app.log, beginning)
        recorded = await app.log.read(info.id)
    out.document(session_document(DebateView.of(info.id, recorded), state_of(info)))
    if not out.json:
        _print(out, info, recorded)


def _print(out: Out, info: SessionInfo, recorded: list[Recorded]) -> None:
    from elenchus.debate_engine.reports.view import DebateView
    from elenchus.service.cli.session_lookup import ENDED, state_of
    from elenchus.service.cli.show import plain
    from elenchus.service.cli.show.render import rendered
    from elenchus.service.cli.show.scene import Scene

    view, state = DebateView.of(info.id, recorded), state_of(info)
    seats = ", ".join(f"{s.seat}: {s.model or 'a person'}" for s in view.speakers)
    out.line(f"{info.id} · {state} · {info.created:%Y-%m-%d %H:%M} UTC\n{info.title}\n{seats}")
    for item in Scene(info.id, view=DebateView(info.id)).take_all(recorded):
        if out.console.is_terminal:
            out.show(rendered(item))
        else:
            for line in plain.lines(item):
                out.line(line)
    if state not in ENDED:
        held = f" (run by {info.owner})" if info.owner else f"; go on with: elenchus sessions resume {info.id}"
        out.line(f"\n{state}{held}")
