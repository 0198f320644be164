"""`sessions resume`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import context
from elenchus.service.cli.options import Export, Json, SessionId, UnpricedOk
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from elenchus.debate_engine.log import SessionInfo
    from elenchus.service.app import App


def resume(
    session: SessionId,
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Take it from the process that holds it, which may be frozen.")
    ] = False,
    unpriced_ok: UnpricedOk = False,
    export: Export = None,
    json: Json = False,
) -> None:
    """Go on with a session that was paused, interrupted or left."""
    raise typer.Exit(
        context.run(_resume(session, Out(json), take_over=take_over, unpriced_ok=unpriced_ok, export=export))
    )


async def _resume(beginning: str, out: Out, *, take_over: bool, unpriced_ok: bool, export: Path | None) -> int:
    from elenchus.debate_engine import log_rules
    from elenchus.debate_engine.errors import SessionHeld
    from elenchus.debate_engine.events import BudgetRaised
    from elenchus.debate_engine.log import RESCUED
    from elenchus.debate_engine.reports.export import check_folder
    from elenchus.service.cli.exporting import tell_what_is_there
    from elenchus.service.cli.playing import play, sits_here
    from elenchus.service.cli.session_lookup import ENDED, find
    from elenchus.service.cli.starting import refuse_unpriced_in

    async with context.opened(interactive=sits_here() and not out.json) as app:
        info = await find(app.log, beginning)
        if info.state == RESCUED:
            raise log_rules.rescued(info.id)
        if export is not None:
            check_folder(export)
            tell_what_is_there(export, info.id, out)
        if info.state in ENDED:
            return await _ended(app, info, out, export)
        if info.owner and info.state == "paused" and not take_over:
            return await _ask_owner(app, info, out)
        if info.owner and not take_over:
            raise SessionHeld(f"Session {info.id} is run by {info.owner}: pause it there, or take it over.")
        if unpriced_ok:
            await app.log.send(info.id, BudgetRaised(by=context.name_of(""), unpriced_ok=True))
        refuse_unpriced_in(app, await app.log.read(info.id), out)
        return await play(app, info.id, out, take_over=take_over, export=export)


async def _ended(app: App, info: SessionInfo, out: Out, export: Path | None) -> int:
    from elenchus.debate_engine.runner import end_of
    from elenchus.service.cli.playing import conclude

    run = end_of(info.id, await app.log.read(info.id))
    assert run is not None, "the log says that it ended"
    return await conclude(app, run, out, export)


async def _ask_owner(app: App, info: SessionInfo, out: Out) -> int:
    """The session is held by a living process that waits: that one goes on with it."""
    from elenchus.debate_engine.events import ResumeAsked

    recorded = await app.log.send(info.id, ResumeAsked(by=context.name_of("")))
    effect = f"{info.owner} holds it and was asked to go on"
    out.document({"id": info.id, "state": "running", "sent": recorded.line(), "effect": effect})
    if not out.json:
        out.line(f"{info.id}: {effect}")
    return 0
