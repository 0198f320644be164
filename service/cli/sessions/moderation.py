"""Moderation from a second terminal: a moderator's event, a person's answer or vote, and having words forgotten."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import BudgetRaised, Command, PauseAsked, SessionStarted, StopAsked
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.log import RESCUED
from elenchus.debate_engine.protocols.registry import spec_or_default
from elenchus.debate_engine.reports.view import SessionView
from elenchus.debate_engine.reports.words import count as counted
from elenchus.debate_engine.runner import started_of
from elenchus.service.cli import context
from elenchus.service.cli.output import CommandOutput, clean
from elenchus.service.cli.preflight import refuse_unpriced_in
from elenchus.service.cli.session_lookup import find
from elenchus.service.cli.turns import OpenTurns, expected_here, name_in
from elenchus.service.lab import moderation, participation
from elenchus.service.lab.moderation import open_session, stop_unowned
from elenchus.service.lab.personal_data import check_person
from elenchus.service.lab.session_status import SessionStatus

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.moderation import OpenTurn
    from elenchus.service.app import App


async def send(beginning: str, command: Command | Callable[[SessionStatus], Command], out: CommandOutput) -> None:
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


async def answer_at_once(
    beginning: str, seat: str, text: str | None, decline: str | None, by: str, out: CommandOutput
) -> None:
    """Answer the turn that has waited longest, or pass it. Raises UsageError."""
    async with context.opened() as app:
        info = await find(app.log, beginning)
        events = await app.log.read(info.id)
        turn = participation.open_turn(SessionView.of(info.id, events), seat)
        if decline is not None:
            event = participation.no_answer(turn, "", clean(decline))
        else:
            event = participation.answer(turn, "", _parsed(clean(text or ""), turn))
        by = await _answering(app, info.id, started_of(events), {turn.seat}, by)
        recorded = await app.log.send(info.id, event.model_copy(update={"by": by}))
    out.document({"id": info.id, "sent": recorded.line()})
    if not out.json:
        out.line(f"{info.id}: {turn.seat} has answered {turn.step}")


async def _answering(app: App, session: str, started: SessionStarted, seats: Collection[str], given: str = "") -> str:
    """The name under which an answer for these seats stands: in a scene that of whoever it expects there, no other.

    Raises UsageError.
    """
    if not spec_or_default(started.protocol).has_subjects:
        return await name_in(app, session, started, given)
    named = {one.spec.partition(":")[2] for one in started.seats if one.name in seats and is_human(one.spec)}
    own = named.pop() if len(named) == 1 else ""
    own = own or await expected_here(app, session, started)
    if own and given and await app.pseudonyms.find(given) != own:
        raise UsageError(
            "Somebody else was named for this seat, and nobody agrees or answers for another: leave out --by, or give "
            "the name that `scene run` was given."
        )
    return own or await name_in(app, session, started, given)


def _parsed(text: str, turn: OpenTurn) -> Any:
    """What was typed, as JSON where a form is asked. Raises UsageError."""
    if not turn.answer_schema:
        lines = text.rstrip("\n").split("\n")
        return "\n".join(lines[:-1] if lines[-1:] == ["."] else lines)
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise participation.unusable(turn, f"it is not valid JSON: {error}") from error


async def answer_here(beginning: str, seat: str, out: CommandOutput, *, stay: bool) -> int:
    """Show the turns that wait and have them answered at this terminal; the exit code."""
    from elenchus.service.cli.displays import display_for, people_in
    from elenchus.service.cli.live_loop import follow_shown
    from elenchus.service.cli.show.terminal_view import MODERATOR, TerminalView

    async with context.opened() as app:
        info = await find(app.log, beginning)
        recorded = await app.log.read(info.id)
        seats = people_in(started_of(recorded)) if not seat else frozenset({seat})
        if not stay:
            participation.open_turn(SessionView.of(info.id, recorded), seat)
        by = await _answering(app, info.id, started_of(recorded), seats)
        others = seats - {MODERATOR}
        terminal = TerminalView(info.id, others, SessionView(info.id), moderates=not others, pictures=app.pictures)
        turns = OpenTurns(seats, by, elsewhere=True)
        display = display_for(out, terminal, turns)
        view = display.terminal.view
        over = SessionView.of(info.id, recorded).ended
        code = await follow_shown(app.log, info.id, display, until=lambda: view.ended or not (stay or turns.waiting))
        if view.ended and turns.in_scene and not over:  # who looks later is shown nothing of theirs
            from elenchus.service.cli.scenes.promises import leave_to_the_next, tell_codes

            recorded = await app.log.read(info.id)
            for own in (one.name for one in started_of(recorded).seats if one.spec == f"{HUMAN}:{by}"):
                await tell_codes(app, info.id, recorded, own, out)
            await leave_to_the_next(out)
    out.document({"id": info.id, "state": view.state})
    return code


async def vote(beginning: str, side: str, when: str, by: str, out: CommandOutput) -> None:
    """Count a vote of the audience. Raises UsageError where none is open."""
    async with context.opened() as app:
        info = await find(app.log, beginning)
        command = participation.vote(SessionView.of(info.id, await app.log.read(info.id)), by, side, when)
        recorded = await app.log.send(info.id, command)
        audience = SessionView.of(info.id, await app.log.read(info.id)).moderation.audience()
    out.document({"id": info.id, "sent": recorded.line(), "audience": audience and audience.model_dump(mode="json")})
    if not out.json:
        out.line(f"{info.id}: {by} votes {side} {command.when} the debate")


async def forget(beginning: str, seat: str, by: str, out: CommandOutput, *, yes: bool) -> None:
    """Replace a person's words. Raises UsageError where there is no such person, or nobody agrees."""
    async with context.opened() as app:
        info = await find(app.log, beginning)
        check_person(await app.log.read(info.id), seat)
        context.confirm(f"Forget all words of {seat} in {info.id} ({info.title})", yes=yes or out.json)
        count = await app.people.forget_in(info.id, seat, by)
    if info.state == RESCUED:
        out.warn(
            "a part of the session is lost, and with it which of the others' words are quotes of these: to be rid of "
            f"them for certain, elenchus sessions delete {info.id}"
        )
    out.document({"id": info.id, "seat": seat, "strings": count})
    if not out.json:
        out.line(f"{info.id}: the words of {seat} were replaced in {counted(count, 'place')}")
