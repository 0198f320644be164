"""What a thread shows of a log, for the tests."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.bot.rendering import posts
from elenchus.bot.rendering.post import Post
from elenchus.debate_engine.events import Event, Recorded, SessionStarted, now


def all_posts(events: Sequence[Recorded], session_id: str = "demo") -> list[Post]:
    """Return all posts of a log, made one event after the other as a follower makes them."""
    return posts.all_posts(session_id, events)


def shown(posts: Sequence[Post]) -> str:
    """Return everything that the posts show, as text."""
    lines = []
    for post in posts:
        lines.append(f"--- {post.name or 'the bot'}\n{post.text}")
        for e in post.embeds:
            lines += [f"[{e.title}] {e.description}", *(f"  {f.name}: {f.value}" for f in e.fields), e.footer]
        lines += [f"({b.label} → {b.custom_id})" for b in post.buttons]
    return "\n".join(lines)


def after(first: SessionStarted, *events: Event) -> list[Post]:
    """Return the posts of the last of these events."""
    recorded = [Recorded(seq=n, at=now(), event=event) for n, event in enumerate([first, *events], 1)]
    return [post for post in all_posts(recorded) if post.mark.seq == len(recorded)]
