"""Sessions with one public view: debates, detections, scored texts; the `SessionKind` of whatever is no scene."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from elenchus.bot.bindings import Binding, Bindings, ViewKey
from elenchus.bot.notifier import notify_moderator
from elenchus.bot.people import consent
from elenchus.bot.people.forgetting import Forgetter
from elenchus.bot.people.leaving import NOBODY, leave_all
from elenchus.bot.people.members import called, person, seats_of
from elenchus.bot.people.open_turns import free_texts
from elenchus.bot.posting.failures import Kind, sentence
from elenchus.bot.posting.public_view import PublicView
from elenchus.bot.rendering.safe import inline
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab.session_status import SessionStatus


@dataclass(frozen=True, slots=True)
class DebateSessions:
    """What the manager of all sessions must know of these."""

    services: BotServices
    bindings: Bindings
    forgetter: Forgetter

    def thread_view(self, key: ViewKey) -> PublicView:
        """What the thread shows."""
        return PublicView(self.services, key)

    def failure(self, kind: Kind, title: str, session: str, server: str, reference: str) -> str:
        """The sentence for the moderator about what hinders posting."""
        return sentence(kind, title, session, server, reference)

    def broke_off(self, _status: SessionStatus) -> str:
        """Nothing: the thread tells it."""
        return ""

    async def ended(self, session: str) -> None:
        """Keep nothing of the members who never agreed to sit."""
        await self.forgetter.forget_invitees(session)

    async def open_texts(self, binding: Binding) -> list[tuple[OpenTurn, int]]:
        """Those of members who have agreed to sit, the longest open first."""
        view = SessionView.of(binding.session, await self.services.log.read(binding.session))
        store = self.services.store
        return [
            (turn, member)
            for turn, member in free_texts(view)
            if await consent.has_agreed(store, binding.session, member)
        ]

    async def member_left(self, client: discord.Client, guild: int, member: int) -> None:
        """Take who left the server off every seat of what goes on, and tell its moderator. Raises StorageError."""
        for binding in self.bindings.public:
            if binding.guild != guild:
                continue
            view = SessionView.of(binding.session, await self.services.log.read(binding.session))
            if view.ended or not (left := await leave_all(self.services, view, member, NOBODY)):
                continue
            stand_in = all(seat.stand_in for seat in seats_of(view.started, member) if seat.name in left)
            names = ", ".join(called(view, seat) for seat in left)
            text = msg("people-left-server", name=names, title=inline(view.title))
            if stand_in:
                text = msg("people-left-server-to-model", name=names, title=inline(view.title))
            await notify_moderator(client, binding, text)

    async def called_in_log(self, member: int) -> str:
        """By the account."""
        return person(member)
