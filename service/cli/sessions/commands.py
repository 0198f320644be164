"""The commands under `elenchus sessions`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.debate_engine.errors import UsageError
from elenchus.service.cli import context
from elenchus.service.cli.options import (
    By,
    Detach,
    Export,
    Json,
    SessionId,
    Side,
    UnpricedOk,
    Yes,
    choice,
    one_of,
    whole,
)
from elenchus.service.cli.output import CommandOutput, clean

if TYPE_CHECKING:
    from elenchus.debate_engine.events import Command
    from elenchus.service.lab.session_status import SessionStatus

app = typer.Typer(no_args_is_help=True, help="Look at stored sessions, resume them, and moderate running ones.")


@app.command("list")
def list_sessions(json: Json = False) -> None:
    """List the stored sessions, newest first."""
    from elenchus.service.cli.sessions.stored import list_all

    context.run(list_all(CommandOutput(json)))


@app.command("show")
def show(session: SessionId, json: Json = False) -> None:
    """Show a session: what was said, the scores, the verdict."""
    from elenchus.service.cli.sessions.stored import show

    context.run(show(session, CommandOutput(json)))


@app.command("resume")
def resume(
    session: SessionId,
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Take it from the process that holds it, which may be frozen.")
    ] = False,
    unpriced_ok: UnpricedOk = False,
    export: Export = None,
    detach: Detach = False,
    json: Json = False,
) -> None:
    """Go on with a session that was paused, interrupted or left."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.sessions.stored import Resumed, resume

    if detach:
        checks.detachable(export=export)
    wanted = Resumed(take_over=take_over, unpriced_ok=unpriced_ok, export=export, detach=detach)
    resumed = resume(session, CommandOutput(json), wanted)
    raise typer.Exit(context.run(resumed))


@app.command("export")
def export(
    session: SessionId,
    folder: Annotated[Path, typer.Option("--export", metavar="DIR", help="The folder to write to.")],
    json: Json = False,
) -> None:
    """Write a session's report, data and pictures to a folder; of a damaged database, all that can be read."""
    from elenchus.service.cli.sessions.stored import export

    context.run(export(session, folder, CommandOutput(json)))


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An events.jsonl, or the folder of an export.")],
    new_id: Annotated[str, typer.Option("--id", metavar="ID", help="The id to give it (default: its own).")] = "",
    json: Json = False,
) -> None:
    """Bring an exported session back."""
    from elenchus.service.cli.sessions.stored import import_

    context.run(import_(file, new_id, CommandOutput(json)))


@app.command("delete")
def delete(session: SessionId, yes: Yes = False, json: Json = False) -> None:
    """Delete a session, without a trace of its text on disk."""
    from elenchus.service.cli.sessions.stored import delete

    context.run(delete(session, CommandOutput(json), yes=yes))


# ── moderation: each command appends one event to the session's log ──────────────────────────────────────────────


@app.command("pause")
def pause(
    session: SessionId,
    reason: Annotated[str, typer.Option("--reason", help="Why, for the others to see.")] = "",
    by: By = "",
    json: Json = False,
) -> None:
    """Hold the session before its next step."""
    _send(session, json, _events().PauseAsked(by=context.name_of(by), reason=clean(reason)))


@app.command("heat")
def heat(
    session: SessionId,
    value: Annotated[float, typer.Argument(metavar="HEAT", help="0 (agreement) to 1 (devil's advocate).")],
    by: By = "",
    json: Json = False,
) -> None:
    """Set the contentiousness of the next turn."""
    from elenchus.service.cli import checks

    checks.within(value, 0, 1, "HEAT", "0.5")
    name = context.name_of(by)
    _send(session, json, lambda now: _rules().heat(now, name, value))


@app.command("guide")
def guide(
    session: SessionId,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What the side should hear before its next turn.")],
    to: Annotated[str, choice("--to", "SIDE", "pro, con or both")] = "both",
    by: By = "",
    json: Json = False,
) -> None:
    """Give guidance to one side or both."""
    _send(session, json, _rules().guidance(context.name_of(by), to, clean(text)))


@app.command("ask")
def ask(
    session: SessionId,
    side: Side,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The question.")],
    by: By = "",
    json: Json = False,
) -> None:
    """Ask one side a question; it answers in its next turn."""
    _send(session, json, _rules().question(context.name_of(by), side, clean(text)))


@app.command("deepen")
def deepen(session: SessionId, side: Side, by: By = "", json: Json = False) -> None:
    """Have one side deepen its weakest reason, as soon as its reasons have scores."""
    _send(session, json, _rules().deepen(context.name_of(by), side))


@app.command("round")
def one_more_round(session: SessionId, by: By = "", json: Json = False) -> None:
    """Have one more round although the loop would stop."""
    _send(session, json, _events().RoundAsked(by=context.name_of(by)))


@app.command("close")
def close(session: SessionId, by: By = "", json: Json = False) -> None:
    """Call for the closings."""
    _send(session, json, _events().CloseAsked(by=context.name_of(by)))


@app.command("stop")
def stop(
    session: SessionId,
    reason: Annotated[str, typer.Argument(metavar="REASON", help="Why it ends.")] = "stopped by the moderator",
    by: By = "",
    json: Json = False,
) -> None:
    """End the session for good."""
    _send(session, json, _rules().stop(context.name_of(by), clean(reason)))


@app.command("budget")
def budget(
    session: SessionId,
    tokens: Annotated[int | None, whole("--tokens", metavar="N", help="New limit of tokens.")] = None,
    usd: Annotated[float | None, typer.Option("--usd", metavar="X", help="New limit in US dollars.")] = None,
    unpriced_ok: UnpricedOk = False,
    by: By = "",
    json: Json = False,
) -> None:
    """Set new limits for what the session may spend in all."""
    from elenchus.service.cli import checks

    if tokens is None and usd is None:
        raise UsageError("A new limit is missing: give --tokens N, or --usd X, or both.")
    checks.run_options(lambda option: option.replace("budget_", "--"), budget_tokens=tokens, budget_usd=usd)
    _send(session, json, _rules().budget(context.name_of(by), tokens, usd, unpriced_ok=unpriced_ok))


def _events() -> ModuleType:
    """The kinds of events; loaded for the commands that send one."""
    from elenchus.debate_engine import events

    return events


def _rules() -> ModuleType:
    """What may be asked of a session; loaded for the commands that ask."""
    from elenchus.service.lab import moderation

    return moderation


def _send(session: str, json: bool, command: Command | Callable[[SessionStatus], Command]) -> None:
    from elenchus.service.cli.sessions.moderation import send

    context.run(send(session, command, CommandOutput(json)))


# ── people ───────────────────────────────────────────────────────────────────────────────────────────────────────


@app.command("answer")
def answer(
    session: SessionId,
    seat: Annotated[str, typer.Option("--seat", metavar="SEAT", help="Answer for this seat only.")] = "",
    text: Annotated[
        str | None, typer.Option("--text", metavar="TEXT", help="The answer (JSON where a form is asked).")
    ] = None,
    decline: Annotated[
        str | None, typer.Option("--pass", metavar="REASON", help="Give no answer to this turn, and say why.")
    ] = None,
    stay: Annotated[bool, typer.Option("--stay", help="Stay and answer later turns too.")] = False,
    by: By = "",
    json: Json = False,
) -> None:
    """Answer the turns that wait for a person, from any terminal.

    Without --text the turns are shown and asked for here. From a pipe, all of standard input is one answer.
    """
    from elenchus.service.cli.sessions.moderation import answer_at_once, answer_here

    if text is None and decline is None and not (sys.stdin and sys.stdin.isatty()):
        text = sys.stdin.read() if sys.stdin else ""
    if text is None and decline is None:
        raise typer.Exit(context.run(answer_here(session, seat, CommandOutput(json), stay=stay)))
    context.run(answer_at_once(session, seat, text, decline, clean(by).strip(), CommandOutput(json)))


@app.command("vote")
def vote(
    session: SessionId,
    side: Annotated[str, typer.Argument(
        metavar="VOTE", autocompletion=one_of("pro, con or undecided"), help="pro, con or undecided."
    )],
    when: Annotated[str, choice(
        "--when", "WHEN", "before or after",
        "before (until the first round) or after (once the closings are held); default: whichever is open.",
    )] = "",
    by: By = "",
    json: Json = False,
) -> None:  # fmt: skip
    """Vote as a member of the audience, before and after the debate; the side that moves more votes wins the room."""
    from elenchus.service.cli.sessions.moderation import vote

    if side not in ("pro", "con", "undecided") or when not in ("", "before", "after"):
        raise UsageError("A vote is pro, con or undecided, --when before or after.")
    context.run(vote(session, side, when, context.name_of(by), CommandOutput(json)))


@app.command("forget")
def forget(
    session: SessionId,
    seat: Annotated[
        str, typer.Argument(metavar="WHO", help="Whose words: pro, con, judge-1, moderator …, or a person's name.")
    ],
    by: By = "",
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Replace a person's words everywhere in a session, without a trace of them on disk."""
    from elenchus.service.cli.sessions.moderation import forget

    context.run(forget(session, seat, context.name_of(by), CommandOutput(json), yes=yes))
