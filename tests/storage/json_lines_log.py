"""A second log, written from the contract of `EventLog` alone: a file a session, a line of JSON an event.

It shows what a log needs that is no database: one lock around each change, and a lease that is renewed instead of a
lock that dies with its process. Nobody should keep debates in it: each change writes the whole session anew.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from filelock import FileLock

from elenchus.debate_engine.errors import StorageError, UnknownSession
from elenchus.debate_engine.events import Event, OwnerStarted, Recorded, SessionStarted, now
from elenchus.debate_engine.log import SessionInfo, rules, state_of
from elenchus.debate_engine.printable import one_line

T = TypeVar("T")
LEASE, RENEW, LOOK = 30.0, 1.0, 0.02
"""Seconds for which a hold lasts unless it is renewed, between two renewals, and between two looks of a follower."""

Owner = tuple[str, str, int, str]
"""The name of a log object, its host and process, and the time of the claim."""


class Closed(StorageError):
    """The log object was used after `aclose`."""


@dataclass
class Session:
    """A file's content: epoch and owner in its first line, then the events."""

    epoch: int
    owner: Owner | None
    lines: list[str]

    def add(self, events: Sequence[Event]) -> list[Recorded]:
        """Append events as they will be read."""
        start = len(self.lines)
        self.lines += [_line(Recorded(seq=seq, at=now(), event=event)) for seq, event in enumerate(events, start + 1)]
        return [_recorded(line) for line in self.lines[start:]]

    def check_epoch(self, session_id: str, epoch: int) -> None:
        """Raises LostOwnership."""
        if epoch != self.epoch:
            raise rules.lost(session_id, epoch, self.epoch)


@dataclass
class JsonLinesOwnership:
    """A claim of a session."""

    session_id: str
    epoch: int
    log: JsonLinesLog

    async def release(self) -> None:
        """End the hold, unless somebody took over."""

        def change(session: Session) -> None:
            session.owner = session.owner if session.epoch > self.epoch else None

        with suppress(UnknownSession):
            await self.log.change(self.session_id, change)


class JsonLinesLog:
    """See `EventLog`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._origin, self._closed = folder, secrets.token_hex(8), False
        self._turn = asyncio.Lock()
        self._claims: list[JsonLinesOwnership] = []
        self._renewing: asyncio.Task[None] | None = None

    async def create(self, session_id: str, started: SessionStarted) -> None:
        await self.restore(session_id, [Recorded(seq=1, at=now(), event=started)])

    async def sessions(self) -> list[SessionInfo]:
        files = await self._in_thread(lambda: list(self._folder.glob("*.jsonl")))
        return sorted([await self.info(file.stem) for file in files], key=lambda info: info.created, reverse=True)

    async def info(self, session_id: str) -> SessionInfo:
        session = await self._in_thread(lambda: self._load(session_id))
        events = [_recorded(line) for line in session.lines]
        start = events[0].event
        assert isinstance(start, SessionStarted)
        holder = rules.holder_name(*owner[1:3]) if (owner := self._holder(session)) else None
        return SessionInfo(session_id, one_line(start.title), start.protocol, state_of(events), events[0].at, holder)

    async def derived_from(self, session_id: str) -> list[str]:
        names = [info.id for info in await self.sessions()]
        return [name for name in names if getattr((await self.read(name))[0].event, "source", "") == session_id]

    async def claim(self, session_id: str, *, take_over: bool = False) -> JsonLinesOwnership:
        host, pid = rules.this_process()
        await self._in_thread(self._alive(self._origin).touch)
        self._renewing = self._renewing or asyncio.create_task(self._renew())
        seen = (await self._in_thread(lambda: self._load(session_id))).epoch

        def change(session: Session) -> int:
            if (owner := self._holder(session)) and not (take_over and session.epoch == seen):
                raise rules.held(session_id, *owner[1:])
            session.epoch += 1
            session.owner = (self._origin, host, pid, now().isoformat(timespec="seconds"))
            session.add([OwnerStarted(epoch=session.epoch, pid=pid, host=host)])
            return session.epoch

        self._claims.append(JsonLinesOwnership(session_id, await self.change(session_id, change), self))
        return self._claims[-1]

    async def append(self, session_id: str, events: Sequence[Event], epoch: int) -> list[Recorded]:
        def change(session: Session) -> list[Recorded]:
            session.check_epoch(session_id, epoch)
            return session.add(events)

        return await self.change(session_id, change)

    async def send(self, session_id: str, event: Event) -> Recorded:
        return (await self.change(session_id, lambda session: session.add([event])))[0]

    async def read(self, session_id: str, after: int = 0) -> list[Recorded]:
        lines = (await self._in_thread(lambda: self._load(session_id))).lines
        return [_recorded(line) for line in lines[max(after, 0) :]]

    async def follow(self, session_id: str, after: int = 0) -> AsyncGenerator[Recorded]:
        with suppress(Closed):
            while True:
                for recorded in await self.read(session_id, after):
                    after = recorded.seq
                    yield recorded
                await asyncio.sleep(LOOK)

    async def rewrite(self, session_id: str, events: Sequence[Recorded], epoch: int) -> None:
        def change(session: Session) -> None:
            session.check_epoch(session_id, epoch)
            rules.check_replacement(session_id, events, len(session.lines))
            for r in events:
                at = _recorded(session.lines[r.seq - 1]).at
                session.lines[r.seq - 1] = _line(Recorded(seq=r.seq, at=at, event=r.event))

        await self.change(session_id, change)

    async def restore(self, session_id: str, events: Sequence[Recorded]) -> None:
        rules.check_history(session_id, events)
        lines = [_line(Recorded(seq=r.seq, at=rules.in_utc(r.at), event=r.event)) for r in events]
        await self.change(session_id, lambda _: None, Session(rules.last_epoch(events), None, lines))

    async def delete(self, session_id: str) -> None:
        def change(session: Session) -> None:
            if owner := self._holder(session):
                raise rules.held(session_id, *owner[1:])
            session.lines = []

        await self.change(session_id, change)

    async def aclose(self) -> None:
        if not self._closed:
            if self._renewing:
                self._renewing.cancel()
            await asyncio.gather(*(claim.release() for claim in self._claims))
            self._alive(self._origin).unlink(missing_ok=True)
            self._closed = True

    async def change(self, session_id: str, work: Callable[[Session], T], made: Session | None = None) -> T:
        """Change a session, or make one, alone among all log objects; one without lines is removed."""

        def locked() -> T:
            with FileLock(self._folder / "lock", timeout=10, thread_local=False):
                if made and self._file(session_id).exists():
                    raise rules.exists(session_id)
                session = made or self._load(session_id)
                result = work(session)
                if not session.lines:
                    self._file(session_id).unlink()
                    return result
                beside = self._folder / "next"
                beside.write_text("\n".join([json.dumps([session.epoch, session.owner]), *session.lines]), "utf-8")
                beside.replace(self._file(session_id))
                return result

        async with self._turn:
            return await self._in_thread(locked)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._closed:
            raise Closed(str(rules.closed()))
        return await asyncio.shield(asyncio.to_thread(work))  # what has begun comes to its end

    def _load(self, session_id: str) -> Session:
        try:
            header, *lines = self._file(session_id).read_text("utf-8").split("\n")
        except OSError as error:
            raise rules.unknown(session_id) from error
        epoch, owner = json.loads(header)
        return Session(epoch, tuple(owner) if owner else None, lines)

    def _file(self, session_id: str) -> Path:
        return self._folder / f"{session_id}.jsonl"

    def _alive(self, origin: str) -> Path:
        return self._folder / f"{origin}.alive"

    def _holder(self, session: Session) -> Owner | None:
        """The owner, where its lease is not over."""
        with suppress(OSError):
            if session.owner and time.time() - self._alive(session.owner[0]).stat().st_mtime < LEASE:
                return session.owner
        return None

    async def _renew(self) -> None:
        while True:
            await self._in_thread(self._alive(self._origin).touch)
            await asyncio.sleep(RENEW)


def _line(recorded: Recorded) -> str:
    return recorded.model_dump_json()


def _recorded(line: str) -> Recorded:
    return Recorded.model_validate_json(line)
