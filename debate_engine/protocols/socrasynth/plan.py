"""What a debate will ask of its models, at the most: the debate rehearsed with stand-ins (see `rehearsal`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.socrasynth.protocol import socrasynth
from elenchus.debate_engine.protocols.socrasynth.schemas import PREPARED, DebateConfig
from elenchus.debate_engine.rehearsal import Filler, Pace, PaceOf, Plan, rehearse, speech


def plan(cfg: DebateConfig, seats: Sequence[Seat], pace_of: PaceOf = lambda _: Pace(), *, seed: int) -> Plan:
    """The calls of a debate that goes to its limits: every round, every reason found, every topic amended.

    `seed` is the session's, by which it is drawn who merges the lists of topics and who drafts.
    Blocks for some tenths of a second; call it in a thread that runs no event loop.
    """
    started = SessionStarted(
        protocol="socrasynth",
        title=cfg.motion,
        config=cfg.model_dump(mode="json"),
        seats=tuple(seats),
        seed=seed,
        version="",
    )
    return rehearse(started, socrasynth, StandIn(cfg), pace_of, PREPARED)


class StandIn:
    """Anybody in a debate: never done, never convinced, always amending."""

    def __init__(self, cfg: DebateConfig) -> None:
        self._cfg = cfg
        self._topics = 1 if cfg.open_question else len(cfg.agenda) or cfg.topics
        self._filler = Filler()

    def __call__(self, ask: Ask) -> Any:
        """An answer of the asked form."""
        if ask.prompt_id == "socrasynth/small/concern":
            return f"{ask.prefill} {_concern(self._filler)}."
        if ask.prompt_id.startswith("socrasynth/small/") and ask.answer_schema is None:
            return f"{ask.prefill} {self._filler.words(ask.max_tokens // 2)}"
        if ask.answer_schema is None:
            return speech(["a topic"] * self._topics, self._cfg.words_per_topic, self._filler)
        listed = max(5, self._topics) if ask.schema_name == "Proposals" else self._topics
        return self._adjusted(ask.schema_name, self._filler.fill(ask.answer_schema, listed))

    def _adjusted(self, schema: str, value: dict[str, Any]) -> dict[str, Any]:
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
                return {"keep": list(range(1, self._topics + 1))}
            case "FoundReasons":
                found = value["reasons"]
                each = max(1, len(found) // self._topics)
                return {"reasons": [r | {"topic": min(i // each + 1, self._topics)} for i, r in enumerate(found)]}
        return value


def _concern(filler: Filler) -> str:
    """One word that shares its stem with no other: what a small model names is read, and the like of it left out."""
    filler.count += 1
    return "concern" + "".join("bcfhjkmpqx"[int(digit)] for digit in str(filler.count))


def _numbered(value: Mapping[str, Any], key: str, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    return {key: [item | {"number": n} | dict(more or {}) for n, item in enumerate(value[key], 1)]}
