"""What is held on a member: found in the logs of sessions, on the shelf and in threads. Reads only."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from elenchus.bot import quotas
from elenchus.bot.bindings import Binding
from elenchus.bot.desk import Desk
from elenchus.bot.people import consent, drafts, examination
from elenchus.bot.people.who import person
from elenchus.bot.rendering.post import Mark, Post
from elenchus.bot.rendering.thread import thread_of
from elenchus.debate_engine.authorship import names_of, written_by
from elenchus.debate_engine.events import Recorded, Voted
from elenchus.debate_engine.redaction import redaction_for
from elenchus.debate_engine.reports.view import SessionView


@dataclass(frozen=True, slots=True)
class Held:
    """What one session holds on a member: the events that are theirs, and the marks of all posts that would be others
    without them (their speeches, quotes of them, calls to their turns, reports). `called` is their name there.
    """

    session: str
    called: str
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
    called = await names_of_member(desk, member)
    found = [held for id_ in ids for held in await _held_as(id_, await desk.log.read(id_), called)]
    return [held for held in found if held.events or len(held.seats) > 1]


async def names_of_member(desk: Desk, member: int) -> list[str]:
    """How a member may be called in logs: by the account, and in scenes by a made-up name. Raises StorageError."""
    made_up = await desk.pseudonyms.find(person(member)) if desk.pseudonyms else None
    return [person(member), *([made_up] if made_up else [])]


async def _held_as(session: str, events: Sequence[Recorded], called: Sequence[str]) -> list[Held]:
    return [await asyncio.to_thread(held_in, session, events, name) for name in called]


def held_in(session: str, events: Sequence[Recorded], who: str) -> Held:
    """What a session's log holds on the person whom it calls so. Pure."""
    names = names_of(events, who)
    mine = [r for r in events if getattr(r.event, "by", "") == who or written_by(r.event, names) is not None]
    if not mine and len(names) == 1:
        return Held(session, who, "", (), (), frozenset())
    posts = thread_of(session, events)
    marks = changed(posts, thread_of(session, redaction_for(events, who).rewritten(events)))
    reports = {post.mark for post in posts if post.making == "report"}
    title = SessionView.of(session, events).title
    return Held(session, who, title, tuple(sorted(names)), tuple(mine), marks | reports)


def changed(posts: Iterable[Post], others: Iterable[Post]) -> frozenset[Mark]:
    """The posts that are not, or not the same, among the others. Pure."""
    after = {post.mark: post for post in others}
    return frozenset(post.mark for post in posts if post != after.get(post.mark))


async def document_on(desk: Desk, bindings: Iterable[Binding], member: int) -> dict[str, Any]:
    """Everything that is held on a member, as JSON. Raises StorageError."""
    called = await names_of_member(desk, member)
    sessions = [
        {
            "session": held.session,
            "title": held.title,
            "seats": [name for name in held.seats if name not in called],
            "events": [r.line() for r in held.events],
        }
        for held in await held_on(desk, member)
    ]
    agreed = [c.model_dump(mode="json") for c in await consent.given(desk.shelf, member=member)]
    return {
        "member": person(member),
        "called in scenes": called[1:],
        "sessions": sessions,
        "moderated": [binding.session for binding in bindings if binding.moderator == member],
        "consents": agreed,
        "starts counted for 24 hours": await quotas.kept(desk.shelf, member),
        "does not want to be examined": not await examination.wishes(desk.shelf, member),
        "drafts": await drafts.kept(desk.shelf, member=member),
    }
