"""What every log does when its callers are cancelled and when it is closed, asked of each of them."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import StorageError, UnknownSession
from elenchus.debate_engine.events import Recorded, now
from elenchus.debate_engine.log import EventLog
from tests.storage.logs import Opener, cancelled, cancelled_claims, epoch_of, first, numbers, said, settle, started

# ── cancelled ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_cancelled_claim_holds_nothing(log: EventLog) -> None:
    await log.create("s", started())
    async for _ in cancelled_claims(log, "s", 100):
        await log.send("s", said("after it"))
        assert (await log.info("s")).owner is None
    events = await log.read("s")
    assert numbers(events) == list(range(1, len(events) + 1))
    assert (await log.claim("s")).epoch == 1 + sum(r.event.kind == "owner_started" for r in events)


async def test_what_is_cancelled_happens_wholly_or_not_at_all_and_harms_no_other(log: EventLog) -> None:
    epoch, chance = await epoch_of(log), random.Random(1)
    whole = [Recorded(seq=seq, at=now(), event=started() if seq == 1 else said(str(seq))) for seq in range(1, 20)]
    (old,) = await log.append("s", [said("old")], epoch)
    done = Counter[str]()
    for n in range(40):
        others = asyncio.create_task(log.send("s", said("other")))
        await log.create(f"deleted-{n}", started())
        calls = {
            "append": log.append("s", [said(f"{n}/a"), said(f"{n}/b")], epoch),
            "restore": log.restore(f"restored-{n}", whole),
            "delete": log.delete(f"deleted-{n}"),
            "rewrite": log.rewrite("s", [old.model_copy(update={"event": said(f"new {n}")})], epoch),
        }
        for name, call in calls.items():
            task = await cancelled(call, chance.uniform(0, 0.003))
            done[name] += not task.cancelled()
            assert task.cancelled() or task.exception() is None
        assert (await others).event == said("other")
    await log.send("s", said("the last"))
    events = await log.read("s")
    assert numbers(events) == list(range(1, len(events) + 1))
    texts = Counter(getattr(r.event, "text", "") for r in events)
    assert texts["other"] == 40
    assert all(texts[f"{n}/a"] == texts[f"{n}/b"] <= 1 for n in range(40))
    assert sum(texts[f"{n}/a"] for n in range(40)) >= done["append"]
    names = [s.id for s in await log.sessions()]
    restored = [name for name in names if name.startswith("restored")]
    assert len(restored) >= done["restore"]
    for name in restored:
        assert numbers(await log.read(name)) == numbers(whole)
    assert sum(name.startswith("deleted") for name in names) <= 40 - done["delete"]


# ── closed ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_closed_log_ends_its_followers_and_does_nothing_else(log: EventLog) -> None:
    await log.create("s", started())
    ownership = await log.claim("s")
    follower = asyncio.create_task(first(3, log.follow("s")))
    await settle(follower)
    await log.aclose()
    await log.aclose()
    assert numbers(await asyncio.wait_for(follower, 10)) == [1, 2]
    calls = [
        log.create("t", started()),
        log.sessions(),
        log.info("s"),
        log.derived_from("s"),
        log.claim("s"),
        log.claim("s", take_over=True),
        log.append("s", [said("x")], 1),
        log.append("s", [], 1),
        log.send("s", said("x")),
        log.read("s"),
        anext(log.follow("s")),
        log.rewrite("s", [], 1),
        log.restore("t", [Recorded(seq=1, at=now(), event=started())]),
        log.delete("s"),
    ]
    for call in calls:
        with pytest.raises(StorageError, match="closed"):
            await call
    await ownership.release()


async def test_closing_waits_for_what_was_asked_for(log: EventLog) -> None:
    epoch = await epoch_of(log)
    appends = [asyncio.create_task(log.append("s", [said(str(n))], epoch)) for n in range(30)]
    await asyncio.sleep(0)
    await log.aclose()
    assert [r.seq for append in appends for r in await append] == list(range(3, 33))


async def test_a_closed_log_is_as_it_was_when_it_is_opened_again(open_shared: Opener, tmp_path: Path) -> None:
    log = await open_shared(tmp_path)
    epoch = await epoch_of(log)
    await log.append("s", [said("a"), said("b")], epoch)
    before = await log.read("s")
    await log.aclose()
    log = await open_shared(tmp_path)
    assert await log.read("s") == before
    assert (await log.info("s")).owner is None
    assert (await log.claim("s")).epoch == epoch + 1
    with pytest.raises(UnknownSession):
        await log.read("t")
    await log.aclose()
