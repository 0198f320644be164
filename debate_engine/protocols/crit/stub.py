"""The dry run of CRIT on a document: a stub model that finds all it may, and each reason in one of the sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from elenchus.debate_engine.dry_run.stubs import SchemaFiller, Stub
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.spec import DryRun


def stub(config: Mapping[str, Any]) -> Stub:
    """Who reads the document. `config` is the protocol's (see `document`)."""
    sources = len(config.get("sources") or ())
    filler = SchemaFiller()

    def answer(ask: Ask) -> Any:
        assert ask.answer_schema is not None, "CRIT asks for forms only"
        value = filler.fill(ask.answer_schema)
        match ask.schema_name:
            case "Picked":
                return {"numbers": list(range(1, len(value["numbers"]) + 1))}
            case "Match":
                return {"number": int(ask.step.split("/")[-2]) % sources + 1}
        return value

    return answer


DRY_RUN = DryRun(stub=stub)
