"""Who lives of those that share something, and what is whose."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from elenchus.service.lab.leases import Pace
from elenchus.service.lab.roster import Roster
from tests.fakes.memory_store import MemoryStore

QUICK = Pace(0.05, 0.2, 0.3)


async def joined(stack: AsyncExitStack, store: MemoryStore) -> Roster:
    roster = Roster(store, "bots", QUICK)
    await stack.enter_async_context(roster.joined())
    return roster


@pytest.mark.parametrize("things", [1, 4, 16])
async def test_shares_are_even_and_whoever_comes_takes_no_more_than_its_own(things: int) -> None:
    store, before = MemoryStore(), list[int]()
    async with AsyncExitStack() as stack:
        rosters = list[Roster]()
        for many in range(1, 6):
            rosters.append(await joined(stack, store))
            shares = [await roster.share(things) for roster in rosters]
            assert sum(shares) == things
            assert max(shares) - min(shares) <= 1
            assert all(now <= then for now, then in zip(shares, before, strict=False)), many
            before = shares


async def test_whoever_leaves_is_gone_at_once_and_nobody_else_loses_by_it() -> None:
    store = MemoryStore()
    async with AsyncExitStack() as stack:
        first, second = await joined(stack, store), await joined(stack, store)
        async with AsyncExitStack() as inner:
            third = await joined(inner, store)
            assert [await one.share(4) for one in (first, second, third)] == [2, 1, 1]
        assert [await one.share(4) for one in (first, second)] == [2, 2]


async def test_whoever_stands_still_is_gone_after_a_while_and_comes_back_as_the_last() -> None:
    store = MemoryStore()
    async with AsyncExitStack() as stack:
        frozen = Roster(store, "bots", QUICK)
        await frozen._join()  # without its beats, as it stands still
        second = await joined(stack, store)
        assert [await one.share(1) for one in (frozen, second)] == [1, 0]
        async with asyncio.timeout(5):
            while not await second.share(1):  # noqa: ASYNC110 - the store tells nobody
                await asyncio.sleep(0.02)
        async with asyncio.timeout(5), frozen.joined():  # it goes on, as after SIGCONT
            assert [await one.share(1) for one in (frozen, second)] == [0, 1]
