"""Detection describes itself: words for all its steps, and what an export has beyond that of any session."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from elenchus.debate_engine.events import SessionStarted
from elenchus.debate_engine.reports.view import SessionView
from elenchus.detectors.presentation import detection_of
from elenchus.detectors.schemas import Method
from elenchus.detectors.spec import SPEC, STEP_WORDS
from tests.detectors.scripted_detection import GARBLED, SUNK, DetectionSession

METHODS: tuple[Method, ...] = get_args(Method)
SETTINGS: list[dict[str, Any]] = [*({"method": method} for method in METHODS), {"bias": SUNK, "repeats": 2}]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda of: of.get("method", "labelled"))
async def test_there_are_words_for_every_step_in_which_somebody_is_asked(settings: dict[str, Any]) -> None:
    detection = DetectionSession(settings=settings)
    await detection.run()
    assert [call.step for call in detection.client.asked if SPEC.doing(call.step).startswith("works on")] == []


async def test_every_words_are_said_of_some_step() -> None:
    steps = set[str]()
    for settings in SETTINGS:
        detection = DetectionSession(settings=dict(settings))
        await detection.run()
        steps |= {SPEC.doing(call.step.removesuffix("/again")) for call in detection.client.asked}
    assert steps == {words for _, words in STEP_WORDS}


async def test_a_session_of_another_protocol_is_no_detection_whatever_its_outcome_looks_like() -> None:
    detection = DetectionSession({"detectors/screen": GARBLED})
    await detection.run()
    first, *events = await detection.recorded()
    assert detection_of(SessionView.of("s", [first, *events])) is not None
    assert isinstance(first.event, SessionStarted)
    foreign = first.model_copy(update={"event": first.event.model_copy(update={"protocol": "of-somebody-else"})})
    assert detection_of(SessionView.of("s", [foreign, *events])) is None


def test_an_outcome_of_another_form_is_not_read() -> None:
    assert SPEC.outcome_of({"verdict": "guilty"}) is None
