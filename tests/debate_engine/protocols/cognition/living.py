"""A mind that lives on over a log in memory, by a scripted model: fed and asked as front ends do it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

from elenchus.debate_engine.events import Event, Fed, Seat, SessionStarted, Surveyed, Talked
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.scripted import ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.protocols.cognition.config import MindConfig
from elenchus.debate_engine.protocols.cognition.forms import field_of
from elenchus.debate_engine.protocols.cognition.mind_protocol import mind
from elenchus.debate_engine.protocols.cognition.profile import ATTRIBUTES
from elenchus.debate_engine.protocols.cognition.projection import MindProjection, mind_of
from elenchus.debate_engine.retrieval import Recall, WordOverlap
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import Runner
from tests.debate_engine.protocols.cognition.minds import FACTS, OPINIONS, distilled, rated, refining
from tests.debate_engine.protocols.cognition.profiles import GRETA, GRETA_AS_JSON
from tests.debate_engine.scripted_session import Answer, ScriptedSession, written


def described(real: str = "no", who: str = "", **changes: Any) -> dict[str, Any]:
    """A profile as it is answered to a line."""
    profile = {field_of(name): (GRETA_AS_JSON | changes)[name] for name in ATTRIBUTES}
    return {"real_person": real, "who": who, "profile": profile}


def real(found: str = "no", who: str = "", words: str = "") -> dict[str, Any]:
    """Whether a whole profile is of somebody real, as it is answered."""
    return {"real_person": found, "who": who, "words": words}


@dataclass
class Living(ScriptedSession):
    """A mind with the id `s`: how each kind of question is answered, by default well and without a change."""

    package: ClassVar[str] = "cognition"
    create: Answer = field(default_factory=described)
    person: Answer = field(default_factory=real)
    refine: Answer = field(default_factory=refining)
    distil: Answer = field(default_factory=lambda: distilled(*FACTS))
    rate: Answer = field(default_factory=rated)
    talk: Answer = "I would rather go fishing."
    settings: dict[str, Any] = field(default_factory=lambda: {"profile": GRETA})
    recall: Recall = field(default_factory=WordOverlap)
    log: MemoryLog = field(default_factory=MemoryLog)
    client: ScriptedClient = field(init=False)

    def __post_init__(self) -> None:
        self.client = ScriptedClient(answerer=self.answer)

    def started(self) -> SessionStarted:
        config = MindConfig.model_validate(self.settings)
        return SessionStarted(
            protocol="mind", title="greta", config=config.model_dump(mode="json"),
            seats=(Seat(name="persona", spec="scripted:m"),), seed=1, version="0",
        )  # fmt: skip

    def answer(self, call: Call) -> Any:
        """By the kind of question."""
        kinds = {
            "create": self.create,
            "person": self.person,
            "refine": self.refine,
            "small-refine": self.refine,
            "distil": self.distil,
            "talk": self.talk,
        }
        return written(kinds.get(call.prompt_id.removeprefix("cognition/"), self.rate), call)

    @property
    def runner(self) -> Runner:
        return Runner(self.log, {"mind": partial(mind, recall=self.recall)}, self.seat)

    async def run(self) -> Run:
        """Run it until it rests."""
        return await self.run_by(self.runner)

    async def given(self, *events: Event) -> MindProjection:
        """Give it this, and let it do all that is asked of it."""
        await self.make()
        for event in events:
            await self.log.send("s", event)
        ended = await self.run()
        assert ended.exit_code == 0, ended.reason
        return mind_of(await self.recorded())

    async def fed(self, *texts: str, title: str = "") -> MindProjection:
        return await self.given(Fed(by="anna", texts=texts, title=title))

    async def surveyed(self, *questions: str) -> MindProjection:
        return await self.given(Surveyed(by="anna", questions=questions or OPINIONS))

    async def told(self, text: str) -> MindProjection:
        return await self.given(Talked(by="anna", text=text))
