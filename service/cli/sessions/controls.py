"""The moderator's controls from a second terminal: each appends one command to the session's log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import completing, context
from elenchus.service.cli.context import By, Json, SessionId, UnpricedOk
from elenchus.service.cli.output import Out, clean

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Command
    from elenchus.debate_engine.log import SessionInfo
    from elenchus.service.app import App

Side = Annotated[
    str,
    typer.Argument(
        metavar="SIDE",
        help="pro or con.",
        autocompletion=completing.one_of("pro or con"),
    ),
]


def pause(
    session: SessionId,
    reason: Annotated[str, typer.Option("--reason", help="Why, for the others to see.")] = "",
    by: By = "",
    json: Json = False,
) -> None:
    """Hold the session before its next step."""
    from elenchus.debate_engine.events import PauseAsked

    _send(session, PauseAsked(by=context.name_of(by), reason=clean(reason)), Out(json))


def heat(
    session: SessionId,
    value: Annotated[float, typer.Argument(metavar="HEAT", help="0 (agreement) to 1 (devil's advocate).")],
    by: By = "",
    json: Json = False,
) -> None:
    """Set the contentiousness of the next turn."""
    from elenchus.debate_engine.events import HeatSet
    from elenchus.service.cli import checks

    checks.within(value, 0, 1, "HEAT", "0.5")
    _send(session, HeatSet(by=context.name_of(by), heat=value), Out(json))


def guide(
    session: SessionId,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What the side should hear before its next turn.")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="SIDE",
            autocompletion=completing.one_of("pro, con or both"),
            help="pro, con or both.",
        ),
    ] = "both",
    by: By = "",
    json: Json = False,
) -> None:
    """Give guidance to one side or both."""
    from elenchus.debate_engine.events import Guidance

    sides = ("pro", "con") if to == "both" else (_side(to),)
    _send(session, Guidance(by=context.name_of(by), to=sides, text=_words(text)), Out(json))


def ask(
    session: SessionId,
    side: Side,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The question.")],
    by: By = "",
    json: Json = False,
) -> None:
    """Ask one side a question; it answers in its next turn."""
    from elenchus.debate_engine.events import Question

    _send(session, Question(by=context.name_of(by), to=_side(side), text=_words(text)), Out(json))


def deepen(session: SessionId, side: Side, by: By = "", json: Json = False) -> None:
    """Have one side deepen its weakest reason, as soon as its reasons have scores."""
    from elenchus.debate_engine.events import DeepenAsked

    _send(session, DeepenAsked(by=context.name_of(by), to=_side(side)), Out(json))


def one_more_round(session: SessionId, by: By = "", json: Json = False) -> None:
    """Have one more round although the loop would stop."""
    from elenchus.debate_engine.events import RoundAsked

    _send(session, RoundAsked(by=context.name_of(by)), Out(json))


def close(session: SessionId, by: By = "", json: Json = False) -> None:
    """Call for the closings."""
    from elenchus.debate_engine.events import CloseAsked

    _send(session, CloseAsked(by=context.name_of(by)), Out(json))


def stop(
    session: SessionId,
    reason: Annotated[str, typer.Argument(metavar="REASON", help="Why it ends.")] = "stopped by the moderator",
    by: By = "",
    json: Json = False,
) -> None:
    """End the session for good."""
    from elenchus.debate_engine.events import StopAsked

    _send(session, StopAsked(by=context.name_of(by), reason=_words(reason)), Out(json))


def budget(
    session: SessionId,
    tokens: Annotated[int | None, typer.Option("--tokens", metavar="N", help="New limit of tokens.")] = None,
    usd: Annotated[float | None, typer.Option("--usd", metavar="X", help="New limit in US dollars.")] = None,
    unpriced_ok: UnpricedOk = False,
    by: By = "",
    json: Json = False,
) -> None:
    """Set new limits for what the session may spend in all."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.debate_engine.events import BudgetRaised
    from elenchus.service.cli import checks

    if tokens is None and usd is None:
        raise UsageError("A new limit is missing: give --tokens N, or --usd X, or both.")
    checks.run_options(lambda option: option.replace("budget_", "--"), budget_tokens=tokens, budget_usd=usd)
    raised = BudgetRaised(by=context.name_of(by), tokens=tokens, usd=usd, unpriced_ok=unpriced_ok)
    _send(session, raised, Out(json))


# ── how it is sent ───────────────────────────────────────────────────────────────────────────────────────────────


def _side(name: str) -> str:
    from elenchus.debate_engine.errors import UsageError

    if name not in ("pro", "con"):
        raise UsageError(f"{name!r} is no side: say pro or con.")
    return name


def _words(text: str) -> str:
    from elenchus.debate_engine.errors import UsageError

    if not (words := clean(text).strip()):
        raise UsageError("The text is empty: say in quotes what you mean.")
    return words


def _send(beginning: str, command: Command, out: Out) -> None:
    context.run(_sent(beginning, command, out))


async def _sent(beginning: str, command: Command, out: Out) -> None:
    from elenchus.debate_engine.errors import UsageError
    from elenchus.debate_engine.events import BudgetRaised
    from elenchus.service.cli.finding import ENDED, find
    from elenchus.service.cli.starting import refuse_unpriced_in

    async with context.opened() as app:
        info = await find(app.log, beginning)
        if info.state in ENDED:
            raise UsageError(f"Session {info.id} is {info.state}: nothing can be changed in it any more.")
        if isinstance(command, BudgetRaised):
            refuse_unpriced_in(app, await app.log.read(info.id), out, command)
        recorded = await app.log.send(info.id, command)
        effect = await _effect(app, info, command)
    out.document({"id": info.id, "sent": recorded.line(), "effect": effect})
    if not out.json:
        out.line(f"{info.id}: {effect}")


async def _effect(app: App, info: SessionInfo, command: Command) -> str:
    """What comes of the command now, in words; a session that nobody runs is stopped here."""
    if info.owner:
        return f"sent; {info.owner} takes it up"
    if command.kind == "stop":
        await _stop_here(app, info.id, command.by, command.reason)
        return "stopped"
    if command.kind == "pause":
        return "nobody runs it, so it stands still already"
    return f"noted; it counts when the session goes on: elenchus sessions resume {info.id}"


async def _stop_here(app: App, session_id: str, by: str, reason: str) -> None:
    from elenchus.debate_engine.events import SessionStopped

    own = await app.log.claim(session_id)
    try:
        await app.log.append(session_id, [SessionStopped(reason=reason, by=by)], own.epoch)
    finally:
        await own.release()
