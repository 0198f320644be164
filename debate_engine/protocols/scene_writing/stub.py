"""The dry run of writing a scene: a stub model whose scene must be mended."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.dry_run.plan import Pace, PaceOf, Plan
from elenchus.debate_engine.dry_run.stubs import Stub, filling
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.protocols.scene_writing.schemas import WritingConfig


def stub(_config: object = None) -> Stub:
    """The writer in a dry run, whose scene must be mended."""
    return filling()


def plan(config: WritingConfig, seats: Sequence[Seat], pace_of: PaceOf = lambda _: Pace()) -> Plan:
    """The calls of a writer whose scene must be mended."""
    from elenchus.debate_engine.dry_run.simulation import plan_of
    from elenchus.debate_engine.protocols.scene_writing.protocol import write_scene

    return plan_of("scene-writing", write_scene, stub(config), config, seats, pace_of)
