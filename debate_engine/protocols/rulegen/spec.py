"""What is known of RuleGen outside its folder, by plain names: the parts of its `ProtocolSpec`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elenchus.debate_engine.dry_run.plan import Pace, PaceOf, Plan
from elenchus.debate_engine.dry_run.stubs import SchemaFiller, Stub
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.schemas import Played, SceneConfig
from elenchus.debate_engine.retrieval import Retriever, WordOverlap
from elenchus.debate_engine.session import Session

NAME = "rulegen"
CONFIG, OUTCOME = SceneConfig, Played
_THOUGHT = 60
"""Words of a plan, a reflection or a memory in a dry run."""
SPEECH_STEPS = ""
"""A pattern of the steps whose answer is a speech that can be shown while it is written; a draft may be sent back."""
STEP_WORDS: tuple[tuple[str, str], ...] = (
    (r"^rule/.*/plan$", "thinks what to say"),
    (r"^rule/.*/answer/\d+$", "speaks"),
    (r"^rule/.*/check/\d+$", "compares words with the rule"),
    (r"^rule/.*/reflect$", "thinks about what was said"),
    (r"^rule/.*/memory/", "sums up what it remembers"),
    (r"^rule/.*/applies$", "says whether the rule applies"),
    (r"^unscripted/\d+/answer$", "answers a question that no rule foresees"),
    (r"^evaluation/subject/", "judges whether the bias is there"),
)
"""What a seat does in a step: patterns of the step's key, and the words after the seat's name; the first counts."""


async def run(session: Session, config: dict[str, Any], retriever: Retriever | None = None) -> dict[str, Any]:
    """Run it; its code is imported when it is first run. Without a retriever memories are found by words in common."""
    from elenchus.debate_engine.protocols.rulegen.protocol import rulegen

    return await rulegen(session, config, retriever or WordOverlap())


def stub(_config: object = None) -> Stub:
    """Anybody in a dry run: speaks as long as it may, and departs from every rule."""
    from elenchus.debate_engine.protocols.rulegen.role_agent import WORDS

    filler = SchemaFiller()

    def answer(ask: Ask) -> Any:
        if ask.answer_schema is None:
            return filler.words(WORDS if ask.prompt_id == "rulegen/answer" else _THOUGHT)
        filled = filler.fill(ask.answer_schema)
        return filled | {"deviation": "micro"} if ask.schema_name == "Supervision" else filled

    return answer


def plan(config: SceneConfig, seats: Sequence[Seat], pace_of: PaceOf = lambda _: Pace()) -> Plan:
    """The calls of a scene in which every reply is sent back as often as it may be and every condition holds."""
    from elenchus.debate_engine.dry_run.simulation import plan_of

    return plan_of(NAME, run, stub(config), config, seats, pace_of)
