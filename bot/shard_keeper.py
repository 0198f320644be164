"""`ShardKeeper`: this process's share of the shards, each by a lease, as even as can be among the processes that live.

One that dies or stands still loses its leases within some eight seconds, and the others take them; one that comes is
given its share by those that have more than theirs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from elenchus.bot import shards
from elenchus.bot.posting.failures import leaves
from elenchus.bot.shards import Shard
from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.key_value_store import KeyValueStore
from elenchus.service.lab.leases import Lease, Pace
from elenchus.service.lab.roster import Roster

_log = logging.getLogger(__name__)

ROSTER = "discord bots"
"""The name under which the processes know each other."""

Serve = Callable[[Shard, Lease, asyncio.Event], Awaitable[None]]
"""Is connected as a shard, for as long as its lease is held and until the event is set."""


@dataclass
class ShardKeeper:
    """Takes leases and gives them back. `serve` is run for each shard that is this process's."""

    store: KeyValueStore
    count: int
    serve: Serve
    pace: Pace = shards.PACE
    _held: dict[Shard, asyncio.Event] = field(default_factory=dict)
    _leases: dict[Shard, Lease] = field(default_factory=dict)
    _roster: Roster = field(init=False)
    _told: bool = False
    _cut_off: bool = False

    def __post_init__(self) -> None:
        self._roster = Roster(self.store, ROSTER, self.pace)
        self._leases = {shard: self._lease(shard) for shard in shards.all_of(self.count)}

    @property
    def held(self) -> list[Shard]:
        """The shards of this process now, those among them that it is giving back."""
        return list(self._held)

    async def keep(self, over: asyncio.Event) -> None:
        """Keep to the share until `over`, or until all go by another number of shards. Raises what `serve` raises but
        StorageError, and that where the store cannot be used from the start.
        """
        try:
            async with self._roster.joined(), asyncio.TaskGroup() as group:
                while not over.is_set() and await self._kept(group):
                    await _wait(over, self.pace.beat / 4)
                for ending in self._held.values():
                    ending.set()
        except BaseExceptionGroup as errors:
            raise next(leaves(errors)) from None

    async def _kept(self, group: asyncio.TaskGroup) -> bool:
        """Look once; False where another number of shards is in force. A store that is gone for a while is waited for:
        leases know how long they are good.
        """
        try:
            if await shards.in_force(self.store) != self.count:
                return False
            share = await self._roster.share(self.count)
            await self._take(group, share)
        except StorageError as error:
            if not self._cut_off:
                _log.warning("which shards are whose cannot be looked up: %s", error)
            self._cut_off = True
            return True
        self._cut_off = False
        for shard in [one for one in sorted(self._held)[share:] if not self._held[one].is_set()]:
            _log.info("%s is left to another process", shard.lease)
            self._held[shard].set()
        return True

    async def _take(self, group: asyncio.TaskGroup, share: int) -> None:
        free = [s for s, lease in self._leases.items() if s not in self._held and await lease.is_free()]
        for shard in free[: max(0, share - len(self._held))]:
            lease = self._leases[shard]
            if not await lease.take():
                continue
            _log.info("%s is taken%s", lease.name, f" over from process {lease.former['pid']}" if lease.former else "")
            self._held[shard] = ending = asyncio.Event()
            group.create_task(self._serve(shard, lease, ending), name=lease.name)
        if not self._held and not self._told:
            self._told = True
            await self._tell_who()

    async def _serve(self, shard: Shard, lease: Lease, ending: asyncio.Event) -> None:
        """Be it until it is lost, given back, or the store fails: then it is taken again, here or elsewhere."""
        try:
            async with lease.kept():
                if await shards.in_force(self.store) == self.count:  # else somebody has just settled another number
                    await self.serve(shard, lease, ending)
        except StorageError as error:
            _log.warning("%s is left, and taken again: %s", lease.name, error)
            await _wait(ending, self.pace.beat)
        finally:
            self._leases[shard] = self._lease(shard)
            del self._held[shard]

    async def _tell_who(self) -> None:
        """Say for whom this process waits."""
        for lease in self._leases.values():
            if holder := await lease.holder():
                _log.info("process %s on %s has the gateway: waiting", holder.get("pid"), holder.get("host"))
                return

    def _lease(self, shard: Shard) -> Lease:
        return Lease(self.store, shard.lease, self.pace)


async def agreed(
    store: KeyValueStore, wanted: int, over: asyncio.Event, *, insists: bool, pace: Pace = shards.PACE
) -> int:
    """How many shards this process is to go by: `wanted`, unless others are connected by another number.

    Who insists waits until they have ended, or until `over`. Raises StorageError.
    """
    told = False
    while (known := await shards.in_force(store)) != wanted and not over.is_set():
        former = [Lease(store, shard.lease, pace) for shard in shards.all_of(known)]
        while await shards.in_force(store) == known and not over.is_set():
            if all([await lease.is_free() for lease in former]):
                if await shards.settled(store, wanted, former):
                    break
            elif not insists:
                return known
            elif not told:
                _log.info("others are connected as %d shards, and this one wants %d: waiting", known, wanted)
                told = True
            await _wait(over, pace.beat / 4)
    return known


async def _wait(over: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await over.wait()
