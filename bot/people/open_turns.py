"""The open turn that a click is about, and who may do what with it: read from the log at each click."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from elenchus.bot.debate.rules import check_steer
from elenchus.bot.debate.start import member_of
from elenchus.bot.desk import Desk
from elenchus.bot.people.who import member_on, person
from elenchus.bot.rendering.safe import inline
from elenchus.bot.running import House
from elenchus.bot.strings import people as words
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import (
    AnswerRejected,
    Recorded,
    Seat,
    TurnAnswered,
    TurnExtended,
    TurnOpened,
    TurnReminded,
)
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.debate_engine.reports.view import SessionView


@dataclass(frozen=True, slots=True)
class Turn:
    """An open turn of a member. `place` is SESSION:SEQ, as in a custom_id; `own` tells whether its member clicked."""

    place: str
    view: SessionView
    open: OpenTurn
    own: bool
    events: list[Recorded]

    @property
    def session(self) -> str:
        """Whose session."""
        return self.view.session_id

    @property
    def ask(self) -> Ask:
        """What is asked."""
        return Ask.model_validate(self.open.asked)

    @property
    def seat(self) -> Seat:
        """On which seat."""
        assert self.view.started is not None, "a turn is opened in a session"
        return next(seat for seat in self.view.started.seats if seat.name == self.open.seat)

    def extended_by(self, member: int) -> int:
        """How often this member has put off its end."""
        mine = (r.event for r in self.events if isinstance(r.event, TurnExtended) and r.event.step == self.open.step)
        return sum(event.by == person(member) for event in mine)


async def turn_at(desk: Desk, house: House, interaction: discord.Interaction[discord.Client], place: str) -> Turn:
    """The open turn at SESSION:SEQ, for its member or for a moderator of the debate. Raises UsageError."""
    session, _, seq = place.partition(":")
    binding = house.bindings.of(session)
    events = await desk.log.read(session)
    view = SessionView.of(session, events)
    turn = view.hand.turns.get(step_named(events, seq))
    if turn is None or view.ended or turn.seat in view.hand.left:
        raise UsageError(words.NOT_OPEN)
    if turn.answered:
        raise UsageError(words.BEING_READ)
    own = member_on(view.started, turn.seat) == interaction.user.id
    if not own:
        await check_steer(desk, binding, member_of(interaction))
    return Turn(place, view, turn, own, events)


async def send(desk: Desk, session: str, answer: TurnAnswered) -> None:
    """Send the answer to a turn: of two at the same moment the first counts, and who sent the other is told.

    Raises UsageError where the turn is over or has an answer already, StorageError.
    """
    async with desk.lock(session):
        hand = SessionView.of(session, await desk.log.read(session)).hand
        turn = hand.turns.get(answer.step)
        if turn is None or turn.seat in hand.left:
            raise UsageError(words.NOT_OPEN)
        if turn.answered:
            raise UsageError(words.BEING_READ)
        await desk.log.send(session, answer)


def check_own(turn: Turn) -> None:
    """Raises UsageError where somebody else clicked what only the seat's member may."""
    if not turn.own:
        raise UsageError(words.not_yours(inline(turn.view.name(turn.open.seat))))


def step_named(events: list[Recorded], seq: str) -> str:
    """The step of the turn that the event with this number is about, "" for none."""
    number = int(seq) if seq.isdecimal() else 0
    event = events[number - 1].event if 1 <= number <= len(events) else None
    return event.step if isinstance(event, TurnOpened | TurnReminded | AnswerRejected) else ""


def free_texts(view: SessionView) -> list[tuple[OpenTurn, int]]:
    """The turns that ask a member for a free text, the one that waits longest first, each with its member."""
    asked = [turn for turn in view.asked if turn.answer_schema is None and turn.seat not in view.hand.left]
    members = [(turn, member_on(view.started, turn.seat)) for turn in asked]
    return [(turn, member) for turn, member in members if member is not None]
