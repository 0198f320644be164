"""Shards are shared out among processes: each in one at a time, as even as can be, by one number of shards for all."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from elenchus.bot import shards
from elenchus.bot.shard_keeper import ShardKeeper, agreed
from elenchus.bot.shards import IdentifyTurns, Shard
from elenchus.debate_engine.errors import StorageError, UsageError
from elenchus.service.lab.leases import Lease, Pace
from tests.fakes.discord.waiting import until
from tests.fakes.memory_store import MemoryStore

QUICK = Pace(0.05, 0.2, 0.3)


class CutOff:
    """The store as one process has it, which may be cut off from it."""

    def __init__(self, store: MemoryStore) -> None:
        self.store, self.gone = store, False

    def __getattr__(self, name: str) -> Any:
        if self.gone:
            raise StorageError("cut off")
        return getattr(self.store, name)


class House:
    """Several processes, each with a keeper; who serves which shard at this moment."""

    def __init__(self, count: int) -> None:
        self.store, self.count = MemoryStore(), count
        self.serving = dict[Shard, str]()
        self.stores = dict[str, CutOff]()
        self.begun = Counter[Shard]()

    @asynccontextmanager
    async def process(
        self, name: str, *, insists: bool = True, fails: Shard | None = None
    ) -> AsyncIterator[asyncio.Event]:
        """A process, until the end of the block. The store fails as it begins with one shard for the first time."""
        store, over = CutOff(self.store), asyncio.Event()
        self.stores[name] = store

        async def serve(shard: Shard, lease: Lease, ending: asyncio.Event) -> None:
            self.begun[shard] += 1
            if shard == fails and self.begun[shard] == 1:
                raise StorageError("gone for a moment")
            assert lease.is_held
            assert shard not in self.serving, f"{shard} is {self.serving.get(shard)}'s, too"
            self.serving[shard] = name
            waiting = [asyncio.create_task(event.wait()) for event in (ending, lease.lost)]
            try:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in waiting:
                    task.cancel()
                del self.serving[shard]

        async def keep() -> None:
            while not over.is_set():
                count = await agreed(store, self.count, over, insists=insists, pace=QUICK)
                await ShardKeeper(store, count, serve, QUICK).keep(over)

        keeping = asyncio.create_task(keep())
        try:
            yield over
        finally:
            over.set()
            await keeping

    def shares(self) -> dict[str, int]:
        owners = list(self.serving.values())
        return {name: owners.count(name) for name in sorted(set(owners))}

    async def until(self, **shares: int) -> None:
        await until(lambda: self.shares() == shares, 10)


@pytest.fixture
async def house() -> House:
    made = House(4)
    assert await shards.settled(made.store, 4, [Lease(made.store, Shard().lease, QUICK)])
    return made


async def test_one_process_has_all_and_gives_those_that_come_their_share(house: House) -> None:
    async with house.process("a"):
        await house.until(a=4)
        async with house.process("b"):
            await house.until(a=2, b=2)
            async with house.process("c"):
                await house.until(a=2, b=1, c=1)
            await house.until(a=2, b=2)
        await house.until(a=4)


async def test_what_one_has_that_is_cut_off_the_others_take_over_and_it_has_its_share_when_it_is_back(
    house: House,
) -> None:
    async with house.process("a"), house.process("b"):
        await house.until(a=2, b=2)
        house.stores["a"].gone = True
        await house.until(b=4)
        house.stores["a"].gone = False
        await house.until(a=2, b=2)


@pytest.mark.parametrize("insists", [True, False])
async def test_processes_that_start_at_once_settle_one_number_and_share_the_shards_evenly(insists: bool) -> None:
    house = House(4)
    async with AsyncExitStack() as stack:
        for name in ("a", "b", "c"):
            await stack.enter_async_context(house.process(name, insists=insists))
        await until(lambda: sorted(house.shares().values()) == [1, 1, 2], 10)
        assert await shards.in_force(house.store) == 4


async def test_a_shard_whose_store_fails_while_it_begins_is_taken_again_and_the_others_stay(house: House) -> None:
    async with house.process("a", fails=Shard(2, 4)):
        await house.until(a=4)
        assert house.begun[Shard(2, 4)] == 2
        assert [house.begun[shard] for shard in shards.all_of(4) if shard.number != 2] == [1, 1, 1]


async def test_of_two_processes_with_one_shard_the_second_waits() -> None:
    house = House(1)
    async with house.process("a") as over:
        await house.until(a=1)
        async with house.process("b"):
            await asyncio.sleep(0.3)
            assert house.shares() == {"a": 1}
            over.set()
            await house.until(b=1)


async def test_a_shard_that_cannot_be_served_ends_the_process_with_what_it_says() -> None:
    async def serve(shard: Shard, *_: object) -> None:
        raise UsageError(f"no shard {shard.number}")

    with pytest.raises(UsageError, match="no shard 0"):
        await ShardKeeper(MemoryStore(), 1, serve, QUICK).keep(asyncio.Event())


# ── how many there are ───────────────────────────────────────────────────────────────────────────────────────────


async def test_one_that_starts_alone_settles_how_many_shards_there_are() -> None:
    store, never = MemoryStore(), asyncio.Event()
    assert await shards.in_force(store) == 1
    for wanted in (4, 2, 1):
        assert await agreed(store, wanted, never, insists=False, pace=QUICK) == wanted
        assert await shards.in_force(store) == wanted


async def test_beside_others_one_goes_by_their_number_or_waits_where_it_insists(house: House) -> None:
    never = asyncio.Event()
    async with house.process("a"):
        await house.until(a=4)
        assert await agreed(house.store, 5, never, insists=False, pace=QUICK) == 4
        waiting = asyncio.create_task(agreed(house.store, 5, never, insists=True, pace=QUICK))
        await asyncio.sleep(0.5)
        assert not waiting.done()
    async with asyncio.timeout(5):
        assert await waiting == 5


async def test_all_stop_where_another_number_is_in_force_after_all_and_agree_anew(house: House) -> None:
    """Whoever settled it had stood still meanwhile."""
    async with house.process("a"):
        await house.until(a=4)
        await house.store.add(shards.NAMESPACE, "000000000009", {"count": 5})
        await until(lambda: all(house.begun[shard] == 2 for shard in shards.all_of(4)), 10)
        assert await shards.in_force(house.store) == 4


# ── whose turn it is ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
async def test_those_of_one_bucket_identify_five_seconds_apart_over_all_processes() -> None:
    store, at = MemoryStore(), dict[int, float]()
    loop = asyncio.get_running_loop()
    processes = [IdentifyTurns(store, 2), IdentifyTurns(store, 2)]

    async def identify(number: int) -> None:
        await processes[number // 2].wait(number)
        at[number] = loop.time()

    await asyncio.gather(*map(identify, range(4)))
    for turns in processes:
        await turns.aclose()
    for one, other in ((0, 2), (1, 3)):
        assert 5 <= abs(at[one] - at[other]) < 8
    assert abs(min(at[0], at[2]) - min(at[1], at[3])) < 1


@pytest.mark.slow
async def test_the_turn_of_one_that_died_amid_it_is_over_in_three_seconds() -> None:
    store, loop = MemoryStore(), asyncio.get_running_loop()
    dead = Lease(store, "discord identify 0")
    assert await dead.take()  # and nothing more is heard of it
    turns, began = IdentifyTurns(store), loop.time()
    await turns.wait(0)
    assert loop.time() - began < 5
    await turns.aclose()


def test_each_server_is_one_shards_and_direct_messages_are_the_first_ones() -> None:
    for count in (1, 2, 16):
        for guild in (0, 81384788765712384, 1 << 62):
            assert [shard.number for shard in shards.all_of(count) if shard.has(guild)] == [(guild >> 22) % count]
    assert Shard(0, 16).has(0)
