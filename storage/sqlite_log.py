"""The embedded log: one SQLite file, many processes. See docs/decisions/0002-sqlite-log.md."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar
from weakref import WeakValueDictionary

from elenchus.debate_engine.errors import SessionHeld, StorageError
from elenchus.debate_engine.events import Event, Recorded, SessionStarted, now
from elenchus.debate_engine.log import SessionInfo, followers, rules
from elenchus.storage import changes, failures, queries
from elenchus.storage.database_file import Source, cut_write_ahead_log, erase, opened
from elenchus.storage.key_value import SqliteKeyValueStore, SqliteReplyCache
from elenchus.storage.owner_locks import Locks
from elenchus.storage.queries import Readers
from elenchus.storage.schema import Sync
from elenchus.storage.watcher import Watcher
from elenchus.storage.writer import Writer

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds to wait for another process's lock on the database."""

ERASING = 5.0
"""Seconds to wait for readers that keep old text from being erased."""


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


@dataclass(slots=True, eq=False)
class SqliteOwnership:
    """The right to run a session, until it is released or taken over, its log is closed, or the process dies."""

    session_id: str
    epoch: int
    _log: SqliteLog = field(repr=False)

    async def release(self) -> None:
        """Let the session go. Safe to call twice. Raises StorageError where that cannot be written down."""
        await self._log._release(self)  # noqa: SLF001 - both are one thing to the outside


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
        self._owned: dict[str, SqliteOwnership] = {}
        self._births: dict[tuple[str, int], int | None] = {}
        """Of every claim made here, by session and epoch: which session of this id it was. It outlives the hold."""
        self._turns = WeakValueDictionary[str, asyncio.Lock]()
        self._erasing = asyncio.Lock()
        self._closed = False
        self._closing: asyncio.Task[None] | None = None
        self.key_value_store = SqliteKeyValueStore(self._writer, self._readers)
        self.reply_cache = SqliteReplyCache(self._writer, self._readers, self._erase)

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
        alive = await self._in_thread(lambda: {o for o in owners if self._locks.alive(o, patience=0.0)})
        return [s.info(alive=self._lives(s, alive)) for s in found]

    async def info(self, session_id: str) -> SessionInfo:
        """One session. Raises UnknownSession."""
        session = await self._ask(queries.session(self._path, session_id))
        return session.info(alive=await self._is_held(session))

    async def derived_from(self, session_id: str) -> list[str]:
        """The ids of the sessions that examine this one's words, which may be gone itself."""
        return await self._ask(queries.derived_from(session_id)) if rules.is_usable(session_id) else []

    async def restore(self, session_id: str, events: Sequence[Recorded]) -> None:
        """Make a session from exported events. Raises UsageError if the id exists, StorageError if one is missing."""
        await self._writer.change(await asyncio.to_thread(changes.restore, session_id, events, self._locks.origin))

    async def delete(self, session_id: str) -> None:
        """Remove a session, without a trace of its text on disk. Raises UnknownSession, SessionHeld, StorageError."""
        async with self._turn(session_id):
            while True:
                session = await self._ask(queries.session(self._path, session_id))
                if await self._is_held(session):
                    raise _held(session)
                if await self._writer.change(changes.delete(session_id, session.epoch), self._deleted(session_id)):
                    break
        await self._erase()

    def _deleted(self, session_id: str) -> Callable[[bool], None]:
        """What is to be done once the session is gone: its followers must meet UnknownSession."""
        return lambda gone: self._feed.reread(session_id) if gone else None

    # ── ownership ────────────────────────────────────────────────────────────────────────────────────────────────

    async def claim(self, session_id: str, *, take_over: bool = False) -> SqliteOwnership:
        """Become the one owner. Raises SessionHeld, UnknownSession."""
        former = self._owned.get(session_id)
        session = await self._ask(queries.session(self._path, session_id))
        await self._in_thread(self._locks.hold)
        async with self._turn(session_id):
            ownership = None
            if take_over and self._owned.get(session_id) is former:  # else it was meant for a holder who is gone
                ownership = await self._raise_epoch(session)
            while ownership is None:
                session = await self._ask(queries.session(self._path, session_id))
                if await self._is_held(session):
                    raise _held(session)
                ownership = await self._raise_epoch(session)
            return ownership

    def _turn(self, session_id: str) -> asyncio.Lock:
        """Held by whoever claims or deletes here: a claim is known to `_owned` only some time after its commit."""
        return self._turns.setdefault(session_id, asyncio.Lock())

    async def _raise_epoch(self, session: queries.Session) -> SqliteOwnership | None:
        """Claim the epoch after the session's; None where another was faster. Cancelled, it claims nothing."""
        host, pid = rules.this_process()
        owner = changes.Owner(self._locks.origin, host, pid, rules.claim_time())
        epoch = session.epoch + 1
        try:
            won = await self._writer.change(changes.claim(session.id, session.epoch, owner), self._publish)
        except asyncio.CancelledError:
            self._writer.post(changes.release_ownership(session.id, epoch, self._locks.origin))
            raise
        if won:
            self._owned[session.id] = SqliteOwnership(session.id, epoch, self)
            self._births[session.id, epoch] = won.birth
        return self._owned[session.id] if won else None

    async def _release(self, ownership: SqliteOwnership) -> None:
        session_id = ownership.session_id
        if self._owned.get(session_id) is ownership:
            del self._owned[session_id]
            await self._writer.insist(changes.release_ownership(session_id, ownership.epoch, self._locks.origin))

    async def _is_held(self, session: queries.Session) -> bool:
        """Whether a living log object may run the session."""
        owner = session.owner
        if owner is None or owner.origin == self._locks.origin:
            return self._lives(session, set())
        return await self._in_thread(lambda: self._locks.alive(owner.origin))

    def _lives(self, session: queries.Session, alive: set[str]) -> bool:
        """Whether the session's owner is this log, as long as it was not released, or one of `alive`."""
        if session.owner and session.owner.origin == self._locks.origin:
            owned = self._owned.get(session.id)
            return owned is not None and owned.epoch == session.epoch
        return session.owner is not None and session.owner.origin in alive

    # ── events ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def append(self, session_id: str, events: Sequence[Event], epoch: int) -> list[Recorded]:
        """Append all or nothing. Raises LostOwnership, UnknownSession, StorageError."""
        birth = self._births.get((session_id, epoch))
        return await self._add(changes.Addition(session_id, list(events), epoch, birth))

    async def send(self, session_id: str, event: Event) -> Recorded:
        """Append a command or an answer. Raises UnknownSession, StorageError."""
        return (await self._add(changes.Addition(session_id, [event], None)))[0]

    async def _add(self, addition: changes.Addition) -> list[Recorded]:
        rules.check_known(addition.session_id)
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

    async def rewrite(self, session_id: str, events: Sequence[Recorded], epoch: int) -> None:
        """Replace events in their places, without a trace of the old text on disk; their times stay.

        Events that are not given stay as they are. Raises LostOwnership, and StorageError, the latter also when the
        text was replaced but another program keeps its traces from being erased; the message says so.
        """
        rules.check_known(session_id)
        birth = self._births.get((session_id, epoch))
        work = await asyncio.to_thread(changes.rewrite, session_id, events, epoch, birth)
        await self._writer.change(work, lambda _: self._feed.reread(session_id))
        await self._erase()

    async def _erase(self) -> None:
        """Erase what was replaced or deleted. One run serves all changes that were made before it."""
        async with self._erasing:
            try:
                traces = await self._writer.outside(lambda c: erase(c, self._patience))
                deadline = time.monotonic() + ERASING
                while traces and not await self._writer.outside(lambda c: cut_write_ahead_log(c, traces)):
                    if time.monotonic() > deadline:
                        raise StorageError(failures.still_read(self._path))
                    await asyncio.sleep(0.05)
            except StorageError as error:
                raise failures.not_erased(self._path, str(error)) from error

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
        await asyncio.gather(*(o.release() for o in list(self._owned.values())), return_exceptions=True)
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

    def _check_open(self) -> None:
        if self._closed:
            raise rules.closed()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """`work`'s result, the system's errors in our words."""
        with failures.explained(self._path):
            return await asyncio.to_thread(work)


def _held(session: queries.Session) -> SessionHeld:
    owner = session.owner
    assert owner is not None, "a session without an owner is not held"
    return rules.held(session.id, owner.host, owner.pid, owner.since)
