"""Follows one subject's log and has one thread show one view of it: a seat's, or the control room's.

What a thread shows is a pure function of the log, so what must not stand there any more after a redaction is known from
the log as well: every post that would hold other words now is deleted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from elenchus.bot.panel.face import Shown
from elenchus.bot.posting.follower import OnPosted
from elenchus.bot.posting.poster import Poster
from elenchus.bot.rendering.post import Mark, Post
from elenchus.bot.rendering.posts import posts_of
from elenchus.bot.scenes import control, panels, seen
from elenchus.bot.scenes.keys import number_in, seat_in, session_of
from elenchus.bot.scenes.panels import ScenePanel
from elenchus.bot.scenes.people import People
from elenchus.bot.scenes.view import SceneView
from elenchus.bot.strings.scene_rooms import A_PERSON
from elenchus.debate_engine.events import Recorded, Redacted
from elenchus.debate_engine.log import EventLog
from elenchus.debate_engine.masking import GONE

NUMBERED = 100
"""A control room shows many scenes: in its marks the part is this times the subject's number, plus the part."""

POSTS_A_MINUTE = 30
"""Of a channel's webhook, in all its threads."""

FACES = 4
"""Subjects whose scenes show faces in the control room. The posts of a channel's webhook are few; they are for the
subjects' threads, where somebody waits for them. The bot's own messages have each thread's rate to themselves.
"""

Unpost = Callable[[Iterable[Mark]], Awaitable[object]]
"""Deletes posts of the thread by their marks."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """Posts that are to be deleted before anything more is posted."""

    marks: frozenset[Mark]


@dataclass
class SceneFollower:
    """Shows the view `key`; `run` returns when the session has ended and everything stands in the thread."""

    log: EventLog
    key: str
    poster: Poster
    panel: ScenePanel
    people: People
    unpost: Unpost
    on_posted: OnPosted
    _waiting: asyncio.Queue[Post | Sweep | None] = field(default_factory=asyncio.Queue)

    @property
    def session(self) -> str:
        """Whose log is followed."""
        return session_of(self.key)

    async def run(self) -> None:
        """Raises what posting raises (in a group), UnknownSession when the session is deleted."""
        now = await self._begin_panel()
        async with asyncio.TaskGroup() as group:
            panel = group.create_task(self.panel.keep(), name=f"panel {self.key}")
            group.create_task(self._post_all(), name=f"posts {self.key}")
            await self._read_all(now)
            self._waiting.put_nowait(None)
            self.panel.finish()
            await panel

    async def _begin_panel(self) -> int:
        """The panel as things stand; the number of the last event. Who waits for more keeps no log in memory."""
        events = await self.log.read(self.session)
        await self.panel.begin(self._face(await self._view(events)))
        return events[-1].seq

    async def _view(self, events: list[Recorded]) -> SceneView:
        return SceneView.of(self.session, events, await self.people.behind(events))

    async def _read_all(self, now: int) -> None:
        """Read the log and have it shown; the panel is not to show how things stood before `now`."""
        view = await self._view([])
        confirmed = self.poster.confirmed
        async with aclosing(self.log.follow(self.session)) as events:
            async for r in events:
                view = await self._taken(view, r)
                if r.seq >= now:
                    self.panel.display(self._face(view))
                if r.seq >= confirmed.seq:
                    for post in self.posts(r, view):
                        if post.mark > confirmed:
                            self._waiting.put_nowait(post)
                if view.over and not await self.log.read(self.session, after=r.seq):
                    return

    async def _taken(self, view: SceneView, r: Recorded) -> SceneView:
        """The view with the next event, made anew where people appear and where the events before have changed."""
        if r.seq > 1 and not isinstance(r.event, Redacted):
            if (by := str(getattr(r.event, "by", ""))) and by not in view.people:
                view.people = {**view.people, **await self.people.behind([r])}
            view.take(r)
            return view
        known = [e for e in await self.log.read(self.session) if e.seq <= r.seq]
        if isinstance(r.event, Redacted) and r.seq >= self.poster.confirmed.seq:
            self._waiting.put_nowait(Sweep(frozenset(await self._changed(known))))
        return await self._view(known)

    async def _changed(self, events: list[Recorded]) -> list[Mark]:
        """The marks of posts that held words which are gone, or named somebody who is gone."""
        view, marks = SceneView(self.session, await self.people.behind(events)), list[Mark]()
        for r in events:
            view.take(r)
            marks += [post.mark for post in self.posts(r, view) if _lacks_something(post)]
        return marks

    def posts(self, r: Recorded, view: SceneView) -> list[Post]:
        """What an event adds to this thread. Pure."""
        place = seat_in(self.key)
        if place is not None:
            return posts_of(seen.drafts_for(r, view, view.seats[place].name), r.seq)
        number = number_in(self.key)
        small = control.small_print(number)
        drafts = [replace(draft, small=(*small, *draft.small)) for draft in control.drafts_for(r, view)]
        if number > FACES:
            drafts = [control.without_face(draft) for draft in drafts]
        return posts_of(drafts, r.seq, first=number * NUMBERED + 1)

    def _face(self, view: SceneView) -> Shown:
        place = seat_in(self.key)
        return (
            panels.of_room(view, number_in(self.key)) if place is None else panels.of_seat(view, view.seats[place].name)
        )

    async def _post_all(self) -> None:
        while (item := await self._waiting.get()) is not None:
            if isinstance(item, Sweep):
                await self.unpost(item.marks)
                continue
            await self.poster.post(item)
            await self.on_posted(self.poster)


def _lacks_something(post: Post) -> bool:
    """Whether words are gone from this post, or the person whom it calls or names."""
    calls = any(f"el:{seen.TURN}:" in button.custom_id for button in post.buttons)
    return GONE in post.text or GONE in str(post.embeds) or A_PERSON in post.text or (calls and "<@" not in post.text)
