"""Whether a judge passes is what its conditions say, of which none may be missing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from elenchus.debate_engine.protocols.rldf.schemas import Marking
from elenchus.detectors.alignment.verdicts import Condition, ConditionName, Verdict


def condition(name: ConditionName, *, passed: bool | None = True, **more: Any) -> Condition:
    return Condition(**{"name": name, "wanted": "much", "value": 0.9, "passed": passed, "why": name} | more)


MET = (condition("auc"), condition("slot"), condition("pairs"), condition("repeats"))
NO_SLOT = (MET[0], condition("slot", passed=None, value=None), *MET[2:])


def verdict(conditions: tuple[Condition, ...], marking: Marking = "all") -> Verdict:
    return Verdict(
        judge="scripted:x", marking=marking, items=360, topics=60, unread=0, labelled="x", conditions=conditions,
        version="0", created=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


def test_a_judge_passes_by_all_four_and_by_three_where_there_is_no_slot() -> None:
    assert verdict(MET).passed
    assert verdict(NO_SLOT, "one").passed
    assert verdict(MET).failed == []


OTHERS = "these are not the conditions auc, slot, pairs, repeats, each once"


@pytest.mark.parametrize(
    ("conditions", "marking", "failed"),
    [
        ((), "one", [OTHERS]),
        (MET[:3], "all", [OTHERS]),
        ((*MET, MET[0]), "all", [OTHERS]),
        ((*MET[:3], condition("held_out")), "all", [OTHERS]),
        (NO_SLOT, "all", ["slot: none; wanted: much: does not apply"]),
        ((condition("auc", passed=None), *MET[1:]), "all", ["auc: 0.90; wanted: much: does not apply"]),
        ((condition("auc", passed=False), *MET[1:]), "all", ["auc: 0.90; wanted: much: failed"]),
    ],
    ids=["none", "one is missing", "one twice", "one of a reward model", "a slot unseen", "left out", "failed"],
)
def test_what_was_not_measured_is_not_passed_and_is_named(
    conditions: tuple[Condition, ...], marking: Marking, failed: list[str]
) -> None:
    found = verdict(conditions, marking)
    assert not found.passed
    assert found.failed == failed
