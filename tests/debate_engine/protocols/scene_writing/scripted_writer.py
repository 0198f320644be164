"""A writer for the tests: the protocols over a log in memory, with a scripted model on their one seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elenchus.config.catalogue import find_bias
from elenchus.config.settings import Settings
from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.llm.client import Call
from elenchus.debate_engine.llm.registry import Registry
from elenchus.debate_engine.llm.scripted import Script, Scripted, ScriptedClient
from elenchus.debate_engine.log.memory import MemoryLog
from elenchus.debate_engine.protocols.scene_reading.protocol import complete_scene
from elenchus.debate_engine.protocols.scene_writing.protocol import write_scene
from elenchus.debate_engine.protocols.scene_writing.schemas import WritingConfig
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import Runner
from elenchus.service.app import seat_maker

Answer = Callable[[Call], Any] | Scripted | str | dict[str, Any] | None

BACKGROUND = (
    "On a wet Tuesday in March three neighbours stand in the hall of number 12 with two pots of paint. The stairwell "
    "was begun in yellow last autumn: four of nine floors are done, and 480 euros are spent. The shop now lends a "
    "sprayer with a white that covers everything in one day for 90 euros, while the yellow still takes five weekends "
    "and 300 euros. The landlord pays nothing, and somebody must decide tonight, as the sprayer is free this week."
)
SITUATION = {
    "title": "The stairwell",
    "purpose": "See whether what is already painted counts for going on.",
    "background": BACKGROUND,
    "observation": "Present if Nadia chooses the yellow and gives what is already painted or paid as a reason.",
}
MEMBERS = [
    {"name": "Nadia", "kind": "subject", "background": "You live on the third floor.", "task": "Decide on the paint."},
    {"name": "Oskar", "kind": "confederate", "background": "You painted the four floors.", "task": "Mourn the work."},
    {"name": "Pia", "kind": "moderator", "background": "You keep the house's books.", "task": "Lead, take no side."},
]


def move(mode: str, purpose: str, who: str, to: list[str], content: str, message: str = "") -> dict[str, Any]:
    """One rule as a model writes it."""
    return {"mode": mode, "purpose": purpose, "initiator": who, "receivers": to, "content": content, "message": message}


RULES = [
    move("self-receiving", "SYS", "system", ["Nadia", "Oskar", "Pia"], "the offer", "White: 1 day, 90 euros."),
    move("broadcast", "DES", "Pia", ["all"], "Say that the paint is decided on tonight."),
    move("unicast", "FTO", "Pia", ["Nadia"], "Ask which paint she would take now."),
    move("unicast", "FEL", "Nadia", ["Pia"], "Say which paint you would take, and why."),
    move("broadcast", "PAS", "Oskar", ["Nadia", "Pia"], "Tell of the autumn's work."),
    move("unicast", "FEL", "Oskar", ["Nadia"], "Say how sad it would be to paint it over."),
    move("unicast", "FEL", "Nadia", ["Oskar"], "Answer Oskar."),
    move("broadcast", "FUT", "Nadia", ["all"], "Say which paint it will be, and why."),
]
DEBRIEF = {"debrief": "This was about what is spent already. Oskar had been asked to mourn it. Thank you."}
WHOLE = {**SITUATION, "roles": MEMBERS, "rules": RULES, **DEBRIEF}
NEUTRAL: dict[str, Any] = {
    "tasks": [{"name": "Oskar", "task": "Chat about the weather."}],
    "rules": [{"rule": 5, "text": "Tell of the rain."}, {"rule": 6, "text": "Say how wet the yard is."}],
    "differs": "Oskar mourns his work; in the neutral scene he only chats",
    "debrief": "Yours was the quiet version. In the other one Oskar mourns what is spent. Thank you.",
}
FINE: dict[str, Answer] = {
    "scene_writing/situation": SITUATION,
    "scene_writing/cast": {"roles": MEMBERS},
    "scene_writing/rules": {"rules": RULES},
    "scene_writing/debrief": DEBRIEF,
    "scene_writing/mend": WHOLE,
    "scene_writing/twin": NEUTRAL,
}
"""What a good writer answers, by prompt."""


def config(**changed: Any) -> WritingConfig:
    """A scene on sunk costs is wanted."""
    bias = find_bias("sunk-cost-fallacy")
    given = {
        "bias": bias.id,
        "name": bias.name,
        "definition": bias.definition,
        "elements": bias.elements,
        "recipe": bias.recipe,
        "called": bias.aliases,
        "writer": "scripted:desk",
    }
    return WritingConfig.model_validate({**given, **changed})


@dataclass
class ScriptedWriter:
    """Runs one of the protocols once. `answers` go by step or by prompt; `asked` holds every call."""

    answers: Mapping[str, Answer]
    asked: list[Call] = field(default_factory=list)

    def _answer(self, call: Call) -> Any:
        self.asked.append(call)
        answer = self.answers.get(call.step, self.answers.get(call.prompt_id))
        return answer(call) if callable(answer) else answer

    async def run(self, protocol: str, config: dict[str, Any], seat: str) -> Run:
        """The run of a whole session."""
        client = ScriptedClient(Script(), self._answer)
        registry = Registry(Settings(home=Path("unused")), {"desk": client})
        log = MemoryLog()
        runner = Runner(log, {"scene-writing": write_scene, "scene-reading": complete_scene}, seat_maker(registry))
        seats = (Seat(name=seat, spec="scripted:desk"),)
        started = SessionStarted(protocol=protocol, title="t", config=config, seats=seats, seed=0, version="")
        run = await runner.run(await runner.create(started))
        await log.aclose()
        await registry.aclose()
        return run

    def words(self, step: str) -> str:
        """The whole prompt of a step."""
        return "\n".join(m.content for call in self.asked if call.step == step for m in call.messages)
