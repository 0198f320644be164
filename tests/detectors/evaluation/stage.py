"""A bench to run and to look at: whole sessions over a log in memory, with one scripted model on every seat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from elenchus.debate_engine.dry_run.plan import Plan
from elenchus.debate_engine.events import FrozenModel, Seat, SessionStarted
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.session import Session
from elenchus.service.protocols import Protocols
from tests.debate_engine.dry_run import planned as dry_run
from tests.debate_engine.scripted_session import GARBLED, Answer as Says, ScriptedSession, Written, shown, written

__all__ = ["GARBLED", "Bench", "Says", "Written"]


def planned(protocol: str, cfg: FrozenModel, names: Iterable[str]) -> Plan:
    """What a bench with a scripted model on each of these seats asks at the most."""
    seats = [Seat(name=name, spec="scripted:x") for name in names]
    return dry_run.planned(protocol, cfg, seats)


@dataclass
class Bench(ScriptedSession):
    """One bench. `answers` go by prompt; what is not there is filler."""

    package = "detectors"

    protocol: str
    cfg: FrozenModel
    seats: dict[str, str]
    answers: dict[str, Says] = field(default_factory=dict)
    log: MemoryLog = field(default_factory=MemoryLog)

    def __post_init__(self) -> None:
        self.client = ScriptedClient(Script(), self._answer)

    def _answer(self, call: Call) -> Written:
        return written(self.answers.get(call.prompt_id), call)

    async def run(self) -> Run:
        """The run, to its end."""

        async def protocol(s: Session, config: dict[str, Any]) -> dict[str, Any]:
            return await Protocols()[self.protocol](s, config)

        return await self.run_by(Runner(self.log, {self.protocol: protocol}, self.seat, frozenset({"provider"})))

    def started(self) -> SessionStarted:
        seats = tuple(Seat(name=name, spec=spec) for name, spec in self.seats.items())
        config = self.cfg.model_dump(mode="json")
        return SessionStarted(protocol=self.protocol, title="t", config=config, seats=seats, seed=1, version="0")

    async def outcome(self) -> dict[str, Any]:
        """The outcome of the whole run."""
        run = await self.run()
        assert run.state == "finished", run.reason
        assert run.outcome is not None
        return run.outcome

    def shown(self, ending: str) -> str:
        """All that the model was shown at the one step that ends so."""
        (call,) = (call for call in self.client.asked if call.step.endswith(ending))
        return shown(call)
