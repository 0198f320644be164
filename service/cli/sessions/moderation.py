"""Moderation from a second terminal: a moderator's event, a person's answer or vote, and having words forgotten."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from elenchus.debate_engine.errors import UnreadableReply, UsageError
from elenchus.debate_engine.events import EVENTS, BudgetRaised, Command, PauseAsked, Recorded, StopAsked, TurnAnswered
from elenchus.debate_engine.human_seat import read_answer
from elenchus.debate_engine.log import RESCUED
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.privacy.authorship import people_in as people_who_said
from elenchus.debate_engine.protocols.socrasynth.projection import debate_of
from elenchus.debate_engine.reports.view import SessionView
from elenchus.debate_engine.reports.words import count as counted
from elenchus.debate_engine.runner import started_of
from elenchus.service.cli import context
from elenchus.service.cli.output import Out, clean
from elenchus.service.cli.session_lookup import find
from elenchus.service.cli.starting import refuse_unpriced_in
from elenchus.service.cli.turns import OpenTurns, name_in
from elenchus.service.lab import moderation
from elenchus.service.lab.moderated_session import ModeratedSession
from elenchus.service.lab.moderation import open_session, stop_unowned

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.moderation import OpenTurn
    from elenchus.service.app import App


async def send(beginning: str, command: Command | Callable[[ModeratedSession], Command], out: Out) -> None:
    """Send a session a command, which may depend on how it stands; tell what comes of it. Raises UsageError."""
    async with context.opened() as app:
        session = await open_session(app.log, (await find(app.log, beginning)).id)
        command = command(session) if callable(command) else command
        if isinstance(command, BudgetRaised):
            refuse_unpriced_in(app, await app.log.read(session.id), out, command)
        sent = await moderation.send(app.log, session.id, command)
        effect = await _effect(app, session.id, command, sent.owner)
    out.document({"id": session.id, "sent": sent.recorded.line(), "effect": effect})
    if not out.json:
        out.line(f"{session.id}: {effect}")


async def _effect(app: App, session_id: str, command: Command, owner: str) -> str:
    """What comes of the command now, in words; a session that nobody runs is stopped here."""
    if owner:
        return f"sent; {owner} takes it up"
    if isinstance(command, StopAsked):
        await stop_unowned(app.log, session_id, command)
        return "stopped"
    if isinstance(command, PauseAsked):
        return "nobody runs it, so it stands still already"
    return f"noted; it counts when the session goes on: elenchus sessions resume {session_id}"


async def answer_at_once(beginning: str, seat: str, text: str | None, decline: str | None, by: str, out: Out) -> None:
    """Answer the turn that has waited longest, or pass it. Raises UsageError."""
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
    view = SessionView.of(session_id, await app.log.read(session_id))
    turns = [turn for turn in view.asked if not seat or turn.seat == seat]
    if not turns:
        others = sorted({turn.seat for turn in view.asked})
        waiting = f"turns of {', '.join(others)} wait" if others else "no turn waits for a person now"
        raise UsageError(f"There is nothing to answer for {seat or 'anyone'} in session {session_id}: {waiting}.")
    return turns[0]


def _answered(turn: OpenTurn, text: str | None, decline: str | None, by: str) -> TurnAnswered:
    """The event that answers a turn. Raises UsageError for an answer of the wrong form."""
    if decline is not None:
        return TurnAnswered(step=turn.step, seat=turn.seat, by=by, declined=clean(decline) or "passed")
    try:
        value = read_answer(Ask.model_validate(turn.asked), _parsed(clean(text or ""), turn))
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
    if not turn.answer_schema:
        lines = text.rstrip("\n").split("\n")
        return "\n".join(lines[:-1] if lines[-1:] == ["."] else lines)
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise UnreadableReply(f"it is not valid JSON: {error}") from error


async def answer_here(beginning: str, seat: str, out: Out, *, stay: bool) -> int:
    """Show the turns that wait and have them answered at this terminal; the exit code."""
    from elenchus.service.cli.conduct import attend
    from elenchus.service.cli.displays import display_for, people_in
    from elenchus.service.cli.show.scene import MODERATOR, Scene

    async with context.opened() as app:
        info = await find(app.log, beginning)
        recorded = await app.log.read(info.id)
        seats = people_in(started_of(recorded)) if not seat else frozenset({seat})
        if not stay:
            await _one_turn(app, info.id, seat)
        by = await name_in(app, started_of(recorded))
        others = seats - {MODERATOR}
        scene = Scene(info.id, others, SessionView(info.id), moderates=not others)
        turns = OpenTurns(seats, by, elsewhere=True)
        display = display_for(out, scene, turns)
        view = display.scene.view
        code = await attend(app.log, info.id, display, until=lambda: view.ended or not (stay or turns.waiting))
    out.document({"id": info.id, "state": view.state})
    return code


async def vote(beginning: str, side: str, when: str, by: str, out: Out) -> None:
    """Count a vote of the audience. Raises UsageError where none is open."""
    async with context.opened() as app:
        info = await find(app.log, beginning)
        debate = debate_of(SessionView.of(info.id, await app.log.read(info.id)))
        when = _open_vote(debate.phase if debate else "over", when)
        event = EVENTS.validate_python({"kind": "vote", "by": by, "when": when, "side": side})
        recorded = await app.log.send(info.id, event)
        audience = SessionView.of(info.id, await app.log.read(info.id)).hand.audience()
    out.document({"id": info.id, "sent": recorded.line(), "audience": audience and audience.model_dump(mode="json")})
    if not out.json:
        out.line(f"{info.id}: {by} votes {side} {when} the debate")


def _open_vote(phase: str, wanted: str) -> str:
    """The vote that is open in this phase of a debate. Raises UsageError where the wanted one is not, or none is."""
    found = {"agenda": "before", "opening": "before", "aftermath": "after", "over": "after"}.get(phase, "")
    if found and wanted in ("", found):
        return found
    if found == "after":
        raise UsageError("The debate has been held: a vote counts as one after it.")
    raise UsageError("A vote before the debate counts until the first round, one after it once the closings are held.")


async def forget(beginning: str, seat: str, by: str, out: Out, *, yes: bool) -> None:
    """Replace a person's words. Raises UsageError where there is no such person, or nobody agrees."""
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
    if who not in (people := people_who_said(recorded)):
        raise UsageError(
            f"No person sits on {who!r} or goes by that name; people's words can be forgotten for: "
            f"{', '.join(sorted(people))}."
        )
