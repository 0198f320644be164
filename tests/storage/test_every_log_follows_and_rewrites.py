"""How every log is followed, rewritten and restored, asked of each of them."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from elenchus.debate_engine.errors import LostOwnership, StorageError, UnknownSession, UsageError
from elenchus.debate_engine.events import (
    Recorded,
    SessionPaused,
    now,
)
from elenchus.debate_engine.log import EventLog
from tests.storage.logs import epoch_of, first, numbers, said, settle, started, step

# ── following ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_follower_gets_what_was_and_what_comes(log: EventLog) -> None:
    epoch = await epoch_of(log)
    follower = asyncio.create_task(first(5, log.follow("s", after=1)))
    await settle(follower)
    await log.append("s", [said("a"), said("b")], epoch)
    await log.send("s", said("c"))
    await log.append("s", [said("d")], epoch)
    assert await follower == await log.read("s", after=1)


async def test_following_that_starts_amid_appends_misses_nothing(log: EventLog) -> None:
    epoch = await epoch_of(log)

    async def write() -> None:
        for n in range(100):
            await log.append("s", [said(str(n)), said(f"{n}+")], epoch)
            await asyncio.sleep(0)

    followers: list[asyncio.Task[list[Recorded]]] = []
    async with asyncio.TaskGroup() as group:
        group.create_task(write())
        for _ in range(20):
            followers.append(group.create_task(first(202, log.follow("s"))))
            await asyncio.sleep(0.002)
    assert {tuple(numbers(f.result())) for f in followers} == {tuple(range(1, 203))}


async def test_a_slow_follower_holds_nobody_up_and_gets_all(log: EventLog) -> None:
    epoch = await epoch_of(log)
    async with aclosing(log.follow("s")) as slow:
        got = [await anext(slow)]
        for n in range(60):
            await log.append("s", [said(f"{n}/{k}") for k in range(50)], epoch)
        while len(got) < 3002:
            got.append(await anext(slow))
    assert numbers(got) == list(range(1, 3003))


async def test_a_follower_that_stops_or_is_cancelled_leaves_the_others_alone(log: EventLog) -> None:
    epoch = await epoch_of(log)
    stopped = log.follow("s")
    await anext(stopped)
    cancelled = asyncio.create_task(first(99, log.follow("s")))
    staying = asyncio.create_task(first(3, log.follow("s")))
    await settle(cancelled)
    await stopped.aclose()
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    await log.append("s", [said("a")], epoch)
    assert numbers(await staying) == [1, 2, 3]


async def test_followers_of_a_deleted_session_are_told(log: EventLog) -> None:
    await log.create("s", started())
    follower = asyncio.create_task(first(2, log.follow("s")))
    await settle(follower)
    await log.delete("s")
    with pytest.raises(UnknownSession):
        await follower


@pytest.mark.parametrize("same", [False, True])
async def test_a_follower_of_a_deleted_session_gets_nothing_of_another_that_has_its_id(
    log: EventLog, same: bool
) -> None:
    await log.create("s", started())
    await log.send("s", said("a"))
    async with aclosing(log.follow("s")) as events:
        before = [await anext(events), await anext(events)]
        await log.delete("s")
        if same:
            await log.restore("s", before)
        else:
            await log.create("s", started("another"))
        for n in range(3):
            await log.send("s", said(f"another's {n}"))
        with pytest.raises(UnknownSession):
            await asyncio.wait_for(anext(events), 10)


async def test_a_follower_gets_no_old_text_once_a_rewrite_has_returned(log: EventLog) -> None:
    epoch = await epoch_of(log)
    async with aclosing(log.follow("s")) as read, aclosing(log.follow("s")) as published:
        await anext(read)
        assert numbers([await anext(published), await anext(published)]) == [1, 2]
        waiting = asyncio.create_task(anext(published))
        secrets = await log.append("s", [said("harmless"), said("my secret"), said("my other secret")], epoch)
        assert await waiting == secrets[0]
        first_three = [await anext(read), await anext(read)]
        assert numbers(first_three) == [2, 3]
        await log.rewrite("s", [r.model_copy(update={"event": said("[redacted]")}) for r in secrets[1:]], epoch)
        for events in (read, published):
            rest = [await asyncio.wait_for(anext(events), 10) for _ in range(2)]
            assert [(r.seq, getattr(r.event, "text", "")) for r in rest] == [(4, "[redacted]"), (5, "[redacted]")]


# ── rewriting and restoring ──────────────────────────────────────────────────────────────────────────────────────


async def test_a_rewrite_keeps_numbers_and_times_and_what_was_not_given(log: EventLog) -> None:
    epoch = await epoch_of(log)
    await log.append("s", [said("my secret"), said("harmless")], epoch)
    before = await log.read("s")
    fresh = [before[0].model_copy(update={"event": started("[redacted]")}), before[2].model_copy(
        update={"event": said("[redacted]"), "at": now()})]  # fmt: skip
    await log.rewrite("s", fresh, epoch)
    after = await log.read("s")
    assert [(r.seq, r.at) for r in after] == [(r.seq, r.at) for r in before]
    assert [r.event for r in after] == [started("[redacted]"), before[1].event, said("[redacted]"), before[3].event]
    assert (await log.info("s")).title == "[redacted]"


async def test_who_keeps_events_learns_that_they_were_rewritten(log: EventLog) -> None:
    epoch = await epoch_of(log)
    (told,) = await log.append("s", [said("my secret")], epoch)
    known = log.rewrites("s")
    await log.append("s", [said("harmless")], epoch)
    assert log.rewrites("s") == known
    await log.rewrite("s", [told.model_copy(update={"event": said("[redacted]")})], epoch)
    assert log.rewrites("s") > known


async def test_a_rewrite_by_a_stale_owner_or_of_what_is_not_there_changes_nothing(log: EventLog) -> None:
    epoch = await epoch_of(log)
    before = await log.read("s")
    with pytest.raises(LostOwnership):
        await log.rewrite("s", before, epoch - 1)
    wrong: list[list[Recorded]] = [
        [Recorded(seq=3, at=now(), event=said("x"))],
        [before[1], before[1]],
        [Recorded(seq=1, at=now(), event=said("x"))],
    ]
    for events in wrong:
        with pytest.raises(StorageError):
            await log.rewrite("s", events, epoch)
    assert await log.read("s") == before


async def test_an_exported_session_is_restored_as_it_was_and_can_be_run(log: EventLog) -> None:
    epoch = await epoch_of(log)
    await log.append("s", [step("a", [1]), SessionPaused(why="moderator", reason="")], epoch)
    events = [Recorded.from_line(r.line()) for r in await log.read("s")]
    await log.restore("copy", events)
    assert await log.read("copy") == events == await log.read("s")
    assert (await log.info("copy")).state == "paused"
    assert (await log.info("copy")).created == events[0].at
    assert (await log.claim("copy")).epoch == epoch + 1
    with pytest.raises(UsageError, match="already"):
        await log.restore("copy", events)


async def test_restored_times_are_in_utc(log: EventLog) -> None:
    at = datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    naive = datetime(2026, 3, 1, 10, 30)  # noqa: DTZ001 - what a hand-made file may hold
    await log.restore("s", [Recorded(seq=1, at=at, event=started()), Recorded(seq=2, at=naive, event=said("x"))])
    assert [r.at.isoformat() for r in await log.read("s")] == ["2026-03-01T10:00:00+00:00", "2026-03-01T10:30:00+00:00"]


async def test_what_is_not_a_whole_history_is_not_restored(log: EventLog) -> None:
    one, two = Recorded(seq=1, at=now(), event=started()), Recorded(seq=2, at=now(), event=said("x"))
    for events in ([], [two], [one, one], [one, Recorded(seq=3, at=now(), event=said("x"))], [two, one]):
        with pytest.raises(StorageError, match="cannot be restored"):
            await log.restore("s", events)
    with pytest.raises(StorageError, match="session_started"):
        await log.restore("s", [Recorded(seq=1, at=now(), event=said("x"))])
    assert await log.sessions() == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.text(min_size=1), JSON), min_size=1, max_size=4))
async def test_any_text_and_json_comes_back_as_it_went_in(log: EventLog, steps: list[tuple[str, Any]]) -> None:
    name = f"s{len(await log.sessions())}"
    epoch = await epoch_of(log, name)
    recorded = await log.append(name, [step(key, result) for key, result in steps], epoch)
    assert await log.read(name, after=2) == recorded
    assert [r.event for r in recorded] == [step(key, result) for key, result in steps]
