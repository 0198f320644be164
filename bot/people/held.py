"""What is held on a member: found in the logs of sessions, on the shelf and in threads. Reads only."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.bindings import Binding
from bot.desk import Desk
from bot.people import consent, drafts
from bot.people.who import person
from bot.rendering.post import Mark, Post
from bot.rendering.posts import posts_for
from debate_engine.events import Recorded, Voted
from debate_engine.redaction import names_of, redacted, written_by
from debate_engine.reports.view import DebateView


@dataclass(frozen=True, slots=True)
class Held:
    """What one session holds on a member: the events that are theirs, and the marks of all posts that would be others
    without them (their speeches, quotes of them, calls to their turns, reports).
    """

    session: str
    title: str
    seats: tuple[str, ...]
    events: tuple[Recorded, ...]
    marks: frozenset[Mark]

    @property
    def texts(self) -> int:
        """Texts of theirs."""
        return sum(len(written_by(r.event, self.names) or ()) for r in self.events)

    @property
    def votes(self) -> int:
        """Votes of theirs that count: the last before and the last after."""
        return len({r.event.when for r in self.events if isinstance(r.event, Voted)})

    @property
    def names(self) -> frozenset[str]:
        """What they go by there."""
        return frozenset(self.seats)


async def held_on(desk: Desk, member: int, session: str = "") -> list[Held]:
    """All sessions (or the one) that hold something on a member. Raises UnknownSession, StorageError."""
    ids = [session] if session else [info.id for info in await desk.log.sessions()]
    found = [await asyncio.to_thread(held_in, id_, await desk.log.read(id_), member) for id_ in ids]
    return [held for held in found if held.events or len(held.seats) > 1]


def held_in(session: str, events: Sequence[Recorded], member: int) -> Held:
    """What a session's log holds on a member. Pure."""
    names = names_of(events, person(member))
    mine = [r for r in events if getattr(r.event, "by", "") == person(member) or written_by(r.event, names) is not None]
    if not mine and len(names) == 1:
        return Held(session, "", (), (), frozenset())
    without, _ = redacted(events, person(member))
    before, after = thread_of(session, events), thread_of(session, without)
    marks = {mark for mark, post in before.items() if post != after.get(mark) or post.making == "report"}
    return Held(session, DebateView.of(session, events).motion, tuple(sorted(names)), tuple(mine), frozenset(marks))


def thread_of(session: str, events: Sequence[Recorded]) -> dict[Mark, Post]:
    """Everything that the thread of these events shows, by mark."""
    view, posts = DebateView(session), {}
    for r in events:
        view.apply(r)
        posts.update({post.mark: post for post in posts_for(r, view)})
    return posts


async def document_on(desk: Desk, bindings: Iterable[Binding], member: int) -> dict[str, Any]:
    """Everything that is held on a member, as JSON. Raises StorageError."""
    sessions = [
        {
            "session": held.session,
            "title": held.title,
            "seats": [name for name in held.seats if name != person(member)],
            "events": [r.line() for r in held.events],
        }
        for held in await held_on(desk, member)
    ]
    agreed = [c.model_dump(mode="json") for c in await consent.given_by(desk.shelf, member)]
    return {
        "member": person(member),
        "sessions": sessions,
        "moderated": [binding.session for binding in bindings if binding.moderator == member],
        "consents": agreed,
        "drafts": await drafts.drafts_of(desk.shelf, member),
    }
