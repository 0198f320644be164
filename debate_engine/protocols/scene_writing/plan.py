"""What writing a scene will ask of a model, at the most: the writing rehearsed with a stand-in (see `rehearsal`)."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.scene_writing.protocol import write_scene
from elenchus.debate_engine.protocols.scene_writing.schemas import WritingConfig
from elenchus.debate_engine.rehearsal import Filler, Pace, PaceOf, Plan, rehearse


def plan(cfg: WritingConfig, seats: Sequence[Seat], pace_of: PaceOf = lambda _: Pace()) -> Plan:
    """The calls of a writer whose scene must be mended. Blocks for some tenths of a second; call it in a thread."""
    started = SessionStarted(
        protocol="scene-writing",
        title=cfg.name,
        config=cfg.model_dump(mode="json"),
        seats=tuple(seats),
        seed=0,
        version="",
    )
    filler = Filler()

    def stand_in(ask: Ask) -> object:
        return filler.fill(ask.answer_schema or {})

    return rehearse(started, write_scene, stand_in, pace_of)
