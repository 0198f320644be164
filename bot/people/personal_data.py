"""What is held on a member: found in the logs of sessions, in the store and in threads. Reads only."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from elenchus.bot import quotas
from elenchus.bot.bindings import Binding
from elenchus.bot.people import consent, drafts, examination
from elenchus.bot.people.members import person
from elenchus.bot.rendering.post import Mark, Post
from elenchus.bot.rendering.posts import thread_of
from elenchus.bot.services import BotServices
from elenchus.debate_engine.events import Recorded, Voted
from elenchus.debate_engine.privacy.authorship import names_of, written_by
from elenchus.debate_engine.privacy.redaction import redaction_for
from elenchus.debate_engine.reports.view import SessionView


@dataclass(frozen=True, slots=True)
class PersonalData:
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


async def personal_data_on(services: BotServices, member: int, session: str = "") -> list[PersonalData]:
    """All sessions (or the one) that hold something on a member. Raises UnknownSession, StorageError."""
    ids = [session] if session else [info.id for info in await services.log.sessions()]
    called = await names_of_member(services, member)
    found = [held for id_ in ids for held in await _held_as(id_, await services.log.read(id_), called)]
    return [held for held in found if held.events or len(held.seats) > 1]


async def names_of_member(services: BotServices, member: int) -> list[str]:
    """How a member may be called in logs: by the account, and in scenes by a made-up name. Raises StorageError."""
    made_up = await services.pseudonyms.find(person(member)) if services.pseudonyms else None
    return [person(member), *([made_up] if made_up else [])]


async def _held_as(session: str, events: Sequence[Recorded], called: Sequence[str]) -> list[PersonalData]:
    return [await asyncio.to_thread(personal_data_in, session, events, name) for name in called]


def personal_data_in(session: str, events: Sequence[Recorded], who: str) -> PersonalData:
    """What a session's log holds on the person whom it calls so. Pure."""
    names = names_of(events, who)
    mine = [r for r in events if getattr(r.event, "by", "") == who or written_by(r.event, names) is not None]
    if not mine and len(names) == 1:
        return PersonalData(session, who, "", (), (), frozenset())
    posts = thread_of(session, events)
    marks = changed(posts, thread_of(session, redaction_for(events, who).rewritten(events)))
    reports = {post.mark for post in posts if post.making == "report"}
    title = SessionView.of(session, events).title
    return PersonalData(session, who, title, tuple(sorted(names)), tuple(mine), marks | reports)


def changed(posts: Iterable[Post], others: Iterable[Post]) -> frozenset[Mark]:
    """The posts that are not, or not the same, among the others. Pure."""
    after = {post.mark: post for post in others}
    return frozenset(post.mark for post in posts if post != after.get(post.mark))


async def document_on(services: BotServices, bindings: Iterable[Binding], member: int) -> dict[str, Any]:
    """Everything that is held on a member, as JSON. Raises StorageError."""
    called = await names_of_member(services, member)
    sessions = [
        {
            "session": held.session,
            "title": held.title,
            "seats": [name for name in held.seats if name not in called],
            "events": [r.line() for r in held.events],
        }
        for held in await personal_data_on(services, member)
    ]
    agreed = [c.model_dump(mode="json") for c in await consent.given(services.store, member=member)]
    return {
        "member": person(member),
        "called in scenes": called[1:],
        "sessions": sessions,
        "moderated": [binding.session for binding in bindings if binding.moderator == member],
        "consents": agreed,
        "starts counted for 24 hours": await quotas.kept(services.store, member),
        "does not want to be examined": not await examination.wishes(services.store, member),
        "drafts": await drafts.kept(services.store, member=member),
    }
