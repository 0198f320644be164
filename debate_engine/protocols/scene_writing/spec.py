"""What is known of scene writing outside its folder, by plain names: the parts of its `ProtocolSpec`."""

from __future__ import annotations

from typing import Any

from elenchus.debate_engine.dry_run.stubs import Stub
from elenchus.debate_engine.protocols.scene_writing.schemas import WritingConfig, Written
from elenchus.debate_engine.session import Session

NAME = "scene-writing"
CONFIG, OUTCOME = WritingConfig, Written
SPEECH_STEPS = ""
"""A pattern of the steps whose answer is a speech that can be shown while it is written; "" for none."""
STEP_WORDS: tuple[tuple[str, str], ...] = (
    (r"^(situation|cast|rules|debrief)$", "writes the scene"),
    (r"^mend$", "mends the scene"),
    (r"^twin$", "writes the neutral twin"),
)
"""What a seat does in a step: patterns of the step's key, and the words after the seat's name; the first counts."""


async def run(session: Session, config: dict[str, Any]) -> dict[str, Any]:
    """Run it; its code is imported when it is first run."""
    from elenchus.debate_engine.protocols.scene_writing.protocol import write_scene

    return await write_scene(session, config)


def stub(config: WritingConfig) -> Stub:
    """Who answers in a dry run."""
    from elenchus.debate_engine.protocols.scene_writing import stub as stubs

    return stubs.stub(config)
