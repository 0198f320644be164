"""Detection describes itself: words for all its steps, and what an export has beyond that of any session."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

from elenchus.debate_engine.reports.view import DebateView
from elenchus.detectors import spec
from elenchus.detectors.schemas import Method
from tests.detectors.room import GARBLED, SUNK, Room

METHODS: tuple[Method, ...] = get_args(Method)
SETTINGS: list[dict[str, Any]] = [*({"method": method} for method in METHODS), {"bias": SUNK, "repeats": 2}]


def words_for(step: str) -> str:
    """What the seat does in a step, as front ends look it up."""
    key = step.removesuffix("/again")
    return next((words for pattern, words in spec.STEP_WORDS if re.search(pattern, key)), "")


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda of: of.get("method", "labelled"))
async def test_there_are_words_for_every_step_in_which_somebody_is_asked(settings: dict[str, Any]) -> None:
    room = Room(settings=settings)
    await room.run()
    assert [call.step for call in room.client.asked if not words_for(call.step)] == []


async def test_every_words_are_said_of_some_step() -> None:
    steps = set[str]()
    for settings in SETTINGS:
        room = Room(settings=dict(settings))
        await room.run()
        steps |= {words_for(call.step) for call in room.client.asked}
    assert steps == {words for _, words in spec.STEP_WORDS}


async def test_a_session_of_another_protocol_is_no_detection_whatever_its_outcome_looks_like() -> None:
    room = Room({"detectors/screen": GARBLED})
    await room.run()
    view = DebateView.of("s", await room.recorded())
    assert spec.outcome_of(view) is not None
    assert view.started is not None
    view.started = view.started.model_copy(update={"protocol": "of-somebody-else"})
    assert spec.outcome_of(view) is None
    assert spec.sections(view) == []
    assert spec.files(view) == {}


def test_an_outcome_of_another_form_is_not_read() -> None:
    assert spec.read({"verdict": "guilty"}) is None
