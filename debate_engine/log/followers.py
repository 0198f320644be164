"""Live fan-out of what is appended, for the logs' `follow`: in order, nothing lost, nothing twice, nobody waits.

The sequence numbers carry the proof. Whoever publishes may publish late, twice or out of order; a follower keeps the
last number it gave and reads the log again wherever the numbers it holds do not continue it. The same re-reading
serves a follower that fell behind (past `LIMIT` waiting events its queue is dropped and it catches up from the log),
one whose session was rewritten, and one whose session was deleted, when another may have its id: the births differ.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter

from elenchus.debate_engine.events import Recorded
from elenchus.debate_engine.log import rules

LIMIT = 1000
"""Events that may wait for one follower in memory."""

Birth = object
"""What tells a session from an earlier one of the same id: equal for the same session, for no two others."""

Read = Callable[[int], Awaitable[tuple[Birth, list[Recorded]]]]
"""Reads the followed session: which one it is, and its events with a number above the given one."""


class Subscription:
    """What waits for one follower. All methods belong to the event loop's thread.

    `outdated`: what the follower has read and not given yet may have been rewritten or deleted since.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._waiting: list[Recorded] = []
        self._births: set[Birth] = set()
        self._reread = False
        self.outdated = False
        self.closed = False
        self._wake = asyncio.Event()

    def put(self, events: Sequence[Recorded], birth: Birth) -> None:
        """Queue events of the session of this birth; past the limit forget them, so that the follower reads the log."""
        if len(self._waiting) + len(events) > self._limit:
            self._forget()
        elif not self._reread:
            self._waiting.extend(events)
            self._births.add(birth)
        self._wake.set()

    def reread(self) -> None:
        """Make the follower read the log, where it also meets whatever error there is."""
        self._forget()
        self.outdated = True
        self._wake.set()

    def _forget(self) -> None:
        self._waiting.clear()
        self._reread = True

    def close(self) -> None:
        """End the follower: the log is closed."""
        self.closed = True
        self._wake.set()

    async def take(self, last: int, birth: Birth) -> list[Recorded] | None:
        """The events that continue `last`, at least one; None where the log must be read, or all is closed."""
        while not self.closed:
            await self._wake.wait()
            self._wake.clear()
            waiting, strange, reread = self._waiting, self._births - {birth}, self._reread
            self._waiting, self._births, self._reread, self.outdated = [], set(), False, False
            if reread or strange:
                return None
            if fresh := _beyond(last, waiting):
                return fresh if fresh[-1].seq - last == len(fresh) else None
        return None


def _beyond(last: int, events: list[Recorded]) -> list[Recorded]:
    """`events` with a number above `last`, sorted, each once."""
    once = {r.seq: r for r in events if r.seq > last}
    return sorted(once.values(), key=attrgetter("seq"))


class Followers:
    """The followers of a log's sessions. All methods belong to the event loop's thread."""

    def __init__(self) -> None:
        self._by_session: dict[str, set[Subscription]] = {}
        self._published: dict[str, tuple[Birth, int]] = {}
        self._reread = Counter[str]()
        self._all_reread = 0

    def has(self, session_id: str) -> bool:
        """Whether somebody follows this session. Any thread may ask."""
        return session_id in self._by_session

    def followed(self) -> list[str]:
        """The sessions that somebody follows. Any thread may ask."""
        return list(self._by_session)

    @contextmanager
    def subscription(self, session_id: str) -> Iterator[Subscription]:
        """A follower's place, given up on leaving."""
        subscription = Subscription()
        self._by_session.setdefault(session_id, set()).add(subscription)
        try:
            yield subscription
        finally:
            followers = self._by_session[session_id]
            followers.discard(subscription)
            if not followers:
                del self._by_session[session_id]
                self._published.pop(session_id, None)

    def published(self, session_id: str, birth: Birth) -> int:
        """The last number of this session that was handed to its followers, 0 before. Any thread may ask."""
        found, last = self._published.get(session_id, (birth, 0))
        return last if found == birth else 0

    def publish(self, session_id: str, events: Sequence[Recorded], birth: Birth) -> None:
        """Hand committed events to the session's followers."""
        if session_id in self._by_session and events:
            self._published[session_id] = birth, events[-1].seq
        for subscription in self._by_session.get(session_id, ()):
            subscription.put(events, birth)

    def rereads(self, session_id: str) -> int:
        """How often the session's followers, had there been any, were made to read the log."""
        return self._reread[session_id] + self._all_reread

    def reread(self, session_id: str | None = None) -> None:
        """Make the session's followers (everybody's without one) read the log."""
        if session_id is None:
            self._all_reread += 1
        else:
            self._reread[session_id] += 1
        chosen = self._by_session.values() if session_id is None else [self._by_session.get(session_id, set())]
        for followers in chosen:
            for subscription in followers:
                subscription.reread()

    def close(self) -> None:
        """End every follower."""
        for followers in self._by_session.values():
            for subscription in followers:
                subscription.close()


async def follow(session_id: str, read: Read, subscription: Subscription, after: int) -> AsyncGenerator[Recorded]:
    """Everything above `after`: first what `read` finds, then what is published. Ends when the followers are closed.

    The subscription must have been made before: what is committed later than the first read is published to it.
    Raises what `read` raises, UnknownSession where another session has the id now.
    """
    followed, fresh = await read(after)
    while not subscription.closed:
        for recorded in fresh:
            if subscription.outdated:
                break
            after = recorded.seq
            yield recorded
        fresh = []  # who waits for more keeps no log in memory
        if (published := await subscription.take(after, followed)) is not None:
            fresh = published
        elif not subscription.closed:
            found, fresh = await read(after)
            if found != followed:
                raise rules.unknown(session_id)
