"""A server that runs for months removes what has ended, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.key_value_store import Document
from elenchus.service.lab.access import Access
from elenchus.service.lab.sign_ins import SignIns
from elenchus.service.web.operations.housekeeping import kept_tidy
from tests.fakes.memory_store import MemoryStore


class House:
    """Grants and sign-ins in memory, and their clock."""

    def __init__(self, store: MemoryStore) -> None:
        self.store, self.at = store, datetime(2026, 3, 1, tzinfo=UTC)
        self.access = Access(store, lambda: self.at)
        self.sign_ins = SignIns(store, self.access, lambda: self.at)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(kept_tidy(self.access, self.sign_ins, every=0.001))
        yield
        await asyncio.sleep(0.05)
        assert not task.done()
        task.cancel()
        await asyncio.wait({task})

    async def documents(self) -> int:
        return sum([len(await self.store.all(namespace)) for namespace in list(self.store._namespaces)])


async def test_a_year_of_classes_leaves_what_is_valid_and_nothing_more() -> None:
    house = House(MemoryStore())
    owner = await house.access.give("owner")
    cookie = await house.sign_ins.new(owner.grant)
    before = await house.documents()
    for _ in range(50):
        async with house.running():
            for n in range(10):
                seat = await house.access.give("seat", session="s", seat=f"p{n}", lasts=timedelta(days=1), short=0)
                await house.sign_ins.new(seat.grant)
            house.at += timedelta(days=7)
    assert await house.documents() == before
    found = await house.sign_ins.of(cookie)
    assert found is not None
    assert found.grants == (owner.grant,)


async def test_nobody_who_signs_in_meanwhile_is_signed_out() -> None:
    house = House(MemoryStore())
    owner = await house.access.give("owner")
    async with house.running():
        for _ in range(200):
            cookie = await house.sign_ins.new(owner.grant)
            await asyncio.sleep(0)
            found = await house.sign_ins.of(cookie)
            assert found is not None
            assert found.grants


class Failing(MemoryStore):
    """Cannot be read three times."""

    failures = 3

    async def all(self, namespace: str) -> dict[str, Document]:
        if self.failures:
            self.failures -= 1
            raise StorageError("The disk is away.")
        return await super().all(namespace)


async def test_a_store_that_is_out_of_order_is_waited_for() -> None:
    house = House(Failing())
    await house.access.give("audience", session="s", lasts=timedelta(days=1))
    house.at += timedelta(days=2)
    async with house.running():
        pass
    assert await house.documents() == 0
