"""The open turns of people, and what is clicked for them: the form, more time, passing; for debates and scenes alike.

Everything is read from the log and the store at each click, so all of it works after a restart of the bot.
"""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar

import discord

from elenchus.bot.components import ComponentHandlers, Notice, TimelyForms, filled_in
from elenchus.bot.interactions import Interaction, tell
from elenchus.bot.modal_forms import modal, steps_of
from elenchus.bot.people import drafts
from elenchus.bot.people.members import member_on
from elenchus.bot.posting.discord_objects import view_of
from elenchus.bot.rendering import safe
from elenchus.bot.rendering.amounts import when
from elenchus.bot.rendering.post import Button
from elenchus.bot.rendering.split import LIMIT, split
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UnreadableReply, UsageError
from elenchus.debate_engine.events import (
    AnswerRejected,
    Recorded,
    Seat,
    TurnAnswered,
    TurnExtended,
    TurnOpened,
    TurnReminded,
    now,
)
from elenchus.debate_engine.human_seat import read_answer
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab.forms import fields_of, named_as_in_the_form, numbers_understood, typed_of, value_of

MOST_EXTENSIONS = 3
"""So often a member may put off a turn; a moderator always may."""

MOST_PIECES = 4
"""Messages in which an ask is shown; a longer one comes as a file."""


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


@dataclass(frozen=True)
class TurnHandlers(ABC):
    """Hears what is clicked for open turns. How a turn is found, opened and worded is the kind of session's.

    `button_name` names the buttons (the rest is SESSION:SEQ:ACTION), `form_name` the filled-in forms
    (SESSION:SEQ:STEP).
    """

    button_name: ClassVar[str]
    form_name: ClassVar[str]

    services: BotServices
    forms: TimelyForms = field(default_factory=TimelyForms, kw_only=True)

    def register(self, components: ComponentHandlers) -> None:
        """Hear the buttons of open turns and their forms."""
        components.on(self.button_name, self.button, answers=True)
        components.on(self.form_name, self.form)

    @abstractmethod
    async def find(self, interaction: Interaction, place: str) -> Turn:
        """The open turn at SESSION:SEQ, for its member or for who may steer the session. Raises UsageError."""

    @abstractmethod
    def not_yours(self, turn: Turn) -> str:
        """Notice to somebody else who clicked what only the seat's member may."""

    @abstractmethod
    async def opened(self, interaction: Interaction, place: str, step: int | None) -> discord.ui.Modal | Notice:
        """What `Answer` opens; with a `step` the form itself."""

    @abstractmethod
    async def act(self, interaction: Interaction, turn: Turn, action: str) -> None:
        """Do what only this kind of session knows."""

    @abstractmethod
    def title(self, turn: Turn, step: int, steps: int) -> str:
        """What stands over the form."""

    @abstractmethod
    def done(self, turn: Turn, action: str, until: str = "") -> str:
        """What is told after `sent`, `passed` and `longer`."""

    def above(self, _turn: Turn) -> str:
        """What stands above the fields."""
        return ""

    @abstractmethod
    async def check_may_answer(self, turn: Turn, member: int) -> None:
        """Raises UsageError where nothing of the member's may be kept yet."""

    # ── buttons ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def button(self, interaction: Interaction, rest: str) -> None:
        """SESSION:SEQ:ACTION, with the step's number after `answer.` where a form has several."""
        place, _, action = rest.rpartition(":")
        name, _, step = action.partition(".")
        if name == "answer":
            await self.forms.answer(interaction, self.opened(interaction, place, int(step) if step else None))
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        turn = await self.find(interaction, place)
        match name:
            case "read":
                self.check_own(turn)
                await show_asked(interaction, turn.ask.text_for_person)
            case "longer":
                await self._put_off(interaction, turn)
            case "pass":
                await self.send(
                    turn,
                    interaction.user.id,
                    declined=msg("people-passed-by-member") if turn.own else msg("people-passed-by-moderator"),
                )
                await tell(interaction, self.done(turn, "passed"))
            case _:
                await self.act(interaction, turn, name)

    async def own_turn(self, interaction: Interaction, place: str) -> Turn:
        """The open turn of the member who clicked. Raises UsageError where it is somebody else's."""
        turn = await self.find(interaction, place)
        self.check_own(turn)
        return turn

    def check_own(self, turn: Turn) -> None:
        """Raises UsageError where somebody else clicked what only the seat's member may."""
        if not turn.own:
            raise UsageError(self.not_yours(turn))

    async def _put_off(self, interaction: Interaction, turn: Turn) -> None:
        if turn.open.due is None or turn.seat.deadline is None:
            raise UsageError(msg("people-no-deadline"))
        if turn.own and turn.extended >= MOST_EXTENSIONS:
            raise UsageError(self.done(turn, "no longer"))
        due = later(turn.open.due, turn.seat.deadline, now())
        await self.services.log.send(turn.session, TurnExtended(by=turn.by, step=turn.open.step, due=due))
        await tell(interaction, self.done(turn, "longer", when(due)))

    # ── forms ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def form_of(self, turn: Turn, member: int, step: int) -> discord.ui.Modal:
        """One step of the turn's form."""
        steps = steps_of(fields_of(turn.ask.answer_schema))
        typed = await self._typed(turn, member)
        title = self.title(turn, step + 1, len(steps))
        return modal(f"el:{self.form_name}:{turn.place}:{step}", title, steps[step], typed, above=self.above(turn))

    async def _typed(self, turn: Turn, member: int) -> dict[str, str]:
        """What stands in the fields: what the member has typed, else what was prepared."""
        prepared, schema = turn.open.prepared, turn.ask.answer_schema
        known = typed_of(schema, prepared) if schema is not None and prepared is not None else {}
        return known | await drafts.typed(self.services.store, turn.session, turn.open.step, member)

    async def form(self, interaction: Interaction, rest: str) -> None:
        """SESSION:SEQ:STEP of a form was filled in: keep it, and send the answer where it was the last."""
        place, _, number = rest.rpartition(":")
        turn, member, step = await self.own_turn(interaction, place), interaction.user.id, int(number)
        await self.check_may_answer(turn, member)
        typed = await self._typed(turn, member) | filled_in(interaction)
        steps = len(steps_of(fields_of(turn.ask.answer_schema)))
        if step + 1 < steps:
            await drafts.keep(self.services.store, turn.session, turn.open.step, member, typed)
            await self._again(
                interaction, turn, msg("people-step-done", done=step + 1, of=steps), msg("people-continue"), step + 1
            )
            return
        try:
            answer = read_answer(turn.ask, value_of(turn.ask.answer_schema, typed))
        except UnreadableReply as problem:
            await drafts.keep(self.services.store, turn.session, turn.open.step, member, typed)
            text = msg("people-correct-text", problem=safe.inline(named_as_in_the_form(str(problem))))
            await self._again(interaction, turn, text, msg("people-correct"), 0)
            return
        as_prepared = turn.open.prepared is not None and answer == turn.open.prepared
        await self.send(turn, member, answer=answer, as_prepared=as_prepared)
        numbers = numbers_understood(turn.ask.answer_schema, answer, str(interaction.locale))
        read_as = f"\n{msg('people-read-as', numbers=safe.inline(numbers))}" if numbers else ""
        await tell(interaction, f"{self.done(turn, 'sent')}{read_as}")

    async def _again(self, interaction: Interaction, turn: Turn, text: str, label: str, step: int) -> None:
        """A form cannot be answered by a form: a button opens the next."""
        button = Button(f"el:{self.button_name}:{turn.place}:answer.{step}", label, "success")
        await tell(interaction, text, view=view_of((button,)))

    async def send(
        self, turn: Turn, member: int, answer: Any = None, declined: str | None = None, *, as_prepared: bool = False
    ) -> None:
        """Send the answer, whose draft is gone then. Raises UsageError, StorageError."""
        event = TurnAnswered(
            step=turn.open.step, seat=turn.open.seat, by=turn.by, answer=answer, declined=declined,
            as_prepared=as_prepared, via="discord",
        )  # fmt: skip
        await send(self.services, turn.session, event)
        await drafts.drop(self.services.store, turn.session, turn.open.step, member)


def later(due: datetime, seconds: float, at: datetime) -> datetime:
    """The end of a turn that is put off by half of its time, counted from `at` where it should have ended before."""
    return max(due, at) + timedelta(seconds=seconds / 2)


async def show_asked(interaction: Interaction, text: str) -> None:
    """Show what is asked to whoever clicked: in a few messages, else as a file. Raises discord.HTTPException."""
    pieces = split(safe.speech(text), LIMIT)
    if len(pieces) > MOST_PIECES:
        file = discord.File(io.BytesIO(text.encode()), msg("people-asked-file"))
        await tell(interaction, msg("people-asked-as-file"), file=file)
        return
    for piece in pieces:
        await tell(interaction, piece)


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
