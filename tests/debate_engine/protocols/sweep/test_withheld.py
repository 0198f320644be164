from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.protocols.socrasynth import heat as heats
from elenchus.debate_engine.protocols.sweep.protocol import echoed_in, withheld_from

HEATS = [0.9, 0.7, 0.5, 0.3, 0.0]


@pytest.mark.parametrize("heat", HEATS)
def test_a_copy_of_the_instruction_is_taken_out(heat: float) -> None:
    copied = heats.describe(heat).replace("\n", " ")
    kept, withheld = withheld_from(f"Friends!\n{copied}\nCars are loud.", heat)
    assert [line.strip() for line in kept.splitlines() if line.strip()] == ["Friends!", "Cars are loud."]
    assert len(withheld) == 4


def test_a_sentence_that_names_the_scale_is_taken_out_and_its_neighbours_stay() -> None:
    kept, withheld = withheld_from("Cars are loud. At a contentiousness of 0.90 I object. Walking is quiet.", 0.9)
    assert "Cars are loud." in kept
    assert "Walking is quiet." in kept
    assert withheld == ("At a contentiousness of 0.90 I object.",)


def test_a_speech_that_tells_nothing_stays_as_it_is() -> None:
    text = "## 1. Air\nCars cost 0.5 euro a mile! The heat of summer is worse."
    assert withheld_from(text, 0.5) == (text, ())


def test_a_speech_that_only_repeats_its_instruction_is_empty() -> None:
    assert withheld_from(heats.describe(0.3), 0.3)[0] == ""


def test_example_phrases_of_the_instruction_are_told() -> None:
    assert echoed_in("It is Unacceptable to us.", 0.9) == ("unacceptable",)
    assert echoed_in("It is Unacceptable to us.", 0.0) == ()


@given(st.text(max_size=300), st.sampled_from(HEATS))
def test_what_is_kept_never_names_the_scale(text: str, heat: float) -> None:
    kept, _ = withheld_from(f"{text} contentiousness {text}", heat)
    assert "contentiousness" not in kept
