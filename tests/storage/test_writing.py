"""The writer: group commit, cancelled waiters, processes killed in the middle, locks held by others."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.errors import LostOwnership, StorageError
from elenchus.storage.sqlite_log import SqliteLog, open_log
from tests.storage.logs import connection_of, epoch_of, numbers, said
from tests.storage.processes import child


async def test_appends_that_wait_at_the_same_time_share_a_transaction(sqlite_log: SqliteLog) -> None:
    epochs = {f"s{n}": await epoch_of(sqlite_log, f"s{n}") for n in range(200)}
    statements: list[str] = []
    connection_of(sqlite_log).set_trace_callback(statements.append)
    async with asyncio.TaskGroup() as group:
        for session_id, epoch in epochs.items():
            group.create_task(sqlite_log.append(session_id, [said("x")], epoch))
    connection_of(sqlite_log).set_trace_callback(None)
    commits = statements.count("COMMIT")
    assert 1 <= commits <= 20, f"{commits} commits for 200 appends"
    for session_id in epochs:
        assert len(await sqlite_log.read(session_id)) == 3


async def test_closing_waits_for_appends_that_were_asked_for(path: Path) -> None:
    others = set(threading.enumerate())  # a test that failed before this one may have left some
    log = await open_log(path)
    epoch = await epoch_of(log)
    appends = [asyncio.create_task(log.append("s", [said(str(n))], epoch)) for n in range(50)]
    await asyncio.sleep(0)
    await log.aclose()
    assert [r.seq for append in appends for r in await append] == list(range(3, 53))
    left = set(threading.enumerate()) - others
    assert not [thread.name for thread in left if thread.name.startswith("elenchus-log")]
    log = await open_log(path)
    assert len(await log.read("s")) == 52
    await log.aclose()


@pytest.mark.kill
async def test_a_process_frozen_in_the_middle_of_a_write_is_named_and_its_end_frees_the_log(path: Path) -> None:
    log = await open_log(path, patience=0.3)
    epoch = await epoch_of(log)
    async with child("lock", path, "BEGIN IMMEDIATE") as other:
        assert await other.line() == "locked"
        appends = [asyncio.create_task(log.append("s", [said(str(n))], epoch)) for n in range(20)]
        await asyncio.wait(appends)
        for append in appends:
            with pytest.raises(StorageError, match=f"kept locked by process {other.pid}"):
                await append
        assert len(await log.read("s")) == 2, "reading goes on beside it"
        await other.kill()
    assert numbers(await log.append("s", [said("free")], epoch)) == [3]
    await log.aclose()


async def test_a_short_lock_by_another_program_only_delays(sqlite_log: SqliteLog, path: Path) -> None:
    epoch = await epoch_of(sqlite_log)
    async with child("lock", path, "BEGIN IMMEDIATE") as other:
        assert await other.line() == "locked"
        append = asyncio.create_task(sqlite_log.append("s", [said("late")], epoch))
        done, _ = await asyncio.wait([append], timeout=0.3)
        assert not done
        other.tell()
        assert numbers(await append) == [3]


async def test_a_mistake_in_one_change_spoils_no_other_of_the_same_transaction(sqlite_log: SqliteLog) -> None:
    epoch = await epoch_of(sqlite_log)

    def mistake(connection: object) -> None:
        raise ZeroDivisionError

    tasks = [asyncio.create_task(sqlite_log.append("s", [said(str(n))], epoch)) for n in range(5)]
    wrong = asyncio.create_task(sqlite_log._writer.change(mistake))
    stale = asyncio.create_task(sqlite_log.append("s", [said("stale")], epoch - 1))
    tasks += [asyncio.create_task(sqlite_log.append("s", [said(str(n))], epoch)) for n in range(5, 10)]
    await asyncio.wait([*tasks, wrong, stale])
    assert isinstance(wrong.exception(), ZeroDivisionError)
    assert isinstance(stale.exception(), LostOwnership)
    assert [task.result()[0].seq for task in tasks] == list(range(3, 13))
    assert len(await sqlite_log.read("s")) == 12


async def test_a_mistake_that_nobody_foresaw_fails_its_own_append_and_the_writer_goes_on(sqlite_log: SqliteLog) -> None:
    epoch = await epoch_of(sqlite_log)
    no_events: list[Any] = [object(), object()]  # two, so that their bodies are made on the writer's thread
    tasks = [asyncio.create_task(sqlite_log.append("s", events, epoch)) for events in ([said("a")], no_events)]
    async with asyncio.timeout(10):
        await asyncio.wait(tasks)
        assert tasks[0].result()[0].seq == 3
        assert isinstance(tasks[1].exception(), AttributeError)
        assert numbers(await sqlite_log.append("s", [said("b")], epoch)) == [4]


async def test_a_mistake_of_who_is_told_of_a_commit_keeps_nobody_waiting(
    sqlite_log: SqliteLog, caplog: pytest.LogCaptureFixture
) -> None:
    writer = sqlite_log._writer

    def mistake(_: int) -> None:
        raise ZeroDivisionError

    async with asyncio.timeout(10):
        await asyncio.gather(writer.change(lambda _: 1, mistake), writer.change(lambda _: 2))
    assert "ZeroDivisionError" in caplog.text
