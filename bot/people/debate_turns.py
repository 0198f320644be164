"""A member's turn in a debate: the question whether the member agrees to sit, a draft to approve, leaving the seat."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from elenchus.bot.bindings import ViewKey
from elenchus.bot.components import ComponentHandlers, Notice
from elenchus.bot.interactions import Interaction, requester_of, tell
from elenchus.bot.people import consent
from elenchus.bot.people.forgetting_messages import Forgetter
from elenchus.bot.people.members import is_named, member_on, person, seats_of
from elenchus.bot.people.turns import MOST_EXTENSIONS, Turn, TurnHandlers, step_named
from elenchus.bot.posting.discord_objects import view_of
from elenchus.bot.rendering import safe
from elenchus.bot.rendering.amounts import capitalised
from elenchus.bot.rendering.post import Button
from elenchus.bot.rendering.safe import persona_name
from elenchus.bot.rendering.turns import TURN
from elenchus.bot.rules import check_steer
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import SeatLeft, SeatNamed
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab.forms import shown_to_read

ANSWER, CONSENT = "answer", "consent"
"""Names of clicks: ANSWER is a filled-in form, SESSION:SEQ:STEP; CONSENT is SESSION:SEQ:yes or no."""


@dataclass(frozen=True)
class DebateTurns(TurnHandlers):
    """Those of debates and all else that has one public view."""

    button_name = TURN
    form_name = ANSWER

    manager: SessionManager
    forgetter: Forgetter

    def register(self, components: ComponentHandlers) -> None:
        """Hear also who agrees to sit."""
        super().register(components)
        components.on(CONSENT, self.consent, answers=True)

    async def find(self, interaction: Interaction, place: str) -> Turn:
        """The open turn at SESSION:SEQ, for its member or for a moderator of the debate."""
        session, _, seq = place.partition(":")
        binding = self.manager.bindings.of(ViewKey(session))
        events = await self.services.log.read(session)
        view = SessionView.of(session, events)
        turn = view.moderation.turns.get(step_named(events, seq))
        if turn is None or view.ended or turn.seat in view.moderation.left:
            raise UsageError(msg("people-not-open"))
        if turn.answered:
            raise UsageError(msg("people-being-read"))
        own = member_on(view.started, turn.seat) == interaction.user.id
        if not own:
            await check_steer(self.services, binding, requester_of(interaction))
        return Turn(place, view, turn, own, person(interaction.user.id), events)

    def not_yours(self, turn: Turn) -> str:
        """Whose it is."""
        return msg("people-not-yours", name=safe.inline(turn.view.name(turn.open.seat)))

    def title(self, turn: Turn, step: int, steps: int) -> str:
        """What stands over the form."""
        title = capitalised(turn.view.spec.task(turn.open.step))
        return f"{title} ({step}/{steps})" if steps > 1 else title

    def done(self, _turn: Turn, action: str, until: str = "") -> str:
        """What is told after `action`."""
        if action == "no longer":
            return msg("people-no-more-time", times=MOST_EXTENSIONS)
        return (
            msg("people-more-time", until=until)
            if until
            else {"sent": msg("people-sent"), "passed": msg("people-passed")}[action]
        )

    async def act(self, interaction: Interaction, turn: Turn, action: str) -> None:
        """Approve a draft, leave the seat."""
        match action:
            case "yes":
                await self._approve(interaction, turn)
            case "leave":
                sure = Button(f"el:{TURN}:{turn.place}:left", msg("people-leave-sure"), "danger")
                await tell(
                    interaction,
                    msg("people-sure-to-leave") if turn.own else msg("people-sure-to-take-off"),
                    view=view_of((sure,)),
                )
            case "left":
                await self.services.log.send(turn.session, SeatLeft(by=turn.by, seat=turn.open.seat))
                await tell(interaction, msg("people-has-left") if turn.own else msg("people-taken-off"))

    async def opened(self, interaction: Interaction, place: str, step: int | None) -> discord.ui.Modal | Notice:
        """The draft of the answer where a model has prepared one, else (and from the draft: a `step`) the form.

        Before the first turn it is the question whether the member agrees.
        """
        turn = await self.own_turn(interaction, place)
        if await consent.has_agreed(self.services.store, turn.session, interaction.user.id):
            return await self._begun(turn, interaction.user, step)
        text = consent.asked(turn.view, turn.view.name(turn.open.seat), self.manager.bindings.of(ViewKey(turn.session)))
        agree = Button(f"el:{CONSENT}:{turn.place}:yes", msg("people-agree"), "success")
        decline = Button(f"el:{CONSENT}:{turn.place}:no", msg("people-decline"), "danger")
        return Notice(text, (agree, decline))

    async def consent(self, interaction: Interaction, rest: str) -> None:
        """SESSION:SEQ:yes opens the form; SESSION:SEQ:no leaves the seat, and nothing of the member's is kept."""
        place, _, decision = rest.rpartition(":")
        if decision == "yes":
            await self.forms.answer(interaction, self._agreed(interaction, place))
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        turn = await self.own_turn(interaction, place)
        await self.forgetter.dismiss(turn.session, interaction.user.id)
        await tell(interaction, msg("people-not-agreed"))

    async def _agreed(self, interaction: Interaction, place: str) -> discord.ui.Modal | Notice:
        """Note the agreement; the draft of the answer, or the form of the turn."""
        turn = await self.own_turn(interaction, place)
        await consent.agree(self.services.store, turn.session, interaction.user.id, interaction.id)
        return await self._begun(turn, interaction.user, None)

    async def _begun(self, turn: Turn, member: discord.abc.User, step: int | None) -> discord.ui.Modal | Notice:
        """The draft or the form, for a member who has agreed, and has a name from now on."""
        await give_name(self.services, turn.view, member.id, member.display_name)
        schema, prepared = turn.ask.answer_schema, turn.open.prepared
        if schema is None or prepared is None or step is not None:
            return await self.form_of(turn, member.id, step or 0)
        draft = safe.shortened(safe.speech(shown_to_read(schema, prepared)), 1_500)
        text = msg("people-prepared", what=capitalised(turn.view.spec.task(turn.open.step)), draft=draft)
        yes = Button(f"el:{TURN}:{turn.place}:yes", msg("people-yes-send"), "success")
        return Notice(text, (yes, Button(f"el:{TURN}:{turn.place}:answer.0", msg("people-edit"), "primary")))

    async def _approve(self, interaction: Interaction, turn: Turn) -> None:
        """Send what was prepared. Raises UsageError where somebody else pressed, or nobody has agreed yet."""
        self.check_own(turn)
        member = interaction.user
        await self.check_may_answer(turn, member.id)
        if turn.open.prepared is None:
            raise UsageError(msg("people-not-open"))
        await give_name(self.services, turn.view, member.id, member.display_name)
        await self.send(turn, member.id, answer=turn.open.prepared, as_prepared=True)
        await tell(interaction, msg("people-sent"))

    async def check_may_answer(self, turn: Turn, member: int) -> None:
        """Raises UsageError before the member has agreed."""
        if not await consent.has_agreed(self.services.store, turn.session, member):
            raise UsageError(msg("people-agree-first"))


async def give_name(services: BotServices, view: SessionView, member: int, name: str) -> None:
    """Call the member by it on all seats of theirs that have no name yet. Raises UnknownSession, StorageError."""
    for seat in seats_of(view.started, member):
        if not is_named(view, seat.name):
            named = SeatNamed(by=person(member), seat=seat.name, title=persona_name(name))
            await services.log.send(view.session_id, named)
