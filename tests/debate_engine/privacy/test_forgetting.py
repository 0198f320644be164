"""Forgetting: a person's words are replaced everywhere, and the session can still be read and resumed."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import SessionHeld
from elenchus.debate_engine.events import (
    EVERYONE,
    Event,
    ForgetAsked,
    Guidance,
    HeatSet,
    PauseAsked,
    Recorded,
    Redacted,
    Said,
    SeatNamed,
    TurnAnswered,
    TurnOpened,
    Voted,
    now,
)
from elenchus.debate_engine.log import state_of
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.privacy.forgetting import request_forgetting
from elenchus.debate_engine.privacy.person_words import REDACTED, PersonWords
from elenchus.debate_engine.privacy.redaction import to_forget
from tests.debate_engine.toy import toy_runner, toy_started

SECRET = "My grandmother kept seventeen bees in Lisbon. She named each one after a queen!"


async def _begun(log: MemoryLog, runner: Any) -> None:
    """Run until the person has spoken in round 1 and is awaited in round 2, then interrupt."""
    await runner.create(toy_started(specs={"b": "human:bo"}), "s")
    task = asyncio.create_task(runner.run("s"))
    async for r in log.follow("s"):
        if isinstance(r.event, TurnOpened):
            if r.event.step == "round/2/b":
                break
            await log.send("s", TurnAnswered(step=r.event.step, seat="b", by="bo", answer=SECRET))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def _heard(log: MemoryLog, wanted: Callable[[Event], bool]) -> None:
    """Wait until the log has such an event."""
    async for r in log.follow("s"):
        if wanted(r.event):
            return


def _text(events: list[Any]) -> str:
    return "\n".join(json.dumps(r.line(), ensure_ascii=False) for r in events)


async def test_the_name_that_came_with_an_agreement_is_gone_with_who_bears_it() -> None:
    log = MemoryLog()
    runner = toy_runner(log, Counter())
    await runner.create(toy_started(specs={"b": "human:bo"}), "s")
    await log.send("s", SeatNamed(by="bo", seat="b", title="Bartholomew Quill"))
    await log.send("s", SeatNamed(by="ann", seat="a", title="Ann Other"))
    await runner.forget("s", "bo")
    named = [r.event for r in await log.read("s") if isinstance(r.event, SeatNamed)]
    assert named == [SeatNamed(by=REDACTED, seat="b", title=""), SeatNamed(by="ann", seat="a", title="Ann Other")]


async def test_the_words_are_gone_from_every_event_and_the_session_resumes() -> None:
    log, request_forgetting = MemoryLog(), Counter[str]()
    runner = toy_runner(log, request_forgetting)
    await _begun(log, runner)
    assert "seventeen bees" in _text(await log.read("s"))
    changed = await runner.forget("s", "b")
    after = await log.read("s")
    for gone in ("grandmother", "seventeen", "Lisbon", "after a queen", "human:bo", '"bo"'):
        assert gone not in _text(after)
    assert changed > 3
    assert [r.event.strings for r in after if isinstance(r.event, Redacted)] == [changed]
    before = request_forgetting.copy()
    await log.send("s", TurnAnswered(step="round/2/b", seat="b", by="bo", answer="a second speech"))
    run = await asyncio.wait_for(runner.run("s"), 10)
    assert run.state == "finished"
    assert set(request_forgetting - before) == {"round/2/count/0", "round/2/count/1", "round/2/count/2"}


async def test_a_finished_session_stays_finished_and_readable() -> None:
    log = MemoryLog()
    runner = toy_runner(log, Counter())
    await _begun(log, runner)
    await log.send("s", TurnAnswered(step="round/2/b", seat="b", by="bo", answer=SECRET[::-1]))
    outcome = (await runner.run("s")).outcome
    await runner.forget("s", "b")
    assert state_of(await log.read("s")) == "finished"
    assert (await runner.run("s")).outcome == outcome
    assert "Lisbon" not in _text(await log.read("s"))


async def test_forgetting_in_a_running_session_is_done_by_its_owner_who_then_goes_on() -> None:
    log = MemoryLog()
    runner = toy_runner(log, Counter())
    await _begun(log, runner)
    task = asyncio.create_task(runner.run("s"))
    await asyncio.sleep(0.05)
    with pytest.raises(SessionHeld):
        await runner.forget("s", "b")
    await log.send("s", ForgetAsked(by="bo", seat="b"))
    await _heard(log, lambda event: isinstance(event, Redacted))
    assert "Lisbon" not in _text(await log.read("s"))
    await log.send("s", TurnAnswered(step="round/2/b", seat="b", by="bo", answer="a second speech"))
    assert (await asyncio.wait_for(task, 10)).state == "finished"


async def test_a_process_that_ends_before_it_hears_of_it_leaves_the_forgetting_to_who_asked() -> None:
    log = MemoryLog()
    runner = toy_runner(log, Counter())
    await _begun(log, runner)
    own = await log.claim("s")
    forgetting = asyncio.create_task(runner.forget_wherever("s", "b"))
    await _heard(log, lambda event: isinstance(event, ForgetAsked))
    await own.release()
    assert await asyncio.wait_for(forgetting, 10) > 3
    assert "Lisbon" not in _text(await log.read("s"))


async def test_of_who_took_no_part_the_name_alone_goes_while_the_session_runs_and_it_goes_on() -> None:
    log = MemoryLog()
    runner = toy_runner(log, Counter())
    await runner.create(toy_started(specs={"a": "human:ann", "b": "human:bo"}), "s")
    task = asyncio.create_task(runner.run("s"))
    await log.send("s", TurnAnswered(step="round/1/a", seat="a", by="ann", answer=SECRET))
    await log.send("s", HeatSet(by="bo", heat=0.4))
    await _heard(log, lambda event: isinstance(event, TurnOpened) and event.step == "round/1/b")
    await log.send("s", TurnAnswered(step="round/1/b", seat="b", by="bo", declined="passed"))
    assert await request_forgetting(log, "s", "bo", by="somebody", name_only=True) == 2, "the pass and the seat"
    recorded = await log.read("s")
    assert [r.event.by for r in recorded if isinstance(r.event, HeatSet)] == ["bo"], "a moderator stays the moderator"
    assert '"bo"' not in _text([r for r in recorded if not isinstance(r.event, HeatSet)])
    assert "human:bo" not in _text(recorded)
    assert "seventeen bees" in _text(recorded)
    for step in ("round/2/a", "round/2/b"):
        await log.send("s", TurnAnswered(step=step, seat=step[-1], by="x", answer="a second speech"))
    assert (await asyncio.wait_for(task, 10)).state == "finished"


async def test_the_name_alone_goes_with_what_somebody_was_called_on_the_seat() -> None:
    log = MemoryLog()
    runner = toy_runner(log, Counter())
    await runner.create(toy_started(specs={"b": "human:bo"}), "s")
    await log.send("s", SeatNamed(by="bo", seat="b", title="Bartholomew Quill"))
    await log.send("s", SeatNamed(by="ann", seat="a", title="Ann Other"))
    await runner.forget("s", "bo", name_only=True)
    named = [r.event for r in await log.read("s") if isinstance(r.event, SeatNamed)]
    assert named == [SeatNamed(by=REDACTED, seat="b", title=""), SeatNamed(by="ann", seat="a", title="Ann Other")]


async def test_whose_words_wait_to_be_forgotten_is_found_though_the_name_goes_from_the_seat_meanwhile() -> None:
    log = MemoryLog()
    runner = toy_runner(log, Counter())
    await runner.create(toy_started(specs={"b": "human:bo"}), "s")
    await log.send("s", Guidance(by="bo", to=("a",), text=SECRET))
    await log.send("s", ForgetAsked(by="bo", seat="bo"))
    await runner.forget("s", "bo", name_only=True)
    assert [(one.seat, one.name_only) for one in to_forget(await log.read("s"))] == [("bo", False)]
    task = asyncio.create_task(runner.run("s"))
    await _heard(log, lambda event: isinstance(event, Redacted) and not event.name_only)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert "bees" not in _text(await log.read("s"))
    assert '"bo"' not in _text(await log.read("s"))


def test_who_wants_the_words_gone_wants_more_than_who_wanted_the_name_gone() -> None:
    name, words = (ForgetAsked(by="bo", seat="bo", name_only=only) for only in (True, False))
    for order in ([name, words], [words, name]):
        recorded = [Recorded(seq=n, at=now(), event=event) for n, event in enumerate(order, 1)]
        assert to_forget(recorded) == [words]
    assert to_forget([Recorded(seq=1, at=now(), event=name)]) == [name]


@pytest.mark.parametrize("who", [("b", "moderator"), ("bo", "mo"), ("moderator", "bo")])
async def test_all_who_are_to_be_forgotten_at_once_are_forgotten(who: tuple[str, str]) -> None:
    log = MemoryLog()
    runner = toy_runner(log, Counter())
    await _begun(log, runner)
    await log.send("s", Guidance(by="mo", to=("a",), text="Ask about the honey of eleven summers in Alentejo."))
    task = asyncio.create_task(runner.run("s"))
    await asyncio.sleep(0.05)
    changed = await asyncio.wait_for(asyncio.gather(*(request_forgetting(log, "s", one) for one in who)), 10)
    assert all(count is not None and count > 0 for count in changed)
    left = _text(await log.read("s"))
    assert not [gone for gone in ("Lisbon", "Alentejo") if gone in left]
    await log.send("s", TurnAnswered(step="round/2/b", seat="b", by="bo", answer="a second speech"))
    assert (await asyncio.wait_for(task, 10)).state == "finished"


async def test_a_forgetting_that_was_asked_for_before_the_log_was_read_is_done() -> None:
    log = MemoryLog()
    runner = toy_runner(log, Counter())
    await _begun(log, runner)
    await log.send("s", Guidance(by="mo", to=("a",), text="Ask about the honey of eleven summers in Alentejo."))
    for seat in ("b", "mo"):  # as between a run's claim and its reading
        await log.send("s", ForgetAsked(by="x", seat=seat))
    task = asyncio.create_task(runner.run("s"))
    notices = list[str]()
    async for r in log.follow("s"):
        if isinstance(r.event, Redacted):
            notices.append(r.event.seat)
            if len(notices) == 2:
                break
    assert notices == ["b", REDACTED]
    left = _text(await log.read("s"))
    assert not [gone for gone in ("Lisbon", "Alentejo") if gone in left]
    await log.send("s", TurnAnswered(step="round/2/b", seat="b", by="bo", answer="a second speech"))
    assert (await asyncio.wait_for(task, 10)).state == "finished"
    assert sum(isinstance(r.event, Redacted) for r in await log.read("s")) == 2


async def test_a_quote_by_another_speaker_is_replaced_and_their_own_words_stay() -> None:
    log = MemoryLog()

    async def quoting(ask: Ask) -> None:
        await asyncio.sleep(0)

    runner = toy_runner(log, Counter(), quoting)
    await _begun(log, runner)
    quote = Said(
        step="x", input_hash="", speaker="a", to=(EVERYONE,), text="You kept SEVENTEEN bees, in Lisbon? I doubt it."
    )
    own = await log.claim("s")
    await log.append("s", [quote], own.epoch)
    await own.release()
    await runner.forget("s", "b")
    texts = [r.event.text for r in await log.read("s") if isinstance(r.event, Said) and r.event.step == "x"]
    assert texts == [f"You {REDACTED}? I doubt it."]


async def test_a_person_is_forgotten_by_name_on_every_seat_as_voter_and_as_moderator_and_the_name_itself() -> None:
    log = MemoryLog()
    runner = toy_runner(log, Counter())
    await _begun(log, runner)
    commands: list[Event] = [
        Voted(by="bo", when="before", side="pro"),
        Voted(by="bo", when="after", side="con"),
        Voted(by="ada", when="before", side="pro"),
        Guidance(by="bo", to=("a",), text="please speak of honey prices"),
        Guidance(by="ada", to=("a",), text="stay with the figures"),
        PauseAsked(by="bo", reason="my coffee is boiling over"),
        HeatSet(by="bo", heat=0.3),
    ]
    for command in commands:
        await log.send("s", command)
    await runner.forget("s", "bo")
    after = await log.read("s")
    for gone in ("seventeen", "honey prices", "coffee is boiling", '"bo"', "human:bo"):
        assert gone not in _text(after)
    assert "stay with the figures" in _text(after)
    votes = [r.event for r in after if isinstance(r.event, Voted)]
    assert votes[0].by == votes[1].by != "bo"
    assert votes[2].by == "ada"
    assert [r.event.seat for r in after if isinstance(r.event, Redacted)] == [REDACTED]
    await log.send("s", TurnAnswered(step="round/2/b", seat="b", by="x", answer="a second speech"))
    assert (await asyncio.wait_for(runner.run("s"), 10)).state == "finished"


words = st.lists(
    st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]), min_size=4, max_size=12
)


@given(words, words, words)
def test_no_run_of_four_of_the_persons_words_survives_masking(
    theirs: list[str], left: list[str], right: list[str]
) -> None:
    runs = {tuple(theirs[i : i + 4]) for i in range(len(theirs) - 3)}
    text = " ".join([*left, *theirs, *right])
    masked = PersonWords((), frozenset(runs)).mask(text).split()
    assert not [i for i in range(len(masked)) if tuple(masked[i : i + 4]) in runs]


@given(st.text(), words)
def test_masking_twice_changes_nothing_more(text: str, theirs: list[str]) -> None:
    known = PersonWords((), frozenset({tuple(theirs[:4])}))
    once = known.mask(text + " ".join(theirs))
    assert known.mask(once) == once
