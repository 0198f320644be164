"""Which sessions one log object runs, and whether a living log object runs a session."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol
from weakref import WeakValueDictionary

from elenchus.debate_engine.log import rules
from elenchus.storage import changes
from elenchus.storage.additions import Addition
from elenchus.storage.readers import Session
from elenchus.storage.writer import Writer

REMEMBERED = 10_000
"""Claims that one log object remembers, the newest; a late write under one that is forgotten meets the epoch alone."""


class Holds(Protocol):
    """Which log objects are alive: how a database or the system learns that one is gone."""

    origin: str
    """The name of this log object, random and never used again."""

    async def hold(self) -> None:
        """Count as alive for others from now on. Raises StorageError."""
        ...

    async def alive(self, origins: set[str], *, quick: bool = False) -> set[str]:
        """Those of these log objects that live; `quick`: for a list, where one may be wrong. Raises StorageError."""
        ...

    async def release(self) -> None:
        """Count as gone for others. Safe to call twice; raises nothing."""
        ...


@dataclass(slots=True, eq=False)
class SqlOwnership:
    """The right to run a session, until it is released or taken over, its log is closed, or the process dies."""

    session_id: str
    epoch: int
    _owners: Owners = field(repr=False)

    async def release(self) -> None:
        """Let the session go. Safe to call twice. Raises StorageError where that cannot be written down."""
        await self._owners.release(self)


class Owners:
    """Claims and releases sessions for one log object. `session` reads one, `publish` hands on what was committed."""

    def __init__(
        self,
        holds: Holds,
        writer: Writer,
        session: Callable[[str], Awaitable[Session]],
        publish: Callable[[Addition | None], None],
    ) -> None:
        self._holds, self._writer = holds, writer
        self._session, self._publish = session, publish
        self._owned: dict[str, SqlOwnership] = {}
        self._births: dict[tuple[str, int], int | None] = {}
        """Of claims made here, by session and epoch: which session of this id it was. It outlives the hold."""
        self.remembered = REMEMBERED
        self._turns = WeakValueDictionary[str, asyncio.Lock]()

    async def claim(self, session_id: str, *, take_over: bool) -> SqlOwnership:
        """Become the one owner. Raises SessionHeld, UnknownSession."""
        former = self._owned.get(session_id)
        session = await self._session(session_id)
        await self._holds.hold()
        async with self.turn(session_id):
            ownership = None
            if take_over and self._owned.get(session_id) is former:  # else it was meant for a holder who is gone
                ownership = await self._raise_epoch(session)
            while ownership is None:
                ownership = await self._raise_epoch(await self.unheld(session_id))
            return ownership

    def turn(self, session_id: str) -> asyncio.Lock:
        """Held by whoever claims or deletes here: a claim is known to `_owned` only some time after its commit."""
        return self._turns.setdefault(session_id, asyncio.Lock())

    async def unheld(self, session_id: str) -> Session:
        """A session that nobody runs, or the queue has. Raises SessionHeld, UnknownSession."""
        session = await self._session(session_id)
        if not has_queue(session) and await self.is_held(session):
            assert session.owner is not None, "a session without an owner is not held"
            raise rules.held(session.id, session.owner.host, session.owner.pid, session.owner.since)
        return session

    async def _raise_epoch(self, session: Session) -> SqlOwnership | None:
        """Claim the epoch after the session's; None where another was faster. Cancelled, it claims nothing."""
        host, pid = rules.this_process()
        owner = changes.Owner(self._holds.origin, host, pid, rules.claim_time())
        epoch = session.epoch + 1
        try:
            won = await self._writer.change(changes.claim(session.id, session.epoch, owner), self._publish)
        except asyncio.CancelledError:
            self._writer.post(changes.release_ownership(session.id, epoch, self._holds.origin))
            raise
        if not won:
            return None
        ownership = self._owned[session.id] = SqlOwnership(session.id, epoch, self)
        self._births[session.id, epoch] = won.birth
        while len(self._births) > max(self.remembered, len(self._owned)):
            del self._births[next(claim for claim in self._births if not self._has(*claim))]
        return ownership

    def _has(self, session_id: str, epoch: int) -> bool:
        owned = self._owned.get(session_id)
        return owned is not None and owned.epoch == epoch

    def birth(self, session_id: str, epoch: int) -> int | None:
        """Which session of this id was claimed here under this epoch; None where that is not known (any more)."""
        return self._births.get((session_id, epoch))

    async def release(self, ownership: SqlOwnership) -> None:
        """Let a session go, unless it was claimed anew. Raises StorageError."""
        session_id = ownership.session_id
        if self._owned.get(session_id) is ownership:
            del self._owned[session_id]
            await self._writer.insist(changes.release_ownership(session_id, ownership.epoch, self._holds.origin))

    async def release_all(self) -> None:
        """Let all of them go; raises nothing."""
        await asyncio.gather(*(one.release() for one in list(self._owned.values())), return_exceptions=True)

    async def is_held(self, session: Session) -> bool:
        """Whether a living log object may run the session."""
        if has_queue(session):
            return True
        owner = session.owner
        if owner is None or owner.origin == self._holds.origin:
            return self.lives(session, set())
        return owner.origin in await self._holds.alive({owner.origin})

    def lives(self, session: Session, alive: set[str]) -> bool:
        """Whether the session's owner is this log, as long as it was not released, or one of `alive`."""
        if has_queue(session):
            return True
        if session.owner and session.owner.origin == self._holds.origin:
            return self._has(session.id, session.epoch)
        return session.owner is not None and session.owner.origin in alive


def has_queue(session: Session) -> bool:
    """Whether it waits for people at the queue."""
    return session.owner is not None and session.owner.origin == changes.QUEUE.origin
