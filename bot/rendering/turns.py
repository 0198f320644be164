"""A member's turn in the thread: asked, reminded, put off, rejected, left. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from elenchus.bot.people.members import called, member_on
from elenchus.bot.rendering import notes
from elenchus.bot.rendering.amounts import when
from elenchus.bot.rendering.post import Button, ButtonStyle, turn_buttons
from elenchus.bot.rendering.safe import inline
from elenchus.bot.strings import msg
from elenchus.debate_engine.events import AnswerRejected, SeatLeft, TurnExtended, TurnOpened, TurnReminded
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab.forms import named_as_in_the_form

TURN = "turn"
"""The name of a turn's clicks; the rest is SESSION:SEQ:ACTION, SEQ being an event that names the turn's step."""

ACTIONS: tuple[tuple[str, str, ButtonStyle], ...] = (
    ("answer", msg("people-answer"), "success"),
    ("read", msg("people-read"), "primary"),
    ("longer", msg("people-longer"), "secondary"),
    ("pass", msg("people-pass"), "secondary"),
    ("leave", msg("people-leave"), "danger"),
)

TurnEvent = TurnOpened | TurnReminded | AnswerRejected | TurnExtended | SeatLeft


@dataclass(frozen=True, slots=True)
class TurnMessage:
    """What is said, whom it may ping, and the buttons under it."""

    text: str
    mention: int | None = None
    buttons: tuple[Button, ...] = ()


def asked(event: TurnEvent, seq: int, view: SessionView) -> TurnMessage | None:
    """What an event about a turn adds to the thread, None for nothing."""
    match event:
        case TurnOpened(step=step, seat=seat, due=due):
            return _ask(view, seq, seat, step, due, partial(your_turn, prepared=event.prepared is not None))
        case TurnReminded(step=step, seat=seat, due=due):
            return _ask(view, seq, seat, step, due, _reminder)
        case AnswerRejected(step=step, reason=reason) if turn := view.moderation.turns.get(step):
            return _ask(view, seq, turn.seat, step, turn.due, partial(_rejection, inline(named_as_in_the_form(reason))))
        case TurnExtended(by=by, step=step) if (turn := view.moderation.turns.get(step)) and turn.due:
            return TurnMessage(msg("people-extended", by=notes.who(by), until=when(turn.due)))
        case SeatLeft(seat=seat):
            stand_ins = [s.stand_in for s in view.started.seats if s.name == seat] if view.started else []
            name = called(view, seat)
            return TurnMessage(
                msg("people-left-to-model", name=name) if any(stand_ins) else msg("people-left", name=name)
            )
    return None


def your_turn(member: int, what: str, until: str, *, prepared: bool = False) -> str:
    """Asks a member in the thread; `prepared`: a model has drafted the answer."""
    deadline = msg("people-ends", until=until) if until else ""
    if prepared:
        return msg("people-your-turn-prepared", member=member, what=what, deadline=deadline)
    return msg("people-your-turn", member=member, what=what, deadline=deadline)


def _reminder(member: int, what: str, until: str) -> str:
    return msg("people-reminder", member=member, what=what, until=until)


def _rejection(reason: str, member: int, _what: str, _until: str) -> str:
    return msg("people-rejected", member=member, reason=reason)


def over(step: str, seat: str, view: SessionView) -> str:
    """What stands in the place of a turn that is over, "" where no member was asked."""
    member = member_on(view.started, seat)
    return "" if member is None else msg("people-turn-over", member=member, what=view.spec.task(step))


def _ask(
    view: SessionView, seq: int, seat: str, step: str, due: datetime | None, told: Callable[[int, str, str], str]
) -> TurnMessage:
    member = member_on(view.started, seat)
    if member is None:
        return TurnMessage(msg("people-waiting-for", name=inline(view.name(seat)), what=view.spec.task(step)))
    buttons = turn_buttons(f"{TURN}:{view.session_id}:{seq}", ACTIONS, ends=bool(due))
    return TurnMessage(told(member, view.spec.task(step), when(due) if due else ""), member, buttons)
