"""A small protocol, and seats that count what they are asked, for tests of the engine itself."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from elenchus.debate_engine.events import EVERYONE, RoundAsked, Seat, SessionStarted
from elenchus.debate_engine.human_seat import HumanSeat, is_human
from elenchus.debate_engine.participant import Answer, Ask, Declined, Participant
from elenchus.debate_engine.prompts import Prompt
from elenchus.debate_engine.run_context import RunContext
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together

SPEAK = Prompt.parse(
    """---
id: toy/speak
variables: [heard, heat]
---
%% role
You speak.
%% material "What you heard" digest
{{ heard }}
%% task
Speak at {{ heat }}.
"""
)
COUNT = Prompt.parse(
    """---
id: toy/count
variables: [heard]
temperature: 0
---
%% material "What you heard" keep
{{ heard }}
%% task
Count the words.
"""
)


class Tally(BaseModel):
    """The toy's structured answer."""

    words: int


Before = Callable[[Ask], Awaitable[None]]


async def at_once(ask: Ask) -> None:
    """Nothing happens before an answer."""
    await asyncio.sleep(0)


@dataclass
class CountingSeat:
    """Answers at once, the same to the same ask; counts the asks by step and how many were in flight together."""

    name: str
    asked: Counter[str]
    before: Before
    flight: list[int] = field(default_factory=lambda: [0, 0])

    async def answer(self, ask: Ask) -> Answer | Declined:
        self.asked[ask.step] += 1
        self.flight[0] += 1
        self.flight[1] = max(self.flight)
        await self.before(ask)
        self.flight[0] -= 1
        if ask.answer_schema:
            return Answer({"words": len(ask.text.split())})
        return Answer(f"{self.name} speaks in {ask.step} after hearing {len(ask.text)} letters")

    def most(self, ask: Ask) -> tuple[int, float | None]:
        return 10, 0.0


async def toy(s: Session, config: Mapping[str, Any]) -> dict[str, Any]:
    """Rounds of a and b speaking in turn, then side by side; each round is counted by three seats at once."""
    heat, totals = 0.9, []
    for n in range(1, config["rounds"] + 1):
        heat = await s.heat(f"round/{n}", heat / 1.2)
        for name in ("a", "b"):
            await s.words_to(f"round/{n}", name)
            text = await s.ask(f"round/{n}/{name}", name, SPEAK, heard=_heard(s, name), heat=heat)
            await s.say(f"round/{n}/{name}/said", name, [EVERYONE], str(text), f"round {n}")
        tallies = await together(
            *(s.ask(f"round/{n}/count/{i}", "c", COUNT, Tally, optional=True, heard=_heard(s, "c")) for i in range(3))
        )
        totals.append([0 if isinstance(t, Declined) else t.words for t in tallies])
        await s.record(f"round/{n}/total", totals[-1])
    more = await s.wished("one-more", RoundAsked)
    return {"heat": heat, "totals": totals, "more": more, "heard": len(s.heard_by("a"))}


def _heard(s: Session, name: str) -> str:
    return "\n".join(f"{said.speaker}: {said.text}" for said in s.heard_by(name))


def toy_started(rounds: int = 2, specs: Mapping[str, str] | None = None, **settings: Any) -> SessionStarted:
    """The first event of a toy session; `specs` says who sits where, models unless named."""
    seats = tuple(Seat(name=name, spec=(specs or {}).get(name, "counting")) for name in ("a", "b", "c"))
    return SessionStarted(
        protocol="toy", title="toy", config={"rounds": rounds}, seats=seats, seed=7, version="0", **settings
    )


def toy_runner(log: Any, asked: Counter[str], before: Before = at_once, **more: Any) -> Runner:
    """A runner of the toy protocol whose model seats count into `asked`."""
    flight = [0, 0]

    def make_seat(seat: Seat, room: RunContext) -> Participant:
        if is_human(seat.spec):
            return HumanSeat(room)
        return CountingSeat(seat.name, asked, before, flight)

    return Runner(log, {"toy": toy}, make_seat, **more)
