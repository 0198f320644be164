"""What a detection will cost at the most."""

from __future__ import annotations

from typing import Any

import pytest

from debate_engine.events import Seat
from debate_engine.rehearsal import Plan
from detectors.plan import plan
from detectors.protocol import seats_of
from detectors.schemas import DetectConfig, Turn
from tests.detectors.room import LOSS, SUNK, TEXT


def planned(**settings: Any) -> Plan:
    cfg = DetectConfig.model_validate({"turns": (Turn(text=TEXT),), **settings})
    return plan(cfg, [Seat(name=name, spec="scripted:plan") for name in seats_of(cfg)])


@pytest.mark.parametrize(
    ("settings", "calls", "chain"),
    [
        ({}, 2 + 16 + 15 * 16, 2 + 4 * 5),
        ({"top": 2}, 2 + 16 + 15 * 16 + 3 * 16, 2 + 4 * 5 + 3 * 5),
        ({"near": 8}, 2 + 24 + 23 * 16, 2 + 5 * 5),
        ({"method": "tree"}, 2 + 16 + 15 * 10, 2 + 4 * 5),
        ({"labels": [SUNK, LOSS]}, 2 + 16, 1 + 5),
        ({"method": "candidates"}, 3, 2),
        ({"method": "zero-shot"}, 1, 1),
        ({"method": "cot"}, 1, 1),
        ({"method": "dialogue"}, 5, 5),
        ({"method": "group"}, 7, 7),
        ({"bias": SUNK, "repeats": 3}, 3, 1),
    ],
)
def test_calls_and_the_longest_chain_of_calls_are_known_beforehand(
    settings: dict[str, Any], calls: int, chain: int
) -> None:
    made = planned(**settings)
    assert (made.count, made.chain) == (calls, chain)
    assert made.tokens[0] > calls * 100


def test_a_longer_text_costs_more() -> None:
    assert planned(turns=[Turn(text=TEXT * 20)]).tokens[0] > planned().tokens[0] + 258 * 600
