"""How much anybody may ask: requests and wrong secrets a minute, streams at once.

Who is limited is a browser or a token, not an address: a class is one address with thirty phones behind it. Whoever
has nothing yet, and tries to get in, is known by the address alone.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from elenchus.config.web_settings import WebSettings
from elenchus.debate_engine.buckets import Rate
from elenchus.service.web.problems import Problem

if TYPE_CHECKING:
    from elenchus.debate_engine.shared import Shared
    from elenchus.service.web.sign_in import Asking

RETRY_SECONDS = 5

ADDRESS = "address "
"""How the name of an asker begins that has nothing yet."""
NEWCOMERS = 10
"""Browsers' shares that all who have nothing yet have together at one address: a class joins in one moment."""


def asker_of(asking: Asking, address: str) -> str:
    """Whose limits count: a browser's, for a program its token's, for anybody else the address's."""
    if asking.cookie:
        return f"browser {asking.csrf}"
    return f"token {asking.grants[0].id}" if asking.grants else f"{ADDRESS}{address}"


@dataclass(slots=True)
class Limiter:
    """A bucket of requests for each asker, in the books of all processes. `name` tells it from other limiters."""

    name: str
    rate: Rate
    shared: Shared

    @classmethod
    def a_minute(cls, name: str, most: int, shared: Shared) -> Limiter:
        """So many a minute, of which a fifth may come at once, and ten in any case."""
        return cls(name, Rate(most / 60, max(10.0, most / 5)), shared)

    async def left(self, asker: str) -> float:
        """How many requests the asker may still make now."""
        return await self._held(asker, take=False)

    async def take(self, asker: str) -> None:
        """Count a request. Raises Problem where the bucket is empty."""
        if (left := await self._held(asker, take=True)) < 1:
            self.refuse(left)

    async def count(self, asker: str) -> None:
        """Count a request that was allowed."""
        await self._held(asker, take=True)

    async def _held(self, asker: str, *, take: bool) -> float:
        return await self.shared.left(f"{self.name} {hashed(asker)}", self.rate, take=take)

    def refuse(self, left: float = 0.0) -> None:
        """Raises Problem, with the seconds after which there is room again."""
        seconds = max(1, round((1 - left) / self.rate.a_second + 0.5))
        detail = f"Too many requests: try again in {seconds} seconds."
        raise Problem(429, "too-many", detail, {"Retry-After": str(seconds)})


def hashed(asker: str) -> str:
    """An asker as others' books have it: no address stands there."""
    return hashlib.blake2b(asker.encode(), digest_size=12).hexdigest()


@dataclass(slots=True)
class Streams:
    """The streams that are open: so many `each` may have, and so many there may be `in_all`."""

    each: int
    in_all: int
    _open: dict[str, dict[asyncio.Task[object], asyncio.BaseTransport | None]] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(map(len, self._open.values()))

    @contextmanager
    def opened(self, asker: str, transport: asyncio.BaseTransport | None) -> Iterator[None]:
        """Inside, the current task is a stream of this asker. Raises Problem where there are too many.

        Those whose client is gone, which they notice at their next write, do not count: pages are loaded anew.
        """
        own = self._open.get(asker, {})
        if len(own) >= self.each:
            self._end(task for task, way in list(own.items()) if way is not None and way.is_closing())
        if len(own) >= self.each:
            raise Problem(429, "too-many-streams", f"{self.each} streams are open already: close another tab.")
        if len(self) >= self.in_all:
            detail = "As many watch as this server can show: try again in a moment."
            raise Problem(503, "too-many-streams", detail, {"Retry-After": str(RETRY_SECONDS)})
        task = asyncio.current_task()
        assert task is not None, "a stream runs in a task"
        self._open.setdefault(asker, own)[task] = transport
        try:
            yield
        finally:
            self._forget(asker, task)

    def end_all(self) -> None:
        """End all of them: their clients come back when the service is there again."""
        self._end([task for tasks in self._open.values() for task in tasks])

    def _end(self, tasks: Iterable[asyncio.Task[object]]) -> None:
        for task in tasks:
            task.cancel()
            for own in self._open.values():
                own.pop(task, None)

    def _forget(self, asker: str, task: asyncio.Task[object]) -> None:
        own = self._open.get(asker, {})
        own.pop(task, None)
        if not own:
            self._open.pop(asker, None)


@dataclass(slots=True)
class Limits:
    """The limits of one service: `requests` of each browser or token, of `newcomers` from one address together, wrong
    codes (`attempts`), streams, bodies.

    A body is to come within `body_seconds`. A client of a stream hears something each `heartbeat` seconds, and one that
    takes nothing for `slow_seconds` is let go. After `look_again_seconds` it is looked anew whether it still may.
    """

    requests: Limiter
    newcomers: Limiter
    attempts: Limiter
    streams: Streams
    body_bytes: int
    body_seconds: float = 30.0
    heartbeat: float = 15.0
    slow_seconds: float = 30.0
    look_again_seconds: float = 5.0

    @classmethod
    def of(cls, settings: WebSettings, shared: Shared) -> Limits:
        """As the settings say, over what all processes share."""
        return cls(
            Limiter.a_minute("requests", settings.requests, shared),
            Limiter.a_minute("newcomers", settings.requests * NEWCOMERS, shared),
            Limiter.a_minute("attempts", settings.attempts, shared),
            Streams(settings.streams, settings.all_streams),
            settings.body_bytes,
        )

    async def take(self, asker: str) -> None:
        """Count a request. Raises Problem where this asker has asked too much."""
        await (self.newcomers if asker.startswith(ADDRESS) else self.requests).take(asker)
