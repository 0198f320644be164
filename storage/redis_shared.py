"""`Shared` over a Redis server: what all processes of a house count together, as long as it is there.

All keys begin with `elenchus:`. Each has an end of its own, but a few small ones for each provider.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import TYPE_CHECKING

from elenchus.debate_engine.owned_tasks import OwnedTasks
from elenchus.debate_engine.shared import LocalShared, Spent, today
from elenchus.storage.redis_gate import RedisGate
from elenchus.storage.redis_link import RedisGone, RedisLink
from elenchus.storage.redis_listening import RedisListener
from elenchus.storage.redis_presence import RedisPresence
from elenchus.storage.redis_texts import RedisTexts

if TYPE_CHECKING:
    from elenchus.debate_engine.buckets import Rate
    from elenchus.debate_engine.llm.gate import Allowed, Gate
    from elenchus.debate_engine.shared import OnPresent, OnWritten, Present, Written


DAYS = 2 * 86_400
"""Seconds for which what a day has used is known."""
HELD = 20.0
"""Seconds after which a lock of somebody who died is free."""

SPEND = """
redis.call('HSET', KEYS[1], ARGV[1] .. ':tokens', ARGV[2], ARGV[1] .. ':usd', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[4])
local tokens, usd, known = 0, 0, redis.call('HGETALL', KEYS[1])
for n = 1, #known, 2 do
  local value = math.max(0, tonumber(known[n + 1]) or 0)
  if string.sub(known[n], -4) == ':usd' then usd = usd + value else tokens = tokens + value end
end
return {tokens, tostring(usd)}
"""
"""KEYS: an account's day. ARGV: process, its tokens and dollars of this day, seconds. Gives the sums of all processes.

Each process says what it has used itself: a server that was emptied knows all of it again when all have said so.
"""

BUCKET = """
local t = redis.call('TIME')
local now = t[1] + t[2] / 1000000
local known = redis.call('HMGET', KEYS[1], 'left', 'at')
local passed = math.max(0, now - (tonumber(known[2]) or now))
local left = math.min(ARGV[2], math.max(0, tonumber(known[1]) or ARGV[2]) + passed * ARGV[1])
if ARGV[3] == '1' then
  redis.call('HSET', KEYS[1], 'left', tostring(left >= 1 and left - 1 or left), 'at', string.format('%.6f', now))
  redis.call('EXPIRE', KEYS[1], math.ceil(ARGV[2] / ARGV[1]) + 60)
end
return tostring(left)
"""
"""KEYS: a bucket. ARGV: what it is filled by a second, burst, 1 to take one. Gives what it held before."""

UNLOCK = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"
KEEP = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0"


class RedisShared:
    """See `Shared`. `open_shared` makes one."""

    def __init__(self, link: RedisLink) -> None:
        self.link = link
        self.process = secrets.token_hex(6)
        self.gates: dict[str, RedisGate] = {}
        self._local = LocalShared()
        self._spent: defaultdict[str, Spent] = defaultdict(Spent)
        self._tasks = OwnedTasks()
        listener = RedisListener(link, self._tasks.begin)
        self._texts = RedisTexts(link, self.process, self._tasks.begin, listener)
        self._presence = RedisPresence(link, self.process, self._tasks.begin, listener)

    # ── limits ───────────────────────────────────────────────────────────────────────────────────────────────────

    def gate(self, provider: str, allowed: Allowed) -> Gate:
        """See `Shared`."""
        self.gates[provider] = made = RedisGate(self.link, provider, allowed, self.process, self._tasks.begin)
        return made

    async def left(self, bucket: str, rate: Rate, *, take: bool) -> float:
        """See `Shared`."""
        here = await self._local.left(bucket, rate, take=take)
        with suppress(RedisGone):
            arguments = [rate.a_second, rate.burst, int(take)]
            (left,) = await self.link.numbers(BUCKET, [f"elenchus:rate:{bucket}"], arguments, 1)
            return left
        return here

    async def spend(self, account: str, spent: Spent) -> Spent:
        """See `Shared`."""
        own, key = self._local.spent_here(account, spent), f"elenchus:spent:{today()}:{account}"
        with suppress(RedisGone):
            tokens, usd = await self.link.numbers(SPEND, [key], [self.process, own.tokens, own.usd, DAYS], 2)
            self._spent[key] = Spent(int(tokens), usd)
            return self._spent[key]
        known = self._spent.get(key, own)  # what others had used when they were last heard of still counts
        self._spent[key] = Spent(known.tokens + spent.tokens, known.usd + spent.usd) if key in self._spent else own
        return self._spent[key]

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncIterator[None]:
        """See `Shared`."""
        async with self._local.alone(name):
            key, mine = f"elenchus:alone:{name}", secrets.token_hex(8)
            keeping = self._tasks.begin(self._keep(key, mine), "a lock") if await self._locked(key, mine) else None
            try:
                yield
            finally:
                if keeping is not None:
                    keeping.cancel()
                    self._tasks.begin(self._unlock(key, mine), "a lock given back")

    async def _locked(self, key: str, mine: str) -> bool:
        """Wait until it is ours; False where nobody can be asked."""
        with suppress(RedisGone):
            while True:
                if await self.link.ask(lambda client: client.set(key, mine, nx=True, px=int(HELD * 1000))):
                    return True
                await asyncio.sleep(0.05)
        return False

    async def _keep(self, key: str, mine: str) -> None:
        while True:
            await asyncio.sleep(HELD / 4)
            with suppress(RedisGone):
                await self.link.run(KEEP, [key], [mine, int(HELD * 1000)])

    async def _unlock(self, key: str, mine: str) -> None:
        with suppress(RedisGone):
            await self.link.run(UNLOCK, [key], [mine])

    # ── what goes on just now ────────────────────────────────────────────────────────────────────────────────────

    def writing(self, session: str, texts: Written) -> None:
        """See `Shared`."""
        self._texts.writing(session, texts)

    def reading(self, session: str, on_written: OnWritten) -> AbstractAsyncContextManager[None]:
        """See `Shared`."""
        return self._texts.reading(session, on_written)

    def present(self, session: str, who: Present) -> None:
        """See `Shared`."""
        self._presence.present(session, who)

    def seeing(self, session: str, on_present: OnPresent) -> AbstractAsyncContextManager[None]:
        """See `Shared`."""
        return self._presence.seeing(session, on_present)

    async def remember(self, place: str, value: str, seconds: float) -> None:
        """See `Shared`; here, too, so that it outlasts Redis."""
        await self._local.remember(place, value, seconds)
        with suppress(RedisGone):
            key = f"elenchus:remembered:{place}"
            await self.link.ask(lambda client: client.set(key, value, ex=max(1, int(seconds))))

    async def remembered(self, place: str) -> str:
        """See `Shared`."""
        with suppress(RedisGone):
            found = await self.link.ask(lambda client: client.get(f"elenchus:remembered:{place}"))
            if found is not None:  # "": another process has forgotten it
                return str(found)
        return await self._local.remembered(place)

    async def aclose(self) -> None:
        """See `Shared`. What was given back just now is given back."""
        returning = [task for task in self._tasks if "given back" in task.get_name()]
        if returning and not self.link.gone:
            await asyncio.wait(returning, timeout=1.0)
        await self._tasks.aclose()
        await self.link.aclose()


async def open_shared(url: str) -> RedisShared:
    """What all processes share over the server at this address; one that is not there now is waited for.

    Raises StorageError for a server that is no use.
    """
    link = RedisLink(url)
    try:
        await link.check()
    except BaseException:
        await link.aclose()
        raise
    return RedisShared(link)
