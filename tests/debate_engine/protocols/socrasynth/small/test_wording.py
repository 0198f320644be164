"""What is taken of what a small model wrote."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.protocols.socrasynth.small.claims import effect_of
from elenchus.debate_engine.protocols.socrasynth.small.wording import (
    best,
    inventions,
    leaning_of,
    sentences,
    stems,
    trimmed,
)

CARS = "A city should ban private cars from its centre. clean air vs. local shops"
BEGIN = "A city should ban private cars from its centre, because clean air"
GOOD, BAD = "A city should ban private cars from its centre.", "A city should not ban private cars from its centre."


def test_a_sample_is_cut_at_its_last_full_stop_and_at_two_sentences() -> None:
    text = f"{BEGIN} is good for people. Cars make the air dirty. Cars are loud. Cars are"
    kept = trimmed(BEGIN, text, CARS, ())
    assert kept
    assert kept.text == f"{BEGIN} is good for people. Cars make the air dirty."
    assert sentences("It cost 1.5 million here. And then") == ["It cost 1.5 million here."]


@pytest.mark.parametrize(
    "second",
    [
        "However, cars are useful.",
        "Critics say that cars are useful.",
        "This argument about cars has two sides.",
        "Let's explore the cars of the centre.",
        "Bananas grow on trees.",
        "In 1890 cars were banned by Queen Victoria.",
    ],
)
def test_a_sample_ends_before_the_sentence_that_leaves_side_subject_or_truth(second: str) -> None:
    kept = trimmed(BEGIN, f"{BEGIN} is good for people. {second}", CARS, ())
    assert kept
    assert kept.text == f"{BEGIN} is good for people."


@pytest.mark.parametrize(
    "rest", ["", " is", ".", " is good for people", "Air is for all people.", " matters to this debate. Cars stink."]
)
def test_a_sample_without_a_whole_sentence_of_its_own_is_not_used(rest: str) -> None:
    assert trimmed(BEGIN, BEGIN + rest, CARS, ()) is None


def test_the_best_sample_speaks_of_the_subject_and_does_not_repeat() -> None:
    rests = ("is a thing of value.", "needs a centre without cars.")
    off, on = (trimmed(BEGIN, f"{BEGIN} {rest}", CARS, ()) for rest in rests)
    assert on
    assert best([off, None, on]) == on.text
    again = trimmed(BEGIN, on.text, CARS, [on.text])
    assert best([again, off]) == (off.text if off else "")
    assert best([None]) == ""


def test_numbers_and_names_that_nobody_gave_are_inventions() -> None:
    assert inventions("The city of Oslo saved 40 lives.", CARS) == ["40", "Oslo"]
    assert inventions("Private Cars pollute. Air is for all.", CARS) == []


def test_words_are_compared_without_their_endings() -> None:
    assert stems("Cars, schools and freedoms") == stems("car school freedom")
    assert not stems("it is and of")


@pytest.mark.parametrize(
    "claim, second, kept",
    [
        (BAD, "Cars in the centre would improve under a ban.", False),
        (BAD, "Allowing cars leads to more accidents in the centre.", False),
        (BAD, "Shops of the centre would lose their customers.", True),
        (BAD, "Without cars people walk to the centre.", False),
        (GOOD, "Shops of the centre would lose their customers.", False),
        (GOOD, "Without cars the air of the centre would be better.", True),
        (GOOD, "A ban reduces the risk of accidents in the centre.", True),
    ],
)
def test_a_later_sentence_that_speaks_for_the_other_side_of_a_deed_is_left_out(
    claim: str, second: str, kept: bool
) -> None:
    found = trimmed(BEGIN, f"{BEGIN} matters to all people. {second}", CARS, (), leaning_of(claim, effect_of(claim)))
    assert found
    assert (second in found.text) == kept


def test_of_two_samples_the_one_that_speaks_for_its_own_side_is_taken() -> None:
    leaning = leaning_of(BAD, "bad")
    drifting, holding = (
        trimmed(BEGIN, f"{BEGIN} {rest}", CARS, (), leaning)
        for rest in ("would improve in a centre without cars.", "would suffer from longer ways.")
    )
    assert holding
    assert best([drifting, holding]) == holding.text


def test_a_claim_that_calls_nothing_good_or_bad_leans_to_no_side() -> None:
    assert leaning_of("Robots can replace nurses.", "")("Robots harm people.") == 0


@pytest.mark.parametrize(
    "own, leans",
    [
        ("allow people to breathe.", 1),
        ("allow pollution to go on.", -1),
        ("promote violence.", -1),
        ("reduce pollution and noise.", 1),
        ("reduce their well-being.", -1),
        ("enable people to avoid accidents.", 1),
        ("enable people to live without fear of crime.", 1),
        ("be a deed.", 0),
    ],
)
def test_what_goes_on_from_the_given_words_is_of_the_deed_itself(own: str, leans: int) -> None:
    assert leaning_of(GOOD, "good")(own) == leans
    assert leaning_of(BAD, "bad")(own) == -leans
