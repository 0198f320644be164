"""People in a session: answering an open turn, voting, being forgotten."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elenchus.service.cli import context, options
from elenchus.service.cli.options import By, Json, SessionId
from elenchus.service.cli.output import Out, clean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from elenchus.debate_engine.events import Recorded, TurnAnswered
    from elenchus.debate_engine.reports.moderation import OpenTurn
    from elenchus.service.app import App


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
    out = Out(json)
    if text is None and decline is None and not (sys.stdin and sys.stdin.isatty()):
        text = sys.stdin.read() if sys.stdin else ""
    if text is None and decline is None:
        raise typer.Exit(context.run(_at_the_terminal(session, seat, out, stay=stay)))
    context.run(_at_once(session, seat, text, decline, context.name_of(by), out))


async def _at_once(beginning: str, seat: str, text: str | None, decline: str | None, by: str, out: Out) -> None:
    from elenchus.debate_engine.runner import started_of
    from elenchus.service.cli.session_lookup import find
    from elenchus.service.cli.turns import name_in

    async with context.opened() as app:
        info = await find(app.log, beginning)
        turn = await _one_turn(app, info.id, seat)
        by = await name_in(app, started_of(await app.log.read(info.id)), by)
        event = _answered(turn, text, decline, by)
        recorded = await app.log.send(info.id, event)
    out.document({"id": info.id, "sent": recorded.line()})
    if not out.json:
        out.line(f"{info.id}: {turn.seat} has answered {turn.step}")


async def _one_turn(app: App, session_id: str, seat: str) -> OpenTurn:
    """The turn that has waited longest (for this seat). Raises UsageError where none waits."""
    from elenchus.debate_engine.errors import UsageError
    from elenchus.debate_engine.reports.view import DebateView

    view = DebateView.of(session_id, await app.log.read(session_id))
    turns = [turn for turn in view.asked if not seat or turn.seat == seat]
    if not turns:
        others = sorted({turn.seat for turn in view.asked})
        waiting = f"turns of {', '.join(others)} wait" if others else "no turn waits for a person now"
        raise UsageError(f"There is nothing to answer for {seat or 'anyone'} in session {session_id}: {waiting}.")
    return turns[0]


def _answered(turn: OpenTurn, text: str | None, decline: str | None, by: str) -> TurnAnswered:
    """The event that answers a turn. Raises UsageError for an answer of the wrong form."""
    from elenchus.debate_engine.errors import UnreadableReply, UsageError
    from elenchus.debate_engine.events import TurnAnswered
    from elenchus.debate_engine.human import read
    from elenchus.debate_engine.participant import Ask

    if decline is not None:
        return TurnAnswered(step=turn.step, seat=turn.seat, by=by, declined=clean(decline) or "passed")
    try:
        value = read(Ask.model_validate(turn.asked), _parsed(clean(text or ""), turn))
    except UnreadableReply as error:
        raise UsageError(f"This cannot be the answer to {turn.step}: {error}{_form_of(turn)}.") from error
    return TurnAnswered(step=turn.step, seat=turn.seat, by=by, answer=value)


_SHAPES = {"boolean": "true or false", "string": '"…"', "array": "[…]", "object": "{…}"}


def _form_of(turn: OpenTurn) -> str:
    """What to give where a form is asked, "" for plain text."""
    fields = (turn.answer_schema or {}).get("properties", {})
    shapes = (f'"{name}": {_shape(field)}' for name, field in fields.items())
    return f"; a form is asked, so give {{{', '.join(shapes)}}}" if fields else ""


def _shape(field: Mapping[str, Any]) -> str:
    choices = [f'"{choice}"' for choice in field.get("enum", ())]
    return " or ".join(choices) or _SHAPES.get(field.get("type", ""), "…")


def _parsed(text: str, turn: OpenTurn) -> Any:
    """What was typed, as JSON where a form is asked. Raises UnreadableReply."""
    from pydantic_core import from_json

    from elenchus.debate_engine.errors import UnreadableReply

    if not turn.answer_schema:
        lines = text.rstrip("\n").split("\n")
        return "\n".join(lines[:-1] if lines[-1:] == ["."] else lines)
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise UnreadableReply(f"it is not valid JSON: {error}") from error


async def _at_the_terminal(beginning: str, seat: str, out: Out, *, stay: bool) -> int:
    from elenchus.debate_engine.reports.view import DebateView
    from elenchus.debate_engine.runner import started_of
    from elenchus.service.cli.conduct import attend
    from elenchus.service.cli.displays import display_for, people_in
    from elenchus.service.cli.session_lookup import find
    from elenchus.service.cli.show.scene import MODERATOR, Scene
    from elenchus.service.cli.turns import OpenTurns, name_in

    async with context.opened() as app:
        info = await find(app.log, beginning)
        recorded = await app.log.read(info.id)
        seats = people_in(started_of(recorded)) if not seat else frozenset({seat})
        if not stay:
            await _one_turn(app, info.id, seat)
        by = await name_in(app, started_of(recorded))
        others = seats - {MODERATOR}
        scene = Scene(info.id, others, DebateView(info.id), moderates=not others)
        turns = OpenTurns(seats, by, elsewhere=True)
        display = display_for(out, scene, turns)
        view = display.scene.view
        code = await attend(
            app.log, info.id, display, until=lambda: view.ended or not (stay or display.open_turns.waiting)
        )
    out.document({"id": info.id, "state": view.state})
    return code


def vote(
    session: SessionId,
    side: Annotated[
        str,
        typer.Argument(
            metavar="VOTE", autocompletion=options.one_of("pro, con or undecided"), help="pro, con or undecided."
        ),
    ],
    when: Annotated[
        str,
        typer.Option(
            "--when",
            metavar="WHEN",
            autocompletion=options.one_of("before or after"),
            help="before (until the first round) or after (once the closings are held); default: whichever is open.",
        ),
    ] = "",
    by: By = "",
    json: Json = False,
) -> None:
    """Vote as a member of the audience, before and after the debate; the side that moves more votes wins the room."""
    from elenchus.debate_engine.errors import UsageError

    if side not in ("pro", "con", "undecided") or when not in ("", "before", "after"):
        raise UsageError("A vote is pro, con or undecided, --when before or after.")
    context.run(_vote(session, side, when, context.name_of(by), Out(json)))


async def _vote(beginning: str, side: str, when: str, by: str, out: Out) -> None:
    from elenchus.debate_engine.events import EVENTS
    from elenchus.debate_engine.reports.view import DebateView
    from elenchus.service.cli.session_lookup import find

    async with context.opened() as app:
        info = await find(app.log, beginning)
        phase = DebateView.of(info.id, await app.log.read(info.id)).course.phase
        when = _open_vote(phase, when)
        event = EVENTS.validate_python({"kind": "vote", "by": by, "when": when, "side": side})
        recorded = await app.log.send(info.id, event)
        audience = DebateView.of(info.id, await app.log.read(info.id)).hand.audience()
    out.document({"id": info.id, "sent": recorded.line(), "audience": audience and audience.model_dump(mode="json")})
    if not out.json:
        out.line(f"{info.id}: {by} votes {side} {when} the debate")


def _open_vote(phase: str, wanted: str) -> str:
    """The vote that is open in this phase of a debate. Raises UsageError where the wanted one is not, or none is."""
    from elenchus.debate_engine.errors import UsageError

    found = {"agenda": "before", "opening": "before", "aftermath": "after", "over": "after"}.get(phase, "")
    if found and wanted in ("", found):
        return found
    if found == "after":
        raise UsageError("The debate has been held: a vote counts as one after it.")
    raise UsageError("A vote before the debate counts until the first round, one after it once the closings are held.")


def forget(
    session: SessionId,
    seat: Annotated[
        str, typer.Argument(metavar="WHO", help="Whose words: pro, con, judge-1, moderator …, or a person's name.")
    ],
    by: By = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Replace a person's words everywhere in a session, without a trace of them on disk."""
    context.run(_forget(session, seat, context.name_of(by), Out(json), yes=yes))


async def _forget(beginning: str, seat: str, by: str, out: Out, *, yes: bool) -> None:
    from elenchus.debate_engine.log import RESCUED
    from elenchus.debate_engine.reports.words import count as counted
    from elenchus.service.cli.session_lookup import find

    async with context.opened() as app:
        info = await find(app.log, beginning)
        _check_person(await app.log.read(info.id), seat)
        context.confirm(f"Forget all words of {seat} in {info.id} ({info.title})", yes=yes or out.json)
        count = await app.runner.forget_wherever(info.id, seat, by=by)
    if info.state == RESCUED:
        out.warn(
            "a part of the session is lost, and with it which of the others' words are quotes of these: to be rid of "
            f"them for certain, elenchus sessions delete {info.id}"
        )
    out.document({"id": info.id, "seat": seat, "strings": count})
    if not out.json:
        out.line(f"{info.id}: the words of {seat} were replaced in {counted(count, 'place')}")


def _check_person(recorded: Sequence[Recorded], who: str) -> None:
    """Raises UsageError for a seat without a person, and a name that did nothing here."""
    from elenchus.debate_engine.authorship import people_in
    from elenchus.debate_engine.errors import UsageError

    if who not in (people := people_in(recorded)):
        raise UsageError(
            f"No person sits on {who!r} or goes by that name; people's words can be forgotten for: "
            f"{', '.join(sorted(people))}."
        )
