"""The public view of a session: what the thread of a debate, a detection or a scored text shows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from elenchus.bot.bindings import ViewKey
from elenchus.bot.people.invitees import invitees
from elenchus.bot.posting.follower import PromptOver
from elenchus.bot.rendering import audience, panel, turns
from elenchus.bot.rendering.panel import Shown
from elenchus.bot.rendering.post import Mark, Post
from elenchus.bot.rendering.posts import posts_for, thread_of
from elenchus.bot.rendering.prompts import Prompts
from elenchus.bot.rendering.report import filled
from elenchus.bot.services import BotServices
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.protocols.judging.votes import OPENINGS
from elenchus.service.lab.participation import is_open
from elenchus.service.lab.session_status import SessionStatus


@dataclass
class PublicView:
    """The view (a `ThreadView`). What must not stand there after a redaction is deleted by whoever asked for it."""

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

    def panel(self) -> Shown:
        """The panel as things stand."""
        return panel.shown(self._status)

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
        return await asyncio.to_thread(thread_of, self.key.session, events)

    def to_delete(self, _posts: Iterable[Post]) -> frozenset[Mark]:
        """None."""
        return frozenset()

    async def finished(self, post: Post) -> Post:
        """The post with its plot or its report, which do not know who has not agreed to sit."""
        if not post.making:
            return post
        events = await self.services.log.read(self.key.session)
        return await filled(
            post, self.key.session, events, await invitees(self.services.store, self.key.session, events)
        )
