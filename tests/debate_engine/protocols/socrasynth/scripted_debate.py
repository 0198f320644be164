"""Debates for the tests: whole ones over a log in memory, with one scripted model on every seat."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Event, Seat, SessionStarted
from elenchus.debate_engine.human_seat import HUMAN
from elenchus.debate_engine.llm.client import Call, OnText, Reply
from elenchus.debate_engine.llm.registry import Registry
from elenchus.debate_engine.llm.retrying import Limits
from elenchus.debate_engine.llm.scripted import Script, ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.model_seat import ModelSeat, Persona
from elenchus.debate_engine.protocols.socrasynth.protocol import socrasynth
from elenchus.debate_engine.protocols.socrasynth.schemas import Debate, DebateConfig
from elenchus.debate_engine.protocols.speech import Topic
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import Runner
from elenchus.service.app import seat_maker
from tests.debate_engine.scripted_session import GARBLED, Answer, ScriptedSession, Sending, Written, written

__all__ = ["GARBLED", "MOTION", "PLAIN", "TOPICS", "Answer", "ScriptedDebate", "Written", "found", "idea", "speech_of"]

MOTION = "Homework should be abolished"
TOPICS = (
    Topic(pro_concern="rest", con_concern="practice", scope="What evenings are for."),
    Topic(pro_concern="fairness", con_concern="effort", scope="Who can work at home."),
)


def speech_of(call: Call) -> str:
    """A speech that names its step, with a heading for each topic, so that its way through the prompts can be seen."""
    return "\n\n".join(f"## {n}. {t.title}\n[{call.step}] on {t.pro_concern}." for n, t in enumerate(TOPICS, 1))


def idea(pro: str, con: str) -> dict[str, str]:
    return {"pro_concern": pro, "con_concern": con, "scope": f"{pro} and {con}"}


def found(call: Call) -> dict[str, Any]:
    """One reason on each topic, named after the step that asks."""
    return {"reasons": [{"topic": n, "quote": "", "reason": f"{call.step} {n}", "source": ""} for n in (1, 2)]}


PLAIN: dict[str, Answer] = {
    "socrasynth/opening": speech_of,
    "socrasynth/refutation": speech_of,
    "socrasynth/closing": speech_of,
    "socrasynth/anything-more": {"more": True, "what": "something"},
    "socrasynth/draft-proposal": {"items": [{"number": n, "proposal": f"draft {n}"} for n in (1, 2)]},
    "socrasynth/review-proposal": {"items": [{"number": n, "decision": "sign", "proposal": ""} for n in (1, 2)]},
    "crit/reasons": found,
    "crit/validate": {"justification": "It bears on the claim.", "quotes": [], "validity": 6, "credibility": 6},
}
"""What the models answer unless a test says otherwise; what is not here is filler."""


@dataclass
class Watched:
    """A client that passes calls on, and keeps which were in flight together."""

    inner: ScriptedClient
    flying: list[str] = field(default_factory=list)
    together: list[frozenset[str]] = field(default_factory=list)

    async def complete(self, call: Call, on_text: OnText | None = None) -> Reply:
        self.flying.append(call.step)
        self.together.append(frozenset(self.flying))
        try:
            return await self.inner.complete(call, on_text)
        finally:
            self.flying.remove(call.step)

    async def aclose(self) -> None:
        await self.inner.aclose()


class ScriptedDebate(ScriptedSession):
    """A debate to run and to look at. `answers` go by prompt; `at` sends a command when a step is asked."""

    package = "socrasynth"

    def __init__(self, answers: dict[str, Answer] | None = None, seconds: float = 0.0, **settings: Any) -> None:
        given: dict[str, Any] = {"motion": MOTION, "agenda": TOPICS, "max_rounds": 1, "judges": ("judge-1",)} | settings
        self.seed = given.pop("seed", 1)
        self.cfg = DebateConfig(**given)
        self.answers: dict[str, Answer] = {**PLAIN, **(answers or {})}
        self.log = MemoryLog()
        self.commands: dict[str, list[Event]] = {}
        self.client = ScriptedClient(Script(latency=seconds), self._answer)
        self.watched = Watched(self.client)
        self.registry = Registry(Settings(home=Path("unused")), {"debate": self.client})

    def _answer(self, call: Call) -> Written:
        return written(self.answers.get(call.prompt_id), call)

    def at(self, step: str, *commands: Event) -> None:
        """Send these when `step` is asked: they are in the log before its answer."""
        self.commands[step] = list(commands)

    async def run(self) -> Run:
        """Start the debate, or go on with it."""
        return await self.run_by(self.runner())

    def runner(self) -> Runner:
        """Who runs it."""
        model = replace(
            self.registry.model("scripted:debate"), client=self.watched, limits=Limits(concurrency=500, attempts=1)
        )
        make = seat_maker(self.registry)

        def make_seat(seat: Seat, room: Any) -> Any:
            if seat.spec == HUMAN:
                return make(seat, room)
            return Sending(ModelSeat(room, model, Persona(seat.name)), self.log, self.commands)

        return Runner(self.log, {"socrasynth": socrasynth}, make_seat)

    def started(self) -> SessionStarted:
        names = ["pro", "con", "crit", "answerer", *self.cfg.judges]
        seats = [Seat(name=name, spec="scripted:debate") for name in names]
        if self.cfg.approve_agenda:
            seats.append(Seat(name="moderator", spec=HUMAN))
        return SessionStarted(
            protocol="socrasynth", title=MOTION, config=self.cfg.model_dump(mode="json"), seats=tuple(seats),
            seed=self.seed, version="0",
        )  # fmt: skip

    async def debate(self) -> Debate:
        """The outcome of the whole debate."""
        run = await self.run()
        assert run.state == "finished", run.reason
        return Debate.model_validate(run.outcome)

    def flew_together(self, *steps: str) -> bool:
        """Whether calls for all these steps were in flight at one moment."""
        return any(set(steps) <= flying for flying in self.watched.together)
