"""A room of judges for the tests: real sessions over a log in memory, with one scripted model on every seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.registry import Registry
from elenchus.debate_engine.llm.retrying import Limits
from elenchus.debate_engine.llm.scripted import Answerer, Script, ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.model_seat import ModelSeat, Persona
from elenchus.debate_engine.participant import Participant
from elenchus.debate_engine.protocols.judging.tally import Tally
from elenchus.debate_engine.run_context import RunContext
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.session import Session
from tests.debate_engine.scripted_session import GARBLED, shown as words_of

__all__ = ["FAIR", "GARBLED", "UNREADABLE", "JudgingSession", "seat_of", "words_of"]

FAIR = {"rationale": "Both argued.", "a_validity": 7, "a_credibility": 8, "b_validity": 6, "b_credibility": 6,
        "winner": "A"}  # fmt: skip
UNREADABLE = "unreadable after one repair"


def seat_of(call: Call) -> str:
    """Who is called, by the step: "judging/judge-1/…", "comparison/plain-answer"."""
    return call.step.split("/")[1].replace("plain-answer", "answerer")


@dataclass
class JudgingSession:
    """A log, and a session whose protocol is `work`; `run` may be called again to resume it."""

    work: Callable[[Session], Awaitable[Tally]]
    reply: Answerer
    judges: Sequence[str] = ("judge-1", "judge-2", "judge-3")
    log: MemoryLog = field(default_factory=MemoryLog)

    def __post_init__(self) -> None:
        self.client = ScriptedClient(Script(latency=0.02), self.reply)
        model = Registry(Settings(home=Path("unused")), {"panel": self.client}).model("scripted:panel")
        self.model = replace(model, limits=Limits(concurrency=100, attempts=1))

    @property
    def by_step(self) -> Counter[str]:
        return Counter(call.step for call in self.client.asked)

    async def start(self) -> None:
        names = ["pro", "con", "answerer", *self.judges]
        seats = tuple(Seat(name=name, spec=f"openai:secret-model-{name}") for name in names)
        started = SessionStarted(protocol="panel", title="t", config={}, seats=seats, seed=1, version="0")
        await self.log.create("panel", started)

    async def run(self) -> Run:
        async def protocol(s: Session, config: dict[str, Any]) -> dict[str, Any]:
            return (await self.work(s)).model_dump(mode="json")

        def make_seat(seat: Seat, judged: RunContext) -> Participant:
            return ModelSeat(judged, self.model, Persona(seat.name))

        if not await self.log.sessions():
            await self.start()
        return await Runner(self.log, {"panel": protocol}, make_seat).run("panel")
