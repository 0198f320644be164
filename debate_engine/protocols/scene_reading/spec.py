"""What is known of scene reading outside its folder, by plain names: the parts of its `ProtocolSpec`."""

from __future__ import annotations

from typing import Any

from elenchus.debate_engine.dry_run.stubs import Stub, filling
from elenchus.debate_engine.protocols.scene_reading.protocol import CompletedScene, ReadingConfig, complete_scene
from elenchus.debate_engine.session import Session

NAME = "scene-reading"
CONFIG, OUTCOME = ReadingConfig, CompletedScene
SPEECH_STEPS = ""
"""A pattern of the steps whose answer is a speech that can be shown while it is written; "" for none."""
STEP_WORDS: tuple[tuple[str, str], ...] = (
    (r"^rule/\d+/parties$", "decides who speaks to whom"),
    (r"^rule/\d+/message$", "writes the words of a message"),
)
"""What a seat does in a step: patterns of the step's key, and the words after the seat's name; the first counts."""


async def run(session: Session, config: dict[str, Any]) -> dict[str, Any]:
    """Run it."""
    return await complete_scene(session, config)


def stub(_config: ReadingConfig) -> Stub:
    """Who answers in a dry run."""
    return filling()
