"""What one thread of a scene shows: a seat's view of one subject's log, or the control room's.

It is a pure function of the log, so what must not stand there any more after a redaction is known from the log as
well: every post that would hold other words now is deleted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from elenchus.bot.bindings import ViewKey
from elenchus.bot.panel.content import PanelContent
from elenchus.bot.posting.follower import ThreadView
from elenchus.bot.rendering import embeds
from elenchus.bot.rendering.post import File, Mark, Post
from elenchus.bot.rendering.posts import posts_of
from elenchus.bot.rendering.report import ALT
from elenchus.bot.rendering.safe import shortened, speech
from elenchus.bot.scenes import control_room_panel, control_room_thread, seat_thread
from elenchus.bot.scenes.member_names import MemberNames
from elenchus.bot.scenes.scene_view import SceneView
from elenchus.bot.strings import msg
from elenchus.debate_engine.events import Recorded, SessionStarted
from elenchus.debate_engine.pictures import PictureStore, file_name
from elenchus.debate_engine.privacy.person_words import REDACTED

NUMBERED = 100
"""A control room shows many scenes: in its marks the part is this times the subject's number, plus the part."""

POSTS_A_MINUTE = 30
"""Of a channel's webhook, in all its threads."""

PERSONAS_SHOWN = 4
"""Subjects whose scenes show faces in the control room. The posts of a channel's webhook are few; they are for the
subjects' threads, where somebody waits for them. The bot's own messages have each thread's rate to themselves.
"""


@dataclass
class SceneThread(ThreadView):
    """The view of a seat, or of the control room."""

    key: ViewKey
    names: MemberNames
    pictures: PictureStore
    _view: SceneView = field(init=False)

    async def restart(self, events: Sequence[Recorded]) -> None:
        """The view after these events alone."""
        self._view = SceneView.of(self.key.session, events, await self.names.members_in(events))

    async def take(self, r: Recorded) -> None:
        """Take in the next event, with the members whom it is the first to name."""
        by = str(getattr(r.event, "by", ""))
        if isinstance(r.event, SessionStarted) or (by and by not in self._view.people):
            self._view.people = {**self._view.people, **await self.names.members_in([r])}
        self._view.take(r)

    @property
    def complete(self) -> bool:
        """Whether nothing more happens of itself."""
        return self._view.over

    def panel(self) -> PanelContent:
        """The panel as things stand."""
        if (place := self.key.seat) is not None:
            return seat_thread.panel_of(self._view, self._view.seats[place].name)
        return control_room_panel.panel_of(self._view, self.key.subject or 0)

    def posts(self, r: Recorded) -> list[Post]:
        """What the event that was taken last adds to the thread."""
        return posts_in(self.key, r, self._view)

    async def all_posts(self, events: Sequence[Recorded]) -> list[Post]:
        """Everything that these events have the thread show."""
        view, posts = SceneView(self.key.session, await self.names.members_in(events)), list[Post]()
        for r in events:
            view.take(r)
            posts += posts_in(self.key, r, view)
        return posts

    async def finished(self, post: Post) -> Post:
        """The post with its picture, or with what is on it where its file is gone."""
        if (shows := post.shows) is None:
            return post
        content = await asyncio.to_thread(self.pictures.read, shows.picture)
        if content is None:
            gone = msg("scene-seats-picture-gone", alt=speech(shows.alt))
            return replace(post, embeds=(*post.embeds, *embeds.embeds("", gone)), shows=None)
        file = File(file_name(shows.picture), content, shortened(shows.alt, ALT))
        return replace(post, files=(*post.files, file), shows=None)

    def to_delete(self, posts: Iterable[Post]) -> frozenset[Mark]:
        """Those that held words which are gone, or named somebody who is gone."""
        return frozenset(post.mark for post in posts if _lacks_something(post))


def posts_in(key: ViewKey, r: Recorded, view: SceneView) -> list[Post]:
    """What an event adds to a thread; `view` has taken it and everything before it. Pure."""
    if key.seat is not None:
        return posts_of(seat_thread.drafts_for(r, view, view.seats[key.seat].name), r.seq)
    number = key.subject or 0
    small = control_room_thread.small_print(number)
    drafts = [replace(draft, small=(*small, *draft.small)) for draft in control_room_thread.drafts_for(r, view)]
    if number > PERSONAS_SHOWN:
        drafts = [control_room_thread.without_persona(draft) for draft in drafts]
    return posts_of(drafts, r.seq, first=number * NUMBERED + 1)


def _lacks_something(post: Post) -> bool:
    """Whether words are gone from this post, or the person whom it calls or names."""
    calls = any(f"el:{seat_thread.TURN}:" in button.custom_id for button in post.buttons)
    return (
        REDACTED in post.text
        or REDACTED in str(post.embeds)
        or msg("scene-rooms-a-person") in post.text
        or (calls and "<@" not in post.text and msg("scene-rooms-the-subject") not in post.text)
    )
