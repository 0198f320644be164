"""The open turn that a click is about, and who may do what with it: read from the log at each click."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from elenchus.bot.bindings import ViewKey
from elenchus.bot.debate.rules import check_steer
from elenchus.bot.interactions import member_of
from elenchus.bot.people.members import member_on, person
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import msg
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
    """An open turn of a member. `place` is SESSION:SEQ, as in a custom_id; `own` tells whether its member clicked, `by`
    is the name in the log of whoever clicked.
    """

    place: str
    view: SessionView
    open: OpenTurn
    own: bool
    by: str
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

    @property
    def extended(self) -> int:
        """How often whoever clicked has put off its end."""
        mine = (r.event for r in self.events if isinstance(r.event, TurnExtended) and r.event.step == self.open.step)
        return sum(event.by == self.by for event in mine)


async def turn_at(
    services: BotServices, manager: SessionManager, interaction: discord.Interaction[discord.Client], place: str
) -> Turn:
    """The open turn at SESSION:SEQ, for its member or for a moderator of the debate. Raises UsageError."""
    session, _, seq = place.partition(":")
    binding = manager.bindings.of(ViewKey(session))
    events = await services.log.read(session)
    view = SessionView.of(session, events)
    turn = view.moderation.turns.get(step_named(events, seq))
    if turn is None or view.ended or turn.seat in view.moderation.left:
        raise UsageError(msg("people-not-open"))
    if turn.answered:
        raise UsageError(msg("people-being-read"))
    own = member_on(view.started, turn.seat) == interaction.user.id
    if not own:
        await check_steer(services, binding, member_of(interaction))
    return Turn(place, view, turn, own, person(interaction.user.id), events)


async def send(services: BotServices, session: str, answer: TurnAnswered) -> None:
    """Send the answer to a turn: of two at the same moment the first counts, and who sent the other is told.

    Raises UsageError where the turn is over or has an answer already, StorageError.
    """
    async with services.lock(session):
        hand = SessionView.of(session, await services.log.read(session)).moderation
        turn = hand.turns.get(answer.step)
        if turn is None or turn.seat in hand.left:
            raise UsageError(msg("people-not-open"))
        if turn.answered:
            raise UsageError(msg("people-being-read"))
        await services.log.send(session, answer)


def step_named(events: list[Recorded], seq: str) -> str:
    """The step of the turn that the event with this number is about, "" for none."""
    number = int(seq) if seq.isdecimal() else 0
    event = events[number - 1].event if 1 <= number <= len(events) else None
    return event.step if isinstance(event, TurnOpened | TurnReminded | AnswerRejected) else ""


def free_texts(view: SessionView) -> list[tuple[OpenTurn, int]]:
    """The turns that ask a member for a free text, the one that waits longest first, each with its member."""
    asked = [turn for turn in view.asked if turn.answer_schema is None and turn.seat not in view.moderation.left]
    members = [(turn, member_on(view.started, turn.seat)) for turn in asked]
    return [(turn, member) for turn, member in members if member is not None]
