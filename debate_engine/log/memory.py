"""A log in memory with the semantics of the embedded one: for exhaustive tests and for replays that leave no trace."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count

from elenchus.debate_engine.events import Event, OwnerStarted, Recorded, SessionStarted, now
from elenchus.debate_engine.log import SessionInfo, followers, rules, state_of
from elenchus.debate_engine.printable import one_line


@dataclass(slots=True, eq=False)
class _Session:
    created: datetime
    events: list[Recorded]
    birth: int
    """Tells it from others of its id."""
    epoch: int = 0
    owner: MemoryOwnership | None = None


@dataclass(slots=True)
class MemoryOwnership:
    """The right to run a session of a MemoryLog; it lasts until it is released or taken over."""

    session_id: str
    epoch: int
    since: str
    _session: _Session = field(repr=False)

    async def release(self) -> None:
        """Let the session go. Safe to call twice."""
        if self._session.owner is self:
            self._session.owner = None


class MemoryLog:
    """An `EventLog` without files. Events come back as they would from JSON, as with a log on disk.

    Nothing in it waits: whatever it does, the import of thousands of events too, it does on the event loop at once.
    """

    def __init__(self) -> None:
        self._sessions: dict[str, _Session] = {}
        self._made = count()
        self._births: dict[tuple[str, int], int] = {}
        """Of every claim, by session and epoch: which session of this id it was. It outlives the hold."""
        self._followers = followers.Followers()
        self._closed = False

    async def create(self, session_id: str, started: SessionStarted) -> None:
        """Make a session. Raises UsageError for an id that exists or cannot be used."""
        await self.restore(session_id, [Recorded(seq=1, at=now(), event=started)])

    async def sessions(self) -> list[SessionInfo]:
        """All sessions, newest first."""
        self._check_open()
        made = reversed(self._sessions.items())
        newest_first = sorted(made, key=lambda item: item[1].created, reverse=True)
        return [_info(session_id, session) for session_id, session in newest_first]

    async def info(self, session_id: str) -> SessionInfo:
        """One session. Raises UnknownSession."""
        return _info(session_id, self._session(session_id))

    async def derived_from(self, session_id: str) -> list[str]:
        """The ids of the sessions that examine this one's words."""
        self._check_open()
        firsts = {name: session.events[0].event for name, session in self._sessions.items()}
        return [name for name, e in firsts.items() if isinstance(e, SessionStarted) and e.source == session_id]

    async def claim(self, session_id: str, *, take_over: bool = False) -> MemoryOwnership:
        """Become the one owner. Raises SessionHeld, UnknownSession."""
        session = self._session(session_id)
        host, pid = rules.this_process()
        if session.owner and not take_over:
            raise rules.held(session_id, host, pid, session.owner.since)
        session.epoch += 1
        session.owner = MemoryOwnership(session_id, session.epoch, rules.claim_time(), session)
        self._births[session_id, session.epoch] = session.birth
        self._add(session_id, session, [OwnerStarted(epoch=session.epoch, pid=pid, host=host)])
        return session.owner

    async def append(self, session_id: str, events: Sequence[Event], epoch: int) -> list[Recorded]:
        """Append all or nothing. Raises LostOwnership, UnknownSession."""
        return self._add(session_id, self._owned(session_id, epoch), events)

    async def send(self, session_id: str, event: Event) -> Recorded:
        """Append a command or an answer. Raises UnknownSession."""
        return self._add(session_id, self._session(session_id), [event])[0]

    async def read(self, session_id: str, after: int = 0) -> list[Recorded]:
        """Events with `seq` > `after`, in order. Raises UnknownSession."""
        return self._session(session_id).events[max(after, 0) :]

    async def follow(self, session_id: str, after: int = 0) -> AsyncGenerator[Recorded]:
        """Events with `seq` > `after`, then each new one. Ends when the log is closed. Raises UnknownSession."""

        async def read(last: int) -> tuple[_Session, list[Recorded]]:
            return self._session(session_id), await self.read(session_id, last)

        with self._followers.subscription(session_id) as subscription:
            async with aclosing(followers.follow(session_id, read, subscription, after)) as events:
                async for recorded in events:
                    yield recorded

    def rewrites(self, session_id: str) -> int:
        """Grows when events that were given before may have been rewritten."""
        return self._followers.rereads(session_id)

    async def rewrite(self, session_id: str, events: Sequence[Recorded], epoch: int) -> None:
        """Replace events in their places; their times stay. Raises LostOwnership, StorageError."""
        session = self._owned(session_id, epoch)
        rules.check_replacement(session_id, events, len(session.events))
        places = {r.seq - 1: rules.as_stored(r.event)[0] for r in events}
        for place, event in places.items():
            session.events[place] = session.events[place].model_copy(update={"event": event})
        self._followers.reread(session_id)

    async def restore(self, session_id: str, events: Sequence[Recorded]) -> None:
        """Make a session from exported events. Raises UsageError if the id exists, StorageError if one is missing."""
        self._check_open()
        rules.check_history(session_id, events)
        if session_id in self._sessions:
            raise rules.exists(session_id)
        kept = [Recorded(seq=r.seq, at=rules.in_utc(r.at), event=rules.as_stored(r.event)[0]) for r in events]
        self._sessions[session_id] = _Session(kept[0].at, kept, next(self._made), rules.last_epoch(kept))

    async def delete(self, session_id: str) -> None:
        """Remove a session. Raises UnknownSession, SessionHeld."""
        session = self._session(session_id)
        if session.owner:
            host, pid = rules.this_process()
            raise rules.held(session_id, host, pid, session.owner.since)
        del self._sessions[session_id]
        self._followers.reread(session_id)

    async def aclose(self) -> None:
        """End the followers."""
        self._closed = True
        self._followers.close()

    def _check_open(self) -> None:
        if self._closed:
            raise rules.closed()

    def _session(self, session_id: str) -> _Session:
        self._check_open()
        if session_id not in self._sessions:
            raise rules.unknown(session_id)
        return self._sessions[session_id]

    def _owned(self, session_id: str, epoch: int) -> _Session:
        session = self._session(session_id)
        if session.epoch != epoch:
            raise rules.lost(session_id, epoch, session.epoch)
        if self._births.get((session_id, epoch), session.birth) != session.birth:
            raise rules.replaced(session_id)
        return session

    def _add(self, session_id: str, session: _Session, events: Sequence[Event]) -> list[Recorded]:
        head, at = len(session.events), now()
        added = [
            Recorded(seq=head + n, at=at, event=rules.as_stored(event)[0]) for n, event in enumerate(events, start=1)
        ]
        session.events.extend(added)
        self._followers.publish(session_id, added, session)
        return added


def _info(session_id: str, session: _Session) -> SessionInfo:
    started = session.events[0].event
    assert isinstance(started, SessionStarted), "check_history lets no other first event in"
    owner = rules.holder_name(*rules.this_process()) if session.owner else None
    return SessionInfo(
        session_id, one_line(started.title), started.protocol, state_of(session.events), session.created, owner,
        begun=session.epoch > 0,
    )  # fmt: skip
