from __future__ import annotations

from datetime import UTC, datetime

import pytest

from elenchus.debate_engine.events import Event, Recorded, Said, StepDone
from elenchus.debate_engine.privacy.fingerprints import renewed
from elenchus.debate_engine.privacy.person_words import PersonWords
from elenchus.debate_engine.steps import hash_of, said_inputs


@pytest.mark.parametrize("release", ["0.1", "0.2"])
def test_a_rewritten_step_has_the_fingerprint_of_its_new_input_and_the_release_that_recorded_it(release: str) -> None:
    old = hash_of("old", release)
    events: tuple[Event, ...] = (
        StepDone(step="reached", input_hash=old, inputs="old"),
        StepDone(step="not reached", input_hash=old, inputs="rewritten"),
        Said(step="said", input_hash=old, speaker="pro", to=("*",), text="new"),
    )
    record = [Recorded(seq=n, at=datetime.now(UTC), event=event) for n, event in enumerate(events, 1)]
    made = renewed(record, {"reached": "new"}, PersonWords((), frozenset()))
    hashes = [r.event.input_hash for r in made if isinstance(r.event, StepDone | Said)]
    assert hashes == [
        hash_of("new", release),
        hash_of("rewritten", release),
        hash_of(said_inputs("pro", ("*",), "new", ""), release),
    ]
    assert [r.event.inputs for r in made if isinstance(r.event, StepDone)] == ["new", "rewritten"]
