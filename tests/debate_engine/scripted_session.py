"""What the scripted sessions of the tests share: one over a log in memory whose seats a scripted model takes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from elenchus.config.models import ModelInfo
from elenchus.debate_engine.events import Event, Recorded, Said, Seat, SessionStarted, StepDone
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.model import Model
from elenchus.debate_engine.llm.retrying import Limits
from elenchus.debate_engine.llm.scripted import Scripted, ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.model_seat import ModelSeat, Persona
from elenchus.debate_engine.participant import Answer as Answered, Ask, Declined, Participant
from elenchus.debate_engine.run_context import RunContext
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import Runner

Written = Scripted | str | dict[str, Any] | None
Answer = Callable[[Call], Any] | Written
"""What the model answers: words, a JSON value, a fault, None for filler, or a function of the call."""

GARBLED = Scripted(fault="garbled")


def written(answer: Answer, call: Call) -> Written:
    """What is answered to this call."""
    given: Written = answer(call) if callable(answer) else answer
    return given


def shown(call: Call) -> str:
    """All that the model was shown."""
    return "\n".join(message.content for message in call.messages)


class ScriptedSession:
    """A session with the id `s` to run and to look at. `package` is what its prompts' ids begin with."""

    package: ClassVar[str]
    log: MemoryLog
    client: ScriptedClient

    def started(self) -> SessionStarted:
        raise NotImplementedError

    async def make(self) -> None:
        """Make the session unless it is there."""
        if not await self.log.sessions():
            await self.log.create("s", self.started())

    def seat(self, seat: Seat, room: RunContext) -> Participant:
        """The scripted model on any seat, asked once and without a bound on what is in flight."""
        limits = Limits(concurrency=1000, attempts=1, deadline=5.0, first_wait=0.001)
        return ModelSeat(room, Model(seat.spec, "test", self.client, limits, ModelInfo()), Persona(seat.name))

    async def run_by(self, runner: Runner) -> Run:
        """Start the session, or go on with it."""
        await self.make()
        return await asyncio.wait_for(runner.run("s"), 60)

    # ── what happened ────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def steps(self) -> list[str]:
        """The steps for which a model was called, in order."""
        return [call.step for call in self.client.asked]

    @property
    def counted(self) -> Counter[str]:
        return Counter(self.steps)

    def words(self, step: str) -> str:
        """All that the model was shown at a step."""
        (call,) = (call for call in self.client.asked if call.step == step)
        return shown(call)

    def of(self, prompt: str) -> list[Call]:
        """The calls with this prompt."""
        return [call for call in self.client.asked if call.prompt_id == f"{self.package}/{prompt}"]

    async def recorded(self) -> list[Recorded]:
        return await self.log.read("s")

    async def results(self) -> dict[str, Any]:
        """The recorded results by step."""
        return {r.event.step: r.event.result for r in await self.recorded() if isinstance(r.event, StepDone)}

    async def said(self) -> list[Said]:
        return [r.event for r in await self.recorded() if isinstance(r.event, Said)]


@dataclass
class Sending:
    """A seat before whose answer a test's commands are sent, by step."""

    seat: Participant
    log: MemoryLog
    commands: Mapping[str, list[Event]]

    async def answer(self, ask: Ask) -> Answered | Declined:
        commands = self.commands.get(ask.step, [])
        while commands:
            await self.log.send("s", commands.pop(0))
        return await self.seat.answer(ask)

    def most(self, ask: Ask) -> tuple[int, float | None]:
        return self.seat.most(ask)
