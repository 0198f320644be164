"""Removing a member from a session: from the seats, the log, the shelf, and the thread where the bot may."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from time import monotonic

import discord

from bot.bindings import Binding
from bot.desk import Desk
from bot.people import consent, drafts, leaving
from bot.people.held import held_in
from bot.people.who import person
from bot.posting.backfill import made
from bot.posting.poster import Transport
from bot.rendering.post import Mark
from bot.running import OVER, House
from bot.strings import privacy as words
from debate_engine.errors import SessionHeld, StorageError, UnknownSession
from debate_engine.events import ForgetAsked, Redacted

PATIENCE = 60.0
"""Seconds for the process that runs a session to rewrite its log."""

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


@dataclass(frozen=True, slots=True)
class Forgetter:
    """Removes members from sessions, running or not."""

    desk: Desk
    house: House
    transport: Transport

    async def forget(self, session: str, member: int) -> Forgotten:
        """Remove a member's words, votes and name. Raises UnknownSession, StorageError.

        The posts go last, when the thread shows all that was said before: none of them can come after that.
        """
        if not (await self.house.board(session)).ended:
            await leaving.leave_all(self.desk, session, member, leaving.NOBODY)
        held = held_in(session, await self.desk.log.read(session), member)
        await consent.withdraw(self.desk.shelf, session, member)
        await drafts.forget(self.desk.shelf, member, session)
        texts = await self._rewritten(session, person(member))  # last: it leaves no trace of anything on the disk
        binding = self.house.bindings.find(session)
        if binding is None or not held.marks:
            return Forgotten(texts)
        await self._shown(session)
        deleted, kept = await self._unposted(binding, held.marks)
        return Forgotten(texts, deleted, kept)

    # ── the log ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _rewritten(self, session: str, who: str) -> int:
        try:
            return await self.desk.runner.forget(session, who)
        except SessionHeld:
            return await self._asked(session, who)

    async def _asked(self, session: str, who: str) -> int:
        """Ask the process that runs the session, and wait until it is done."""
        asked = await self.desk.log.send(session, ForgetAsked(by=who, seat=who))
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE), aclosing(self.desk.log.follow(session, after=asked.seq)) as events:
                async for r in events:
                    if isinstance(r.event, Redacted):
                        return r.event.strings
        raise StorageError(words.not_forgotten(session))

    # ── the thread ───────────────────────────────────────────────────────────────────────────────────────────────

    async def _shown(self, session: str) -> None:
        """Wait until the thread shows that something was removed, or cannot be posted to."""
        events = await self.desk.log.read(session)
        last = max((r.seq for r in events if isinstance(r.event, Redacted)), default=0)
        self.house.show(session)
        until = monotonic() + SHOWN_WITHIN
        while (binding := self.house.bindings.find(session)) and binding.cursor < last and monotonic() < until:
            if binding.closed not in ("", OVER):
                return  # nothing is posted there any more
            await asyncio.sleep(0.1)

    async def _unposted(self, binding: Binding, marks: Iterable[Mark]) -> tuple[int, int]:
        """Delete these posts; how many are gone, and how many could not be deleted."""
        wanted = set(marks)
        try:
            standing = await made(self.transport.client, self.transport.webhooks, from_the_beginning(binding))
        except (discord.NotFound, discord.Forbidden):
            return 0, len(wanted)
        gone = [await self._deleted(binding, message) for mark, message in standing.items() if mark in wanted]
        return sum(gone), len(gone) - sum(gone)

    async def _deleted(self, binding: Binding, message: int) -> bool:
        """Whether a post is gone: a persona's by its webhook, which needs no permission; else as the bot."""
        with suppress(discord.HTTPException):
            webhook = await self.transport.webhooks.of(binding.channel)
            await webhook.delete_message(message, thread=discord.Object(binding.thread))
            return True
        thread = self.transport.client.get_partial_messageable(binding.thread, guild_id=binding.guild)
        try:
            await thread.get_partial_message(message).delete()
        except discord.NotFound:
            return True
        except discord.HTTPException:
            return False
        return True


async def forget_all(forgetter: Forgetter, sessions: Iterable[str], member: int) -> Forgotten:
    """The same in several sessions; one that was deleted meanwhile is left out. Raises StorageError."""
    done = Forgotten()
    for session in sessions:
        with suppress(UnknownSession):
            done += await forgetter.forget(session, member)
    return done


def from_the_beginning(binding: Binding) -> Binding:
    """The binding as it was when nothing was confirmed yet: all posts of the thread are looked at."""
    return binding.model_copy(update={"cursor": 0, "part": 0, "last_message": None})
