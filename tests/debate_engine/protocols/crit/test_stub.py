"""What CRIT on a document would cost at the most is told before anything is spent."""

from __future__ import annotations

from collections import Counter
from typing import Any

from elenchus.debate_engine.events import Seat
from tests.debate_engine.dry_run.planned import planned

TEXT = "Cars kill. The Institute of Streets counted it. Some say that shops would lose buyers.\n"
SEATS = [Seat(name="crit", spec="scripted:demo")]


def calls(**config: Any) -> Counter[str]:
    made = planned(
        "crit", {"title": "Leader", "document": TEXT, "max_reasons": 3, "context_tokens": 100_000} | config, SEATS
    )
    assert made.count == sum(call.count for call in made.calls)
    return Counter({call.what.partition("/")[2]: call.count for call in made.calls})


def test_a_plan_has_every_reason_rival_and_unsaid_rival_validated() -> None:
    assert calls() == {"claim": 1, "arguments": 2, "unsaid": 1, "validate": 9, "analyse": 1}
    assert calls(max_reasons=1)["validate"] == 3


def test_a_plan_has_every_source_at_hand_examined_too() -> None:
    sources = [{"name": name, "text": TEXT} for name in ("a.md", "b.md")]
    one, both = calls(sources=sources[:1]), calls(sources=sources)
    assert (one["credibility"], one["claim"], both["claim"]) == (1, 2, 3)
    assert both["credibility"] >= 2
    assert calls()["validate"] < one["validate"] < both["validate"]


def test_a_plan_reads_a_document_that_does_not_fit_in_parts_and_chooses_among_what_they_gave() -> None:
    made = calls(document=f"{TEXT}\n" * 400, context_tokens=4_000)
    assert made["claim"] > 1
    assert made["arguments"] == 2 * made["claim"]
    assert made["pick_claim"]
    assert made["pick_arguments"]
