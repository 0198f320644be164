"""The embedded log: one SQLite file, many processes. See docs/decisions/0002-sqlite-log.md."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.events import Event, Recorded, SessionStarted, now
from elenchus.debate_engine.log import SessionInfo, followers, rules
from elenchus.storage import changes, failures, queries
from elenchus.storage.database_file import Source, opened
from elenchus.storage.erasing import Eraser, cut_write_ahead_log, erase
from elenchus.storage.key_value import SqliteKeyValueStore, SqliteReplyCache
from elenchus.storage.owner_locks import Locks
from elenchus.storage.queries import Readers
from elenchus.storage.schema import Sync
from elenchus.storage.session_owners import Owners, SqliteOwnership
from elenchus.storage.watcher import Watcher
from elenchus.storage.writer import Writer

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds to wait for another process's lock on the database."""


async def open_log(path: Path, *, sync: Sync = "normal", patience: float = PATIENCE) -> SqliteLog:
    """Open the log at `path`, made with its folder where missing. The caller closes it. Only its owner can read it.

    What cannot be written (a read-only medium, a full disk) can be read; every change raises why.

    `sync` "normal" loses nothing when the process dies at any moment, and in a power cut perhaps the last seconds;
    "full" waits for the disk at each commit. Raises StorageError, NewerSchema, DamagedLog.
    """
    absolute, source, connection = await asyncio.to_thread(_open, path, patience, sync)
    return SqliteLog(absolute, source, connection, patience)


def _open(path: Path, patience: float, sync: Sync) -> tuple[Path, Source, sqlite3.Connection]:
    """The absolute path, where to read, and the connection that writes; erasing is done that was prevented before."""
    path = path.absolute()
    with failures.explained(path):
        source, connection = opened(path, sync, patience)
    with suppress(*failures.RAW):  # it stays noted in the database, and must not keep people from their sessions
        if source.refusal is None and (traces := erase(connection, 0.1)):
            cut_write_ahead_log(connection, traces)
    return path, source, connection


class SqliteLog:
    """An `EventLog` in a SQLite file, made by `open_log`. It belongs to one event loop; `aclose` ends it.

    Many processes may use the file, each with a log of its own. Events of a session are numbered without gaps,
    whoever appends them; what an append returned survives the death of the process.
    """

    def __init__(self, path: Path, source: Source, connection: sqlite3.Connection, patience: float) -> None:
        self._path = path
        self._source = source
        self._patience = patience
        self._feed = followers.Followers()
        self._locks = Locks(path)
        connect = partial(source.connect, patience)
        self._readers = Readers(path, connect)
        self._writer = Writer(connection, path, self._locks.origin, patience, source.refusal)
        self._watcher = Watcher(path, self._locks.origin, connect, self._feed)
        self._owners = Owners(path, self._locks, self._writer, self._session, self._publish)
        self._closed = False
        self._closing: asyncio.Task[None] | None = None
        self.key_value_store = SqliteKeyValueStore(self._writer, self._readers)
        self._eraser = Eraser(self._writer, path, patience)
        self.reply_cache = SqliteReplyCache(self._writer, self._readers, self._eraser.run)

    @property
    def refusal(self) -> StorageError | None:
        """Why nothing can be written here, None where it can."""
        return self._source.refusal

    # ── sessions ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def create(self, session_id: str, started: SessionStarted) -> None:
        """Make a session. Raises UsageError for an id that exists or cannot be used."""
        await self.restore(session_id, [Recorded(seq=1, at=now(), event=started)])

    async def sessions(self) -> list[SessionInfo]:
        """All sessions, newest first."""
        found = await self._ask(queries.sessions(self._path))
        owners = {s.owner.origin for s in found if s.owner}
        alive = await failures.in_thread(self._path, lambda: {o for o in owners if self._locks.alive(o, patience=0.0)})
        return [s.info(alive=self._owners.lives(s, alive)) for s in found]

    async def info(self, session_id: str) -> SessionInfo:
        """One session. Raises UnknownSession."""
        session = await self._session(session_id)
        return session.info(alive=await self._owners.is_held(session))

    async def derived_from(self, session_id: str) -> list[str]:
        """The ids of the sessions that examine this one's words, which may be gone itself."""
        return await self._ask(queries.derived_from(session_id)) if rules.is_usable(session_id) else []

    async def restore(self, session_id: str, events: Sequence[Recorded]) -> None:
        """Make a session from exported events. Raises UsageError if the id exists, StorageError if one is missing."""
        await self._writer.change(await asyncio.to_thread(changes.restore, session_id, events, self._locks.origin))

    async def delete(self, session_id: str) -> None:
        """Remove a session, without a trace of its text on disk. Raises UnknownSession, SessionHeld, StorageError."""
        async with self._owners.turn(session_id):
            while True:
                session = await self._owners.unheld(session_id)
                if await self._writer.change(changes.delete(session_id, session.epoch), self._deleted(session_id)):
                    break
        await self._eraser.run()

    def _deleted(self, session_id: str) -> Callable[[bool], None]:
        """What is to be done once the session is gone: its followers must meet UnknownSession."""
        return lambda gone: self._feed.reread(session_id) if gone else None

    # ── ownership ────────────────────────────────────────────────────────────────────────────────────────────────

    async def claim(self, session_id: str, *, take_over: bool = False) -> SqliteOwnership:
        """Become the one owner. Raises SessionHeld, UnknownSession."""
        return await self._owners.claim(session_id, take_over=take_over)

    # ── events ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def append(self, session_id: str, events: Sequence[Event], epoch: int) -> list[Recorded]:
        """Append all or nothing. Raises LostOwnership, UnknownSession, StorageError."""
        birth = self._owners.birth(session_id, epoch)
        return await self._add(changes.Addition(session_id, list(events), epoch, birth))

    async def send(self, session_id: str, event: Event) -> Recorded:
        """Append a command or an answer. Raises UnknownSession, StorageError."""
        return (await self._add(changes.Addition(session_id, [event], None)))[0]

    async def _add(self, addition: changes.Addition) -> list[Recorded]:
        rules.check_known(addition.session_id)
        if addition.is_small:  # here, while the thread that writes waits for the disk; else there
            addition.prepare()
        return await self._writer.append(addition, lambda _: self._publish(addition))

    def _publish(self, addition: changes.Addition | None) -> None:
        """Hand on what was committed here."""
        if addition is not None and isinstance(addition.outcome, list) and addition.outcome:
            self._feed.publish(addition.session_id, addition.outcome, addition.birth)

    async def read(self, session_id: str, after: int = 0) -> list[Recorded]:
        """Events with `seq` > `after`, in order. Raises UnknownSession, DamagedLog, NewerSchema."""
        return (await self._ask(queries.events(self._path, session_id, after)))[1]

    async def follow(self, session_id: str, after: int = 0) -> AsyncGenerator[Recorded]:
        """Events with `seq` > `after`, then each new one, at once or, from other processes, some 20 ms later.

        Ends when the log is closed. Raises what `read` raises, UnknownSession also when the session is deleted.
        """

        async def read(last: int) -> queries.Events:
            return await self._ask(queries.events(self._path, session_id, last))

        self._check_open()
        with self._feed.subscription(session_id) as subscription:
            following = followers.follow(session_id, read, subscription, after)
            async with self._watcher.watching(), aclosing(following) as events:
                async for recorded in events:
                    yield recorded

    def rewrites(self, session_id: str) -> int:
        """Grows when events that were given before may have been rewritten."""
        return self._feed.rereads(session_id)

    async def rewrite(self, session_id: str, events: Sequence[Recorded], epoch: int) -> None:
        """Replace events in their places, without a trace of the old text on disk; their times stay.

        Events that are not given stay as they are. Raises LostOwnership, and StorageError, the latter also when the
        text was replaced but another program keeps its traces from being erased; the message says so.
        """
        rules.check_known(session_id)
        birth = self._owners.birth(session_id, epoch)
        work = await asyncio.to_thread(changes.rewrite, session_id, events, epoch, birth)
        await self._writer.change(work, lambda _: self._feed.reread(session_id))
        await self._eraser.run()

    # ── the end ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def aclose(self) -> None:
        """Finish pending appends, end the followers, let go of sessions, files and threads. Safe to call twice.

        Raises nothing: what cannot be written down now does not matter, as the holds of a closed log are over. A call
        that is cancelled closes all the same; another one waits for it.
        """
        if self._closing is None:
            self._closed = True
            self._feed.close()
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        await self._owners.release_all()
        await self._watcher.aclose()
        await self._writer.aclose()
        await self._readers.aclose()
        with suppress(OSError):  # the system drops the lock at the latest when this process ends
            await asyncio.to_thread(self._locks.release)
        if self._source.copy is not None:
            with suppress(OSError):
                await asyncio.to_thread(self._source.copy.cleanup)

    # ── helpers ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _ask(self, query: Callable[[sqlite3.Connection], T]) -> T:
        self._check_open()
        return await self._readers.ask(query)

    async def _session(self, session_id: str) -> queries.Session:
        return await self._ask(queries.session(self._path, session_id))

    def _check_open(self) -> None:
        if self._closed:
            raise rules.closed()
