"""A stage for debates of roles: real sessions over a log in memory, with one scripted model on every seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.protocols.rldf.protocol import rldf
from elenchus.debate_engine.protocols.rldf.schemas import REFEREE, Debated, RldfConfig, role_seats
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import Runner
from tests.debate_engine.scripted_session import ScriptedSession, Written

TOPIC = "gardening"


def config(**more: Any) -> RldfConfig:
    """A debate on age with three roles and two rounds, where nothing else is said."""
    return RldfConfig.model_validate({"bias": "age", "topic": TOPIC, "rounds": 2, **more})


def round_and_seat(call: Call) -> tuple[int, str]:
    """Where a step stands."""
    _, number, seat, *_ = call.step.split("/")
    return int(number), seat


def speech(call: Call) -> dict[str, Any]:
    number, seat = round_and_seat(call)
    return {
        "positive_from": "the topic",
        "positive": "It keeps people busy.",
        "negative_from": f"{seat} never said so",
        "negative": "It takes long.",
        "statement": f"Words of {seat} in round {number}.",
    }


def plainly(call: Call) -> Written:
    """Role 1 is scored 6, role 2 5, role 3 1; in each further round one less."""
    match call.prompt_id:
        case "rldf/speak":
            return speech(call)
        case "rldf/score":
            number, seat = round_and_seat(call)
            return {"why": "as told", "score": max(0, (7, 6, 2)[int(seat[-1]) - 1] - number)}
    return None


@dataclass
class Stage(ScriptedSession):
    """One debate."""

    package = "rldf"

    cfg: RldfConfig = field(default_factory=config)
    answerer: Callable[[Call], Written] = plainly
    log: MemoryLog = field(default_factory=MemoryLog)

    def __post_init__(self) -> None:
        self.client = ScriptedClient(Script(), self.answerer)

    def started(self) -> SessionStarted:
        names = (*role_seats(self.cfg.roles), REFEREE)
        seats = tuple(Seat(name=name, spec="scripted:x") for name in names)
        given = self.cfg.model_dump(mode="json")
        return SessionStarted(protocol="rldf", title="t", config=given, seats=seats, seed=1, version="0")

    async def run(self) -> Run:
        return await self.run_by(Runner(self.log, {"rldf": rldf}, self.seat, frozenset({"provider"})))

    async def outcome(self) -> Debated:
        run = await self.run()
        assert run.state == "finished", run.reason
        return Debated.model_validate(run.outcome)
