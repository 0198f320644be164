"""The audience's vote: one a member, before and after a debate, changeable until closed."""

from __future__ import annotations

from dataclasses import dataclass

from elenchus.bot.bindings import ViewKey
from elenchus.bot.components import ComponentHandlers
from elenchus.bot.interactions import Interaction, requester_of, tell
from elenchus.bot.people.members import person, seats_of
from elenchus.bot.rendering.audience import VOTE
from elenchus.bot.rules import check_steer
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.judging.votes import When
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab import participation


@dataclass(frozen=True, slots=True)
class Audience:
    """Hears the buttons of a vote."""

    services: BotServices
    manager: SessionManager

    def register(self, components: ComponentHandlers) -> None:
        """Hear the buttons of votes."""
        components.on(VOTE, self.pressed)

    async def pressed(self, interaction: Interaction, rest: str) -> None:
        """SESSION:WHEN:SIDE votes, SESSION:WHEN:close ends the vote. Raises UsageError where that is not possible."""
        session, named, choice = rest.split(":")
        view = SessionView.of(session, await self.services.log.read(session))
        if choice == "close":
            await self._close(interaction, view, "before" if named == "before" else "after")
            return
        if seats_of(view.started, interaction.user.id):
            raise UsageError(msg("audience-you-sit"))
        vote = participation.vote(view, person(interaction.user.id), choice, named)
        await self.services.log.send(session, vote)
        await tell(interaction, msg("audience-voted", when=vote.when, side=messages("audience-buttons")[choice]))

    async def _close(self, interaction: Interaction, view: SessionView, when: When) -> None:
        key = ViewKey(view.session_id)
        closed = participation.close_vote(view, person(interaction.user.id), when)
        await check_steer(self.services, self.manager.bindings.of(key), requester_of(interaction))
        await self.services.log.send(view.session_id, closed)
        self.manager.show(key)  # a debate that is over is followed no more
        await tell(interaction, messages("audience-closed")[when])
