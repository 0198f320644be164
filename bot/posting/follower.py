"""Follows one session's log and has one thread show a view of it: posts in order, and the panel as it stands.

Three tasks: one reads the log and renders, one posts, one keeps the panel, so that a slow thread delays neither the
panel nor the session. If one of them fails all end with its error; a new follower goes on from the binding.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from elenchus.bot.bindings import ViewKey
from elenchus.bot.panel.content import PanelContent
from elenchus.bot.panel.message import PanelMessage
from elenchus.bot.posting.poster import Poster
from elenchus.bot.rendering.post import Mark, Post
from elenchus.debate_engine.events import Recorded, Redacted
from elenchus.debate_engine.log import EventLog

OnPosted = Callable[[Poster], Awaitable[None]]
"""Called after each post, to tell the moderator what is not as it should be."""


@dataclass(frozen=True, slots=True)
class PromptOver:
    """What the posts of an event ask for is over: they lose their buttons when their turn comes, and say `text`."""

    seq: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Deletion:
    """Posts that are to be deleted before anything more is posted."""

    marks: frozenset[Mark]


class ThreadView(ABC):
    """What one thread shows: a projection of a session's log, fed one event after the other.

    It is a `public_sessions.PublicView`, or a `scenes.scene_thread.SceneThread`.
    """

    @abstractmethod
    async def restart(self, events: Sequence[Recorded]) -> None:
        """The view after these events alone."""

    @abstractmethod
    async def take(self, r: Recorded) -> None:
        """Take in the next event."""

    @property
    @abstractmethod
    def complete(self) -> bool:
        """Whether nothing more is to be shown unless somebody does something."""

    @abstractmethod
    def panel(self) -> PanelContent:
        """The panel as things stand."""

    @abstractmethod
    def posts(self, r: Recorded) -> list[Post]:
        """What the event that was taken last adds to the thread."""

    @abstractmethod
    async def all_posts(self, events: Sequence[Recorded]) -> list[Post]:
        """Everything that these events have the thread show."""

    def prompts_over(self, _r: Recorded) -> list[PromptOver]:
        """The posts whose question is over with an event, each event asked about once; who presses others is told."""
        return []

    def to_delete(self, _posts: Iterable[Post]) -> frozenset[Mark]:
        """Which of all posts, as they are after a redaction, are not to stand in the thread."""
        return frozenset()

    async def finished(self, post: Post) -> Post:
        """The post with its files."""
        return post


@dataclass
class Follower:
    """Shows one view; `run` returns when it is complete and everything stands in the thread.

    `SessionManager` makes one for each thread; `view` is what the session's kind gives for it.
    """

    log: EventLog
    key: ViewKey
    view: ThreadView
    poster: Poster
    panel: PanelMessage
    on_posted: OnPosted
    _queue: asyncio.Queue[Post | PromptOver | Deletion | None] = field(default_factory=asyncio.Queue)
    _begun: Mark = field(default=Mark(0, 0))
    _seen: int = 0

    async def run(self) -> None:
        """Raises what posting raises (in a group), UnknownSession when the session is deleted."""
        now = await self._ensure_panel()
        async with asyncio.TaskGroup() as group:
            panel = group.create_task(self.panel.keep(), name=f"panel {self.key}")
            group.create_task(self._post_all(), name=f"posts {self.key}")
            await self._read_all(now)
            self._queue.put_nowait(None)
            await self.poster.sweep()
            self.panel.finish()
            await panel

    async def _ensure_panel(self) -> int:
        """The panel as things stand; the number of the last event. Who waits for more keeps no log in memory."""
        events = await self._read()
        await self.view.restart(events)
        await self.panel.ensure(self.view.panel())
        return events[-1].seq

    async def _read_all(self, now: int) -> None:
        """Read the log and have it shown; the panel is not to show how things stood before `now`."""
        await self.view.restart(())
        confirmed = self._begun = self.poster.confirmed
        async with aclosing(self.log.follow(self.key.session)) as events:
            async for r in events:
                self._seen = r.seq
                redacted = isinstance(r.event, Redacted)
                if redacted:
                    self._drop_waiting()
                    await self.view.restart([e for e in await self._read() if e.seq <= r.seq])
                else:
                    await self.view.take(r)
                over = self.view.prompts_over(r)
                if r.seq >= now:
                    self.panel.show(self.view.panel())
                if redacted:
                    await self._make_anew(r)
                elif r.seq >= confirmed.seq:
                    self._enqueue([post for post in self.view.posts(r) if post.mark > confirmed])
                    self._enqueue(over)
                if await self._is_all(r):
                    return

    async def _read(self, after: int = 0) -> list[Recorded]:
        return await self.log.read(self.key.session, after=after)

    def _enqueue(self, items: Iterable[Post | PromptOver]) -> None:
        for item in items:
            self._queue.put_nowait(item)

    async def _is_all(self, r: Recorded) -> bool:
        """Whether nothing more is to be shown. What is removed while the last of it is being posted is heard: nobody
        else would make anew what waits.
        """
        if not self.view.complete or await self._read(after=r.seq):
            return False
        await self._queue.join()
        return not await self._read(after=r.seq)

    def _drop_waiting(self) -> None:
        while not self._queue.empty():
            self._queue.get_nowait()
            self._queue.task_done()

    async def _make_anew(self, redacted: Recorded) -> None:
        """What waited was made of words that are removed now: it is made anew, up to the removal's own post."""
        posts = await self.view.all_posts([r for r in await self._read() if r.seq <= redacted.seq])
        if (marks := self.view.to_delete(posts)) and redacted.seq >= self.poster.confirmed.seq:
            self._queue.put_nowait(Deletion(marks))
        self._enqueue(post for post in posts if post.mark > self._begun and post.mark not in marks)

    async def _post_all(self) -> None:
        while (item := await self._queue.get()) is not None:
            match item:
                case PromptOver(seq=seq, text=text):
                    await self.poster.without_buttons(seq, text)
                case Deletion(marks=marks):
                    await self.poster.delete(marks)
                case post if not await self._is_outdated():
                    await self._post(post)
            self._queue.task_done()

    async def _post(self, post: Post) -> None:
        self._begun = post.mark
        await self.poster.post(replace(await self.view.finished(post), pending_file=""))
        await self.on_posted(self.poster)

    async def _is_outdated(self) -> bool:
        """Whether words were removed of which the reader has not heard yet: it will make anew what waits."""
        return any(isinstance(r.event, Redacted) for r in await self._read(after=self._seen))
