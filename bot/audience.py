"""The audience's vote: one a member, before and after a debate, changeable until closed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord

from elenchus.bot.bindings import ViewKey
from elenchus.bot.debate.rules import check_steer
from elenchus.bot.debate.start import member_of
from elenchus.bot.desk import Desk
from elenchus.bot.errors import tell
from elenchus.bot.people.who import person, seats_of
from elenchus.bot.rendering.audience import When, is_open
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import VoteClosed, Voted
from elenchus.debate_engine.protocols.judging.votes import Choice
from elenchus.debate_engine.reports.view import SessionView

_WHENS: dict[str, When] = {"before": "before", "after": "after"}
_SIDES: dict[str, Choice] = {"pro": "pro", "con": "con", "undecided": "undecided"}


@dataclass(frozen=True, slots=True)
class Audience:
    """Hears the buttons of a vote."""

    desk: Desk
    manager: SessionManager

    async def pressed(self, interaction: discord.Interaction[Any], rest: str) -> None:
        """SESSION:WHEN:SIDE votes, SESSION:WHEN:close ends the vote. Raises UsageError where that is not possible."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        session, named, choice = rest.split(":")
        when = _WHENS[named]
        view = SessionView.of(session, await self.desk.log.read(session))
        if not is_open(view, when):
            raise UsageError(msg("audience-is-closed"))
        if choice == "close":
            await self._close(interaction, session, when)
            return
        if seats_of(view.started, interaction.user.id):
            raise UsageError(msg("audience-you-sit"))
        vote = Voted(by=person(interaction.user.id), when=when, side=_SIDES[choice])
        await self.desk.log.send(session, vote)
        await tell(interaction, msg("audience-voted", when=when, side=messages("audience-buttons")[choice]))

    async def _close(self, interaction: discord.Interaction[Any], session: str, when: When) -> None:
        await check_steer(self.desk, self.manager.bindings.of(ViewKey(session)), member_of(interaction))
        await self.desk.log.send(session, VoteClosed(by=person(interaction.user.id), when=when))
        self.manager.show(ViewKey(session))  # a debate that is over is followed no more
        await tell(interaction, messages("audience-closed")[when])
