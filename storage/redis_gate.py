"""A provider's limits over all processes: leases for calls in flight, and a bucket for calls begun in a minute.

A lease runs out unless its holder renews it, so that those of a process that died are free soon. Only the server's
clock counts. While the server is gone, each process keeps to its share of the limits, by the number of processes that
it has heard of; so it does for a moment afterwards, until all have noticed and renewed their leases. Where it has heard
of none yet, it takes the whole, with a warning. A server that was emptied knows nothing of calls in flight, and gives
out no lease before then.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.llm.gate import LocalGate
from elenchus.storage.redis_link import NOTICED, RedisGone

if TYPE_CHECKING:
    from elenchus.debate_engine.llm.gate import Allowed
    from elenchus.storage.redis_link import RedisLink

_log = logging.getLogger(__name__)

Begin = Callable[[Coroutine[Any, Any, None], str], asyncio.Task[None]]
"""Owns a task."""

LEASE = 10.0
"""Seconds after which a lease is free whose holder has not renewed it."""
RENEW = 0.5
"""Seconds between two renewals."""
GRACE = NOTICED + RENEW
"""Seconds for which a server that knows nothing gives out no lease: by then everybody has renewed theirs."""
PEER = 30.0
"""Seconds for which a process counts among those who share, after its last call."""
HANDED_ON = 2.0
"""Seconds for which a lease goes from call to call of one process; then others come first who wait for it."""
SHORTEST, LONGEST = 0.002, 0.03
"""Seconds between two questions for a lease where none is free."""

ACQUIRE = """
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
redis.call('ZADD', KEYS[3], now + ARGV[5], ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '(' .. (now + ARGV[5]), '+inf')
local peers = redis.call('ZCARD', KEYS[3])
local opens = tonumber(redis.call('GET', KEYS[4]) or '')
if not opens or opens > now + ARGV[6] then
  opens = now + ARGV[6]
  redis.call('SET', KEYS[4], opens)
end
if now < opens then
  if ARGV[9] == '1' then redis.call('ZADD', KEYS[1], now + ARGV[4], ARGV[1]) end
  return {-1, opens - now, peers}
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. (now + ARGV[4]), '+inf')
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return {0, 0, peers} end
local rate, burst = tonumber(ARGV[7]), tonumber(ARGV[8])
if rate > 0 then
  local known = redis.call('HMGET', KEYS[2], 'tokens', 'at')
  local tokens, at = tonumber(known[1]) or 1, tonumber(known[2]) or now
  if at > now then
    at = now
    redis.call('HSET', KEYS[2], 'at', at)
  end
  tokens = math.max(0, math.min(burst, tokens + (now - at) * rate))
  if tokens < 1 then return {0, math.ceil((1 - tokens) / rate), peers} end
  redis.call('HSET', KEYS[2], 'tokens', tostring(tokens - 1), 'at', now)
end
redis.call('ZADD', KEYS[1], now + ARGV[4], ARGV[1])
return {1, 0, peers}
"""
"""KEYS: leases, bucket, processes, when it opens. ARGV: lease, process, limit, then milliseconds of a lease, of a
process and of the grace, rate a millisecond, burst, 1 where the call is made although none is given out yet (it is
written down then, for when they are). Gives 1, 0 or, where it gives out none yet, -1; milliseconds to wait (0: until
one is free); processes. What is later than it can be is of before the server's clock was set back, and holds nobody up.
"""

HOLD = """
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
for n = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[n]) end
return redis.call('ZCARD', KEYS[1])
"""
"""KEYS: leases. ARGV: milliseconds of a lease, then the leases that are held."""


USED = """
local t = redis.call('TIME')
return redis.call('ZCOUNT', KEYS[1], '(' .. (t[1] * 1000 + math.floor(t[2] / 1000)), '+inf')
"""
"""KEYS: leases. Those that have not run out."""

OPENS = "{elenchus}:opens"
"""From when on leases are given out, of all providers."""

RETURN = "return redis.call('ZREM', KEYS[1], unpack(ARGV))"
"""KEYS: leases. ARGV: those that are given back."""


@dataclass(eq=False, slots=True)
class _Waiting:
    """A call that waits: for a lease that is handed on (`handed`), or for its turn to ask for one."""

    handed: str = ""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def after(self, seconds: float) -> None:
        """Wait so long, or until something has changed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.changed.wait()


class RedisGate:
    """The limits of one provider; `process` is this one's name, `begin` owns what goes on in the background."""

    def __init__(self, link: RedisLink, provider: str, allowed: Allowed, process: str, begin: Begin) -> None:
        self._link, self._provider, self._process, self._begin = link, provider, process, begin
        self.allowed = allowed
        self._local = LocalGate(allowed)
        self._keys = [*(f"{{elenchus}}:{provider}:{part}" for part in ("leases", "bucket", "processes")), OPENS]
        self._numbers = count()
        self._held: dict[str, float] = {}
        self._waiting: deque[_Waiting] = deque()
        self._given_back: list[str] = []
        self._peers = 0
        self._told = False
        self._ordered = asyncio.Lock()
        self._renewing: asyncio.Task[None] | None = None
        self._returning: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def passed(self) -> AsyncIterator[None]:
        """See `Gate`."""
        async with self._local.slot():
            lease = f"{self._process}:{next(self._numbers)}"
            try:
                lease = await self._acquire(lease)
                yield
            finally:  # also where nobody waits for the answer any more
                self._give_back(lease)

    @property
    def in_flight(self) -> int:
        """Calls of this process."""
        return len(self._held)

    async def used(self) -> int:
        """Calls in flight of all processes. Raises RedisGone."""
        (calls,) = await self._link.numbers(USED, self._keys[:1], [], 1)
        return int(calls)

    async def _acquire(self, lease: str) -> str:
        """The lease that is had: this one, or one of this process that was handed on. Who came first asks for all."""
        if not self._waiting and await self._asked(lease) is None:
            return lease
        own = _Waiting()
        self._waiting.append(own)
        pause, taken = SHORTEST, ""
        try:
            while not own.handed:
                if self._waiting[0] is not own:
                    await own.changed.wait()
                elif (wait := await self._asked(lease)) is None:
                    taken = lease
                    break
                else:
                    await own.after(wait or random.uniform(pause / 2, pause))
                    pause = min(LONGEST, pause * 1.5)
                own.changed.clear()
            taken = taken or own.handed
            return taken
        finally:
            was_first = self._waiting[0] is own
            self._waiting.remove(own)
            if own.handed and taken != own.handed:
                self._give_back(own.handed)
            if was_first and self._waiting:
                self._waiting[0].changed.set()

    async def _asked(self, lease: str) -> float | None:
        """Ask for a lease: None where it is had, else seconds to wait, 0 until one is free."""
        a = self.allowed
        arguments = [lease, self._process, a.concurrency, int(LEASE * 1000), int(PEER * 1000), int(GRACE * 1000),
                     a.rate / 1000, a.burst, int(self._peers > 0)]  # fmt: skip
        if self._shares_out():
            await self._alone(lease)
            with suppress(RedisGone):  # for those who ask already
                await self._link.run(HOLD, self._keys[:1], [int(LEASE * 1000), lease])
            return None
        try:
            granted, wait, peers = await self._link.numbers(ACQUIRE, self._keys, arguments, 3)
        except RedisGone:
            await self._alone(lease)
            return None
        if granted < 0 and self._peers:
            await self._alone(lease)
            return None
        self._peers = int(peers) if granted >= 0 else self._peers
        self._local.allowed = a
        if granted < 1:
            return wait / 1000
        self._hold(lease)
        return None

    def _shares_out(self) -> bool:
        """Whether it has come back only just now: others may not have noticed yet."""
        return bool(self._link.outages) and monotonic() - self._link.back_since < GRACE

    async def _alone(self, lease: str) -> None:
        """Nobody can be asked: keep to this process's share."""
        if not self._peers and not self._told:
            self._told = True
            _log.warning(
                "Redis has not told yet how many processes share the limits of %s: this one takes the whole of them, "
                "so several together may go beyond",
                self._provider,
            )
        self._local.allowed = self.allowed.share(max(1, self._peers))
        await self._local.turn()
        self._hold(lease)

    def _hold(self, lease: str) -> None:
        self._held[lease] = monotonic()
        if self._renewing is None or self._renewing.done():
            self._renewing = self._begin(self._renew_on(), "leases of calls in flight")

    async def _renew_on(self) -> None:
        while self._held:
            with suppress(RedisGone):
                await self._renew()
            await asyncio.sleep(RENEW)

    async def _renew(self) -> None:
        """Not beside a return: what is given back is never renewed behind it."""
        async with self._ordered:
            if not self._held:
                return
            await self._link.run(HOLD, self._keys[:1], [int(LEASE * 1000), *self._held])

    def _give_back(self, lease: str) -> None:
        """Let another call have it, without keeping this one: of this process at once, but for what is had too long."""
        young = monotonic() - self._held.get(lease, 0.0) < HANDED_ON and self.allowed.a_minute is None
        waiting = [one for one in self._waiting if not one.handed] if young else []
        if waiting:
            second = waiting[min(1, len(waiting) - 1)]  # the first may be asking for one just now
            second.handed = lease
            second.changed.set()
            return
        self._held.pop(lease, None)
        self._given_back.append(lease)
        if self._returning is None or self._returning.done():
            self._returning = self._begin(self._return_all(), "leases given back")

    async def _return_all(self) -> None:
        while self._given_back:
            async with self._ordered:
                leases, self._given_back = self._given_back, []
                with suppress(RedisGone):  # they run out by themselves
                    await self._link.run(RETURN, self._keys[:1], leases)
