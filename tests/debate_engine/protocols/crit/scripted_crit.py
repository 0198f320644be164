"""A real session over a log in memory, with a scripted model on the seat `crit`; and what a debate is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Seat, SessionFinished, SessionStarted
from elenchus.debate_engine.llm.client import Call, OnText, Reply
from elenchus.debate_engine.llm.registry import Registry
from elenchus.debate_engine.llm.retrying import Limits
from elenchus.debate_engine.llm.scripted import Script as ScriptOf, ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.model_seat import ModelSeat, Persona
from elenchus.debate_engine.protocols.crit.document import crit_document
from elenchus.debate_engine.protocols.crit.schemas import ScoredReason
from elenchus.debate_engine.protocols.speech import Side, Speech, Topic
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.session import Protocol
from tests.debate_engine.scripted_session import ScriptedSession, shown as words_of

__all__ = ["MOTION", "TOPICS", "CritSession", "argument", "found", "known", "scored", "speech", "words_of"]

MOTION = "Cities should ban private cars from their centres."
TOPICS = (
    Topic(pro_concern="Clean air", con_concern="Access for the disabled", scope="health against mobility"),
    Topic(pro_concern="Safe streets", con_concern="Trade of small shops", scope="safety against livelihoods"),
)
Script = Callable[[Call], Any]
"""The reply to a call: a text, or a JSON object; it may raise."""


def speech(side: Side, about: str, *sections: str) -> Speech:
    return Speech.of(side, about, "\n\n".join(f"## {n}.\n{part}" for n, part in enumerate(sections, 1)), TOPICS)


def known(side: Side, text: str, gamma: float | None = 5, theta: float | None = 5) -> ScoredReason:
    return ScoredReason(side=side, about="opening", topic=1, reason=text, gamma=gamma, theta=theta)


def found(topic: int, reason: str, quote: str = "", source: str = "") -> dict[str, Any]:
    return {"topic": topic, "quote": quote, "reason": reason, "source": source}


def argument(reason: str, quote: str = "", source: str = "") -> dict[str, str]:
    return {"quote": quote, "reason": reason, "source": source}


def scored(
    validity: int, credibility: int, justification: str = "It bears on the claim.", *quotes: str
) -> dict[str, Any]:
    return {"justification": justification, "quotes": quotes, "validity": validity, "credibility": credibility}


@dataclass
class CountingClient:
    """A client that passes calls on, and counts by prompt how many are in flight together."""

    inner: ScriptedClient
    peak: Counter[str] = field(default_factory=Counter)
    in_flight: Counter[str] = field(default_factory=Counter)

    async def complete(self, call: Call, on_text: OnText | None = None) -> Reply:
        self.in_flight[call.prompt_id] += 1
        self.peak[call.prompt_id] = max(self.peak[call.prompt_id], self.in_flight[call.prompt_id])
        try:
            return await self.inner.complete(call, on_text)
        finally:
            self.in_flight[call.prompt_id] -= 1

    async def aclose(self) -> None:
        await self.inner.aclose()


IN_A_DEBATE = "crit-in-a-debate"
"""What a session is called in which a round is scored: what comes out is no document's."""


class CritSession(ScriptedSession):
    """Runs a protocol with a scripted model on the seat `crit`, over one log in memory, as often as one likes."""

    package = "crit"

    def __init__(self, script: Script, seconds: float = 0.0) -> None:
        self.client = ScriptedClient(ScriptOf(latency=seconds), script)
        self.watched = CountingClient(self.client)
        self.log = MemoryLog()
        model = Registry(Settings(home=Path("unused")), {"crit": self.client}).model("scripted:crit")
        self.model = replace(model, client=self.watched, limits=Limits(concurrency=100, attempts=1))

    async def run(self, protocol: Protocol, config: dict[str, Any] | None = None) -> Run:
        """Run session "s" to its end: made on the first run, resumed on a later one.

        Of a finished one the end is taken away first, so that the protocol's code runs again over all that is recorded.
        """
        name = "crit" if protocol is crit_document else IN_A_DEBATE
        runner = Runner(
            self.log, {name: protocol}, lambda seat, context: ModelSeat(context, self.model, Persona("CRIT"))
        )
        if not await self.log.sessions():
            seats = (Seat(name="crit", spec="scripted:crit"),)
            started = SessionStarted(
                protocol=name, title=MOTION, config=config or {}, seats=seats, seed=7, temperature=0.8, version="0"
            )
            await runner.create(started, "s")
        elif isinstance((recorded := await self.log.read("s"))[-1].event, SessionFinished):
            self.log = MemoryLog()
            await self.log.restore("s", recorded[:-1])
            runner = replace(runner, log=self.log)
        return await runner.run("s")

    @property
    def asked(self) -> list[Call]:
        """Every call to the model, in order."""
        return list(self.client.asked)

    @property
    def peak(self) -> Counter[str]:
        """The most calls in flight together, by prompt."""
        return self.watched.peak
