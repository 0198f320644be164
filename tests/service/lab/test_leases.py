"""A lease: one process at a time has it, and it is had again when its holder dies, lets go, or stands still."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.key_value_store import Document
from elenchus.service.lab.leases import Lease, Pace
from elenchus.storage.sqlite_log import open_log
from tests.fakes.memory_store import MemoryStore


async def test_who_waits_has_it_as_soon_as_the_holder_lets_go() -> None:
    store, entered = MemoryStore(), asyncio.Event()

    async def second() -> None:
        async with Lease(store, "gateway").held() as lease:
            assert lease.former is None
            entered.set()

    async with Lease(store, "gateway").held() as lease:
        assert lease.is_held
        waiting = asyncio.create_task(second())
        await asyncio.sleep(0.7)
        assert not entered.is_set()
    await asyncio.wait_for(waiting, 5)
    assert [lease.is_held] == [False]
    assert await Lease(store, "gateway").holder() is None


async def test_of_many_who_wait_one_has_it_at_a_time() -> None:
    store, inside = MemoryStore(), 0

    async def work() -> None:
        nonlocal inside
        async with Lease(store, "gateway").held():
            inside += 1
            assert inside == 1
            await asyncio.sleep(0.05)
            inside -= 1

    await asyncio.gather(*(work() for _ in range(5)))


async def test_what_a_dead_process_of_this_machine_held_is_had_at_once(tmp_path: Path) -> None:
    program = f"""
import asyncio, os
from elenchus.service.lab.leases import Lease
from elenchus.storage.sqlite_log import open_log
async def main():
    log = await open_log(__import__("pathlib").Path({str(tmp_path / "elenchus.db")!r}))
    async with Lease(log.key_value_store, "gateway").held():
        os._exit(9)
asyncio.run(main())
"""
    died = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", program], check=False)
    assert died.returncode == 9
    log = await open_log(tmp_path / "elenchus.db")
    async with asyncio.timeout(5), Lease(log.key_value_store, "gateway").held() as lease:
        assert lease.former is not None
    await log.aclose()


class Frozen(MemoryStore):
    """A store as a process has it that is frozen, or cut off: nothing can be written."""

    cut_off = False

    async def put(self, namespace: str, key: str, value: Document) -> None:
        if self.cut_off:
            raise StorageError("cut off")
        await super().put(namespace, key, value)


async def test_a_holder_that_stands_still_loses_it_and_knows() -> None:
    store, pace = Frozen(), Pace(0.2, 0.8, 1.0)
    frozen = Lease(store, "gateway", pace)
    async with frozen.held():
        store.cut_off = True
        async with asyncio.timeout(10):
            await frozen.lost.wait()
        store.cut_off = False
        assert not frozen.is_held
        async with asyncio.timeout(10), Lease(store, "gateway", pace).held() as other:
            assert other.is_held
            assert not frozen.is_held


async def test_a_holder_that_was_taken_over_from_hears_of_it() -> None:
    store, pace = MemoryStore(), Pace(0.2, 0.8, 1.0)
    frozen = Lease(store, "gateway", pace)
    async with frozen.held():
        await store.add("leases/gateway", "000000000002", {"by": "another", "beat": 0})
        async with asyncio.timeout(10):
            await frozen.lost.wait()
