"""The moderator's hand on a running session: every control is an event, whoever sends it."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from elenchus.debate_engine.errors import ProviderBusy
from elenchus.debate_engine.events import (
    BudgetRaised,
    Event,
    ForgetAsked,
    Guidance,
    HeatSet,
    PauseAsked,
    Question,
    Redacted,
    ResumeAsked,
    RoundAsked,
    Said,
    SessionPaused,
    SessionResumed,
    SessionStopped,
    StepDone,
    StopAsked,
    TurnAnswered,
    TurnOpened,
)
from elenchus.debate_engine.log import state_of
from elenchus.debate_engine.log.memory import MemoryLog, MemoryOwnership
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.run_ends import Run
from tests.debate_engine.toy import toy_runner, toy_started


class Stage:
    """A running toy session that a test can talk to at a chosen step."""

    def __init__(self, **started: Any) -> None:
        self.log, self.asked = MemoryLog(), Counter[str]()
        self.started = toy_started(**started)
        self.sends: dict[str, list[Event]] = {}

    def at(self, step: str, *events: Event) -> None:
        """Send these when `step` is asked."""
        self.sends[step] = list(events)

    async def _before(self, ask: Ask) -> None:
        for event in self.sends.pop(ask.step, []):
            await self.log.send("s", event)
        await asyncio.sleep(0.01)  # an answer takes its time

    async def make(self) -> None:
        """Make the session unless it is there."""
        if not await self.log.sessions():
            await self.log.create("s", self.started)

    async def run(self, *leave_on: str) -> Run:
        await self.make()
        runner = toy_runner(self.log, self.asked, self._before, leave_on=frozenset(leave_on))
        return await asyncio.wait_for(runner.run("s"), 10)

    async def events(self, *kinds: type[Any]) -> list[Any]:
        return [r.event for r in await self.log.read("s") if isinstance(r.event, kinds)]

    async def until(self, kind: type[Any]) -> None:
        async for r in self.log.follow("s"):
            if isinstance(r.event, kind):
                return


async def test_a_pause_takes_effect_before_the_next_step_and_a_resume_goes_on() -> None:
    stage = Stage()
    stage.at("round/1/a", PauseAsked(by="mia", reason="question from the class"))
    await stage.make()
    async with asyncio.TaskGroup() as group:
        running = group.create_task(stage.run())
        await stage.until(SessionPaused)
        await asyncio.sleep(0.05)
        assert "round/1/b" not in stage.asked
        assert state_of(await stage.log.read("s")) == "paused"
        await stage.log.send("s", ResumeAsked(by="mia"))
    assert running.result().state == "finished"
    assert [e.reason for e in await stage.events(SessionPaused)] == ["question from the class"]
    assert len(await stage.events(SessionResumed)) == 1


class HastyModerator(MemoryLog):
    """A log in which a moderator pauses each session as soon as its owner is known, before it is read."""

    async def claim(self, session_id: str, *, take_over: bool = False) -> MemoryOwnership:
        own = await super().claim(session_id, take_over=take_over)
        await self.send(session_id, PauseAsked(by="mia", reason="too early"))
        return own


async def test_a_pause_between_the_claim_and_the_first_reading_is_heeded() -> None:
    stage = Stage()
    stage.log = HastyModerator()
    run = await stage.run("moderator")
    assert (run.state, stage.asked) == ("paused", {})
    assert [e.reason for e in await stage.events(SessionPaused)] == ["too early"]


async def test_a_session_paused_by_its_moderator_stays_paused_while_someone_is_forgotten() -> None:
    stage = Stage()
    stage.at("round/1/a", PauseAsked(by="mia", reason="one of us wants to leave"))
    await stage.make()
    async with asyncio.TaskGroup() as group:
        running = group.create_task(stage.run())
        await stage.until(SessionPaused)
        await stage.log.send("s", ForgetAsked(by="mia", seat="a"))
        await stage.until(Redacted)
        await asyncio.sleep(0.05)
        assert state_of(await stage.log.read("s")) == "paused"
        assert "round/1/b" not in stage.asked
        await stage.log.send("s", ResumeAsked(by="mia"))
    assert running.result().state == "finished"


async def test_a_pause_of_an_earlier_run_does_not_hold_the_next_one() -> None:
    stage = Stage()
    stage.at("round/1/a", PauseAsked(by="mia", reason="lunch"))
    assert (await stage.run("moderator")).state == "paused"
    assert (await stage.run("moderator")).state == "finished"


async def test_the_heat_that_the_moderator_sets_is_used_from_the_next_round_on() -> None:
    stage = Stage()
    stage.at("round/1/a", HeatSet(by="mia", heat=0.4))
    run = await stage.run()
    heats = [e.result["heat"] for e in await stage.events(StepDone) if e.step.endswith("/heat")]
    assert heats == pytest.approx([0.75, 0.4])
    assert run.outcome is not None
    assert run.outcome["heat"] == pytest.approx(0.4)


async def test_guidance_reaches_the_named_side_once_and_nobody_else() -> None:
    stage = Stage()
    stage.at("round/1/a", Guidance(by="mia", to=("b",), text="mind the costs"), Question(by="mia", to="b", text="why?"))
    await stage.run()
    said = [e for e in await stage.events(Said) if e.speaker == "moderator"]
    assert [(e.to, e.text, e.about) for e in said] == [
        (("b",), "mind the costs", "guidance"),
        (("b",), "why?", "question"),
    ]
    prompts = {e.step: str(e.inputs) for e in await stage.events(StepDone)}
    assert "mind the costs" in prompts["round/1/b"]
    assert not [step for step, text in prompts.items() if "mind the costs" in text and "/b" not in step]


async def test_a_wish_is_heard_once() -> None:
    stage = Stage()
    stage.at("round/1/a", RoundAsked(by="mia"))
    run = await stage.run()
    assert run.outcome is not None
    assert run.outcome["more"] is True


async def test_a_stop_ends_the_session_with_its_reason_and_a_resume_says_so() -> None:
    stage = Stage()
    stage.at("round/1/b", StopAsked(by="mia", reason="time is up"))
    run = await stage.run()
    assert (run.state, run.reason) == ("stopped", "time is up")
    assert [(e.reason, e.by) for e in await stage.events(SessionStopped)] == [("time is up", "mia")]
    asked = stage.asked.copy()
    again = await stage.run()
    assert again.state == "stopped"
    assert stage.asked == asked


async def test_a_finished_session_is_not_run_again() -> None:
    stage = Stage()
    first = await stage.run()
    asked = stage.asked.copy()
    assert (await stage.run()) == first
    assert stage.asked == asked


async def test_reaching_the_budget_pauses_and_raising_it_goes_on() -> None:
    stage = Stage(budget_tokens=5)
    run = await stage.run("budget")
    assert (run.state, run.exit_code) == ("paused", 4)
    assert "0 of 5 tokens" in run.reason
    assert not stage.asked
    await stage.log.send("s", BudgetRaised(by="mia", tokens=1_000))
    assert (await stage.run("budget")).state == "finished"


async def test_a_waiting_session_goes_on_by_itself_when_the_budget_is_raised() -> None:
    stage = Stage(budget_tokens=5)
    await stage.make()
    async with asyncio.TaskGroup() as group:
        running = group.create_task(stage.run())
        await stage.until(SessionPaused)
        await stage.log.send("s", BudgetRaised(by="mia", tokens=1_000))
    assert running.result().state == "finished"


async def test_an_unreachable_provider_pauses_a_needed_seat_and_declines_an_optional_one() -> None:
    stage = Stage()
    down = {"now": True}

    async def before(ask: Ask) -> None:
        if down["now"] and ask.step in ("round/1/b", "round/1/count/0"):
            raise ProviderBusy("the provider answers 503")

    runner = toy_runner(stage.log, stage.asked, before, leave_on=frozenset({"provider"}))
    await runner.create(stage.started, "s")
    run = await runner.run("s")
    assert (run.state, run.exit_code) == ("paused", 3)
    assert "503" in run.reason
    down["now"] = False
    assert (await runner.run("s")).state == "finished"

    async def counting_fails(ask: Ask) -> None:
        if ask.step == "round/1/count/0":
            raise ProviderBusy("the provider answers 503")

    log = MemoryLog()
    optional = toy_runner(log, Counter(), counting_fails)
    done = await optional.run(await optional.create(toy_started(), "s"))
    assert done.state == "finished"
    declined = [
        r.event for r in await log.read("s") if isinstance(r.event, StepDone) and r.event.step.endswith("count/0")
    ]
    assert declined[0].result == {"declined": "the provider answers 503"}


async def test_cancelling_a_run_pauses_the_session_and_a_later_run_finishes_it() -> None:
    stage = Stage()
    runner = toy_runner(stage.log, stage.asked)
    await runner.create(toy_started(specs={"b": "human"}), "s")
    task = asyncio.create_task(runner.run("s"))
    await stage.until(TurnOpened)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert state_of(await stage.log.read("s")) == "paused"
    assert [e.why for e in await stage.events(SessionPaused)] == ["interrupt"]
    for n in (1, 2):
        answer = TurnAnswered(step=f"round/{n}/b", seat="b", by="bo", answer=f"I, Bo, say number {n}")
        await stage.log.send("s", answer)
    assert (await runner.run("s")).state == "finished"
    opened = [e.step for e in await stage.events(TurnOpened)]
    assert opened == ["round/1/b", "round/2/b"]
