"""A member's wish to be forgotten: done here for the servers of this shard, noted for those of the others.

Whatever is known of a thread is its shard's, in whichever process that is; so each shard removes a member from its own
servers, and the key to the made-up name goes when all have.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace

import discord

from elenchus.bot import errors
from elenchus.bot.bindings import ViewKey, all_bindings
from elenchus.bot.people.forgetting_messages import NOBODY, Forgetter, Forgotten, forget_all
from elenchus.bot.people.members import person
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.debate_engine.errors import ElenchusError, UnknownSession
from elenchus.debate_engine.events import FrozenModel

NAMESPACE = "forgetting"
"""Where the store keeps what is still to be done."""

EVERY = 2.0
"""Seconds between two looks for it."""

LAST = 0
"""In place of a server: what is held beside all servers, which the first shard removes when nothing else is left."""


class Wish(FrozenModel):
    """A member is to be forgotten in a server of another shard; in one session, or in all where it is ""."""

    member: int
    guild: int
    session: str = ""

    @property
    def key(self) -> str:
        """Where the store keeps it."""
        return f"{self.member}:{self.guild}:{self.session}"


@dataclass(frozen=True, slots=True)
class Removed:
    """What was removed here, from so many sessions; `running` debates and `scenes` are still the member's.

    `elsewhere`: in so many servers of other shards it is still to be done.
    """

    sessions: int
    done: Forgotten
    running: int
    scenes: int
    elsewhere: int = 0


@dataclass(frozen=True, slots=True)
class Removal:
    """Removes members. All raise StorageError, UnknownSession, discord.HTTPException."""

    services: BotServices
    manager: SessionManager
    forgetter: Forgetter

    async def everywhere(self, member: int, session: str) -> Removed:
        """Remove a member (from one session, or from all where it is "") in this shard's servers, and have the others
        do so in theirs.
        """
        servers = await self._elsewhere(member, session)
        for guild in servers:
            await self._wish(Wish(member=member, guild=guild, session=session))
        here = await self._here(member, session)
        if servers and not session:
            await self._wish(Wish(member=member, guild=LAST))
        else:
            await self.services.people.forget_beside_logs(person(member), session)
        return replace(here, elsewhere=len(servers))

    async def _wish(self, wish: Wish) -> None:
        await self.services.store.put(NAMESPACE, wish.key, wish.model_dump(mode="json"))

    def moderated(self, member: int, session: str) -> list[str]:
        """The sessions (or the one) of this shard's servers that the member moderates."""
        mine = [binding.session for binding in self.manager.bindings.public if binding.moderator == member]
        return [one for one in mine if session in ("", one)]

    async def keep(self) -> None:
        """Do again and again what others have asked for, until cancelled. Of failures in a row the first is told."""
        failed = False
        while True:
            try:
                await self.catch_up()
                failed = False
            except (ElenchusError, discord.HTTPException, *errors.DISCONNECTED) as error:
                if not failed:
                    errors.logged(error, "cannot look whom other processes want forgotten, or do it; tried again")
                failed = True
            await asyncio.sleep(EVERY)

    async def catch_up(self) -> None:
        """Do what others have asked for, of this shard's servers."""
        found = (await self.services.store.all(NAMESPACE)).values()
        wishes = [Wish.model_validate(document) for document in found]
        for wish in wishes:
            if not self.services.shard.has(wish.guild):
                continue
            if wish.guild != LAST:
                with suppress(UnknownSession):  # it is deleted
                    await self._here(wish.member, wish.session)
            elif any(one.guild != LAST for one in wishes if one.member == wish.member):
                continue
            else:
                await self.services.people.forget_beside_logs(person(wish.member), wish.session)
            await self.services.store.remove(NAMESPACE, wish.key)

    async def _here(self, member: int, session: str) -> Removed:
        others = await self._sessions_elsewhere()
        held = await self.services.people.held_on(person(member), session)
        own = [one.session for one in held if one.session not in others]
        done = await forget_all(self.forgetter, own, member)
        running = await self._unmoderated(member, session)
        scenes = sum([await organised.forget(member, session) for organised in self.forgetter.organised])
        return Removed(len(own), done, running, scenes)

    async def _unmoderated(self, member: int, session: str) -> int:
        """Forget who moderated what is over; how many debates the member still moderates."""
        running = 0
        for one in self.moderated(member, session):
            if (await self.manager.status(one)).over:
                await self.manager.bindings.change(ViewKey(one), moderator=NOBODY)
            else:
                running += 1
        return running

    # ── other shards ─────────────────────────────────────────────────────────────────────────────────────────────

    async def _elsewhere(self, member: int, session: str) -> set[int]:
        """The servers of other shards in which something of a member is."""
        shard = self.services.shard
        if shard.count == 1:
            return set()
        where = await self._sessions_elsewhere()
        held = await self.services.people.held_on(person(member), session)
        found = {where[one.session] for one in held if one.session in where}
        known = await all_bindings(self.services.store)
        found |= {one.guild for one in known if one.moderator == member and session in ("", one.session)}
        for organised in self.forgetter.organised:
            found |= await organised.servers(member, session)
        return {guild for guild in found if not shard.has(guild)}

    async def _sessions_elsewhere(self) -> dict[str, int]:
        """The sessions that are shown in servers of other shards, with their servers."""
        if self.services.shard.count == 1:
            return {}
        known = await all_bindings(self.services.store)
        return {one.session: one.guild for one in known if not self.services.shard.has(one.guild)}
