"""The log over an SQL database, whichever it is: what `sqlite_log` and `postgres_log` have in common."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeVar

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.events import Event, Recorded, SessionStarted, now
from elenchus.debate_engine.log import SessionInfo, rules
from elenchus.debate_engine.log.followers import Followers, follow
from elenchus.storage import changes
from elenchus.storage.additions import Addition
from elenchus.storage.database import Connection
from elenchus.storage.key_value import SqlKeyValueStore, SqlReplyCache
from elenchus.storage.readers import Events, Queries, Readers, Session
from elenchus.storage.session_owners import Holds, Owners, SqlOwnership
from elenchus.storage.watcher import Watcher
from elenchus.storage.writer import Writer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Parts:
    """What a log is made of. `erase` removes the traces of what was replaced or deleted."""

    followers: Followers
    writer: Writer
    readers: Readers
    watcher: Watcher
    holds: Holds
    queries: Queries
    erase: Callable[[], Awaitable[None]]
    body_bytes: str
    """The bytes of a row's text, in SQL."""


class SqlLog:
    """An `EventLog` in an SQL database. It belongs to one event loop; `aclose` ends it.

    Many processes may use the database, each with a log of its own. Events of a session are numbered without gaps,
    whoever appends them; what an append returned survives the death of the process.
    """

    def __init__(self, parts: Parts) -> None:
        self._followers, self._writer, self._readers = parts.followers, parts.writer, parts.readers
        self._watcher = parts.watcher
        self._holds, self._queries, self._erase = parts.holds, parts.queries, parts.erase
        self._owners = Owners(self._holds, self._writer, self._session, self._publish)
        self._closed = False
        self._closing: asyncio.Task[None] | None = None
        self.key_value_store = SqlKeyValueStore(self._writer, self._readers)
        self.reply_cache = SqlReplyCache(self._writer, self._readers, self._erase, parts.body_bytes)

    @property
    def origin(self) -> str:
        """The name of this log object, under which it holds sessions."""
        return self._holds.origin

    @property
    def refusal(self) -> StorageError | None:
        """Why nothing can be written here, None where it can."""
        return self._writer.refusal

    # ── sessions ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def create(self, session_id: str, started: SessionStarted) -> None:
        """Make a session. Raises UsageError for an id that exists or cannot be used."""
        await self.restore(session_id, [Recorded(seq=1, at=now(), event=started)])

    async def sessions(self) -> list[SessionInfo]:
        """All sessions, newest first."""
        found = await self._ask(self._queries.sessions)
        alive = await self._holds.alive({s.owner.origin for s in found if s.owner}, quick=True)
        return [s.info(alive=self._owners.lives(s, alive)) for s in found]

    async def info(self, session_id: str) -> SessionInfo:
        """One session. Raises UnknownSession."""
        session = await self._session(session_id)
        return session.info(alive=await self._owners.is_held(session))

    async def derived_from(self, session_id: str) -> list[str]:
        """The ids of the sessions that examine this one's words, which may be gone itself."""
        return await self._ask(self._queries.derived_from(session_id)) if rules.is_usable(session_id) else []

    async def restore(self, session_id: str, events: Sequence[Recorded]) -> None:
        """Make a session from exported events. Raises UsageError if the id exists, StorageError if one is missing."""
        await self._writer.change(await asyncio.to_thread(changes.restore, session_id, events, self._holds.origin))

    async def delete(self, session_id: str) -> None:
        """Remove a session without a trace (see the class). Raises UnknownSession, SessionHeld, StorageError."""
        async with self._owners.turn(session_id):
            while True:
                session = await self._owners.unheld(session_id)
                if await self._writer.change(changes.delete(session_id, session.epoch), self._deleted(session_id)):
                    break
        await self._erase()

    def _deleted(self, session_id: str) -> Callable[[bool], None]:
        """What is to be done once the session is gone: its followers must meet UnknownSession."""
        return lambda gone: self._followers.reread(session_id) if gone else None

    # ── ownership ────────────────────────────────────────────────────────────────────────────────────────────────

    async def claim(self, session_id: str, *, take_over: bool = False) -> SqlOwnership:
        """Become the one owner. Raises SessionHeld, UnknownSession."""
        return await self._owners.claim(session_id, take_over=take_over)

    # ── events ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def append(self, session_id: str, events: Sequence[Event], epoch: int) -> list[Recorded]:
        """Append all or nothing. Raises LostOwnership, UnknownSession, StorageError."""
        birth = self._owners.birth(session_id, epoch)
        return await self._add(Addition(session_id, list(events), epoch, birth))

    async def send(self, session_id: str, event: Event) -> Recorded:
        """Append a command or an answer. Raises UnknownSession, StorageError."""
        return (await self._add(Addition(session_id, [event], None)))[0]

    async def _add(self, addition: Addition) -> list[Recorded]:
        if addition.birth is None:  # the id of a session that was claimed here is one
            rules.check_known(addition.session_id)
        if addition.is_small:  # here, while the thread that writes waits for the disk; else there
            addition.prepare()
        return await self._writer.append(addition, lambda _: self._publish(addition))

    def _publish(self, addition: Addition | None) -> None:
        """Hand on what was committed here."""
        if addition is not None and isinstance(addition.outcome, list) and addition.outcome:
            self._followers.publish(addition.session_id, addition.outcome, addition.birth)

    async def read(self, session_id: str, after: int = 0) -> list[Recorded]:
        """Events with `seq` > `after`, in order. Raises UnknownSession, DamagedLog, NewerSchema."""
        return (await self._ask(self._queries.events(session_id, after)))[1]

    async def follow(self, session_id: str, after: int = 0) -> AsyncGenerator[Recorded]:
        """Events with `seq` > `after`, then each new one, at once or, from other processes, some milliseconds later.

        Ends when the log is closed. Raises what `read` raises, UnknownSession also when the session is deleted.
        """

        async def read(last: int) -> Events:
            return await self._ask(self._queries.events(session_id, last))

        self._check_open()
        with self._followers.subscription(session_id) as subscription:
            following = follow(session_id, read, subscription, after)
            async with self._watcher.watching(), aclosing(following) as events:
                async for recorded in events:
                    yield recorded

    def rewrites(self, session_id: str) -> int:
        """Grows when events that were given before may have been rewritten."""
        return self._followers.rereads(session_id)

    async def rewrite(self, session_id: str, events: Sequence[Recorded], epoch: int) -> None:
        """Replace events in their places, without a trace of the old text (see the class); their times stay.

        Events that are not given stay as they are. Raises LostOwnership, and StorageError, the latter also when the
        text was replaced but another program keeps its traces from being erased; the message says so.
        """
        rules.check_known(session_id)
        birth = self._owners.birth(session_id, epoch)
        work = await asyncio.to_thread(changes.rewrite, session_id, events, epoch, birth)
        await self._writer.change(work, lambda _: self._followers.reread(session_id))
        await self._erase()

    # ── the end ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def aclose(self) -> None:
        """Finish pending appends, end the followers, let go of sessions, files and threads. Safe to call twice.

        Raises nothing: what cannot be written down now does not matter, as the holds of a closed log are over. A call
        that is cancelled closes all the same; another one waits for it.
        """
        if self._closing is None:
            self._closed = True
            self._followers.close()
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        await self._owners.release_all()
        await self._watcher.aclose()
        await self._readers.aclose()
        await self._writer.aclose()
        await self._holds.release()

    # ── helpers ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _ask(self, query: Callable[[Connection], T]) -> T:
        self._check_open()
        return await self._readers.ask(query)

    async def _session(self, session_id: str) -> Session:
        return await self._ask(self._queries.session(session_id))

    def _check_open(self) -> None:
        if self._closed:
            raise rules.closed()
