"""What is asked of every log that others share when a process dies or is frozen, the disk is full or files are damaged.

Nor does a log hold up its event loop, however much is to be read and written.
"""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.errors import ElenchusError, SessionHeld, StorageError
from elenchus.debate_engine.events import Recorded, now
from elenchus.debate_engine.log import EventLog
from tests.storage.logs import Opener, epoch_of, first, free, numbers, said, started, step
from tests.storage.processes import child

# ── processes ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def function(open_shared: Opener) -> str:
    """The name by which another process finds the log that is tested."""
    return open_shared.function


@pytest.fixture
async def shared(open_shared: Opener, tmp_path: Path) -> Any:
    made = await open_shared(tmp_path / "home")
    yield made
    await made.aclose()


@pytest.mark.kill
@pytest.mark.slow
async def test_what_an_append_returned_survives_the_death_of_the_process(
    shared: EventLog, function: str, tmp_path: Path
) -> None:
    await shared.create("s", started())
    for epoch in (1, 2):
        await free(shared, "s")
        async with child("run", tmp_path / "home", "s", function=function) as other:
            assert await other.line() == f"held {epoch}"
            last, until = 0, time.monotonic() + random.uniform(0, 0.3)
            while time.monotonic() < until:
                last = int(await other.line())
            await other.kill()
            last = max([last, *(int(line) for line in await other.rest() if line)])
        events = await shared.read("s")
        assert numbers(events) == list(range(1, len(events) + 1))
        assert len(events) >= last
        texts = [text.split("/")[1] for r in events if (text := getattr(r.event, "text", ""))]
        assert texts == ["a", "b"] * (len(texts) // 2), "what was appended together is there together"
    await free(shared, "s")
    assert (await shared.claim("s")).epoch == 3


@pytest.mark.kill
@pytest.mark.parametrize("most", [50_000, 101_500, 153_210])
async def test_who_dies_amid_a_write_leaves_whole_events_and_others_write_on(
    shared: EventLog, function: str, tmp_path: Path, most: int
) -> None:
    """A file size limit makes the system kill the writer after a part of what it writes is in the file."""
    if "postgres" in function:
        pytest.skip("the server writes the files, and no limit of this process reaches it")
    await shared.create("s", started())
    async with child("die", tmp_path / "home", "s", str(most), function=function) as other:
        last = max([2, *(int(line) for line in await other.rest())])
    events = await shared.read("s")
    assert numbers(events) == list(range(1, len(events) + 1))
    assert len(events) % 2 == 0, "pairs are there together"
    assert len(events) >= last
    epoch = (await shared.claim("s", take_over=True)).epoch
    await shared.append("s", [said("short")], epoch)
    await shared.send("s", said("x" * 9000))
    assert (await shared.read("s"))[: len(events)] == events
    assert numbers(await shared.read("s", len(events))) == [len(events) + n for n in (1, 2, 3)]


@pytest.mark.kill
async def test_who_was_frozen_and_taken_over_writes_nothing_more(
    shared: EventLog, function: str, tmp_path: Path
) -> None:
    await shared.create("s", started())
    async with child("hold", tmp_path / "home", "s", function=function) as other:
        assert await other.line() == "held 1"
        other.tell("before")
        assert await other.line() == "appended 3"
        with pytest.raises(SessionHeld, match=f"run by process {other.pid} on .* since 20"):
            await shared.claim("s")
        assert f"process {other.pid} on " in str((await shared.sessions())[0].owner)
        other.signal(signal.SIGSTOP)
        ownership = await shared.claim("s", take_over=True)
        other.tell("asleep")
        await shared.append("s", [said("mine")], ownership.epoch)
        other.signal(signal.SIGCONT)
        other.tell("awake")
        for _ in range(2):
            assert (await other.line()).startswith("LostOwnership Session s was taken over by another owner (epoch 2")
        assert await other.end() == 0
    assert (await shared.info("s")).owner, "its end takes nothing from the new owner"
    texts = [getattr(r.event, "text", r.event.kind) for r in await shared.read("s")]
    assert texts == ["session_started", "owner_started", "before", "owner_started", "mine"]


# ── the disk ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_where_there_is_no_room_the_error_says_so_and_later_there_is_room_again(
    shared: EventLog, function: str, tmp_path: Path
) -> None:
    if "postgres" in function:
        pytest.skip("the server writes the files, and no limit of this process reaches it")
    async with child("fill", tmp_path / "home", "s", function=function) as other:
        lines = await other.rest()
    assert lines[-1] == "resumed 1 True"
    assert all(line.startswith("DiskFull ") for line in lines[:-1])
    events = await shared.read("s")
    assert numbers(events) == list(range(1, len(events) + 1))


async def every_call(log: EventLog) -> list[ElenchusError]:
    """What all methods raise, asked for a session `s` and another; anything but the contract's errors comes through."""
    recorded = Recorded(seq=1, at=now(), event=started())
    calls: list[Callable[[], Awaitable[Any]]] = [
        lambda: log.create("new", started()),
        log.sessions,
        lambda: log.info("s"),
        lambda: log.derived_from("s"),
        lambda: log.claim("s"),
        lambda: log.append("s", [said("x")], 1),
        lambda: log.send("s", said("x")),
        lambda: log.read("s"),
        lambda: first(1, log.follow("s")),
        lambda: log.rewrite("s", [recorded], 1),
        lambda: log.restore("newer", [recorded]),
        lambda: log.delete("s"),
    ]
    errors: list[ElenchusError] = []
    for call in calls:
        try:
            await call()
        except ElenchusError as error:
            errors.append(error)
    return errors


@pytest.mark.parametrize("damage", [b"\xff\0 no text", b"{}", b"[1, 2]\n{\n", b""])
async def test_damaged_files_are_a_storage_error(open_shared: Opener, tmp_path: Path, damage: bytes) -> None:
    log = await open_shared(tmp_path)
    epoch = await epoch_of(log)
    await log.append("s", [said("x" * 5000)], epoch)
    await log.aclose()
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    if not files:
        pytest.skip("this log keeps no files here")
    for file in files:
        file.write_bytes(damage)
    try:
        log = await open_shared(tmp_path)
    except StorageError:
        return
    errors = await every_call(log)
    await log.aclose()
    assert any(isinstance(error, StorageError) for error in errors), errors


async def test_a_folder_that_is_no_folder_any_more_is_an_error_of_the_contract(
    open_shared: Opener, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    log = await open_shared(home)
    await epoch_of(log)
    home.rename(tmp_path / "elsewhere")
    home.write_text("a file")
    await every_call(log)
    await log.aclose()
    with suppress(StorageError):
        await (await open_shared(home)).aclose()


# ── the event loop ───────────────────────────────────────────────────────────────────────────────────────────────

LONGEST = 0.018
"""Seconds for which a call may hold up the loop, at one of several tries."""


def excused() -> float:
    """Seconds for which the loop may stand still through no fault of a call: this process's threads waited for a core
    (a busy machine), or other threads than this one computed (Python lets one at a time).
    """
    waited = 0
    for thread in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError):  # a thread that has just ended
            waited += int(thread.read_text().split()[1])
    return waited / 1e9 + time.process_time() - time.thread_time()


async def held_up(call: Callable[[], Awaitable[Any]], longest: float = LONGEST) -> bool:
    """Whether the event loop stood still for so many seconds, and nothing excuses it."""
    stops, task = [0.0], asyncio.ensure_future(call())
    while not task.done():
        before, excuse = time.perf_counter(), excused()
        await asyncio.sleep(0.001)
        stops.append(time.perf_counter() - before - (excused() - excuse))
    await task
    return max(stops) > longest


@pytest.mark.slow
async def test_no_method_holds_up_the_event_loop(shared: EventLog) -> None:
    log, size = shared, 6000
    epoch = await epoch_of(log)
    long = [Recorded(seq=seq, at=now(), event=started() if seq == 1 else said("x" * 99)) for seq in range(1, size + 1)]
    await log.restore("long", long)
    long_epoch = (await log.claim("long")).epoch

    async def claimed() -> None:
        await (await log.claim("short")).release()

    await log.create("short", started())
    calls: dict[str, Callable[[int], Awaitable[Any]]] = {
        "create": lambda n: log.create(f"c{n}", started()),
        "sessions": lambda _: log.sessions(),
        "info": lambda _: log.info("long"),
        "derived_from": lambda _: log.derived_from("long"),
        "claim, release": lambda _: claimed(),
        "append": lambda _: log.append("s", [said("x")], epoch),
        "send": lambda _: log.send("long", said("x")),
        "read": lambda _: log.read("long"),
        "follow": lambda _: first(1, log.follow("long")),
        "rewrite": lambda _: log.rewrite("long", long[1:500], long_epoch),
        "restore": lambda n: log.restore(f"r{n}", long),
        "delete": lambda n: log.delete(f"c{n}"),
    }
    for name, call in calls.items():
        for made in range(12):
            if not await held_up(lambda call=call, made=made: call(made)):  # type: ignore[misc]
                break
        else:
            pytest.fail(f"{name} held up the event loop each time")


async def test_the_first_read_of_a_long_session_does_not_hold_up_the_event_loop(
    open_shared: Opener, tmp_path: Path
) -> None:
    log = await open_shared(tmp_path)
    events = [Recorded(seq=seq, at=now(), event=started() if seq == 1 else said("x" * 99)) for seq in range(1, 9000)]
    await log.restore("long", events)
    await log.aclose()
    for _ in range(12):
        log = await open_shared(tmp_path)
        stood = await held_up(lambda log=log: log.read("long"))  # type: ignore[misc]
        await log.aclose()
        if not stood:
            return
    pytest.fail("it held up the event loop each time")


@pytest.mark.slow
@pytest.mark.parametrize("large", [["a"] * 3_000_000, "é" * 30_000_000, {"deep": [{"n": list(range(2_000_000))}]}])
async def test_an_append_of_a_large_event_does_not_hold_up_the_event_loop(shared: EventLog, large: object) -> None:
    """It is weighed, not turned into text, before a thread takes it."""
    epoch = await epoch_of(shared)
    for n in range(3):
        event = step(str(n), large)
        if not await held_up(lambda event=event: shared.append("s", [event], epoch), longest=0.08):  # type: ignore[misc]
            return
    pytest.fail("it held up the event loop each time")


async def test_an_append_of_large_events_does_not_hold_up_the_event_loop(shared: EventLog) -> None:
    """They are checked and turned into text in a thread too: long on the whole, a millisecond each."""
    epoch, large = await epoch_of(shared), [step(str(n), list(range(20_000))) for n in range(150)]
    for _ in range(5):
        if not await held_up(lambda: shared.append("s", large, epoch), longest=0.08):
            return
    pytest.fail("it held up the event loop each time")
