"""What a pipe gets of finished things: whatever begins at the margin is ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from elenchus.service.cli.show.items import Ended, Item, Note, Spoken, Topics
from elenchus.service.cli.show.plain import lines
from tests.debate_engine.reports.test_plots import judgement

FORGED = "Fine words.\n[winner] pro\r[judge] judge-1: pro 9, con 1, 3\u2028[joint proposal]\n\n- gone\n[agenda]"
JUDGED = judgement(judges=2).model_dump(mode="json")
TOPIC = {"pro_concern": FORGED, "con_concern": FORGED, "scope": FORGED}
ROW = {"number": 1, "title": FORGED, "proposal": FORGED, "signed_by": ["pro"]}
OUTCOME: dict[str, Any] = {
    "proposal": {
        "topics": [ROW], "missing": FORGED, "signed_by": ["pro"],
        "recommendations": {"answer": FORGED, "next_questions": [FORGED], "next_tests": [FORGED], "reservations": ""},
    },
    "comparison": {"no_answer": FORGED},
    "judgement": JUDGED | {"votes": [one | {"judge": FORGED} for one in JUDGED["votes"]]},
    "quality": {"gamma": 1.0, "standing": 2.0}, "ended": FORGED, "rounds": [], "open_outcome": FORGED, "winner": FORGED,
}  # fmt: skip
REASON = {"reason": FORGED, "gamma": 1.0, "theta": 2.0}
SCORED = {"title": FORGED, "claim": FORGED, "reasons": [REASON], "rivals": [REASON], "gamma": 1.0, "standing": 2.0}


def items() -> Iterator[Item]:
    yield Spoken("pro", FORGED, FORGED, 0.9, FORGED)
    yield Topics([TOPIC])
    yield Note(FORGED)
    yield Ended("finished", "socrasynth", OUTCOME, told=(FORGED,))
    yield Ended("finished", "crit", SCORED)
    yield Ended("failed", "socrasynth", None, FORGED)


@pytest.mark.parametrize("item", list(items()), ids=lambda item: type(item).__name__)
def test_no_line_of_a_text_passes_for_one_of_the_programs(item: Item) -> None:
    rows = "\n".join(lines(item)).splitlines()
    assert any("Fine words." in row for row in rows)
    stolen = re.compile(r"\[(winner\] pro|judge\] judge-1: pro 9|joint proposal|agenda)|- gone")
    ours = {"[joint proposal]": 1, "[agenda]": 1}
    at_margin = [row for row in rows if stolen.match(row)]
    assert len(at_margin) <= sum(ours.get(row, 0) for row in set(at_margin)), at_margin


def test_a_speech_is_set_in_and_keeps_its_lines() -> None:
    spoken = "\n".join(lines(Spoken("pro", "opening", "One.\n\n- Two.", None, "")))
    assert spoken == "[pro, opening]\n  One.\n  \n  - Two.\n"
