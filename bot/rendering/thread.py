"""Everything that a session's thread shows. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from elenchus.bot.rendering.post import Post
from elenchus.bot.rendering.posts import posts_for
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.reports.view import SessionView


def thread_of(session: str, events: Iterable[Recorded]) -> list[Post]:
    """All posts of a log in their order, as a follower makes them: one event after the other."""
    view, posts = SessionView(session), list[Post]()
    for r in events:
        view.apply(r)
        posts += posts_for(r, view)
    return posts
