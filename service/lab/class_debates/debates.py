"""Class debates: what whoever leads a class, and the people in the room, do with them; and the process that has them.

Everything of a class debate but the code and the made-up names stands in the log of its session, which is a debate like
any other: it is paused, cooled, stopped and shown as one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.dry_run.estimate import estimated
from elenchus.debate_engine.errors import ElenchusError, UnknownSession, UsageError
from elenchus.debate_engine.events import now
from elenchus.debate_engine.owned_tasks import OwnedTasks
from elenchus.debate_engine.protocols.speech import SIDES
from elenchus.debate_engine.runner import new_id
from elenchus.service.lab.class_debates import taking_part
from elenchus.service.lab.class_debates.live_debate import DebateMember, LiveDebate
from elenchus.service.lab.class_debates.room import DebateRoom, NewDebate, new_debate
from elenchus.service.lab.classes.class_store import NO_CLASS, ClassStore
from elenchus.service.lab.classes.classroom import account_of
from elenchus.service.lab.classes.entry_codes import LAST, another_way_in, class_code, own_way_in
from elenchus.service.lab.stored_documents import readable, stored

if TYPE_CHECKING:
    from elenchus.service.lab.access import Access, Grant, NewGrant
    from elenchus.service.lab.class_debates.room import ClassDebateOptions
    from elenchus.service.lab.classes.sessions import Parts

_log = logging.getLogger(__name__)

NAMESPACE = "class-debates"
FRESH_FOR = timedelta(seconds=0.5)
"""How long what other processes have written of a class is not looked at again."""
BeginSession = Callable[[str], Awaitable[bool]]
"""Runs a session that nobody runs; whether that was so."""


@dataclass(frozen=True, slots=True)
class InDebate:
    """Somebody who has a place; `own` is their grant, by `code` they come back. Both are nowhere else."""

    member: DebateMember
    own: NewGrant
    code: str


@dataclass
class ClassDebates:
    """All class debates of this process. `begin` runs a session. Every method raises StorageError."""

    parts: Parts
    access: Access
    begin: BeginSession
    clock: Callable[[], datetime] = now
    live: dict[str, LiveDebate] = field(default_factory=dict)
    _owner: OwnedTasks = field(default_factory=OwnedTasks)
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    # ── for who leads it ─────────────────────────────────────────────────────────────────────────────────────────

    async def create(self, options: ClassDebateOptions, class_id: str = "") -> tuple[DebateRoom, tuple[str, ...]]:
        """A new class debate, whose lobby is open; with what to know of it. Raises UsageError, ProviderError."""
        class_id = class_id or new_id()
        made = await self._made(options, class_id)
        room = made.room.model_copy(update={"code": await class_code(self.access, class_id)})
        await self.parts.runner.create(made.started, room.session)
        await self.parts.store.put(NAMESPACE, class_id, room.model_dump(mode="json"))
        await self.open(class_id)
        return room, made.cautions

    async def estimate(self, options: ClassDebateOptions) -> tuple[dict[str, Any], tuple[str, ...]]:
        """What it asks of models at the most; with what to know of it. Raises UsageError, ProviderError."""
        made = await self._made(options, new_id())
        return await estimated(self.parts.settings, self.parts.registry, made.started), made.cautions

    async def _made(self, options: ClassDebateOptions, class_id: str) -> NewDebate:
        settings, registry = self.parts.settings, self.parts.registry
        return await new_debate(
            options, settings, registry, class_id=class_id, session=new_id(), now=self.clock()
        )  # fmt: skip

    async def start(self, class_id: str) -> None:
        """Begin the debate, with the vote before it; nothing changes where it was begun."""
        live = await self.open(class_id)
        if live.phase == "lobby":
            await self.begin(live.room.session)

    async def is_there(self, class_id: str) -> bool:
        """Whether there is such a class debate."""
        return await self.parts.store.get(NAMESPACE, class_id) is not None

    async def all(self) -> list[DebateRoom]:
        """All of them that this release reads, newest first."""
        found = readable(DebateRoom, await self.parts.store.all(NAMESPACE))
        return sorted(found, key=lambda room: room.created, reverse=True)

    async def remove(self, class_id: str) -> None:
        """Remove a class: its code, and who was there. The debate stays, and goes as any other. Raises UsageError."""
        live = await self.open(class_id)
        if live.phase not in ("over", "lobby"):
            raise UsageError("Stop the debate first: then the class can be removed.")
        live.gone = live.removed = True
        live.changed.touch()
        self.live.pop(class_id, None)
        await self.access.revoke_session("", classroom=class_id)
        await self._forget_people(class_id)
        await self.parts.store.remove(NAMESPACE, class_id)

    # ── for people ───────────────────────────────────────────────────────────────────────────────────────────────

    async def join(self, class_id: str, name: str = "", known: str = "") -> InDebate:
        """Give somebody a place, or a new way to theirs where they are `known`. Raises UsageError, ClassFull."""
        live = await self.open(class_id)
        if known in live.members and not live.members[known].left:
            return InDebate(live.members[known], *await another_way_in(self.access, class_id, known))
        member = await taking_part.join(live, name)
        return InDebate(member, *await own_way_in(self.access, class_id, member.person.id))

    async def member(self, class_id: str, person: str) -> tuple[LiveDebate, DebateMember]:
        """Somebody in it. Raises UsageError."""
        live = await self.open(class_id)
        return live, taking_part.member_of(live, person)

    async def grants_of(self, grant: Grant) -> list[Grant]:
        """What a participant's grant is worth on the debate: to look at it, and the seat from which one speaks."""
        live = self.live.get(grant.classroom) if grant.role == "participant" else None
        if grant.role == "participant" and (live is None or grant.person not in live.members):
            with suppress(ElenchusError):  # it may have come by another process
                live = await self.open(grant.classroom)
        member = live.members.get(grant.person) if live else None
        if live is None or member is None or member.left:
            return []
        there = {"classroom": "", "session": live.room.session}
        seats = [side for side in SIDES if live.speaker_of(side) is member]
        found = [grant.model_copy(update=there | {"role": "seat", "seat": s, "person": member.called}) for s in seats]
        return [*found, grant.model_copy(update=there | {"role": "audience", "person": ""})]

    def of_session(self, session: str) -> LiveDebate | None:
        """The class that holds this debate, None for none."""
        return next((live for live in self.live.values() if live.room.session == session), None)

    # ── running ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def open(self, class_id: str) -> LiveDebate:
        """A class debate as it stands. Raises UsageError."""
        if known := self.live.get(class_id):
            if known.stale:
                await known.read_up()
            if self.clock() - known.refreshed > FRESH_FOR:
                known.refreshed = self.clock()
                if not await self.is_there(class_id):
                    known.gone = True
                    self.live.pop(class_id, None)
                    raise UsageError(NO_CLASS)
                await taking_part.refresh(known)
            return known
        async with self._opening:
            if class_id not in self.live:
                self.live[class_id] = live = await self._opened(class_id)
                self._owner.begin(live.follow(), f"class debate {class_id}")
            return self.live[class_id]

    async def _opened(self, class_id: str) -> LiveDebate:
        if (known := await self.parts.store.get(NAMESPACE, class_id)) is None:
            raise UsageError(NO_CLASS)
        room, store = stored(DebateRoom, class_id, known), ClassStore(self.parts.store)
        live = LiveDebate(self.parts, store, room, self.clock)
        try:
            await live.read_up()
        except UnknownSession:
            live.gone = True
        await taking_part.refresh(live)
        return live

    async def open_all(self) -> None:
        """Go on with all of them; of those whose codes have ended forget who was there."""
        for room in await self.all():
            try:
                if self.clock() < room.until(LAST):
                    await self.open(room.id)
                else:
                    await self._forget_people(room.id)
            except ElenchusError:  # one that cannot be read hurts no other
                _log.exception("class debate %s cannot go on", room.id)

    async def _forget_people(self, class_id: str) -> None:
        """Nobody can tell any more who was who: the made-up names go, and the key to those in the log."""
        store = ClassStore(self.parts.store)
        for person in await store.people(class_id):
            account = account_of(class_id, person.id)
            for key in (account, f"{account}:ballot"):
                await self.parts.pseudonyms.forget(key)
        await store.forget_people(class_id)

    async def aclose(self) -> None:
        """Follow none of them any more."""
        await self._owner.aclose()
        self.live.clear()
