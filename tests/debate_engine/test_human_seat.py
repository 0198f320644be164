"""People on seats: an open turn in the log that any process may answer."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest

from elenchus.debate_engine.events import (
    AnswerRejected,
    BudgetRaised,
    Recorded,
    Seat,
    SeatLeft,
    StepDone,
    TurnAnswered,
    TurnExtended,
    TurnOpened,
    TurnReminded,
)
from elenchus.debate_engine.human_seat import HumanSeat
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.participant import Ask, Participant
from elenchus.debate_engine.run_context import RunContext
from elenchus.debate_engine.runner import Runner
from tests.debate_engine.toy import CountingSeat, at_once, toy, toy_runner, toy_started


async def _answering(log: MemoryLog, answers: dict[str, list[Any]], declined: str | None = None) -> None:
    """A person at another front end: answers each open turn from a list, again after a rejection."""
    async for r in log.follow("s"):
        if isinstance(r.event, TurnOpened | AnswerRejected) and answers.get(r.event.step):
            answer = answers[r.event.step].pop(0)
            seat = r.event.seat if isinstance(r.event, TurnOpened) else r.event.step.split("/")[-1]
            await log.send("s", TurnAnswered(step=r.event.step, seat=seat, by="bo", answer=answer, declined=declined))


async def _run_with(answers: dict[str, list[Any]], specs: dict[str, str], declined: str | None = None) -> MemoryLog:
    log = MemoryLog()
    runner = toy_runner(log, Counter())
    await runner.create(toy_started(rounds=1, specs=specs), "s")
    person = asyncio.create_task(_answering(log, answers, declined))
    run = await asyncio.wait_for(runner.run("s"), 10)
    person.cancel()
    assert run.state == "finished"
    return log


def _result(events: list[Any], step: str) -> Any:
    return next(e.result for e in events if isinstance(e, StepDone) and e.step == step)


async def test_a_person_and_a_model_answer_the_same_ask() -> None:
    log = await _run_with({"round/1/b": ["I, Bo, disagree"]}, {"b": "human:bo"})
    events = [r.event for r in await log.read("s")]
    assert _result(events, "round/1/b") == {"value": "I, Bo, disagree"}
    opened = next(e for e in events if isinstance(e, TurnOpened))
    done = next(e for e in events if isinstance(e, StepDone) and e.step == "round/1/b")
    assert opened.asked == done.inputs


async def test_an_answer_of_the_wrong_form_is_rejected_with_a_reason_and_the_turn_stays_open() -> None:
    steps = {f"round/1/count/{i}": [{"words": 3}] for i in (1, 2)}
    log = await _run_with({"round/1/count/0": [{"words": "three"}, {"words": 3}], **steps}, {"c": "human"})
    events = [r.event for r in await log.read("s")]
    assert [e.reason for e in events if isinstance(e, AnswerRejected)] == ["words must be of type integer"]
    assert _result(events, "round/1/count/0") == {"value": {"words": 3}}


async def test_an_empty_text_is_rejected() -> None:
    log = await _run_with({"round/1/b": ["  ", "now I speak"]}, {"b": "human"})
    assert _result([r.event for r in await log.read("s")], "round/1/b") == {"value": "now I speak"}


async def test_a_pass_is_recorded_with_its_reason() -> None:
    log = await _run_with({"round/1/b": [None]}, {"b": "human"}, declined="nothing to say")
    assert _result([r.event for r in await log.read("s")], "round/1/b") == {"declined": "nothing to say"}


async def _absent(stand_in: bool) -> Any:
    log = MemoryLog()

    def make_seat(seat: Seat, context: RunContext) -> Participant:
        model = CountingSeat(seat.name, Counter(), at_once)
        return HumanSeat(context, 0.05, model if stand_in else None) if seat.name == "b" else model

    runner = Runner(log, {"toy": toy}, make_seat)
    await runner.create(toy_started(rounds=1), "s")
    assert (await asyncio.wait_for(runner.run("s"), 10)).state == "finished"
    return _result([r.event for r in await log.read("s")], "round/1/b")


async def test_after_the_deadline_the_turn_is_declined_or_a_stand_in_speaks() -> None:
    assert await _absent(stand_in=False) == {"declined": "no answer before the deadline"}
    assert (await _absent(stand_in=True))["value"].startswith("b speaks")


async def test_a_stand_in_is_held_by_the_budget_like_every_model() -> None:
    log = MemoryLog()

    class Dear(CountingSeat):
        def most(self, ask: Ask) -> tuple[int, float | None]:
            return 10, None  # nobody knows its price

    def make_seat(seat: Seat, context: RunContext) -> Participant:
        if seat.name != "b":
            return CountingSeat(seat.name, Counter(), at_once)
        return HumanSeat(context, 0.05, Dear("b", asked, at_once))

    asked: Counter[str] = Counter()
    runner = Runner(log, {"toy": toy}, make_seat, frozenset({"budget"}))
    await runner.create(toy_started(rounds=1, budget_usd=1.0), "s")
    run = await asyncio.wait_for(runner.run("s"), 10)
    assert (run.state, run.exit_code) == ("paused", 4)
    assert "nobody knows what the next call costs" in run.reason
    assert not asked
    await log.send("s", BudgetRaised(by="mia", unpriced_ok=True))
    assert (await asyncio.wait_for(runner.run("s"), 10)).state == "finished"
    assert asked["round/1/b"] == 1


async def _with_deadline(
    deadline: float, stand_in: bool, person: Callable[[MemoryLog, Recorded], Awaitable[None]], rounds: int = 1
) -> list[Recorded]:
    """A finished session with a person on seat `b`, who is shown every event and does what `person` does."""
    log = MemoryLog()

    def make_seat(seat: Seat, context: RunContext) -> Participant:
        model = CountingSeat(seat.name, Counter(), at_once)
        return HumanSeat(context, deadline, model if stand_in else None) if seat.name == "b" else model

    async def watch() -> None:
        async for r in log.follow("s"):
            await person(log, r)

    runner = Runner(log, {"toy": toy}, make_seat)
    await runner.create(toy_started(rounds=rounds), "s")
    watching = asyncio.create_task(watch())
    assert (await asyncio.wait_for(runner.run("s"), 10)).state == "finished"
    watching.cancel()
    return await log.read("s")


async def test_a_person_is_reminded_once_when_a_quarter_of_the_time_is_left() -> None:
    async def silent(log: MemoryLog, r: Recorded) -> None:
        pass

    recorded = await _with_deadline(0.2, stand_in=False, person=silent)
    opened = next(r for r in recorded if isinstance(r.event, TurnOpened))
    (reminded,) = [r for r in recorded if isinstance(r.event, TurnReminded)]
    assert isinstance(opened.event, TurnOpened)
    assert isinstance(reminded.event, TurnReminded)
    assert reminded.event.due == opened.event.due
    assert (reminded.at - opened.at).total_seconds() >= 0.149


async def test_a_turn_whose_end_is_put_off_waits_longer_and_a_shorter_time_changes_nothing() -> None:
    async def slow(log: MemoryLog, r: Recorded) -> None:
        if isinstance(r.event, TurnOpened):
            for seconds in (0.6, 0.01):
                due = r.at + timedelta(seconds=seconds)
                await log.send("s", TurnExtended(by="mo", step=r.event.step, due=due))
            await asyncio.sleep(0.3)
            await log.send("s", TurnAnswered(step=r.event.step, seat="b", by="bo", answer="late, and heard"))

    recorded = await _with_deadline(0.1, stand_in=False, person=slow)
    assert _result([r.event for r in recorded], "round/1/b") == {"value": "late, and heard"}


async def test_when_a_person_leaves_the_stand_in_answers_at_once_and_is_asked_from_then_on() -> None:
    async def leaving(log: MemoryLog, r: Recorded) -> None:
        if isinstance(r.event, TurnOpened):
            await log.send("s", SeatLeft(by="bo", seat="b"))

    recorded = await _with_deadline(60, stand_in=True, person=leaving, rounds=2)
    events = [r.event for r in recorded]
    assert _result(events, "round/1/b")["value"].startswith("b speaks")
    assert _result(events, "round/2/b")["value"].startswith("b speaks")
    assert [e.step for e in events if isinstance(e, TurnOpened)] == ["round/1/b"]


async def test_when_a_person_leaves_and_nobody_stands_in_every_turn_is_declined() -> None:
    async def leaving(log: MemoryLog, r: Recorded) -> None:
        if isinstance(r.event, TurnOpened):
            await log.send("s", SeatLeft(by="bo", seat="b"))

    recorded = await _with_deadline(60, stand_in=False, person=leaving)
    assert _result([r.event for r in recorded], "round/1/b") == {"declined": "the person has left the seat"}


async def test_a_restart_leaves_a_person_a_quarter_of_the_time_although_the_turn_is_overdue() -> None:
    log = MemoryLog()
    runner = Runner(
        log, {"toy": toy}, lambda seat, context: HumanSeat(context, 0.4) if seat.name == "b" else at_ease(seat)
    )
    await runner.create(toy_started(rounds=1), "s")
    first = asyncio.create_task(runner.run("s"))
    async for r in log.follow("s"):
        if isinstance(r.event, TurnOpened):
            break
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    await asyncio.sleep(0.45)
    again = asyncio.create_task(runner.run("s"))
    await asyncio.sleep(0.02)
    await log.send("s", TurnAnswered(step="round/1/b", seat="b", by="bo", answer="just in time"))
    assert (await asyncio.wait_for(again, 10)).state == "finished"
    assert _result([r.event for r in await log.read("s")], "round/1/b") == {"value": "just in time"}


def at_ease(seat: Seat) -> Participant:
    return CountingSeat(seat.name, Counter(), at_once)
