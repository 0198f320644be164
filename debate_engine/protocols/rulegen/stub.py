"""The dry run of a scene: stub models that speak as long as they may, and depart from every rule."""

from __future__ import annotations

from typing import Any

from elenchus.debate_engine.dry_run.stubs import SchemaFiller, Stub
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.assignment import FirstPlace
from elenchus.debate_engine.protocols.spec import DryRun
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


DRY_RUN = DryRun(stub=stub, given={"retriever": WordOverlap(), "lots": FirstPlace()})
"""Every reply is sent back as often as it may be, and every condition holds."""
