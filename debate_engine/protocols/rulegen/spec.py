"""What is known of RuleGen outside its folder, by plain names: the parts of its `ProtocolSpec`."""

from __future__ import annotations

from typing import Any

from elenchus.debate_engine.dry_run.stubs import Stub
from elenchus.debate_engine.protocols.rulegen.schemas import Played, SceneConfig
from elenchus.debate_engine.retrieval import Retriever, WordOverlap
from elenchus.debate_engine.session import Session

NAME = "rulegen"
CONFIG, OUTCOME = SceneConfig, Played
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


def stub(config: SceneConfig) -> Stub:
    """Who answers in a dry run."""
    from elenchus.debate_engine.protocols.rulegen import stub as stubs

    return stubs.stub(config)
