"""What two log objects on one store do, as two processes have them; asked of every log that can be shared."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import LostOwnership, SessionHeld, UnknownSession
from elenchus.debate_engine.events import Guidance, OwnerStarted
from elenchus.debate_engine.log import EventLog
from elenchus.storage.postgres_log import PostgresLog
from tests.storage.logs import cancelled, cancelled_claims, epoch_of, first, free, numbers, said, settle, started, step

Two = tuple[EventLog, EventLog]


async def test_what_one_was_told_to_keep_the_other_reads(two_logs: Two) -> None:
    one, other = two_logs
    epoch = await epoch_of(one)
    recorded = await one.append("s", [step("a"), said("b")], epoch)
    assert await other.read("s", after=2) == recorded
    assert (await other.info("s")).owner == (await one.info("s")).owner is not None


async def test_a_session_that_the_other_runs_is_neither_claimed_nor_deleted(two_logs: Two) -> None:
    one, other = two_logs
    await epoch_of(one)
    for attempt in (other.claim("s"), other.delete("s")):
        with pytest.raises(SessionHeld):
            await attempt
    assert numbers(await one.read("s")) == [1, 2]


async def test_who_was_taken_over_by_the_other_writes_nothing_more_and_releases_nothing(two_logs: Two) -> None:
    one, other = two_logs
    await one.create("s", started())
    old = await one.claim("s")
    new = await other.claim("s", take_over=True)
    assert new.epoch == old.epoch + 1
    with pytest.raises(LostOwnership):
        await one.append("s", [said("late")], old.epoch)
    with pytest.raises(LostOwnership):
        await one.rewrite("s", await one.read("s"), old.epoch)
    await old.release()
    with pytest.raises(SessionHeld):
        await one.claim("s")
    await other.append("s", [said("mine now")], new.epoch)
    assert [r.event.kind for r in await one.read("s", after=1)] == ["owner_started", "owner_started", "guidance"]


async def test_of_several_that_claim_at_once_one_wins(two_logs: Two) -> None:
    one, other = two_logs
    await one.create("s", started())
    outcomes = await asyncio.gather(*(log.claim("s") for log in (one, other, one, other)), return_exceptions=True)
    assert sorted(type(outcome) is SessionHeld for outcome in outcomes) == [False, True, True, True]
    assert numbers(await other.read("s")) == [1, 2]


async def test_of_several_that_take_over_at_once_each_winner_has_an_epoch_and_the_last_may_write(two_logs: Two) -> None:
    one, other = two_logs
    await epoch_of(one)
    claims = [log.claim("s", take_over=True) for log in (one, other, one, other)]
    outcomes = await asyncio.gather(*claims, return_exceptions=True)
    won = sorted(outcome.epoch for outcome in outcomes if not isinstance(outcome, BaseException))
    assert all(isinstance(outcome, SessionHeld) for outcome in outcomes if isinstance(outcome, BaseException))
    assert [r.event.epoch for r in await other.read("s") if isinstance(r.event, OwnerStarted)] == [1, *won]
    for log in two_logs:
        with pytest.raises(LostOwnership):
            await log.append("s", [said("late")], won[-1] - 1)
        await log.append("s", [said("mine")], won[-1])


async def test_closing_a_log_lets_the_other_claim(two_logs: Two) -> None:
    one, other = two_logs
    await epoch_of(one)
    await one.aclose()
    assert (await other.info("s")).owner is None
    assert (await other.claim("s")).epoch == 2


async def test_both_write_side_by_side_without_gaps(two_logs: Two) -> None:
    one, other = two_logs
    epoch = await epoch_of(one)
    async with asyncio.TaskGroup() as group:
        for n in range(20):
            group.create_task(one.append("s", [step(f"{n}/a"), step(f"{n}/b")], epoch))
            group.create_task(other.send("s", said(str(n))))
    events = await other.read("s")
    assert events == await one.read("s")
    assert numbers(events) == list(range(1, 63))
    keys = [key for r in events if (key := getattr(r.event, "step", None))]
    assert keys == [f"{n}/{part}" for n in range(20) for part in "ab"], "pairs together, in the order asked for"


async def test_a_follower_has_soon_what_the_other_writes(two_logs: Two) -> None:
    one, other = two_logs
    await one.create("s", started())
    waits: list[float] = []
    async with aclosing(one.follow("s")) as events:
        await anext(events)
        for n in range(10):
            await other.send("s", Guidance(by="moderator", to=("pro",), text=str(n)))
            committed = time.monotonic()
            assert numbers([await asyncio.wait_for(anext(events), 10)]) == [n + 2]
            waits.append(time.monotonic() - committed)
    assert sorted(waits)[2] < 0.05, "a busy machine may delay most of them"


async def test_followers_of_what_the_other_deletes_are_told(two_logs: Two) -> None:
    one, other = two_logs
    await one.create("s", started())
    follower = asyncio.create_task(first(2, one.follow("s")))
    await settle(follower)
    await other.delete("s")
    with pytest.raises(UnknownSession):
        await asyncio.wait_for(follower, 10)


@pytest.mark.parametrize("writer", [0, 1])
@pytest.mark.parametrize("same", [False, True])
async def test_a_follower_gets_nothing_of_another_session_that_the_other_gave_the_id(
    two_logs: Two, writer: int, same: bool
) -> None:
    one, other = two_logs
    await one.create("s", started())
    await one.send("s", said("a"))
    async with aclosing(one.follow("s")) as events:
        before = [await anext(events), await anext(events)]
        waiting = asyncio.create_task(anext(events))
        await settle(waiting)
        await other.delete("s")
        if same:
            await other.restore("s", before)
        else:
            await other.create("s", started("another"))
        for n in range(3):
            await two_logs[writer].send("s", said(f"another's {n}"))
        with pytest.raises(UnknownSession):
            await asyncio.wait_for(waiting, 10)


@pytest.mark.parametrize("how", ["restored", "claimed", "claimed and released"])
@pytest.mark.parametrize("released", [False, True])
async def test_an_owner_writes_nothing_into_another_session_that_was_given_the_id_and_the_epoch(
    two_logs: Two, how: str, released: bool
) -> None:
    one, other = two_logs
    await one.create("s", started())
    old = await one.claim("s")
    events = await one.read("s")
    if released:
        await old.release()
    else:
        await (await other.claim("s", take_over=True)).release()
    await other.delete("s")
    if how == "restored":
        await other.restore("s", events)
    else:
        await other.create("s", started("another"))
        new = await other.claim("s")
        assert new.epoch == old.epoch
        if how == "claimed and released":
            await new.release()
    before = await other.read("s")
    for attempt in (
        one.append("s", [said("late")], old.epoch),
        one.append("s", [], old.epoch),
        one.rewrite("s", before, old.epoch),
    ):
        with pytest.raises(LostOwnership):
            await attempt
    await old.release()
    assert ((await one.info("s")).owner is not None) == (how == "claimed"), "it lets nothing go that is not its own"
    assert await other.read("s") == before
    await other.append("s", [said("mine")], old.epoch)


async def test_a_cancelled_claim_keeps_the_other_from_nothing(two_logs: Two) -> None:
    one, other = two_logs
    await one.create("s", started())
    async for _ in cancelled_claims(one, "s", 50):
        await one.send("s", said("after it"))
        await (await other.claim("s")).release()


async def test_a_cancelled_release_lets_the_other_claim(two_logs: Two) -> None:
    one, other = two_logs
    await one.create("s", started())
    for n in range(30):
        ownership = await one.claim("s")
        await cancelled(ownership.release(), n * 0.00002)
        await free(other, "s")
        await (await other.claim("s")).release()


async def test_a_follower_soon_gets_no_old_text_of_what_the_other_rewrote(two_logs: Two) -> None:
    one, other = two_logs
    await one.create("s", started())
    epoch = (await other.claim("s")).epoch
    secrets = await one.append("s", [said("harmless"), said("my secret"), said("my other secret")], epoch)
    async with aclosing(one.follow("s", after=2)) as events:
        await anext(events)
        fresh = [r.model_copy(update={"event": said("[redacted]")}) for r in secrets[1:]]
        await other.rewrite("s", fresh, epoch)
        await asyncio.sleep(0.5)
        assert [(await anext(events)).event for _ in fresh] == [said("[redacted]")] * 2


async def test_who_follows_soon_learns_that_the_other_rewrote_what_was_given(two_logs: Two) -> None:
    one, other = two_logs
    await one.create("s", started())
    epoch = (await other.claim("s")).epoch
    (told,) = await one.append("s", [said("my secret")], epoch)
    async with aclosing(one.follow("s", after=2)) as events:
        assert await anext(events) == told
        waiting = asyncio.create_task(anext(events))
        await asyncio.sleep(0.1)
        known = one.rewrites("s")
        await other.rewrite("s", [told.model_copy(update={"event": said("[redacted]")})], epoch)
        async with asyncio.timeout(10):
            while one.rewrites("s") == known:  # noqa: ASYNC110 - nothing tells of it, as nothing comes
                await asyncio.sleep(0.01)
        await other.append("s", [said("the notice")], epoch)
        assert (await waiting).event == said("the notice")


@pytest.mark.parametrize("deleted", [False, True])
async def test_no_file_has_the_old_text_after_a_rewrite_or_a_deletion(
    two_logs: Two, tmp_path: Path, deleted: bool
) -> None:
    one, other = two_logs
    if isinstance(one, PostgresLog):
        pytest.skip("its files are the server's; test_postgres.py looks into its tables")
    await one.create("s", started())
    own = await one.claim("s")
    secret = "Wilhelmina-the-secretive"
    (told,) = await one.append("s", [said(secret)], own.epoch)
    await other.read("s")
    if deleted:
        await own.release()
        await other.delete("s")
    else:
        await one.rewrite("s", [told.model_copy(update={"event": said("[redacted]")})], own.epoch)
        assert (await other.read("s", after=2))[0].event == said("[redacted]")
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files
    assert [file for file in files if secret.encode() in file.read_bytes()] == []
