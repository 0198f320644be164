"""A second log, written from the contract of `EventLog` alone: a file a session, a line of JSON an event.

It shows what a log needs that is no database: one lock around each change, and a lease that is renewed instead of a
lock that dies with its process. Nobody should keep debates in it: each change writes the whole session anew.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from filelock import FileLock

from elenchus.debate_engine.errors import StorageError, UnknownSession
from elenchus.debate_engine.events import Event, OwnerStarted, Recorded, SessionStarted, now
from elenchus.debate_engine.log import SessionInfo, rules, state_of
from elenchus.debate_engine.printable import one_line
from tests.storage.json_lines_files import Files, Owner, Session, contract_errors

T = TypeVar("T")
LEASE, RENEW, LOOK = 3.0, 0.4, 0.02
"""Seconds for which a hold lasts unless it is renewed, between two renewals, and between two looks of a follower."""


async def open_log(folder: Path) -> JsonLinesLog:
    """The log in a folder that exists."""
    return JsonLinesLog(folder)


@dataclass(eq=False)
class JsonLinesOwnership:
    """A claim of a session."""

    session_id: str
    epoch: int
    birth: int
    log: JsonLinesLog

    async def release(self) -> None:
        """End the hold, unless somebody took over."""
        with suppress(UnknownSession):
            await self.log.release(self)


class JsonLinesLog:
    """See `EventLog`. Changes go one after the other through a thread, which also renews the lease of all holds."""

    def __init__(self, folder: Path) -> None:
        self._files, self._origin, self._closed = Files(folder), secrets.token_hex(8), False
        self._writer, self._readers = ThreadPoolExecutor(1), ThreadPoolExecutor(4)
        self._claims = defaultdict[str, list[JsonLinesOwnership]](list)
        self._renewing: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._rewrites = 0
        self._seen_rewrites = dict[str, int]()

    # ── sessions ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def create(self, session_id: str, started: SessionStarted) -> None:
        await self.restore(session_id, [Recorded(seq=1, at=now(), event=started)])

    async def sessions(self) -> list[SessionInfo]:
        def listed() -> list[SessionInfo]:
            found = [(self._info(name, session), session.birth) for name, session in self._files.all()]
            return [info for info, _ in sorted(found, key=lambda f: (f[0].created, f[1]), reverse=True)]

        return await self._look(listed)

    async def info(self, session_id: str) -> SessionInfo:
        return await self._look(lambda: self._info(session_id, self._files.load(session_id)))

    async def derived_from(self, session_id: str) -> list[str]:
        return await self._look(lambda: [name for name, s in self._files.all() if s.started.source == session_id])

    async def restore(self, session_id: str, events: Sequence[Recorded]) -> None:
        def make() -> None:
            rules.check_history(session_id, events)
            if self._files.exists(session_id):
                raise rules.exists(session_id)
            kept = [Recorded(seq=r.seq, at=rules.in_utc(r.at), event=r.event) for r in events]
            self._files.save(session_id, Session.made(kept))

        await self._in_turn(make)

    async def delete(self, session_id: str) -> None:
        def remove(session: Session) -> None:
            if owner := self._holder(session):
                raise rules.held(session_id, *owner[1:])
            session.lines = []

        await self._change(session_id, remove)

    # ── ownership ────────────────────────────────────────────────────────────────────────────────────────────────

    async def claim(self, session_id: str, *, take_over: bool = False) -> JsonLinesOwnership:
        host, pid = rules.this_process()
        before = len(self._claims[session_id])
        seen = (await self._look(lambda: self._files.load(session_id))).epoch
        won: list[JsonLinesOwnership] = []

        def change(session: Session) -> JsonLinesOwnership:
            self._files.lease(self._origin).touch()
            same = session.epoch == seen and len(self._claims[session_id]) == before
            if (owner := self._holder(session)) and not (take_over and same):
                raise rules.held(session_id, *owner[1:])
            session.epoch += 1
            session.owner = (self._origin, host, pid, rules.claim_time())
            session.add([OwnerStarted(epoch=session.epoch, pid=pid, host=host)])
            won.append(JsonLinesOwnership(session_id, session.epoch, session.birth, self))
            self._claims[session_id].append(won[0])
            return won[0]

        self._renewing = self._renewing or asyncio.create_task(self._renew())
        try:
            return await self._change(session_id, change)
        except asyncio.CancelledError:
            if not self._closed:  # else the lease is over anyway
                self._submit(self._writer, lambda: [self._changed(session_id, _released(mine)) for mine in won])
            raise

    async def release(self, ownership: JsonLinesOwnership) -> None:
        if not self._closed:
            releasing = self._submit(self._writer, lambda: self._changed(ownership.session_id, _released(ownership)))
            await asyncio.shield(asyncio.wrap_future(releasing))

    def _holder(self, session: Session) -> Owner | None:
        """The owner, where its lease is not over."""
        with suppress(FileNotFoundError):
            if session.owner and time.time() - self._files.lease(session.owner[0]).stat().st_mtime < LEASE:
                return session.owner
        return None

    async def _renew(self) -> None:
        while True:
            with suppress(StorageError):
                await self._in_turn(self._files.lease(self._origin).touch)
            await asyncio.sleep(RENEW)

    # ── events ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def append(self, session_id: str, events: Sequence[Event], epoch: int) -> list[Recorded]:
        def change(session: Session) -> list[Recorded]:
            self._check_owner(session_id, session, epoch)
            return session.add(events)

        return await self._change(session_id, change)

    async def send(self, session_id: str, event: Event) -> Recorded:
        return (await self._change(session_id, lambda session: session.add([event])))[0]

    async def read(self, session_id: str, after: int = 0) -> list[Recorded]:
        return await self._look(lambda: self._files.load(session_id).events(after))

    async def follow(self, session_id: str, after: int = 0) -> AsyncGenerator[Recorded]:
        def look() -> tuple[int, list[Recorded]]:
            session = self._files.load(session_id)
            self._seen_rewrites[session_id] = session.rewrites
            return session.birth, session.events(after)

        followed, events = await self._look(look)
        while not self._closed:
            looked, rewrites = time.monotonic(), self._rewrites
            for recorded in events:
                after = recorded.seq
                yield recorded
                if rewrites < self._rewrites or time.monotonic() - looked > LOOK:
                    break  # the others may have been rewritten meanwhile
            else:
                await asyncio.sleep(LOOK)
            if not self._closed:
                found, events = await self._look(look)
                if found != followed:
                    raise rules.unknown(session_id)

    def rewrites(self, session_id: str) -> int:
        return self._seen_rewrites.get(session_id, 0)

    async def rewrite(self, session_id: str, events: Sequence[Recorded], epoch: int) -> None:
        def change(session: Session) -> None:
            self._check_owner(session_id, session, epoch)
            rules.check_replacement(session_id, events, len(session.lines))
            session.replace(events)
            self._seen_rewrites[session_id] = session.rewrites

        await self._change(session_id, change)
        self._rewrites += 1

    def _check_owner(self, session_id: str, session: Session, epoch: int) -> None:
        """Raises LostOwnership."""
        if epoch != session.epoch:
            raise rules.lost(session_id, epoch, session.epoch)
        births = [mine.birth for mine in self._claims[session_id] if mine.epoch == epoch]
        if births and births[-1] != session.birth:
            raise rules.replaced(session_id)

    # ── the end ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def aclose(self) -> None:
        if self._closing is None:
            self._closed = True
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        if self._renewing:
            self._renewing.cancel()
            await asyncio.wait([self._renewing])
        for pool in (self._writer, self._readers):
            await asyncio.to_thread(pool.shutdown)
        with suppress(OSError):  # without its file the lease is over
            await asyncio.to_thread(self._files.lease(self._origin).unlink)

    # ── threads and files ────────────────────────────────────────────────────────────────────────────────────────

    async def _look(self, work: Callable[[], T]) -> T:
        return await asyncio.wrap_future(self._submit(self._readers, work))

    async def _in_turn(self, work: Callable[[], T]) -> T:
        """Do it alone among all log objects, after what was asked before; once begun, it comes to its end."""
        return await asyncio.wrap_future(self._submit(self._writer, work))

    async def _change(self, session_id: str, work: Callable[[Session], T]) -> T:
        return await self._in_turn(lambda: self._changed(session_id, work))

    def _submit(self, pool: ThreadPoolExecutor, work: Callable[[], T]) -> Future[T]:
        def run() -> T:
            with contract_errors(self._files.folder):
                if pool is self._readers:
                    return work()
                with FileLock(self._files.folder / "lock", timeout=10, poll_interval=0.005, thread_local=False):
                    return work()

        if self._closed:
            raise rules.closed()
        return pool.submit(run)

    def _changed(self, session_id: str, work: Callable[[Session], T]) -> T:
        session = self._files.load(session_id)
        result = work(session)
        self._files.save(session_id, session)
        return result

    def _info(self, session_id: str, session: Session) -> SessionInfo:
        events, start = session.events(), session.started
        holder = rules.holder_name(*owner[1:3]) if (owner := self._holder(session)) else None
        return SessionInfo(
            session_id, one_line(start.title), start.protocol, state_of(events), events[0].at, holder,
            begun=session.epoch > 0,
        )  # fmt: skip


def _released(ownership: JsonLinesOwnership) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        if (session.birth, session.epoch) == (ownership.birth, ownership.epoch):
            session.owner = None

    return change
