"""What is clicked for the turns of people in scenes: agreement, the form of a turn, more time, passing.

Everything is read from the log and the shelf at each click, so all of it works after a restart of the bot.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import discord

from elenchus.bot.clicks import filled_in
from elenchus.bot.desk import Desk
from elenchus.bot.errors import tell
from elenchus.bot.people import drafts
from elenchus.bot.people.modal_forms import fields_of, named_as_in_the_form, steps_of, value_of
from elenchus.bot.people.open_turns import send
from elenchus.bot.people.turns import MOST_EXTENSIONS, modal, show_asked
from elenchus.bot.posting.outgoing import view_of
from elenchus.bot.prompt_forms import PromptForms
from elenchus.bot.rendering import safe
from elenchus.bot.rendering.post import Button
from elenchus.bot.scenes.open_turns import SceneTurn, check_own, turn_at
from elenchus.bot.scenes.plays import Plays
from elenchus.bot.scenes.seen import TURN
from elenchus.bot.scenes.sessions import SceneSessions
from elenchus.bot.strings import people as people_words
from elenchus.bot.strings import scene_seats as words
from elenchus.bot.strings import thread
from elenchus.debate_engine.errors import UnreadableReply, UsageError
from elenchus.debate_engine.events import SeatLeft, TurnAnswered, TurnExtended, now
from elenchus.debate_engine.human import read

ANSWER = "sanswer"
"""The name of a filled-in form; the rest is SESSION:SEQ:STEP."""

LONGEST_ABOVE = 1_500
"""Units of what stands above a form's fields."""

Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class SceneTurns:
    """Hears what is clicked for open turns."""

    desk: Desk
    scenes: SceneSessions
    plays: Plays
    forms: PromptForms = field(default_factory=PromptForms)

    async def button(self, interaction: Interaction, rest: str) -> None:
        """SESSION:SEQ:ACTION, with the step's number after `answer.` where a form has several."""
        place, _, action = rest.rpartition(":")
        name, _, step = action.partition(".")
        if name == "answer":
            await self.forms.answer(interaction, self._form(interaction, place, int(step or 0)))
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        turn = await turn_at(self.desk, self.scenes, interaction, place)
        match name:
            case "yes" | "no":
                await self._agreement(interaction, turn, name)
            case "read":
                await self._read(interaction, turn)
            case "longer":
                await self._longer(interaction, turn)
            case "pass":
                await self._send(turn, interaction.user.id, declined=people_words.PASSED_BY[turn.own])
                await tell(interaction, words.PASSED)
            case "leave" if not turn.own:
                await self.desk.log.send(turn.session, SeatLeft(by=turn.by, seat=turn.open.seat))
                await tell(interaction, people_words.TAKEN_OFF)

    async def _agreement(self, interaction: Interaction, turn: SceneTurn, decision: str) -> None:
        check_own(turn)
        await self._send(turn, interaction.user.id, answer={"agreed": decision})
        judge = turn.view.is_judge(turn.open.seat)
        agreed, refused = (words.JUDGE_AGREED, words.JUDGE_NOT_AGREED) if judge else (words.AGREED, words.NOT_AGREED)
        await tell(interaction, agreed if decision == "yes" else refused)
        if decision == "no":
            if turn.view.is_subject(turn.open.seat):
                await self.plays.offer_again(turn.session)
            await self.scenes.dismiss(turn.session, interaction.user.id)

    async def _read(self, interaction: Interaction, turn: SceneTurn) -> None:
        check_own(turn)
        await show_asked(interaction, turn.ask.text_for_person)

    async def _longer(self, interaction: Interaction, turn: SceneTurn) -> None:
        if turn.open.due is None or turn.seat.deadline is None:
            raise UsageError(words.NO_DEADLINE)
        if turn.own and turn.extended >= MOST_EXTENSIONS:
            raise UsageError(words.no_more_time(MOST_EXTENSIONS))
        due = max(turn.open.due, now()) + timedelta(seconds=turn.seat.deadline / 2)
        await self.desk.log.send(turn.session, TurnExtended(by=turn.by, step=turn.open.step, due=due))
        await tell(interaction, (words.more_time if turn.own else words.extended)(thread.when(due)))

    # ── forms ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _form(self, interaction: Interaction, place: str, step: int) -> discord.ui.Modal:
        """The form of an own turn: what the person is to speak about stands above it, for nobody else to see."""
        turn = await turn_at(self.desk, self.scenes, interaction, place)
        check_own(turn)
        steps = steps_of(fields_of(turn.ask.answer_schema))
        typed = await drafts.typed(self.desk.shelf, turn.session, turn.open.step, interaction.user.id)
        title = words.form_title(turn.open.step)
        return modal(f"el:{ANSWER}:{place}:{step}", title, steps[step], typed, above(turn))

    async def form(self, interaction: Interaction, rest: str) -> None:
        """SESSION:SEQ:STEP of a form was filled in: keep it, and send the answer where it was the last."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        place, _, number = rest.rpartition(":")
        turn = await turn_at(self.desk, self.scenes, interaction, place)
        check_own(turn)
        shelf, member, step = self.desk.shelf, interaction.user.id, int(number)
        typed = await drafts.typed(shelf, turn.session, turn.open.step, member) | filled_in(interaction)
        steps = steps_of(fields_of(turn.ask.answer_schema))
        if step + 1 < len(steps):
            await drafts.keep(shelf, turn.session, turn.open.step, member, typed)
            done = people_words.step_done(step + 1, len(steps))
            await self._again(interaction, turn, done, people_words.CONTINUE, step + 1)
            return
        try:
            answer = read(turn.ask, value_of(turn.ask.answer_schema, typed))
        except UnreadableReply as problem:
            await drafts.keep(shelf, turn.session, turn.open.step, member, typed)
            text = people_words.correct(safe.inline(named_as_in_the_form(str(problem))))
            await self._again(interaction, turn, text, people_words.CORRECT, 0)
            return
        await self._send(turn, member, answer=answer)
        await tell(interaction, words.JUDGED if turn.view.is_judge(turn.open.seat) else words.SENT)

    async def _again(self, interaction: Interaction, turn: SceneTurn, text: str, label: str, step: int) -> None:
        """A form cannot be answered by a form: a button opens the next."""
        button = Button(f"el:{TURN}:{turn.place}:answer.{step}", label, "success")
        await tell(interaction, text, view=view_of((button,)))

    async def _send(self, turn: SceneTurn, member: int, answer: Any = None, declined: str | None = None) -> None:
        event = TurnAnswered(step=turn.open.step, seat=turn.open.seat, by=turn.by, answer=answer, declined=declined)
        await send(self.desk, turn.session, event)
        await drafts.drop(self.desk.shelf, turn.session, turn.open.step, member)


def above(turn: SceneTurn) -> str:
    """What the person is to speak about, and to whom; of a question that no rule foresees, the question."""
    direction = turn.view.direction(turn.open.step)
    if direction is None:
        text = words.question(safe.speech(question_at(turn)))
    else:
        names = words.listed(direction.move.to) if direction.move.mode != "broadcast" else words.EVERYBODY
        text = words.above_form(safe.inline(turn.open.seat), safe.inline(names), safe.speech(direction.text))
    return safe.shortened(text, LONGEST_ABOVE)


def question_at(turn: SceneTurn) -> str:
    """The question to which a turn is the answer, else what is asked."""
    asked = turn.open.step.removesuffix("/answer") + "/asked"
    said = (spoken.said for spoken in turn.view.board.view.transcript)
    return next((one.text for one in said if one.step == asked), turn.ask.asked_of_person)
