"""A small model is asked for what changes alone, and for fewer statements; the rules of a change are the same."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine.protocols.cognition.knowledge import MOST_OF_SMALL
from elenchus.debate_engine.protocols.cognition.profile import faults_in_change
from tests.debate_engine.protocols.cognition.minds import FACTS, Reader, distilled
from tests.debate_engine.protocols.cognition.profiles import GRETA, changed_profile

QUOTE = "Diesel engines wake the harbour at five."


def small(**more: Any) -> dict[str, Any]:
    change = {"attribute": "Dislikes", "values": ["waste", "diesel noise"], "reason": "It woke me.", "sentence": QUOTE}
    return {"assessment": "It moved me.", "changes": [{**change, **more}]}


async def test_of_a_small_model_the_attributes_that_change_are_taken_and_all_others_stay() -> None:
    reader = Reader(refine=small(), settings={"small": True})
    first = (await reader.result()).iterations[1]
    assert first.profile == changed_profile(Dislikes=("waste", "diesel noise"))
    assert first.taken is not None
    (change,) = first.taken.changes
    assert (change.reason, change.quotes) == ("It woke me.", (QUOTE,))


async def test_a_text_stays_a_text() -> None:
    reader = Reader(refine=small(attribute="Occupation", values=["cook", "ferry guide"]), settings={"small": True})
    assert (await reader.result()).iterations[1].profile["Occupation"] == "cook, ferry guide"


@pytest.mark.parametrize(
    "change",
    [{"sentence": "Nobody wrote this sentence anywhere."}, {"attribute": "Name", "values": ["Otto"]}, {"values": [" "]},
     {"values": ["games", "chess games"]}],
)  # fmt: skip
async def test_a_change_that_breaks_a_rule_is_sent_back_and_then_nothing_changes(change: dict[str, Any]) -> None:
    reader = Reader(refine=small(**change), settings={"small": True})
    first = (await reader.result()).iterations[1]
    assert first.profile == GRETA
    assert first.taken is not None
    assert first.taken.why_kept
    assert reader.counted["iteration/1/part/1/refine/again"] == 1


async def test_a_small_model_is_asked_for_few_statements() -> None:
    reader = Reader(refine=small(), distil=distilled(*FACTS), settings={"small": True})
    taken = (await reader.result()).iterations[1].taken
    assert taken is not None
    assert len(taken.kept) + len(taken.forgotten) == MOST_OF_SMALL < len(FACTS)


def test_what_is_wrong_with_many_values_is_said_shortly() -> None:
    faults = faults_in_change(GRETA, changed_profile(Hobbies=("Awesome",) * 24, Skills=("x" * 40,) * 100), 3)
    assert all(len(fault) < 300 for fault in faults), faults
    many = tuple(f"games {n}" for n in range(12))
    (fault,) = faults_in_change(GRETA, changed_profile(Hobbies=("games", *many[:11])), 3)
    assert "(and 8 pairs more)" in fault
