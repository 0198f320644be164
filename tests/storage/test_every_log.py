"""What every log does, asked of each of them."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from elenchus.debate_engine.errors import LostOwnership, SessionHeld, StorageError, UnknownSession, UsageError
from elenchus.debate_engine.events import (
    Event,
    EventLost,
    Recorded,
    SessionFinished,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    now,
)
from elenchus.debate_engine.log import RESCUED, EventLog
from elenchus.debate_engine.printable import one_line
from tests.storage.logs import epoch_of, numbers, said, started, step

# ── sessions ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_created_session_has_its_start_as_event_1(log: EventLog) -> None:
    before = now()
    await log.create("s", started("Tea or coffee?"))
    (only,) = await log.read("s")
    assert (only.seq, only.event) == (1, started("Tea or coffee?"))
    assert before <= only.at <= now()
    assert only.at.tzinfo is UTC or only.at.utcoffset() == timedelta(0)
    info = await log.info("s")
    assert (info.title, info.protocol, info.state, info.owner) == ("Tea or coffee?", "socrasynth", "running", None)
    assert info.created == only.at


async def test_an_id_is_used_once(log: EventLog) -> None:
    await log.create("s", started("one"))
    with pytest.raises(UsageError, match="already a session s"):
        await log.create("s", started("two"))
    assert (await log.info("s")).title == "one"


UNUSABLE = (
    "", "a\nb", "x" * 201, "nul\0", "../../etc/x", "/etc/x", "a\\b", "..", ".", "-x", "--help", "x; id >PWNED #",
    "$(id)", "*", "a b", "`id`", "a&b", "a|b", "ü", "a\n", "~", "a'b", 'a"b', "\ud800",
)  # fmt: skip


@pytest.mark.parametrize("session_id", UNUSABLE)
async def test_an_unusable_id_is_refused(log: EventLog, session_id: str) -> None:
    for attempt in (
        log.create(session_id, started()),
        log.restore(session_id, [Recorded(seq=1, at=now(), event=started())]),
    ):
        with pytest.raises(UsageError):
            await attempt
    assert await log.sessions() == []


async def test_sessions_are_listed_newest_first(log: EventLog) -> None:
    for name in "abc":
        await log.create(name, started(name))
    assert [s.id for s in await log.sessions()] == ["c", "b", "a"]


async def test_of_sessions_of_the_same_time_the_one_that_was_made_later_comes_first(log: EventLog) -> None:
    at, order = now(), ["m", "z", "a", "k", "b"]
    for name in order:
        await log.restore(name, [Recorded(seq=1, at=at, event=started(name))])
    await log.restore("older", [Recorded(seq=1, at=at - timedelta(days=1), event=started())])
    await log.send("z", said("what is written later makes it no newer"))
    assert [s.id for s in await log.sessions()] == [*reversed(order), "older"]


async def test_a_title_is_shown_on_one_line_and_kept_as_it_was(log: EventLog) -> None:
    title = "Tea\nor\tcoffee?\u2028And\r\nwhy? \x1b[31m"
    await log.create("s", started(title))
    assert (await log.info("s")).title == (await log.sessions())[0].title == one_line(title)
    assert (await log.read("s"))[0].event == started(title)


async def test_a_session_whose_log_lost_a_part_is_rescued_whatever_comes_later(log: EventLog) -> None:
    lost = [Recorded(seq=1, at=now(), event=started()), Recorded(seq=2, at=now(), event=EventLost())]
    await log.restore("s", lost)
    nameless = started().model_copy(update={"protocol": ""})
    await log.restore("t", [Recorded(seq=1, at=now(), event=nameless)])
    for name in ("s", "t"):
        assert (await log.info(name)).state == RESCUED
        epoch = (await log.claim(name)).epoch
        await log.append(name, [SessionPaused(why="moderator", reason="tea"), SessionFinished(outcome={})], epoch)
        assert (await log.info(name)).state == RESCUED
        await log.append(name, [said("b")], epoch)
    assert [s.state for s in await log.sessions()] == [RESCUED, RESCUED]


async def test_the_sessions_that_are_made_of_another_are_found_also_when_that_one_is_gone(log: EventLog) -> None:
    def of(source: str) -> SessionStarted:
        return started().model_copy(update={"source": source})

    await log.create("s", started())
    for name in ("one", "two"):
        await log.create(name, of("s"))
    await log.restore("three", [Recorded(seq=1, at=now(), event=of("s"))])
    await log.create("other", of("two"))
    assert sorted(await log.derived_from("s")) == ["one", "three", "two"]
    await log.delete("s")
    await log.delete("one")
    assert sorted(await log.derived_from("s")) == ["three", "two"]
    assert await log.derived_from("two") == ["other"]
    for nobody in ("other", "nope", "", "\ud800", "a\0b", "../other"):
        assert await log.derived_from(nobody) == []


async def test_the_state_follows_the_events(log: EventLog) -> None:
    epoch = await epoch_of(log)
    course: list[tuple[list[Event], str]] = [
        ([SessionPaused(why="moderator", reason="tea")], "paused"),
        ([said("more heat")], "paused"),
        ([SessionResumed(), step("a")], "running"),
        ([step("b"), SessionFinished(outcome={}), step("c")], "finished"),
    ]
    for events, state in course:
        await log.append("s", events, epoch)
        assert (await log.info("s")).state == state
        assert (await log.sessions())[0].state == state


@pytest.mark.parametrize("name", ["nope", "s.jsonl", "../s", "x" * 9999, *UNUSABLE])
async def test_what_is_not_there_is_unknown_whatever_its_id(log: EventLog, name: str) -> None:
    await log.create("s", started())
    calls = [
        log.info(name),
        log.read(name),
        log.claim(name),
        log.append(name, [said("x")], 1),
        log.append(name, [], 0),
        log.send(name, said("x")),
        log.rewrite(name, [], 1),
        log.delete(name),
        anext(log.follow(name)),
    ]
    for call in calls:
        with pytest.raises(UnknownSession, match="There is no session"):
            await call


async def test_a_deleted_session_is_gone_and_its_id_free(log: EventLog) -> None:
    await log.create("s", started())
    await log.create("t", started())
    await log.delete("s")
    assert [s.id for s in await log.sessions()] == ["t"]
    with pytest.raises(UnknownSession):
        await log.read("s")
    await log.create("s", started("again"))
    assert numbers(await log.read("s")) == [1]


async def test_a_session_that_is_run_cannot_be_deleted(log: EventLog) -> None:
    await log.create("s", started())
    ownership = await log.claim("s")
    with pytest.raises(SessionHeld):
        await log.delete("s")
    await ownership.release()
    await log.delete("s")


# ── events ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_append_returns_is_what_is_read(log: EventLog) -> None:
    epoch = await epoch_of(log)
    odd: Any = {"tuple": (1, 2), "when": datetime(2026, 1, 2, tzinfo=UTC), "text": "Γ\0\u2028🙂", "none": None}
    recorded = await log.append("s", [step("a", odd), said("b")], epoch)
    assert numbers(recorded) == [3, 4]
    assert await log.read("s", after=2) == recorded
    assert await log.read("s", after=-5) == await log.read("s")
    assert await log.read("s", after=99) == []


async def test_what_json_cannot_carry_is_refused_before_anything_is_written(log: EventLog) -> None:
    epoch = await epoch_of(log)
    before = await log.read("s")
    broken, untitled = said("x").model_copy(update={"text": "\ud800"}), started("\ud800")
    two = Recorded(seq=2, at=now(), event=broken)
    calls = [
        log.append("s", [said("fine"), broken], epoch),
        log.send("s", broken),
        log.rewrite("s", [before[0].model_copy(update={"event": started("other")}), two], epoch),
        log.create("t", untitled),
        log.restore("t", [before[0], two]),
    ]
    for call in calls:
        with pytest.raises(StorageError, match="cannot be stored as JSON"):
            await call
    assert await log.read("s") == before
    assert [s.id for s in await log.sessions()] == ["s"]


async def test_nothing_appended_changes_nothing(log: EventLog) -> None:
    epoch = await epoch_of(log)
    assert await log.append("s", [], epoch) == []
    with pytest.raises(LostOwnership):
        await log.append("s", [], epoch + 1)
    assert len(await log.read("s")) == 2


async def test_appends_side_by_side_are_numbered_without_gaps_and_a_stale_one_harms_nobody(log: EventLog) -> None:
    epoch = await epoch_of(log)
    await log.create("other", started())

    async def stale() -> None:
        with pytest.raises(LostOwnership):
            await log.append("s", [said("stale")] * 3, epoch - 1)

    async def unknown() -> None:
        with pytest.raises(UnknownSession):
            await log.send("nope", said("lost"))

    async with asyncio.TaskGroup() as group:
        for n in range(40):
            group.create_task(log.append("s", [step(f"{n}/a"), step(f"{n}/b")], epoch))
            group.create_task(log.send("s", said(str(n))))
            group.create_task(log.send("other", said(str(n))))
            group.create_task(stale())
            group.create_task(unknown())
    events = await log.read("s")
    assert numbers(events) == list(range(1, 123))
    keys = [key for r in events if (key := getattr(r.event, "step", None))]
    assert keys == [f"{n}/{part}" for n in range(40) for part in "ab"], "in the order asked for, pairs together"
    assert len(await log.read("other")) == 41
