"""Discord's shards: which servers are whose, how many shards there are, and when one may identify.

A bot on many servers has several connections to Discord's gateway, and each tells of the servers of one shard. Here
each is a client of its own with a lease of its own (`shard_keeper`), so that any process may have any of them.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.debate_engine.owned_tasks import OwnedTasks
from elenchus.service.lab.leases import Lease, Pace

NAMESPACE = "discord-shards"
"""Where the store keeps how many there are."""

APART = 5.5
"""Seconds between two turns to identify of one bucket: Discord demands five between what arrives there."""
PACE = Pace(beat=1.25, good_for=5.5, silent=7.5)
"""Of the leases of shards: so the second shard of a process that died identifies within 15 s, too."""
IN_LINE = Pace(beat=1.0, good_for=2.0, silent=3.0)
"""How soon whoever waits for a turn to identify notices that it has come, from one that died in its own, too."""


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """Shard `number` (from 0) of `count`."""

    number: int = 0
    count: int = 1

    def has(self, guild: int) -> bool:
        """Whether Discord tells this shard of that server; direct messages (0) are the first one's."""
        return (guild >> 22) % self.count == self.number

    @property
    def lease(self) -> str:
        """The name of the lease of whoever is connected as this shard."""
        return f"discord shard {self.number} of {self.count}"


ONLY = Shard()
"""The one of a bot that has no more."""


def all_of(count: int) -> list[Shard]:
    """All shards."""
    return [Shard(number, count) for number in range(count)]


# ── how many there are ───────────────────────────────────────────────────────────────────────────────────────────


async def in_force(store: KeyValueStore) -> int:
    """How many shards all processes go by: what was settled last, 1 where nothing was. Raises StorageError."""
    turns = await store.all(NAMESPACE)
    return int(turns[max(turns)]["count"]) if turns else 1


async def settled(store: KeyValueStore, count: int, former: list[Lease]) -> bool:
    """Have all go by another number of shards, if nobody is connected by the former one; whether they do now.

    `former` are the leases of the former shards: who has them all is alone. One process that stands still in here for
    longer than a lease lasts, and then goes on, is found out by the others at their next look (`in_force`). Raises
    StorageError.
    """
    async with AsyncExitStack() as stack:
        for lease in former:
            if not await lease.take():
                return False
            await stack.enter_async_context(lease.kept())
        turns = await store.all(NAMESPACE)
        if not all(lease.is_held for lease in former):
            return False
        if not await store.add(NAMESPACE, f"{int(max(turns, default='0')) + 1:012}", {"count": count}):
            return False
        for old in turns:
            await store.remove(NAMESPACE, old)
    return True


# ── whose turn it is ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class IdentifyTurns:
    """Turns to identify, over all processes: Discord takes so many at once (`max_concurrency`), then none for 5 s."""

    store: KeyValueStore
    max_concurrency: int = 1
    _tasks: OwnedTasks = field(default_factory=OwnedTasks)

    async def wait(self, shard: int) -> None:
        """Wait until this shard may identify. Raises StorageError."""
        bucket = shard % self.max_concurrency
        lease, begun = Lease(self.store, f"discord identify {bucket}", IN_LINE), asyncio.Event()

        async def turn() -> None:
            async with lease.held():
                begun.set()
                await asyncio.sleep(APART)

        task = self._tasks.begin(turn(), f"identify {shard}")
        waiting = asyncio.create_task(begun.wait(), name=f"turn of {shard}")
        try:
            await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            if not begun.is_set():
                task.cancel()
        if not begun.is_set():
            await task

    async def aclose(self) -> None:
        """Let go of what is held still."""
        await self._tasks.aclose()
