"""Which version of a scene a subject plays: drawn by lot, each version once in every block of so many subjects."""

from __future__ import annotations

from random import Random

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.rulegen.schemas import Assignment, SceneConfig
from elenchus.debate_engine.scenes.scene import Condition
from elenchus.debate_engine.session import Session


def drawn(assignment: Assignment) -> Condition:
    """The subject's condition, the same for the same lot on every machine. Pure."""
    block, place = divmod(assignment.number - 1, len(assignment.of))
    return Random(f"{assignment.seed}/{block}").sample(assignment.of, len(assignment.of))[place]


async def assigned(s: Session, cfg: SceneConfig) -> None:
    """Put the draw into the log; nobody who plays is told. Step key: `assignment`.

    Raises UsageError where the scene is not of the version that was drawn.
    """
    if (lot := cfg.assignment) is None:
        return

    async def by_lot() -> Condition:
        return drawn(lot)

    if await s.step("assignment", lot.model_dump(mode="json"), by_lot) != cfg.scene.condition:
        raise UsageError("The scene is not of the version that was drawn for this subject; start it again.")
