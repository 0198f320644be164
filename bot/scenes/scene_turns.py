"""A person's turn in a scene: agreement as a turn of its own, what the turn is about above its form, judging."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from elenchus.bot.interactions import Interaction, requester_of, tell
from elenchus.bot.people.turns import MOST_EXTENSIONS, Turn, TurnHandlers, step_named
from elenchus.bot.rendering import safe, scene_turns as wording
from elenchus.bot.rules import check_steer
from elenchus.bot.scenes.plays import Plays
from elenchus.bot.scenes.scene_sessions import SceneSessions
from elenchus.bot.scenes.scene_view import SceneView
from elenchus.bot.scenes.seat_thread import TURN
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import SeatLeft
from elenchus.debate_engine.protocols.rulegen.projection import scene_of

ANSWER = "sanswer"
"""The name of a filled-in form; the rest is SESSION:SEQ:STEP."""

LONGEST_ABOVE = 1_500
"""Units of what stands above a form's fields."""


@dataclass(frozen=True)
class SceneTurns(TurnHandlers):
    """Those of scenes."""

    button_name = TURN
    form_name = ANSWER

    scenes: SceneSessions
    plays: Plays

    async def find(self, interaction: Interaction, place: str) -> Turn:
        """The open turn at SESSION:SEQ, for its member or for who may steer the scene."""
        session, _, seq = place.partition(":")
        events = await self.services.log.read(session)
        scene = SceneView.of(session, events, await self.scenes.names.members_in(events))
        turn = scene.status.view.moderation.turns.get(step_named(events, seq))
        own = turn is not None and scene.member_on(turn.seat) == interaction.user.id
        if not own and (turn is not None or not scene.seats_of(interaction.user.id)):
            await check_steer(self.services, self.scenes.control_of(session), requester_of(interaction))
        if turn is None or scene.over or turn.seat in scene.left:
            raise UsageError(msg("people-not-open"))
        if turn.answered:
            raise UsageError(msg("people-being-read"))
        by = await self.scenes.names.name_of(interaction.user.id)
        return Turn(place, scene.status.view, turn, own, by, events)

    def not_yours(self, _turn: Turn) -> str:
        """Nobody is named."""
        return msg("scene-seats-not-yours")

    async def check_may_answer(self, turn: Turn, member: int) -> None:
        """Whoever has not agreed is asked nothing else: the agreement is a turn of its own."""

    def title(self, turn: Turn, _step: int, _steps: int) -> str:
        """What stands over the form."""
        return messages("scene-seats-form")[turn.view.spec.turn_kind(turn.open.step)]

    def done(self, turn: Turn, action: str, until: str = "") -> str:
        """What is told after `action`."""
        if action == "no longer":
            return msg("scene-seats-no-more-time", times=MOST_EXTENSIONS)
        if until:
            return msg("people-more-time", until=until) if turn.own else msg("scene-seats-extended", until=until)
        return (
            msg("scene-seats-passed")
            if action == "passed"
            else msg("scene-seats-judged")
            if _is_judges(turn)
            else msg("scene-seats-sent")
        )

    async def opened(self, interaction: Interaction, place: str, step: int | None) -> discord.ui.Modal:
        """The form: what the person is to speak about stands above it, for nobody else to see."""
        turn = await self.own_turn(interaction, place)
        return await self.form_of(turn, interaction.user.id, step or 0)

    async def act(self, interaction: Interaction, turn: Turn, action: str) -> None:
        """Agree or not; take somebody off a seat."""
        if action in ("yes", "no"):
            await self._agree(interaction, turn, action)
        elif action == "leave" and not turn.own:
            await self.services.log.send(turn.session, SeatLeft(by=turn.by, seat=turn.open.seat))
            await tell(interaction, msg("people-taken-off"))

    async def _agree(self, interaction: Interaction, turn: Turn, decision: str) -> None:
        self.check_own(turn)
        await self.send(turn, interaction.user.id, answer={"agreed": decision})
        judged = (msg("scene-seats-judge-agreed"), msg("scene-seats-judge-not-agreed"))
        kind = turn.view.spec.turn_kind(turn.open.step)
        agreed, refused = judged if _is_judges(turn) else (msg("scene-seats-agreed"), msg("scene-seats-not-agreed"))
        if kind != "consent":
            agreed = msg("scene-seats-noted")
            refused = agreed if kind == "keep" else refused
        await tell(interaction, agreed if decision == "yes" else refused)
        if decision == "no" and kind != "keep":
            if scene_of(turn.view).is_subject(turn.open.seat):
                await self.plays.offer_again(turn.session)
            await self.scenes.dismiss(turn.session, interaction.user.id)

    def above(self, turn: Turn) -> str:
        """What the person is to speak about, and to whom; of a question that no rule foresees, the question."""
        direction = scene_of(turn.view).direction(turn.open.step)
        if direction is None:
            text = msg("scene-seats-question-text", text=safe.speech(question_at(turn)))
        else:
            names = (
                wording.listed(direction.move.to)
                if direction.move.mode != "broadcast"
                else msg("scene-seats-everybody")
            )
            text = wording.above_form(safe.inline(turn.open.seat), safe.inline(names), safe.speech(direction.text))
        return safe.shortened(text, LONGEST_ABOVE)


def question_at(turn: Turn) -> str:
    """The question to which a turn is the answer, else what is asked."""
    return scene_of(turn.view).question(turn.open.step) or turn.ask.asked_of_person


def _is_judges(turn: Turn) -> bool:
    """Whether a judge is asked."""
    return scene_of(turn.view).is_judge(turn.open.seat)
