from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from elenchus.debate_engine.events import Event, Recorded, Said, StepDone
from elenchus.debate_engine.privacy.fingerprints import renewed
from elenchus.debate_engine.privacy.person_words import PersonWords
from elenchus.debate_engine.steps import hash_of, said_inputs, unknown_input


def _renewed(*events: Event, inputs: dict[str, Any]) -> tuple[list[str], list[Any]]:
    """The fingerprints of the record renewed, and the inputs of those of its steps in which nothing was said."""
    record = [Recorded(seq=n, at=datetime.now(UTC), event=event) for n, event in enumerate(events, 1)]
    made = [r.event for r in renewed(record, inputs, PersonWords((), frozenset()))]
    hashes = [event.input_hash for event in made if isinstance(event, StepDone | Said)]
    return hashes, [event.inputs for event in made if isinstance(event, StepDone)]


def test_a_rewritten_step_has_the_fingerprint_of_its_new_input() -> None:
    old = hash_of("old")
    hashes, inputs = _renewed(
        StepDone(step="reached", input_hash=old, inputs="old"),
        StepDone(step="not reached", input_hash=old, inputs="rewritten"),
        Said(step="said", input_hash=old, speaker="pro", to=("*",), text="new"),
        inputs={"reached": "new"},
    )
    assert hashes == [hash_of("new"), hash_of("rewritten"), hash_of(said_inputs("pro", ("*",), "new", ""))]
    assert inputs == ["new", "rewritten"]


@pytest.mark.parametrize("release", ["0.0", "9999.0"])
def test_what_another_release_asked_is_not_replaced_by_what_this_one_would_ask(release: str) -> None:
    hashes, inputs = _renewed(
        StepDone(step="without their words", input_hash=(kept := hash_of("its words", release)), inputs="its words"),
        StepDone(step="with their words", input_hash=hash_of("its words, Ada's", release), inputs="its words, […]"),
        Said(step="said", input_hash=hash_of("Ada's", release), speaker="pro", to=("*",), text="[…]"),
        inputs={"without their words": "our words", "with their words": "our words, […]"},
    )
    assert hashes == [kept, unknown_input(release), unknown_input(release)]
    assert inputs == ["its words", "its words, […]"]
