"""Who owns a session and writes into it, asked of each log."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from elenchus.debate_engine.errors import LostOwnership, SessionHeld
from elenchus.debate_engine.events import OwnerStarted, PauseAsked
from elenchus.debate_engine.log import EventLog, rules
from tests.storage.logs import epoch_of, said, started


async def test_a_claim_raises_the_epoch_and_is_recorded(log: EventLog) -> None:
    await log.create("s", started())
    for epoch in (1, 2, 3):
        ownership = await log.claim("s")
        assert (ownership.session_id, ownership.epoch) == ("s", epoch)
        last = (await log.read("s"))[-1].event
        assert isinstance(last, OwnerStarted)
        assert last.epoch == epoch
        await ownership.release()


async def test_a_held_session_is_refused_naming_the_holder(log: EventLog) -> None:
    await epoch_of(log)
    owner = (await log.info("s")).owner
    assert owner == rules.holder_name(*rules.this_process())
    for attempt in (log.claim("s"), log.delete("s")):
        with pytest.raises(SessionHeld, match=rf"{owner} since \d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00"):
            await attempt
    assert len(await log.read("s")) == 2


async def test_a_released_session_can_be_claimed_and_releasing_twice_is_safe(log: EventLog) -> None:
    await log.create("s", started())
    ownership = await log.claim("s")
    await ownership.release()
    await ownership.release()
    assert (await log.info("s")).owner is None
    again = await log.claim("s")
    await ownership.release()
    assert (await log.info("s")).owner is not None, "an old release lets nothing go that is held anew"
    await again.release()


async def test_who_was_taken_over_can_append_nothing_more(log: EventLog) -> None:
    await log.create("s", started())
    old = await log.claim("s")
    await log.append("s", [said("mine")], old.epoch)
    new = await log.claim("s", take_over=True)
    with pytest.raises(LostOwnership, match="taken over"):
        await log.append("s", [said("late"), said("later")], old.epoch)
    await log.append("s", [said("mine now")], new.epoch)
    await old.release()
    assert (await log.info("s")).owner is not None
    texts = [getattr(r.event, "text", "") for r in await log.read("s")]
    assert texts == ["", "", "mine", "", "mine now"]


async def test_of_claims_of_one_log_object_that_are_under_way_at_the_same_time_one_wins(log: EventLog) -> None:
    """Whether each takes over or not, none hidden from another between its commit and its return."""
    for n in range(40):
        await log.create(f"s{n}", started())
        if take_over := n % 2 == 1:
            await log.claim(f"s{n}")
        calls: list[int] = []

        async def claim(name: str = f"s{n}", take_over: bool = take_over, calls: list[int] = calls) -> None:
            begun = len(calls)
            with suppress(SessionHeld):
                await log.claim(name, take_over=take_over)
                calls.append(begun)

        await asyncio.gather(*(claim() for _ in range(4)))
        assert calls == list(range(len(calls))), "each winner began after the one before it had won"


async def test_a_claim_that_is_cancelled_ends_no_hold_of_another(log: EventLog) -> None:
    for n in range(30):
        name = f"s{n}"
        await log.create(name, started())
        claims = [asyncio.create_task(log.claim(name)) for _ in range(3)]
        await asyncio.sleep(0.0002 * n)
        claims[1].cancel()
        outcomes = await asyncio.gather(*claims, return_exceptions=True)
        await log.send(name, said("after it"))
        won = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
        owner = (await log.info(name)).owner
        assert len(won) == (owner is not None)


async def test_anybody_may_send(log: EventLog) -> None:
    await epoch_of(log)
    recorded = await log.send("s", PauseAsked(by="moderator"))
    assert (recorded.seq, recorded.event) == (3, PauseAsked(by="moderator"))
    assert (await log.read("s"))[-1] == recorded


@pytest.mark.parametrize("claims", [1, 2])
async def test_an_owner_who_let_go_writes_nothing_into_another_session_of_that_id_and_epoch(
    log: EventLog, claims: int
) -> None:
    await log.create("s", started())
    for _ in range(claims):
        await (await log.claim("s")).release()
    before = await log.read("s")
    for epoch in range(1, claims + 1):
        await log.delete("s")
        await log.restore("s", before[: 1 + epoch])
        for attempt in (
            log.append("s", [said("late")], epoch),
            log.append("s", [], epoch),
            log.rewrite("s", [before[0].model_copy(update={"event": started("late")})], epoch),
        ):
            with pytest.raises(LostOwnership, match="another session has its id"):
                await attempt
        assert await log.read("s") == before[: 1 + epoch]
    mine = await log.claim("s")
    await log.append("s", [said("mine")], mine.epoch)


async def test_an_owner_of_both_sessions_writes_into_the_later_one(log: EventLog) -> None:
    for _ in range(2):
        await log.create("s", started())
        ownership = await log.claim("s")
        await log.append("s", [said("mine")], ownership.epoch)
        await ownership.release()
        await log.append("s", [said("still mine")], ownership.epoch)
        await log.delete("s")
