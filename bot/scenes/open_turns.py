"""The open turn of a scene that a click is about, and who may do what with it: read from the log at each click."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord

from elenchus.bot.debate.rules import check_steer
from elenchus.bot.debate.start import member_of
from elenchus.bot.desk import Desk
from elenchus.bot.people.open_turns import step_named
from elenchus.bot.scenes.sessions import SceneSessions
from elenchus.bot.scenes.view import SceneView
from elenchus.bot.strings import scene_seats as words
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Recorded, Seat, TurnExtended
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.reports.moderation import OpenTurn


@dataclass(frozen=True, slots=True)
class SceneTurn:
    """An open turn. `place` is SESSION:SEQ, as in a custom_id; `own` tells whether its member clicked; `by` is the name
    in the log of whoever clicked.
    """

    place: str
    view: SceneView
    open: OpenTurn
    own: bool
    by: str
    events: list[Recorded]

    @property
    def session(self) -> str:
        """Whose session."""
        return self.view.session

    @property
    def ask(self) -> Ask:
        """What is asked."""
        return Ask.model_validate(self.open.asked)

    @property
    def seat(self) -> Seat:
        """On which seat."""
        return next(seat for seat in self.view.seats if seat.name == self.open.seat)

    @property
    def extended(self) -> int:
        """How often whoever clicked has put off its end."""
        steps = (r.event for r in self.events if isinstance(r.event, TurnExtended) and r.event.step == self.open.step)
        return sum(event.by == self.by for event in steps)


async def turn_at(desk: Desk, scenes: SceneSessions, interaction: discord.Interaction[Any], place: str) -> SceneTurn:
    """The open turn at SESSION:SEQ, for its member or for who may steer the scene. Raises UsageError."""
    session, _, seq = place.partition(":")
    events = await desk.log.read(session)
    view = SceneView.of(session, events, await scenes.people.behind(events))
    turn = view.board.view.hand.turns.get(step_named(events, seq))
    own = turn is not None and view.member_on(turn.seat) == interaction.user.id
    if not own and (turn is not None or not view.seats_of(interaction.user.id)):
        await check_steer(desk, scenes.control_of(session), member_of(interaction))
    if turn is None or view.over or turn.seat in view.left:
        raise UsageError(words.NOT_OPEN)
    if turn.answered:
        raise UsageError(words.BEING_READ)
    return SceneTurn(place, view, turn, own, await scenes.people.name_of(interaction.user.id), events)


def check_own(turn: SceneTurn) -> None:
    """Raises UsageError where somebody else clicked what only the seat's member may."""
    if not turn.own:
        raise UsageError(words.NOT_YOURS)
