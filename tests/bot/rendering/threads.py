"""What a thread shows of a log, for the tests."""

from __future__ import annotations

from collections.abc import Sequence

from bot.rendering.post import Post
from bot.rendering.posts import posts_for
from debate_engine.events import Recorded
from debate_engine.reports.view import DebateView


def thread_of(events: Sequence[Recorded], session_id: str = "demo") -> list[Post]:
    """Return all posts of a log, made one event after the other as a follower makes them."""
    view = DebateView(session_id)
    posts = []
    for r in events:
        view.apply(r)
        posts += posts_for(r, view)
    return posts


def shown(posts: Sequence[Post]) -> str:
    """Return everything that the posts show, as text."""
    lines = []
    for post in posts:
        lines.append(f"--- {post.name or 'the bot'}\n{post.text}")
        for e in post.embeds:
            lines += [f"[{e.title}] {e.description}", *(f"  {f.name}: {f.value}" for f in e.fields), e.footer]
        lines += [f"({b.label} → {b.custom_id})" for b in post.buttons]
    return "\n".join(lines)
