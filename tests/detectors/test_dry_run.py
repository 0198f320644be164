"""What a detection will cost at the most."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.dry_run.plan import Plan
from elenchus.debate_engine.events import Seat
from elenchus.detectors.protocol import seats_of
from elenchus.detectors.schemas import DetectConfig, Turn
from tests.debate_engine.dry_run import planned as dry_run
from tests.detectors.scripted_detection import LOSS, SUNK, TEXT


def planned(**settings: Any) -> Plan:
    turns = (Turn(number=1, speaker="Al", text=TEXT * 2), Turn(number=2, speaker="Eve", text=TEXT[::-1]))
    cfg = DetectConfig.model_validate({"turns": turns if "speaker" in settings else (Turn(text=TEXT),), **settings})
    return dry_run.planned("detect", cfg, [Seat(name=name, spec="scripted:plan") for name in seats_of(cfg)])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "calls", "chain"),
    [
        ({}, 2 + 2 * 16 + 15 * 16, 3 + 4 * 5),
        ({"top": 2}, 2 + 2 * 16 + 15 * 16 + 3 * 16, 3 + 4 * 5 + 3 * 5),
        ({"near": 8}, 2 + 2 * 24 + 23 * 16, 3 + 5 * 5),
        ({"method": "tree"}, 2 + 2 * 16 + 15 * 10, 3 + 4 * 5),
        ({"labels": [SUNK, LOSS]}, 2 * 2 + 16, 2 + 5),
        ({"labels": [SUNK, LOSS], "speaker": "Eve"}, 2 * 2 + 16, 2 + 5),
        ({"method": "candidates"}, 2 + 2, 3),
        ({"method": "zero-shot"}, 2, 2),
        ({"method": "cot"}, 2, 2),
        ({"method": "dialogue"}, 4 + 2, 6),
        ({"method": "group"}, 6 + 2, 8),
        ({"bias": SUNK, "repeats": 3}, 2 * 3, 2),
    ],
)
def test_calls_and_the_longest_chain_of_calls_are_known_beforehand(
    settings: dict[str, Any], calls: int, chain: int
) -> None:
    """Every yes is asked once more, as the first is unfounded; of a speaker only the own words are quoted."""
    made = planned(**settings)
    assert (made.count, made.chain) == (calls, chain)
    assert made.tokens[0] > calls * 100


def test_a_longer_text_costs_more() -> None:
    assert planned(turns=[Turn(text=TEXT * 20)]).tokens[0] > planned().tokens[0] + 258 * 600
