"""One owner at a time, with real processes that are killed and frozen."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import AsyncExitStack, closing
from functools import partial
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import LostOwnership, SessionHeld, StorageError
from elenchus.debate_engine.events import OwnerStarted
from elenchus.storage.sqlite_log import SqliteLog, open_log
from tests.storage.logs import connection_of, said, started
from tests.storage.processes import child

pytestmark = pytest.mark.kill


async def test_a_session_held_by_another_process_is_refused_naming_host_and_process(
    sqlite_log: SqliteLog, path: Path
) -> None:
    await sqlite_log.create("s", started())
    async with child("hold", path, "s") as other:
        assert await other.line() == "held 1"
        with pytest.raises(SessionHeld, match=f"run by process {other.pid} on .* since 20"):
            await sqlite_log.claim("s")
        with pytest.raises(SessionHeld):
            await sqlite_log.delete("s")
        assert f"process {other.pid} on " in str((await sqlite_log.info("s")).owner)
        assert f"process {other.pid} on " in str((await sqlite_log.sessions())[0].owner)
        assert await other.end() == 0
    assert (await sqlite_log.sessions())[0].owner is None
    assert (await sqlite_log.claim("s")).epoch == 2


async def test_a_session_can_be_claimed_right_after_its_owner_was_killed(sqlite_log: SqliteLog, path: Path) -> None:
    await sqlite_log.create("s", started())
    for epoch in range(1, 6):
        async with child("run", path, "s") as other:
            assert await other.line() == f"held {epoch}"
            await other.line()
            await other.kill()
            assert (await sqlite_log.info("s")).owner is None, "it shows as interrupted"
    ownership = await sqlite_log.claim("s")
    assert ownership.epoch == 6
    assert len(list(path.parent.glob("*-locks/*"))) == 1, "the dead leave no files"


@pytest.mark.slow
@pytest.mark.parametrize("how", ["claim", "take_over"])
async def test_of_several_processes_that_claim_at_once_exactly_one_wins(
    sqlite_log: SqliteLog, path: Path, how: str
) -> None:
    sessions, racers = [f"s{n}" for n in range(15)], 4
    for name in sessions:
        await sqlite_log.create(name, started())
        frozen = await sqlite_log.claim(name)
        if how == "claim":
            await frozen.release()
    async with AsyncExitStack() as stack:
        others = [await stack.enter_async_context(child("race", path, how)) for _ in range(racers)]
        for other in others:
            assert await other.line() == "ready"
        for name in sessions:
            for other in others:
                other.tell(name)
            answers = [await other.line() for other in others]
            epochs = sorted(int(line.split()[1]) for line in answers if line.startswith("won"))
            assert epochs == list(range(2, 2 + len(epochs))), "each epoch is won once"
            assert len(epochs) == 1 or how == "take_over", "a later take-over may follow upon the first"
            assert sum(line.startswith("SessionHeld") for line in answers) == racers - len(epochs)
        for other in others:
            assert await other.end() == 0


def _set_from_a_thread(loop: asyncio.AbstractEventLoop, event: asyncio.Event, _statement: str) -> None:
    loop.call_soon_threadsafe(event.set)


async def test_of_two_that_would_take_over_from_the_same_holder_one_is_refused(
    sqlite_log: SqliteLog, path: Path
) -> None:
    await sqlite_log.create("s", started())
    await sqlite_log.claim("s")
    logs, loop = [await open_log(path), await open_log(path)], asyncio.get_running_loop()
    wait_to_write = [asyncio.Event() for _ in logs]
    for log, waits in zip(logs, wait_to_write, strict=True):
        connection_of(log).set_trace_callback(partial(_set_from_a_thread, loop, waits))
    with closing(sqlite3.connect(path, isolation_level=None)) as gate:
        gate.execute("BEGIN IMMEDIATE")
        racing = [asyncio.create_task(log.claim("s", take_over=True)) for log in logs]
        for waits in wait_to_write:  # until both have seen the holder
            await waits.wait()
        gate.execute("COMMIT")
    claims = await asyncio.gather(*racing, return_exceptions=True)
    assert sorted(type(claim).__name__ for claim in claims) == ["SessionHeld", "SqlOwnership"]
    assert [r.event.epoch for r in await sqlite_log.read("s") if isinstance(r.event, OwnerStarted)] == [1, 2]
    for log in logs:
        await log.aclose()


async def test_logs_of_one_process_are_as_strange_to_each_other_as_processes(sqlite_log: SqliteLog, path: Path) -> None:
    await sqlite_log.create("s", started())
    await sqlite_log.claim("s")
    other = await open_log(path)
    with pytest.raises(SessionHeld):
        await other.claim("s")
    assert (await other.info("s")).owner
    new = await other.claim("s", take_over=True)
    with pytest.raises(LostOwnership):
        await sqlite_log.append("s", [said("x")], 1)
    await other.aclose()
    assert (await sqlite_log.info("s")).owner is None, "closing a log lets its sessions go"
    with pytest.raises(LostOwnership):
        await sqlite_log.append("s", [said("x")], new.epoch - 1)


async def test_a_log_claims_a_thousand_sessions_with_one_lock_file(sqlite_log: SqliteLog, path: Path) -> None:
    async def make(name: str) -> int:
        await sqlite_log.create(name, started())
        return (await sqlite_log.claim(name)).epoch

    assert set(await asyncio.gather(*(make(f"s{n}") for n in range(1000)))) == {1}
    assert len(list(path.parent.glob("*-locks/*"))) == 1
    assert all(s.owner for s in await sqlite_log.sessions())


async def test_a_claim_that_comes_too_late_leaves_no_lock_behind(path: Path) -> None:
    log = await open_log(path)
    await log.create("s", started())
    await log.aclose()
    with pytest.raises(StorageError, match="closed"):
        await log.claim("s")
    assert list(path.parent.glob("*-locks/*")) == []


async def test_a_log_remembers_the_claims_that_it_holds_and_some_that_it_held(sqlite_log: SqliteLog) -> None:
    owners = sqlite_log._owners
    owners.remembered = 3
    for name in ("kept", "s"):
        await sqlite_log.create(name, started())
    held = await sqlite_log.claim("kept")
    for _ in range(10):
        await (await sqlite_log.claim("s")).release()
    assert list(owners._births) == [("kept", held.epoch), ("s", 9), ("s", 10)]
