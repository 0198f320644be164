"""What is held on a member: what `lab.personal_data` finds, the posts that show it, and what the bot itself keeps."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from elenchus.bot import quotas
from elenchus.bot.bindings import Binding
from elenchus.bot.people import examination
from elenchus.bot.people.members import person
from elenchus.bot.rendering.post import Mark, Post
from elenchus.bot.rendering.posts import all_posts
from elenchus.bot.services import BotServices
from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.privacy.redaction import redaction_for
from elenchus.service.lab.personal_data import HeldInSession


@dataclass(frozen=True, slots=True)
class HeldWithPosts:
    """What one session holds on a member, and the marks of all posts that would be others without it: their speeches,
    quotes of them, calls to their turns, reports.
    """

    held: HeldInSession
    marks: frozenset[Mark]


async def personal_data_on(services: BotServices, member: int, session: str = "") -> list[HeldWithPosts]:
    """All sessions (or the one) that hold something on a member. Raises UnknownSession, StorageError."""
    found = await services.people.held_on(person(member), session)
    return [
        HeldWithPosts(one, await asyncio.to_thread(marks_of, one, await services.log.read(one.session)))
        for one in found
    ]


def marks_of(held: HeldInSession, events: Sequence[Recorded]) -> frozenset[Mark]:
    """The posts that tell of the person. Pure."""
    posts = all_posts(held.session, events)
    rewritten = redaction_for(events, held.called).rewritten(events)
    reports = {post.mark for post in posts if post.pending_file == "report"}
    return changed(posts, all_posts(held.session, rewritten)) | reports


def changed(posts: Iterable[Post], others: Iterable[Post]) -> frozenset[Mark]:
    """The posts that are not, or not the same, among the others. Pure."""
    after = {post.mark: post for post in others}
    return frozenset(post.mark for post in posts if post != after.get(post.mark))


async def document_on(services: BotServices, bindings: Iterable[Binding], member: int) -> dict[str, Any]:
    """Everything that is held on a member, as JSON. Raises StorageError."""
    return {
        "member": person(member),
        **await services.people.document(person(member)),
        "moderated": [binding.session for binding in bindings if binding.moderator == member],
        "starts counted for 24 hours": await quotas.kept(services.store, member),
        "does not want to be examined": not await examination.wishes(services.store, member),
    }
