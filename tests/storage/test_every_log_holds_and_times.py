"""What ends a hold and what does not, whose time is told, and what a log leaves behind; asked of each log."""

from __future__ import annotations

import asyncio
import re
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import SessionHeld, StorageError
from elenchus.debate_engine.events import OwnerStarted, Recorded, now
from elenchus.debate_engine.log import EventLog
from tests.storage.logs import Opener, epoch_of, first, numbers, said, settle, started

# ── holds ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_is_appended_sent_or_rewritten_ends_no_hold(log: EventLog) -> None:
    epoch = await epoch_of(log)
    writes = (
        lambda: log.send("s", said("sent")),
        lambda: log.append("s", [said("appended")], epoch),
        lambda: log.rewrite("s", [Recorded(seq=3, at=now(), event=said("[redacted]"))], epoch),
        lambda: log.rewrite("s", [], epoch),
    )
    for write in writes:
        await write()
        assert (await log.info("s")).owner is not None
        for attempt in (log.claim("s"), log.delete("s")):
            with pytest.raises(SessionHeld):
                await attempt
    assert numbers(await log.read("s")) == [1, 2, 3, 4]


@pytest.mark.slow
async def test_what_is_told_of_a_holder_is_the_time_of_its_claim(log: EventLog) -> None:
    before = now().replace(microsecond=0)
    await epoch_of(log)
    after = now()
    await asyncio.sleep(1.1)  # the time is told to the second
    for attempt in (log.claim("s"), log.delete("s")):
        with pytest.raises(SessionHeld) as refused:
            await attempt
        (since,) = re.findall(r"since (\S+\+00:00)", str(refused.value))
        assert before.isoformat(timespec="seconds") <= since <= after.isoformat(timespec="seconds")


async def test_a_session_has_begun_as_soon_as_anybody_has_claimed_it_ever(log: EventLog) -> None:
    await log.create("s", started())
    assert not (await log.info("s")).begun
    await log.send("s", said("a command begins nothing"))
    assert [s.begun for s in await log.sessions()] == [False]
    ownership = await log.claim("s")
    assert (await log.info("s")).begun
    await ownership.release()
    assert (await log.info("s")).begun, "also when nobody has a hold"
    await log.restore("run", await log.read("s"))
    assert (await log.info("run")).begun, "its epoch is not 0"
    await log.restore("new", (await log.read("s"))[:2])
    assert not (await log.info("new")).begun


# ── events ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_time_of_an_event_is_that_of_its_append_in_utc(log: EventLog) -> None:
    epoch = await epoch_of(log)
    for n in range(3):
        await asyncio.sleep(0.01)
        before = now()
        events = [await log.send("s", said(str(n))), *await log.append("s", [said("a"), said("b")], epoch)]
        assert all(before <= r.at <= now() for r in events)
    before = now()
    await log.claim("s", take_over=True)
    last = (await log.read("s"))[-1]
    assert isinstance(last.event, OwnerStarted)
    assert before <= last.at <= now()
    assert {r.at.utcoffset() for r in await log.read("s")} == {timedelta(0)}


async def test_all_is_read_after_any_negative_number(log: EventLog) -> None:
    await epoch_of(log)
    await log.send("s", said("a"))
    for after in (-1, -2, -3, -99):
        assert numbers(await log.read("s", after=after)) == [1, 2, 3]
        assert numbers(await first(3, log.follow("s", after=after))) == [1, 2, 3]


async def test_a_rewrite_of_which_a_part_is_refused_replaces_nothing(log: EventLog) -> None:
    epoch = await epoch_of(log)
    await log.append("s", [said("a"), said("b")], epoch)
    before = await log.read("s")
    good = before[2].model_copy(update={"event": said("[redacted]")})
    for bad in (
        [Recorded(seq=5, at=now(), event=said("x"))],
        [Recorded(seq=0, at=now(), event=said("x"))],
        [before[3], before[3]],
        [Recorded(seq=1, at=now(), event=said("x"))],
    ):
        for events in ([good, *bad], [*bad, good]):
            with pytest.raises(StorageError):
                await log.rewrite("s", events, epoch)
            assert await log.read("s") == before


# ── what is left ─────────────────────────────────────────────────────────────────────────────────────────────────

DESCRIPTORS = Path("/proc/self/fd")


def descriptors() -> int:
    """How many this process has open; 0 where the system does not say."""
    return len(list(DESCRIPTORS.iterdir())) if DESCRIPTORS.exists() else 0


def threads() -> set[threading.Thread]:
    """Those of this process that are not the event loop's own."""
    return {thread for thread in threading.enumerate() if not thread.name.startswith("asyncio_")}


async def used(log: EventLog) -> None:
    """Do a bit of everything at once."""
    await log.create("s", started())
    following = asyncio.create_task(first(99, log.follow("s")))
    await asyncio.gather(*(log.read("s") for _ in range(40)), *(log.send("s", said("x")) for _ in range(9)))
    await settle(following)
    await log.claim("s")
    await log.create("t", started())
    await log.claim("t")


async def test_a_closed_log_leaves_no_thread_and_no_open_file(open_one: Opener, tmp_path: Path) -> None:
    counts = [(descriptors(), threads())]
    for name in ("first", "second"):
        log = await open_one(tmp_path / name)
        await used(log)
        await log.aclose()
        counts.append((descriptors(), threads()))
    assert counts[2][1] <= counts[0][1]
    assert counts[2][0] <= counts[1][0], "the first may open what stays open in a process"


async def test_claims_and_followers_that_ended_leave_no_open_file(log: EventLog) -> None:
    async def round_of_claims() -> None:
        for _ in range(30):
            ownership = await log.claim("s")
            await first(1, log.follow("s"))
            await ownership.release()

    await log.create("s", started())
    await asyncio.gather(*(log.read("s") for _ in range(40)))
    await round_of_claims()
    files, running = descriptors(), len(threads())
    await round_of_claims()
    assert descriptors() < files + 20
    assert len(threads()) < running + 20


@pytest.mark.slow
async def test_closing_that_is_cancelled_closes_all_the_same(open_one: Opener, tmp_path: Path) -> None:
    before = threads()
    for n in range(12):
        log = await open_one(tmp_path / f"home{n}")
        await used(log)
        closing = asyncio.create_task(log.aclose())
        await asyncio.sleep(0.001 * n)
        closing.cancel()
        await asyncio.wait([closing])
        with pytest.raises(StorageError, match="closed"):
            await log.read("s")
        await log.aclose()
        assert threads() <= before
