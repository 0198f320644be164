"""People on seats: an open turn in the log that any process may answer."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from debate_engine.events import AnswerRejected, Seat, StepDone, TurnAnswered, TurnOpened
from debate_engine.human import HumanSeat
from debate_engine.memory_log import MemoryLog
from debate_engine.participant import Participant, Room
from debate_engine.runner import Runner
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
    await runner.start(toy_started(rounds=1, specs=specs), "s")
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
    assert [e.reason for e in events if isinstance(e, AnswerRejected)] == ["answer.words must be of type integer"]
    assert _result(events, "round/1/count/0") == {"value": {"words": 3}}


async def test_an_empty_text_is_rejected() -> None:
    log = await _run_with({"round/1/b": ["  ", "now I speak"]}, {"b": "human"})
    assert _result([r.event for r in await log.read("s")], "round/1/b") == {"value": "now I speak"}


async def test_a_pass_is_recorded_with_its_reason() -> None:
    log = await _run_with({"round/1/b": [None]}, {"b": "human"}, declined="nothing to say")
    assert _result([r.event for r in await log.read("s")], "round/1/b") == {"declined": "nothing to say"}


async def _absent(stand_in: bool) -> Any:
    log = MemoryLog()

    def make_seat(seat: Seat, room: Room) -> Participant:
        model = CountingSeat(seat.name, Counter(), at_once)
        return HumanSeat(room, 0.05, model if stand_in else None) if seat.name == "b" else model

    runner = Runner(log, {"toy": toy}, make_seat)
    await runner.start(toy_started(rounds=1), "s")
    assert (await asyncio.wait_for(runner.run("s"), 10)).state == "finished"
    return _result([r.event for r in await log.read("s")], "round/1/b")


async def test_after_the_deadline_the_turn_is_declined_or_a_stand_in_speaks() -> None:
    assert await _absent(stand_in=False) == {"declined": "no answer before the deadline"}
    assert (await _absent(stand_in=True))["value"].startswith("b speaks")
