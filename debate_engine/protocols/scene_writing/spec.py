"""What is known of scene writing outside its folder, by plain names: the parts of its `ProtocolSpec`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elenchus.debate_engine.dry_run.plan import Pace, PaceOf, Plan
from elenchus.debate_engine.dry_run.stubs import Stub, filling
from elenchus.debate_engine.events import Seat
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


def stub(_config: object = None) -> Stub:
    """The writer in a dry run, whose scene must be mended."""
    return filling()


def plan(config: WritingConfig, seats: Sequence[Seat], pace_of: PaceOf = lambda _: Pace()) -> Plan:
    """The calls of a writer whose scene must be mended."""
    from elenchus.debate_engine.dry_run.simulation import plan_of

    return plan_of(NAME, run, stub(config), config, seats, pace_of)
