"""A run of a mind over a log in memory, by a scripted model: what it is fed, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.protocols.cognition.config import CognitionConfig
from elenchus.debate_engine.protocols.cognition.forms import Knowledge, field_of
from elenchus.debate_engine.protocols.cognition.profile import ATTRIBUTES, Profile
from elenchus.debate_engine.protocols.cognition.protocol import cognition
from elenchus.debate_engine.protocols.cognition.schemas import CognitionResult, Flow
from elenchus.debate_engine.retrieval import Recall, WordOverlap
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import Runner
from tests.debate_engine.protocols.cognition.profiles import GRETA, GRETA_AS_JSON
from tests.debate_engine.scripted_session import Answer, ScriptedSession, written

OPINIONS = ("Ferries should run on batteries.", "Old crafts deserve public money.")
FERRY = (
    "The council orders two electric ferries. Diesel engines wake the harbour at five. The ferries cost nine million."
)
SHIPYARD = "The old shipyard becomes a school for boatbuilders. Forty apprentices begin in autumn."


def refining(
    moved: dict[str, Any] | None = None, quote: str = "The council orders two electric ferries.", **more: Any
) -> dict[str, Any]:
    """An answer that changes these attributes of Greta, each with a reason and a sentence."""
    changed = moved or {}
    profile = {field_of(name): (GRETA_AS_JSON | changed)[name] for name in ATTRIBUTES}
    reasons = [{"attribute": name, "reason": "It moved me.", "sentences": [quote]} for name in changed]
    return {"assessment": "I find it useful.", "changes": reasons, "updated_profile": profile, **more}


MOVED = refining({"Dislikes": ["waste", "diesel noise"]})


def known(subject: str, predicate: str, of: str, score: Any = 3, thought: str = "I noted it.") -> dict[str, Any]:
    """A statement as it is answered."""
    return {"subject": subject, "predicate": predicate, "object": of, "thought": thought, "score": score}


def said(subject: str, predicate: str = "has", of: str = "a roof") -> Knowledge:
    """A statement as it is read."""
    return Knowledge(subject=subject, predicate=predicate, object=of, thought="", score=3)


def distilled(*statements: dict[str, Any]) -> dict[str, Any]:
    """Statements as they are answered."""
    return {"knowledge": list(statements)}


FACTS = (
    known("The council", "orders", "two electric ferries", 5),
    known("Diesel engines", "wake", "the harbour at five", 4),
    known("The electric ferries", "cost", "nine million", 2),
    known("Apprentices", "begin in", "autumn", 1),
    known("The old shipyard", "becomes", "a school for boatbuilders", 3),
)


def rated(
    rating: Any = 4, reason: str = "I like quiet mornings.", sources: Sequence[str] = ("Dislikes",)
) -> dict[str, Any]:
    """A rating as it is answered."""
    return {"reason": reason, "sources": list(sources), "rating": rating}


def in_turn(*answers: Answer) -> Answer:
    """One answer after the other, the last one from then on."""
    waiting = list(answers)

    def next_one(call: Call) -> Any:
        return written(waiting.pop(0) if len(waiting) > 1 else waiting[0], call)

    return next_one


@dataclass
class Reader(ScriptedSession):
    """A run: how each kind of question is answered, by default well and without a change of the profile."""

    package: ClassVar[str] = "cognition"
    flows: tuple[str, ...] = (FERRY,)
    profile: Profile = GRETA
    refine: Answer = field(default_factory=refining)
    distil: Answer = field(default_factory=lambda: distilled(*FACTS))
    rate: Answer = field(default_factory=rated)
    reflect: Answer = "I will look at what people say."
    settings: dict[str, Any] = field(default_factory=dict)
    recall: Recall = field(default_factory=WordOverlap)
    log: MemoryLog = field(default_factory=MemoryLog)
    client: ScriptedClient = field(init=False)

    def __post_init__(self) -> None:
        self.client = ScriptedClient(answerer=self.answer)

    @property
    def config(self) -> CognitionConfig:
        given = {
            "profile": self.profile,
            "flows": [Flow(texts=(text,)) for text in self.flows],
            "questionnaire": OPINIONS,
        }
        return CognitionConfig.model_validate(given | self.settings)

    def started(self) -> SessionStarted:
        return SessionStarted(
            protocol="cognition", title="Greta", config=self.config.model_dump(mode="json"),
            seats=(Seat(name="persona", spec="scripted:m"),), seed=1, version="0",
        )  # fmt: skip

    def answer(self, call: Call) -> Any:
        """By the kind of question."""
        kinds: dict[str, Answer] = {
            "refine": self.refine,
            "small-refine": self.refine,
            "distil": self.distil,
            "reflect": self.reflect,
        }
        return written(kinds.get(call.prompt_id.removeprefix("cognition/"), self.rate), call)

    async def run(self) -> Run:
        """Run it, or go on with it."""
        return await self.run_by(Runner(self.log, {"cognition": partial(cognition, recall=self.recall)}, self.seat))

    async def result(self) -> CognitionResult:
        """Run it to its end."""
        ended = await self.run()
        assert ended.state == "finished", ended.reason
        return CognitionResult.model_validate(ended.outcome)
