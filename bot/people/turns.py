"""A member's turn: its buttons, and the forms in which it is answered.

Everything is read from the log and the shelf at each click, so all of it works after a restart of the bot.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import discord

from elenchus.bot.bindings import ViewKey
from elenchus.bot.clicks import filled_in
from elenchus.bot.desk import Desk
from elenchus.bot.errors import tell
from elenchus.bot.people import consent, drafts, leaving
from elenchus.bot.people.forgetting import Forgetter
from elenchus.bot.people.modal_forms import (
    Field,
    fields_of,
    named_as_in_the_form,
    shown_to_read,
    steps_of,
    typed_of,
    value_of,
)
from elenchus.bot.people.naming import give_name
from elenchus.bot.people.open_turns import Turn, check_own, send, turn_at
from elenchus.bot.people.who import person
from elenchus.bot.posting.outgoing import modal_of, view_of
from elenchus.bot.prompt_forms import PromptForms, Told
from elenchus.bot.rendering import safe
from elenchus.bot.rendering.post import Button
from elenchus.bot.rendering.split import LIMIT, split
from elenchus.bot.rendering.turns import TURN
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import forms as form_words
from elenchus.bot.strings import people as words
from elenchus.bot.strings import thread
from elenchus.debate_engine.errors import UnreadableReply, UsageError
from elenchus.debate_engine.events import TurnAnswered, TurnExtended, now
from elenchus.debate_engine.human import read

ANSWER, CONSENT = "answer", "consent"
"""Names of clicks: ANSWER is a filled-in form, SESSION:SEQ:STEP; CONSENT is SESSION:SEQ:yes or no."""

MOST_EXTENSIONS = 3
"""So often a member may put off a turn; a moderator always may."""

MOST_PIECES = 4
"""Messages in which an ask is shown; a longer one comes as a file."""

Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class Turns:
    """Hears what is clicked for open turns."""

    desk: Desk
    house: SessionManager
    forgetter: Forgetter
    forms: PromptForms = field(default_factory=PromptForms)

    # ── buttons ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def button(self, interaction: Interaction, rest: str) -> None:
        """SESSION:SEQ:ACTION, with the step's number after `answer.` where a form has several."""
        place, _, action = rest.rpartition(":")
        name, _, step = action.partition(".")
        if name == "answer":
            await self.forms.answer(interaction, self._answer(interaction, place, int(step) if step else None))
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        turn = await turn_at(self.desk, self.house, interaction, place)
        match name:
            case "yes":
                await self._approve(interaction, turn)
            case "read":
                await self._read(interaction, turn)
            case "longer":
                await self._longer(interaction, turn)
            case "pass":
                await self._send(turn, interaction.user.id, declined=words.PASSED_BY[turn.own])
                await tell(interaction, words.PASSED)
            case "leave":
                sure = Button(f"el:{TURN}:{turn.place}:left", words.LEAVE_SURE, "danger")
                await tell(interaction, words.SURE_TO_LEAVE[turn.own], view=view_of((sure,)))
            case "left":
                await leaving.leave(self.desk, turn.session, turn.open.seat, person(interaction.user.id))
                await tell(interaction, words.HAS_LEFT if turn.own else words.TAKEN_OFF)

    async def _answer(self, interaction: Interaction, place: str, step: int | None) -> discord.ui.Modal | Told:
        """The draft of the answer where a model has prepared one, else (and from the draft: a `step`) the form.

        Before the first turn it is the question whether the member agrees.
        """
        turn = await self._own_turn(interaction, place)
        if await consent.has_agreed(self.desk.shelf, turn.session, interaction.user.id):
            return await self._begun(turn, interaction.user, step)
        text = consent.asked(turn.view, turn.view.name(turn.open.seat), self.house.bindings.of(ViewKey(turn.session)))
        agree = Button(f"el:{CONSENT}:{turn.place}:yes", words.AGREE, "success")
        decline = Button(f"el:{CONSENT}:{turn.place}:no", words.DECLINE, "danger")
        return Told(text, (agree, decline))

    async def consent(self, interaction: Interaction, rest: str) -> None:
        """SESSION:SEQ:yes opens the form; SESSION:SEQ:no leaves the seat, and nothing of the member's is kept."""
        place, _, decision = rest.rpartition(":")
        if decision == "yes":
            await self.forms.answer(interaction, self._agreed(interaction, place))
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        turn = await self._own_turn(interaction, place)
        await self.forgetter.dismiss(turn.session, interaction.user.id)
        await tell(interaction, words.NOT_AGREED)

    async def _agreed(self, interaction: Interaction, place: str) -> discord.ui.Modal | Told:
        """Note the agreement; the draft of the answer, or the form of the turn."""
        turn = await self._own_turn(interaction, place)
        await consent.agree(self.desk.shelf, turn.session, interaction.user.id, interaction.id)
        return await self._begun(turn, interaction.user, None)

    async def _begun(self, turn: Turn, member: discord.abc.User, step: int | None) -> discord.ui.Modal | Told:
        schema, prepared = turn.ask.answer_schema, turn.open.prepared
        if schema is None or prepared is None or step is not None:
            return await self._form(turn, member, step or 0)
        await give_name(self.desk, turn.view, member.id, member.display_name)
        draft = safe.shortened(safe.speech(shown_to_read(schema, prepared)), 1_500)
        text = words.prepared(words.task(turn.open.step), draft)
        yes = Button(f"el:{TURN}:{turn.place}:yes", words.YES_SEND, "success")
        return Told(text, (yes, Button(f"el:{TURN}:{turn.place}:answer.0", words.EDIT, "primary")))

    async def _approve(self, interaction: Interaction, turn: Turn) -> None:
        """Send what was prepared. Raises UsageError where somebody else pressed, or nobody has agreed yet."""
        check_own(turn)
        member = interaction.user
        if not await consent.has_agreed(self.desk.shelf, turn.session, member.id):
            raise UsageError(words.AGREE_FIRST)
        if turn.open.prepared is None:
            raise UsageError(words.NOT_OPEN)
        await give_name(self.desk, turn.view, member.id, member.display_name)
        await self._send(turn, member.id, answer=turn.open.prepared, as_prepared=True)
        await tell(interaction, words.SENT)

    async def _own_turn(self, interaction: Interaction, place: str) -> Turn:
        """The open turn of the member who clicked. Raises UsageError where it is somebody else's."""
        turn = await turn_at(self.desk, self.house, interaction, place)
        check_own(turn)
        return turn

    async def _read(self, interaction: Interaction, turn: Turn) -> None:
        check_own(turn)
        await show_asked(interaction, turn.ask.text_for_person)

    async def _longer(self, interaction: Interaction, turn: Turn) -> None:
        if turn.open.due is None or turn.seat.deadline is None:
            raise UsageError(words.NO_DEADLINE)
        if turn.own and turn.extended_by(interaction.user.id) >= MOST_EXTENSIONS:
            raise UsageError(words.no_more_time(MOST_EXTENSIONS))
        due = later(turn.open.due, turn.seat.deadline, now())
        by = person(interaction.user.id)
        await self.desk.log.send(turn.session, TurnExtended(by=by, step=turn.open.step, due=due))
        await tell(interaction, words.more_time(thread.when(due)))

    # ── forms ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _form(self, turn: Turn, member: discord.abc.User, step: int) -> discord.ui.Modal:
        """One step of the turn's form for a member who has agreed, and has a name from now on."""
        await give_name(self.desk, turn.view, member.id, member.display_name)
        steps = steps_of(fields_of(turn.ask.answer_schema))
        typed = await self._typed(turn, member.id)
        title = form_words.title(words.task(turn.open.step), step + 1, len(steps))
        return modal(f"el:{ANSWER}:{turn.place}:{step}", title, steps[step], typed)

    async def _typed(self, turn: Turn, member: int) -> dict[str, str]:
        """What stands in the fields: what the member has typed, else what was prepared."""
        prepared, schema = turn.open.prepared, turn.ask.answer_schema
        known = typed_of(schema, prepared) if schema is not None and prepared is not None else {}
        return known | await drafts.typed(self.desk.shelf, turn.session, turn.open.step, member)

    async def form(self, interaction: Interaction, rest: str) -> None:
        """SESSION:SEQ:STEP of a form was filled in: keep it, and send the answer where it was the last."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        place, _, number = rest.rpartition(":")
        turn = await self._own_turn(interaction, place)
        shelf, member, step = self.desk.shelf, interaction.user.id, int(number)
        if not await consent.has_agreed(shelf, turn.session, member):
            raise UsageError(words.AGREE_FIRST)
        typed = await self._typed(turn, member) | filled_in(interaction)
        steps = steps_of(fields_of(turn.ask.answer_schema))
        if step + 1 < len(steps):
            await drafts.keep(shelf, turn.session, turn.open.step, member, typed)
            await self._again(interaction, turn, words.step_done(step + 1, len(steps)), words.CONTINUE, step + 1)
            return
        try:
            answer = read(turn.ask, value_of(turn.ask.answer_schema, typed))
        except UnreadableReply as problem:
            await drafts.keep(shelf, turn.session, turn.open.step, member, typed)
            await self._again(
                interaction, turn, words.correct(safe.inline(named_as_in_the_form(str(problem)))), words.CORRECT, 0
            )
            return
        await self._send(
            turn, member, answer=answer, as_prepared=turn.open.prepared is not None and answer == turn.open.prepared
        )
        await tell(interaction, words.SENT)

    async def _again(self, interaction: Interaction, turn: Turn, text: str, label: str, step: int) -> None:
        """A form cannot be answered by a form: a button opens the next."""
        button = Button(f"el:{TURN}:{turn.place}:answer.{step}", label, "success")
        await tell(interaction, text, view=view_of((button,)))

    async def _send(
        self, turn: Turn, member: int, answer: Any = None, declined: str | None = None, *, as_prepared: bool = False
    ) -> None:
        event = TurnAnswered(
            step=turn.open.step, seat=turn.open.seat, by=person(member), answer=answer, declined=declined,
            as_prepared=as_prepared,
        )  # fmt: skip
        await send(self.desk, turn.session, event)
        await drafts.drop(self.desk.shelf, turn.session, turn.open.step, member)


def later(due: datetime, seconds: float, at: datetime) -> datetime:
    """The end of a turn that is put off by half of its time, counted from `at` where it should have ended before."""
    return max(due, at) + timedelta(seconds=seconds / 2)


async def show_asked(interaction: Interaction, text: str) -> None:
    """Show what is asked to whoever clicked: in a few messages, else as a file. Raises discord.HTTPException."""
    pieces = split(safe.speech(text), LIMIT)
    if len(pieces) > MOST_PIECES:
        file = discord.File(io.BytesIO(text.encode()), words.ASKED_FILE)
        await tell(interaction, words.ASKED_AS_FILE, file=file)
        return
    for piece in pieces:
        await tell(interaction, piece)


def modal(
    custom_id: str, title: str, fields: list[Field], typed: Mapping[str, str], above: str = ""
) -> discord.ui.Modal:
    """A form, with what was typed before, and a text above it."""
    head = [discord.ui.TextDisplay[Any](above)] if above else []
    return modal_of(custom_id, title, (*head, *(_label(one, typed) for one in fields)))


def _label(asked: Field, typed: Mapping[str, str]) -> discord.ui.Label[Any]:
    component = _choice(asked, typed) if asked.kind == "choice" else _text(asked, typed)
    return discord.ui.Label(text=asked.label, description=asked.hint or None, component=component)


def _choice(field: Field, typed: Mapping[str, str]) -> discord.ui.Select[Any]:
    options = [discord.SelectOption(label=c, value=c, default=c == typed.get(field.key)) for c in field.choices]
    return discord.ui.Select(
        custom_id=field.key, options=options, required=field.required, min_values=int(field.required)
    )


def _text(field: Field, typed: Mapping[str, str]) -> discord.ui.TextInput[Any]:
    style = discord.TextStyle.paragraph if field.kind == "paragraph" else discord.TextStyle.short
    return discord.ui.TextInput(
        custom_id=field.key,
        style=style,
        default=safe.shortened(typed[field.key], field.most) if typed.get(field.key) else None,
        required=field.required,
        min_length=field.least or None,
        max_length=field.most,
    )
