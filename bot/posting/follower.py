"""Follows one session's log and has the thread show it: posts in order, and the panel as it stands.

Three tasks: one reads the log and renders, one posts, one keeps the panel, so that a slow thread delays neither the
panel nor the session. If one of them fails all end with its error; a new follower goes on from the binding.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from elenchus.bot.desk import Desk
from elenchus.bot.panel.board import Board
from elenchus.bot.panel.keeper import PanelKeeper
from elenchus.bot.people.invitees import invitees
from elenchus.bot.posting.poster import Poster
from elenchus.bot.rendering import audience, turns
from elenchus.bot.rendering.post import Mark, Post
from elenchus.bot.rendering.posts import posts_for
from elenchus.bot.rendering.prompts import Prompts
from elenchus.bot.rendering.report import filled
from elenchus.bot.rendering.thread import thread_of
from elenchus.debate_engine.events import Recorded, Redacted

OnPosted = Callable[[Poster], Awaitable[None]]
"""Called after each post, to tell the moderator what is not as it should be."""


@dataclass(frozen=True, slots=True)
class Over:
    """What the posts of an event ask for is over: they lose their buttons when their turn comes, and say `text`."""

    seq: int
    text: str = ""


@dataclass
class Follower:
    """Shows one session; `run` returns when it is over and everything stands in the thread."""

    desk: Desk
    session: str
    poster: Poster
    keeper: PanelKeeper
    on_posted: OnPosted
    _prompts: Prompts = field(default_factory=Prompts)
    _waiting: asyncio.Queue[Post | Over | None] = field(default_factory=asyncio.Queue)
    _begun: Mark = field(default=Mark(0, 0))
    _seen: int = 0

    async def run(self) -> None:
        """Raises what posting raises (in a group), UnknownSession when the session is deleted."""
        now = await self._ensure_panel()
        async with asyncio.TaskGroup() as group:
            panel = group.create_task(self.keeper.keep(), name=f"panel {self.session}")
            group.create_task(self._post_all(), name=f"posts {self.session}")
            await self._read_all(now)
            self._waiting.put_nowait(None)
            self.keeper.finish()
            await panel

    async def _ensure_panel(self) -> int:
        """The panel as things stand; the number of the last event. Who waits for more keeps no log in memory."""
        events = await self.desk.log.read(self.session)
        await self.keeper.ensure(Board.of(self.session, events))
        return events[-1].seq

    async def _read_all(self, now: int) -> None:
        """Read the log and have it shown; the panel is not to show how things stood before `now`."""
        board = Board.of(self.session, [])
        confirmed = self._begun = self.poster.confirmed
        async with aclosing(self.desk.log.follow(self.session)) as events:
            async for r in events:
                self._seen = r.seq
                if isinstance(r.event, Redacted):
                    self._drop_waiting()
                board = await self._taken(board, r)
                over = self._prompts.take(r)
                if r.seq >= now:
                    self.keeper.show(board)
                if isinstance(r.event, Redacted):
                    await self._anew(r)
                elif r.seq >= confirmed.seq:
                    posts = [post for post in posts_for(r, board.view) if post.mark > confirmed]
                    self._wait([*posts, *(Over(seq, self._instead(seq, board)) for seq in over)])
                if await self._is_all(board, r):
                    return

    def _instead(self, seq: int, board: Board) -> str:
        """What stands in the place of a post that asked for something, "" where the post stays as it is."""
        step, seat = self._prompts.asked[seq]
        return audience.over(step) if step.startswith("vote/") else turns.over(step, seat, board.view)

    def _wait(self, items: Iterable[Post | Over]) -> None:
        for item in items:
            self._waiting.put_nowait(item)

    async def _is_all(self, board: Board, r: Recorded) -> bool:
        """Whether nothing more is to be shown: the session is over, and the audience's vote with it.

        One that broke off can be tried again, from anywhere, at any moment. What is removed while the last of it is
        being posted is heard: nobody else would make anew what waits.
        """
        if not board.over or audience.is_open(board.view, "after"):
            return False
        if await self.desk.log.read(self.session, after=r.seq):
            return False
        await self._waiting.join()
        return not await self.desk.log.read(self.session, after=r.seq)

    async def _taken(self, board: Board, r: Recorded) -> Board:
        """The board with the next event; after a redaction a new one, as the events before have changed."""
        if isinstance(r.event, Redacted):
            events = await self.desk.log.read(self.session)
            return Board.of(self.session, [e for e in events if e.seq <= r.seq])
        board.take(r)
        return board

    def _drop_waiting(self) -> None:
        while not self._waiting.empty():
            self._waiting.get_nowait()
            self._waiting.task_done()

    async def _anew(self, redacted: Recorded) -> None:
        """What waited was made of words that are removed now: it is made anew, up to the removal's own post."""
        events = [r for r in await self.desk.log.read(self.session) if r.seq <= redacted.seq]
        for post in await asyncio.to_thread(thread_of, self.session, events):
            if post.mark > self._begun:
                self._waiting.put_nowait(post)

    async def _post_all(self) -> None:
        while (post := await self._waiting.get()) is not None:
            if isinstance(post, Over):
                await self.poster.without_buttons(post.seq, post.text)
            elif not await self._is_outdated():
                await self._post(post)
            self._waiting.task_done()

    async def _post(self, post: Post) -> None:
        self._begun = post.mark
        if post.making:
            events = await self.desk.log.read(self.session)
            unknown = await invitees(self.desk.shelf, self.session, events)
            post = await filled(post, self.session, events, unknown)
        await self.poster.post(replace(post, making=""))
        await self.on_posted(self.poster)

    async def _is_outdated(self) -> bool:
        """Whether words were removed of which the reader has not heard yet: it will make anew what waits."""
        return any(isinstance(r.event, Redacted) for r in await self.desk.log.read(self.session, after=self._seen))
