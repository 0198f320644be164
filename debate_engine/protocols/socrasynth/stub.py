"""The dry run of a debate: stub models that are never done, never convinced, and amend every topic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from elenchus.debate_engine.dry_run.stubs import SchemaFiller, Stub, speech
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.socrasynth.schemas import PREPARED, DebateConfig
from elenchus.debate_engine.protocols.spec import DryRun


def stub(cfg: DebateConfig) -> Stub:
    """Anybody in a debate."""
    topics = 1 if cfg.open_question else len(cfg.agenda) or cfg.topics
    filler = SchemaFiller()

    def answer(ask: Ask) -> Any:
        if ask.prompt_id == "socrasynth/small/concern":
            return f"{ask.prefill} {_concern(filler)}."
        if ask.prompt_id.startswith("socrasynth/small/") and ask.answer_schema is None:
            return f"{ask.prefill} {filler.words(ask.max_tokens // 2)}"
        if ask.answer_schema is None:
            return speech(["a topic"] * topics, cfg.words_per_topic, filler)
        listed = max(5, topics) if ask.schema_name == "Proposals" else topics
        return _adjusted(ask.schema_name, filler.fill(ask.answer_schema, listed), topics)

    return answer


def _adjusted(schema: str, value: dict[str, Any], topics: int) -> dict[str, Any]:
    """The filled value with what the protocol looks at."""
    match schema:
        case "AgendaReview":
            return _numbered(value, "topics")
        case "ProposalDraft":
            return _numbered(value, "items")
        case "ProposalReviews":
            return _numbered(value, "items", {"decision": "amend"})
        case "RecommendationReview":
            return value | {"decision": "amend"}
        case "Signature":  # who does not sign is asked once more
            return {"sign": False}
        case "AgendaChoice":
            return {"keep": list(range(1, topics + 1))}
        case "FoundReasons":
            found = value["reasons"]
            each = max(1, len(found) // topics)
            return {"reasons": [r | {"topic": min(i // each + 1, topics)} for i, r in enumerate(found)]}
    return value


def _concern(filler: SchemaFiller) -> str:
    """One word that shares its stem with no other: what a small model names is read, and the like of it left out."""
    filler.count += 1
    return "concern" + "".join("bcfhjkmpqx"[int(digit)] for digit in str(filler.count))


def _numbered(value: Mapping[str, Any], key: str, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    return {key: [item | {"number": n} | dict(more or {}) for n, item in enumerate(value[key], 1)]}


DRY_RUN = DryRun(stub=stub, prepared=PREPARED, drawn=True)
"""A debate that goes to its limits: every round, every reason found, every topic amended. It is drawn who merges the
lists of topics and who drafts."""
