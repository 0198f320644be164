"""A detection with the embedded model: weak, but every step of it ends in an answer that can be read and traced."""

from __future__ import annotations

from pathlib import Path

import pytest

from elenchus.config.settings import LocalSettings, Settings
from elenchus.debate_engine.events import Seat, StepDone
from elenchus.debate_engine.llm.registry import Registry
from elenchus.debate_engine.model_seat import ModelSeat, Persona
from elenchus.debate_engine.participant import Participant
from elenchus.debate_engine.run_context import RunContext as At
from elenchus.detectors.schemas import Detection
from tests.debate_engine.protocols.short_answers import ShortAnswers
from tests.detectors.scripted_detection import SUNK, DetectionSession


@pytest.mark.local_model
@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_the_embedded_model_says_yes_or_no_of_a_given_candidate_and_its_call_is_logged(
    tmp_path: Path,
) -> None:
    """One call: a match takes eighteen, some minutes; docs/detection.md shows one."""
    registry = Registry(Settings(home=tmp_path, local=LocalSettings(threads=1)))
    model = registry.model("local:smollm2-135m")

    class Seated(DetectionSession):
        def seat(self, seat: Seat, detection: At) -> Participant:
            return ShortAnswers(ModelSeat(detection, model, Persona(seat.name)), structured=250)

    detection = Seated(settings={"labels": [SUNK], "context_tokens": model.context_tokens})
    try:
        await detection.make()
        run = await detection.runner().run("s")
    finally:
        await registry.aclose()
    assert run.state == "finished", run
    found = Detection.model_validate(run.outcome)
    (candidate,) = found.candidates
    said = "unfounded" if candidate.unfounded else "found" if candidate.present else "none"
    assert (found.verdict, found.bias) == (said, SUNK if said == "found" else None)
    calls = [r.event.calls[0] for r in await detection.recorded() if isinstance(r.event, StepDone) and r.event.calls]
    assert len(calls) == 1 + candidate.asked_again, "an unfounded yes is asked about once more"
    call = calls[0]
    assert call.model == model.spec
    assert call.reply
