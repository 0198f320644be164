"""Forgetting a member on Discord: the messages in a session's thread, as far as the bot may delete them, and the seats
and the store; of the log `debate_engine.privacy.forgetting` takes care.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Protocol

from elenchus.bot.bindings import OVER, ViewKey
from elenchus.bot.people import leaving
from elenchus.bot.people.consent import invitees, without
from elenchus.bot.people.members import members_on, person
from elenchus.bot.people.personal_data import changed, personal_data_on
from elenchus.bot.posting.backfill import delete
from elenchus.bot.posting.poster import Transport
from elenchus.bot.rendering.post import Mark
from elenchus.bot.rendering.posts import all_posts
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.debate_engine.errors import UnknownSession
from elenchus.debate_engine.events import Recorded

NOBODY = 0
"""The moderator of a session whose moderator was forgotten."""

SHOWN_WITHIN = 15.0
"""Seconds for the thread to show that, in which everything is posted that waited before it."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Texts that were replaced, posts that were deleted, and posts that could not be."""

    texts: int = 0
    deleted: int = 0
    kept: int = 0

    def __add__(self, other: Forgotten) -> Forgotten:
        return Forgotten(self.texts + other.texts, self.deleted + other.deleted, self.kept + other.kept)


class OrganiserRecords(Protocol):
    """One kind of thing that members organise beside debates. All raise StorageError."""

    async def document(self, member: int) -> dict[str, Any]:
        """What is held on the member, as JSON; values that are empty where it is nothing."""
        ...

    async def forget(self, member: int, session: str) -> int:
        """Remove it in this shard's servers (of one session, or of all where it is ""); how many of these the member
        still runs.
        """
        ...

    async def servers(self, member: int, session: str) -> set[int]:
        """The servers, of whatever shard, in which there is something of it."""
        ...


@dataclass(frozen=True, slots=True)
class Forgetter:
    """Removes members from sessions, running or not. `others` do it for sessions that are no debates, or give None;
    `organised` is what members run beside debates.
    """

    services: BotServices
    manager: SessionManager
    transport: Transport
    others: list[Callable[[str, int], Awaitable[int | None]]] = field(default_factory=list)
    organised: list[OrganiserRecords] = field(default_factory=list)

    async def forget(self, session: str, member: int) -> Forgotten:
        """Remove a member's words, votes and name, also from what examines the session. Raises UnknownSession,
        StorageError.

        The posts go last, when the thread shows all that was said before: none of them can come after that.
        """
        copies = {copy: await self._marks(copy, member) for copy in await self._copies(session)}
        done = await self._forget(session, member)
        for copy, marks in copies.items():
            done += await self._swept(copy, marks)
        return done

    async def _forget(self, session: str, member: int) -> Forgotten:
        for other in self.others:
            if (count := await other(session, member)) is not None:
                return Forgotten(count)
        status = await self.manager.status(session)
        if not status.ended:
            await leaving.leave_all(self.services, status.view, member, leaving.NOBODY)
        found = await personal_data_on(self.services, member, session)
        names = [one.held.called for one in found] or [person(member)]
        texts = [await self.services.people.forget_in(session, name) for name in names]
        return Forgotten(sum(texts)) + await self._swept(session, {mark for one in found for mark in one.marks})

    async def forget_invitees(self, session: str) -> None:
        """Keep nothing of the members who never agreed to sit in a debate that is over: part of its end. Raises
        StorageError.
        """
        for member in await invitees(self.services.store, session, await self.services.log.read(session)):
            await self._unnamed(session, member)

    async def dismiss(self, session: str, member: int) -> None:
        """Keep nothing of a member who does not agree to sit: no name in the record, and no post that calls them.

        The seat is left; what a model said there in their place stays. Who had agreed before is forgotten with every
        word. Raises UnknownSession, StorageError, discord.HTTPException.
        """
        async with self.manager.ending[session]:
            events = await self.services.log.read(session)
            if member in await invitees(self.services.store, session, events):
                await self._unnamed(session, member)
            elif member in members_on(events):  # else the end of the debate was quicker
                await self.forget(session, member)

    async def _unnamed(self, session: str, member: int) -> None:
        """Take a member off the seat and the name out of the record. Whatever comes in between, it can be done again:
        the posts go first, as it is by the name that they are found.
        """
        status = await self.manager.status(session)
        if not status.ended:
            await leaving.leave_all(self.services, status.view, member, leaving.NOBODY)
        events = await self.services.log.read(session)
        calls = await asyncio.to_thread(calls_of, session, events, member)
        swept = await self._swept(session, calls)
        await self.services.runner.forget_wherever(session, person(member), name_only=True)
        if swept.deleted + swept.kept < len(calls):  # a thread that lags behind may show one only now
            await self._swept(session, calls)

    # ── what examines a session ──────────────────────────────────────────────────────────────────────────────────

    async def _copies(self, session: str) -> list[str]:
        """The sessions with a thread that examine this one's words, and those that examine these."""
        found = await self.services.log.derived_from(session)
        more = [copy for one in found for copy in await self._copies(one)]
        return [copy for copy in dict.fromkeys([*found, *more]) if self.manager.bindings.find(ViewKey(copy))]

    async def _marks(self, session: str, member: int) -> frozenset[Mark]:
        """The posts that would be others without the member."""
        held = await personal_data_on(self.services, member, session)
        return frozenset(mark for one in held for mark in one.marks)

    async def _swept(self, session: str, marks: Iterable[Mark]) -> Forgotten:
        """Delete these posts of a session whose record was rewritten."""
        binding = self.manager.bindings.find(ViewKey(session))
        if binding is None or not marks:
            return Forgotten()
        await self._shown(session)
        deleted, kept = await delete(self.transport.client, self.transport.webhooks.of, binding, marks)
        return Forgotten(0, deleted, kept)

    # ── the thread ───────────────────────────────────────────────────────────────────────────────────────────────

    async def _shown(self, session: str) -> None:
        """Wait until the thread shows all that was said until now, or cannot be posted to."""
        posts = await asyncio.to_thread(all_posts, session, await self.services.log.read(session))
        last = max((post.mark.seq for post in posts), default=0)
        if (known := self.manager.bindings.find(ViewKey(session))) is None or known.cursor >= last:
            return
        self.manager.show(ViewKey(session))
        until = monotonic() + SHOWN_WITHIN
        while (
            (binding := self.manager.bindings.find(ViewKey(session))) and binding.cursor < last and monotonic() < until
        ):
            if binding.closed not in ("", OVER):
                return  # nothing is posted there any more
            await asyncio.sleep(0.1)
            if ViewKey(session) in self.manager.unpostable:
                return


def calls_of(session: str, events: Sequence[Recorded], member: int) -> frozenset[Mark]:
    """The posts of a session that call a member who took no part. Pure."""
    return changed(all_posts(session, events), all_posts(session, without(events, [member])))


async def forget_all(forgetter: Forgetter, sessions: Iterable[str], member: int) -> Forgotten:
    """The same in several sessions; one that was deleted meanwhile is left out. Raises StorageError."""
    done = Forgotten()
    for session in sessions:
        with suppress(UnknownSession):
            done += await forgetter.forget(session, member)
    return done
