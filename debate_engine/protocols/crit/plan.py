"""What CRIT on a document will ask of its model, at the most: rehearsed with a stand-in (see `rehearsal`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.debate_engine.events import Seat, SessionStarted
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.crit.document import crit_document
from elenchus.debate_engine.rehearsal import Filler, Pace, PaceOf, Plan, rehearse


def plan(config: Mapping[str, Any], seats: Sequence[Seat], pace_of: PaceOf = lambda _: Pace()) -> Plan:
    """The calls for a document with as many reasons as are looked at, which rest on the sources at hand by turns.

    `config` is the protocol's (see `document`). Blocks for some tenths of a second; call it in a thread that runs no
    event loop.
    """
    started = SessionStarted(
        protocol="crit", title=config.get("title", ""), config=dict(config), seats=tuple(seats), seed=0, version=""
    )
    return rehearse(started, crit_document, StandIn(len(config.get("sources") or ())), pace_of)


class StandIn:
    """Who reads: finds all that it may in every part, and each reason in one of the `sources` (their number)."""

    def __init__(self, sources: int) -> None:
        self._sources = sources
        self._filler = Filler()

    def __call__(self, ask: Ask) -> Any:
        """An answer of the asked form."""
        assert ask.answer_schema is not None, "CRIT asks for forms only"
        value = self._filler.fill(ask.answer_schema)
        match ask.schema_name:
            case "Picked":
                return {"numbers": list(range(1, len(value["numbers"]) + 1))}
            case "Match":
                return {"number": int(ask.step.split("/")[-2]) % self._sources + 1}
        return value
