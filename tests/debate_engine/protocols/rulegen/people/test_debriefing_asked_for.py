"""A debriefing that is held back until it is asked for: by whoever runs the scene, or by who waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from elenchus.debate_engine.events import (
    CloseAsked,
    DebriefAsked,
    Event,
    ForgetAsked,
    Redacted,
    Said,
    SeatLeft,
    SessionFinished,
    StepDone,
    TurnAnswered,
    TurnOpened,
    Withdrawn,
)
from elenchus.debate_engine.log import transcript
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.played import Played
from elenchus.debate_engine.run_ends import Run
from tests.debate_engine.protocols.rulegen.people.test_ethics import Asked, planned
from tests.debate_engine.protocols.rulegen.test_fixed_lines import priced


class Held(Asked):
    """Somebody who plays a scene that keeps something from them, and answers whatever does not end on `silent`."""

    def __init__(self, silent: str = "-", debriefing: Any = "when asked") -> None:
        self.silent = silent
        scene = planned(priced(), deception="omission")
        super().__init__(scene, mode="demonstration", debriefing=debriefing)

    async def _people(self) -> None:
        async for r in self.log.follow("s"):
            if isinstance(r.event, TurnOpened) and not r.event.step.endswith(self.silent):
                answer = self._person(Ask.model_validate(r.event.asked))
                await self.log.send("s", TurnAnswered(step=r.event.step, seat="Ada", by="bo", answer=answer))

    @asynccontextmanager
    async def going(self) -> AsyncIterator[asyncio.Task[Run]]:
        """The scene as it is played; left, it is broken off as by the end of the program."""
        await self.make()
        run = asyncio.create_task(self.run())
        try:
            yield run
        finally:
            run.cancel()
            await asyncio.gather(run, return_exceptions=True)

    async def until(self, step: str) -> None:
        """Wait for the event of a step."""
        async with asyncio.timeout(10):
            async for r in self.log.follow("s"):
                if getattr(r.event, "step", "") == step:
                    return

    async def told(self) -> list[str]:
        return [one.about for one in transcript(await self.log.read("s")) if one.about in ("ending", "debrief")]


async def ended(run: asyncio.Task[Run]) -> Played:
    done = await asyncio.wait_for(asyncio.shield(run), 10)
    assert done.state == "finished", done.reason
    return Played.model_validate(done.outcome)


@pytest.mark.parametrize(
    "release", [DebriefAsked(by="m"), SeatLeft(by="bo", seat="Ada"), CloseAsked(by="m")], ids=lambda e: e.kind
)
async def test_who_has_played_is_told_nothing_until_somebody_asks_for_it_and_what_they_said_counts(
    release: Event,
) -> None:
    stage = Held()
    async with stage.going() as run:
        await stage.until("waits")
        await asyncio.sleep(0.05)
        assert await stage.told() == []
        await stage.log.send("s", release)
        played = await ended(run)
    assert await stage.told() == ["debrief"] if release.kind != "leave" else ["debrief", "ending"]
    assert played.ended == ("not kept" if release.kind == "leave" else ""), "who has left cannot say that it is kept"


@pytest.mark.parametrize("held", ["when asked", "at once"])
async def test_a_close_that_comes_after_the_last_rule_ends_nothing_also_after_a_restart(held: Any) -> None:
    stage = Held("keep", held)
    async with stage.going():
        await stage.until("waits" if held == "when asked" else "consent/Ada/keep")
        await stage.log.send("s", CloseAsked(by="m"))
        await stage.until("consent/Ada/keep")
    stage.silent = "-"
    async with stage.going() as run:
        assert (await ended(run)).ended == ""
    assert await stage.told() == ["debrief"]


async def test_whose_scene_was_closed_waits_too_and_who_withdraws_there_is_told_at_once() -> None:
    stage = Held("stated")
    async with stage.going() as run:
        await stage.until("rule/3/turn/1/stated")
        await stage.log.send("s", CloseAsked(by="m"))
        await stage.until("ending/Ada")
        await asyncio.sleep(0.05)
        assert await stage.told() == ["ending"]
        assert not run.done()
    async with stage.going() as run:  # after a restart it still waits
        await asyncio.sleep(0.1)
        assert await stage.told() == ["ending"]
        await stage.log.send("s", Withdrawn(by="bo", seat="Ada"))
        assert (await ended(run)).ended == "closed"
    assert await stage.told() == ["ending", "debrief"]


@pytest.mark.parametrize("held", ["when asked", "at once"])
async def test_who_withdraws_at_the_last_question_is_out_and_the_scene_ends_kindly(held: Any) -> None:
    stage = Held("keep", held)
    async with stage.going() as run:
        if held == "when asked":
            await stage.until("waits")
            await stage.log.send("s", DebriefAsked(by="m"))
        await stage.until("consent/Ada/keep")
        await stage.log.send("s", Withdrawn(by="bo", seat="Ada"))
        played = await ended(run)
    assert (played.ended, played.ended_by) == ("withdrawn", "Ada")
    assert await stage.told() == ["debrief", "ending"], "who was told already is not told once more"
    held_there = [r.event.model_dump_json() for r in await stage.log.read("s")]
    assert not any('"price":30' in one for one in held_there)


async def test_a_scene_that_holds_nothing_back_has_no_step_of_waiting() -> None:
    stage = Held(debriefing="at once")
    await stage.played()
    events = [r.event for r in await stage.log.read("s")]
    assert "waits" not in {one.step for one in events if isinstance(one, StepDone | Said | TurnOpened)}
    assert isinstance(events[-1], SessionFinished)


async def test_who_is_forgotten_while_they_wait_holds_nothing_up_and_is_still_told() -> None:
    stage = Held()
    async with stage.going() as run:
        await stage.until("waits")
        await stage.log.send("s", ForgetAsked(by="m", seat="Ada"))
        async for r in stage.log.follow("s"):
            if isinstance(r.event, Redacted):
                break
        await stage.log.send("s", DebriefAsked(by="m"))
        await ended(run)
    assert "30" not in " ".join(one.text for one in transcript(await stage.log.read("s")))
