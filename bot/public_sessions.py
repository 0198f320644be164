"""Sessions with one public view: debates, detections, scored texts; the `SessionKind` of whatever is no scene."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import discord

from elenchus.bot.bindings import Binding, Bindings, ViewKey
from elenchus.bot.notifier import notify_moderator
from elenchus.bot.panel import content
from elenchus.bot.panel.content import PanelContent
from elenchus.bot.people import consent
from elenchus.bot.people.consent import invitees
from elenchus.bot.people.forgetting_messages import Forgetter
from elenchus.bot.people.leaving import NOBODY, leave_all
from elenchus.bot.people.members import called, person, seats_of
from elenchus.bot.people.turns import free_texts
from elenchus.bot.posting.failures import Kind, sentence
from elenchus.bot.posting.follower import PromptOver, ThreadView
from elenchus.bot.rendering import audience, turns
from elenchus.bot.rendering.post import Post
from elenchus.bot.rendering.posts import all_posts, posts_for
from elenchus.bot.rendering.prompts import Prompts
from elenchus.bot.rendering.report import filled
from elenchus.bot.rendering.safe import inline
from elenchus.bot.services import BotServices
from elenchus.bot.session_kind import SessionKind
from elenchus.bot.strings import msg
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.protocols.judging.votes import OPENINGS
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab.participation import is_open
from elenchus.service.lab.session_status import SessionStatus


@dataclass(frozen=True, slots=True)
class PublicSessions(SessionKind):
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


@dataclass
class PublicView(ThreadView):
    """What the thread shows. What must not stand there after a redaction is deleted by whoever asked for it."""

    services: BotServices
    key: ViewKey
    _status: SessionStatus = field(init=False)
    _prompts: Prompts = field(default_factory=Prompts)

    async def restart(self, events: Sequence[Recorded]) -> None:
        """The view after these events alone."""
        self._status = SessionStatus.of(self.key.session, events)

    async def take(self, r: Recorded) -> None:
        """Take in the next event."""
        self._status.take(r)

    @property
    def complete(self) -> bool:
        """Whether the session is over, and the audience's vote with it.

        One that broke off can be tried again, from anywhere, at any moment.
        """
        return self._status.over and not is_open(self._status.view, "after")

    def panel(self) -> PanelContent:
        """The panel as things stand."""
        return content.shown(self._status)

    def posts(self, r: Recorded) -> list[Post]:
        """What the event that was taken last adds to the thread."""
        return posts_for(r, self._status.view)

    def prompts_over(self, r: Recorded) -> list[PromptOver]:
        """The turns and votes that are over with an event, and what their posts say then."""
        return [PromptOver(seq, self._instead(seq)) for seq in self._prompts.take(r)]

    def _instead(self, seq: int) -> str:
        step, seat = self._prompts.asked[seq]
        return audience.over(step) if step in OPENINGS else turns.over(step, seat, self._status.view)

    async def all_posts(self, events: Sequence[Recorded]) -> list[Post]:
        """Everything that these events have the thread show."""
        return await asyncio.to_thread(all_posts, self.key.session, events)

    async def finished(self, post: Post) -> Post:
        """The post with its plot or its report, which do not know who has not agreed to sit."""
        if not post.pending_file:
            return post
        events = await self.services.log.read(self.key.session)
        return await filled(
            post, self.key.session, events, await invitees(self.services.store, self.key.session, events)
        )
