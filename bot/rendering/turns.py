"""A member's turn in the thread: asked, reminded, put off, rejected, left. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from elenchus.bot.people.modal_forms import named_as_in_the_form
from elenchus.bot.people.who import called, member_on
from elenchus.bot.rendering import notes
from elenchus.bot.rendering.post import Button, ButtonStyle
from elenchus.bot.rendering.safe import inline
from elenchus.bot.strings import msg, people as words, thread
from elenchus.debate_engine.events import AnswerRejected, SeatLeft, TurnExtended, TurnOpened, TurnReminded
from elenchus.debate_engine.reports.view import SessionView

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
class Asked:
    """What is said, whom it may ping, and the buttons under it."""

    text: str
    mention: int | None = None
    buttons: tuple[Button, ...] = ()


def asked(event: TurnEvent, seq: int, view: SessionView) -> Asked | None:
    """What an event about a turn adds to the thread, None for nothing."""
    match event:
        case TurnOpened(step=step, seat=seat, due=due):
            return _ask(
                view,
                seq,
                seat,
                step,
                due,
                lambda m, what: words.your_turn(m, what, _until(due), prepared=event.prepared is not None),
            )
        case TurnReminded(step=step, seat=seat, due=due):
            return _ask(
                view,
                seq,
                seat,
                step,
                due,
                lambda m, what: msg("people-reminder", member=m, what=what, until=_until(due)),
            )
        case AnswerRejected(step=step, reason=reason) if turn := view.hand.turns.get(step):
            return _ask(
                view,
                seq,
                turn.seat,
                step,
                turn.due,
                lambda m, _: msg("people-rejected", member=m, reason=inline(named_as_in_the_form(reason))),
            )
        case TurnExtended(by=by, step=step) if (turn := view.hand.turns.get(step)) and turn.due:
            return Asked(msg("people-extended", by=notes.who(by), until=thread.when(turn.due)))
        case SeatLeft(seat=seat):
            stand_ins = [s.stand_in for s in view.started.seats if s.name == seat] if view.started else []
            return Asked(words.left(called(view, seat), any(stand_ins)))
    return None


def over(step: str, seat: str, view: SessionView) -> str:
    """What stands in the place of a turn that is over, "" where no member was asked."""
    member = member_on(view.started, seat)
    return "" if member is None else msg("people-turn-over", member=member, what=words.task(step))


def _ask(
    view: SessionView, seq: int, seat: str, step: str, due: datetime | None, told: Callable[[int, str], str]
) -> Asked:
    member = member_on(view.started, seat)
    if member is None:
        return Asked(msg("people-waiting-for", name=inline(view.name(seat)), what=words.task(step)))
    buttons = tuple(
        Button(f"el:{TURN}:{view.session_id}:{seq}:{action}", label, style)
        for action, label, style in ACTIONS
        if action != "longer" or due
    )
    return Asked(told(member, words.task(step)), member, buttons)


def _until(due: datetime | None) -> str:
    return thread.when(due) if due else ""
