"""Who holds which place of a study: one each, however many ask at once, and free again when somebody is gone."""

from __future__ import annotations

import asyncio
from pathlib import Path

from elenchus.debate_engine.events import Event, SessionFailed, SessionFinished, SessionStarted, SessionStopped
from elenchus.service.lab.allocation import FRESH, StoredAllocation, assignment_of
from elenchus.storage.sqlite_log import SqliteLog, open_log


async def started(log: SqliteLog, session: str) -> None:
    """Make a session."""
    await log.create(session, SessionStarted(protocol="rulegen", title="Tea", config={}, seats=(), seed=1, version="0"))


async def ended(log: SqliteLog, session: str, end: Event) -> None:
    """End it."""
    hold = await log.claim(session)
    await log.append(session, [end], hold.epoch)
    await hold.release()


async def test_twenty_at_once_from_two_processes_own_stores_get_twenty_places(tmp_path: Path) -> None:
    one, other = await open_log(tmp_path / "log.db"), await open_log(tmp_path / "log.db")
    try:
        for n in range(20):
            await started(one, f"s{n}")

        async def draw(n: int) -> int:
            log = one if n % 2 else other
            lot = await assignment_of(log.key_value_store, "tea", f"s{n}", ("a", "b"))
            return await StoredAllocation(log.key_value_store, log).draw(lot)

        assert sorted(await asyncio.gather(*(draw(n) for n in range(20)))) == list(range(1, 21))
        assert len({(await assignment_of(one.key_value_store, "tea", "x", ("a",))).seed for _ in range(3)}) == 1
    finally:
        await other.aclose()
        await one.aclose()


async def test_a_place_is_free_again_when_its_session_ended_early_failed_was_stopped_or_is_gone(tmp_path: Path) -> None:
    log = await open_log(tmp_path / "log.db")
    lots = StoredAllocation(log.key_value_store, log)

    async def place(session: str) -> int:
        return await lots.draw(await assignment_of(log.key_value_store, "tea", session, ("a", "b"), seed=3))

    try:
        ends: dict[str, Event] = {
            "stopped": SessionStopped(reason="no time"),
            "failed": SessionFailed(error="X", message="it broke"),
            "early": SessionFinished(outcome={"ended": "withdrawn"}),
            "whole": SessionFinished(outcome={"ended": ""}),
        }
        for number, name in enumerate(ends, 1):
            await started(log, name)
            assert await place(name) == number
        for name, end in ends.items():
            await ended(log, name, end)
        await started(log, "playing")
        assert await place("playing") == 1, "who was stopped holds no place"
        assert await place("playing") == 1, "the same one asked again"
        for n, name in enumerate(("next", "after"), 2):
            await started(log, name)
            assert await place(name) == n
        await started(log, "last")
        assert await place("last") == 5, "who has finished keeps its place"
        await log.delete("playing")
        assert await place("new") == 1
    finally:
        await log.aclose()


async def test_each_stratum_has_places_of_its_own(tmp_path: Path) -> None:
    log = await open_log(tmp_path / "log.db")
    lots = StoredAllocation(log.key_value_store, log)
    try:
        for name, stratum in (("a", "x"), ("b", "x"), ("c", "y"), ("d", "")):
            await started(log, name)
            lot = await assignment_of(log.key_value_store, "tea", name, ("a", "b"), seed=3)
            place = await lots.draw(lot.model_copy(update={"stratum": stratum}))
            assert place == (2 if name == "b" else 1)
    finally:
        await log.aclose()


async def test_a_session_that_was_made_a_moment_ago_keeps_its_place_while_many_draw(tmp_path: Path) -> None:
    log = await open_log(tmp_path / "log.db")
    lots = StoredAllocation(log.key_value_store, log)
    try:
        drawn = []
        for n in range(20):
            await started(log, f"s{n}")
            drawn.append(await lots.draw(await assignment_of(log.key_value_store, "tea", f"s{n}", ("a", "b"), seed=3)))
        assert drawn == list(range(1, 21))
        await ended(log, "s4", SessionStopped(reason="no time"))
        await started(log, "late")
        await asyncio.sleep(FRESH)
        assert await lots.draw(await assignment_of(log.key_value_store, "tea", "late", ("a", "b"), seed=3)) == 5
    finally:
        await log.aclose()
