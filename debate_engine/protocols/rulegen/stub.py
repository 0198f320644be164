"""The dry run of a scene: stub models that speak as long as they may, and depart from every rule."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from elenchus.debate_engine.dry_run.plan import Pace, PaceOf, Plan
from elenchus.debate_engine.dry_run.stubs import SchemaFiller, Stub
from elenchus.debate_engine.events import Seat
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.schemas import SceneConfig
from elenchus.debate_engine.retrieval import WordOverlap

_THOUGHT = 60
"""Words of a plan, a reflection or a memory in a dry run."""


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
    from elenchus.debate_engine.protocols.rulegen.protocol import rulegen

    run = partial(rulegen, retriever=WordOverlap())
    return plan_of("rulegen", run, stub(config), config, seats, pace_of)
