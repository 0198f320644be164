"""A stage for sweeps: real sessions over a log in memory, with scripted models on the seats."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from elenchus.config.models import ModelInfo
from elenchus.debate_engine.events import Recorded, Seat, SessionStarted
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.model import Model
from elenchus.debate_engine.llm.retrying import Limits
from elenchus.debate_engine.llm.scripted import Answerer, Script, Scripted, ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.model_seat import ModelSeat, Persona
from elenchus.debate_engine.participant import Participant
from elenchus.debate_engine.protocols.sweep.protocol import sweep
from elenchus.debate_engine.protocols.sweep.schemas import Sweep, SweepConfig
from elenchus.debate_engine.run_context import RunContext
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import Runner
from tests.debate_engine.protocols.sweep.made_sweeps import MOTION, SUPPORT, TEXTS, TOPICS

SEATS = ("pro", "con", "crit")


def heat_of(call: Call) -> float:
    """The heat in a step's key."""
    return float(call.step.split("/")[1])


def plainly(call: Call) -> str | dict[str, Any] | Scripted | None:
    """Speaks and reads as the paper's table would have it; the agenda is left to the filler."""
    match call.prompt_id:
        case "sweep/speak":
            return TEXTS[heat_of(call)]
        case "sweep/read":
            quote = {"quote": " ".join(TEXTS[heat_of(call)].split()[:4]), "words": "as told"}
            return {"tone": quote, "emphasis": quote, "language": quote}
        case "sweep/support":
            return {"reason": "as told", "support": SUPPORT[heat_of(call)]}
    return None


@dataclass
class Stage:
    """A session to run and resume. `speakers` sit on pro and con, `evaluator` on crit."""

    config: SweepConfig = field(default_factory=lambda: SweepConfig(motion=MOTION, agenda=TOPICS))
    answerer: Answerer | None = plainly
    script: Script = field(default_factory=lambda: Script(latency=0.02))
    log: MemoryLog = field(default_factory=MemoryLog)

    def __post_init__(self) -> None:
        self.speakers = ScriptedClient(self.script, self.answerer)
        self.evaluator = ScriptedClient(self.script, self.answerer)
        self.limits = Limits(concurrency=1000, attempts=3, deadline=1.0, first_wait=0.001)

    def seat(self, seat: Seat, room: RunContext) -> Participant:
        client = self.evaluator if seat.name == "crit" else self.speakers
        return ModelSeat(room, Model(seat.spec, "test", client, self.limits, ModelInfo()), Persona(seat.name))

    @property
    def runner(self) -> Runner:
        return Runner(self.log, {"sweep": sweep}, self.seat)

    async def start(self, recorded: list[Recorded] | None = None) -> None:
        """Make the session: a new one, or one of which so much is recorded."""
        if recorded:
            await self.log.restore("sweep", recorded)
            return
        await self.log.create(
            "sweep",
            SessionStarted(
                protocol="sweep",
                title=MOTION,
                config=self.config.model_dump(mode="json"),
                seats=tuple(Seat(name=name, spec="scripted:test") for name in SEATS),
                seed=1,
                version="0",
            ),
        )

    async def run(self) -> Run:
        return await self.runner.run("sweep")

    async def outcome(self) -> Sweep:
        """Start, run to the end, and read what came out."""
        await self.start()
        run = await self.run()
        assert run.state == "finished", run.reason
        return Sweep.model_validate(run.outcome)

    @property
    def asked(self) -> list[Call]:
        return [*self.speakers.asked, *self.evaluator.asked]

    @property
    def steps(self) -> Counter[str]:
        return Counter(call.step for call in self.asked)
