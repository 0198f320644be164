"""What is made of a motion: what each side claims, and what can be told from the words of a claim."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.protocols.socrasynth.small.claims import (
    carried_by,
    denied,
    effect_of,
    is_plural,
    lowered,
    sentence,
    statements,
    subject_of,
    verb_of,
)
from elenchus.debate_engine.protocols.socrasynth.small.wording import Effect

MOTIONS = Path("benchmarks/small_debates_data/motions.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("motion", MOTIONS)
def test_every_motion_of_the_bench_has_a_statement_and_its_opposite(motion: str) -> None:
    given = sentence(motion)
    options = statements(given) or [given]
    assert all(option[0].isupper() and option.endswith(".") for option in options)
    for option in options:
        other = denied(option, verb_of(given))
        assert other != option
        assert " not " in f" {other} " or "cannot" in other


@pytest.mark.parametrize(
    "claim, verb, opposite",
    [
        ("Homework should be abolished.", "", "Homework should not be abolished."),
        ("Zoos do more harm than good.", "", "Zoos do not do more harm than good."),
        ("Zoos do more harm than good.", "do", "Zoos do not do more harm than good."),
        ("Tourism does more than foreign aid.", "", "Tourism does not do more than foreign aid."),
        ("Remote work does harm employees.", "does", "Remote work does not harm employees."),
        ("School uniforms hide what children do.", "", "It is not true that school uniforms hide what children do."),
        ("Robots can replace nurses.", "can", "Robots cannot replace nurses."),
        ("Rich countries ought to accept more refugees.", "", "Rich countries ought not to accept more refugees."),
        ("A city should not ban cars.", "", "A city should ban cars."),
        ("School uniforms improve learning.", "do", "School uniforms do not improve learning."),
        ("Remote work harms employees who are young.", "", "Remote work does not harm employees who are young."),
        ("School exams do measure intelligence.", "do", "School exams do not measure intelligence."),
        ("Food waste is a problem.", "", "Food waste is not a problem."),
        ("NASA costs too much.", "", "It is not true that NASA costs too much."),
        ("It is right that zoos should close.", "is", "It is not right that zoos should close."),
    ],
)
def test_the_opposite_of_a_claim_denies_its_verb(claim: str, verb: str, opposite: str) -> None:
    assert denied(claim, verb) == opposite


def test_a_question_gives_a_statement_for_every_place_of_its_verb() -> None:
    places = ["A should city ban cars.", "A city should ban cars.", "A city ban should cars."]
    assert statements("Should a city ban cars?") == places
    assert statements("Do uniforms improve learning?") == ["Uniforms improve learning."]
    assert statements("Do zoos do more harm than good?") == ["Zoos do more harm than good."]
    assert statements("Do exams measure wit?") == ["Exams do measure wit.", "Exams measure do wit."]
    assert statements("Homework should be abolished.") == []
    assert statements("What should we eat?") == []


def test_a_name_keeps_its_capital_within_a_sentence() -> None:
    assert lowered("Homework helps") == "homework helps"
    assert lowered("NATO helps") == "NATO helps"
    assert lowered("New York should grow") == "New York should grow"


@pytest.mark.parametrize(
    "claim, effect, subject",
    [
        ("A city should ban private cars.", "good", "a city"),
        ("A city should not ban private cars.", "bad", "a city"),
        ("Rich countries ought not to accept more refugees.", "bad", "rich countries"),
        ("It is right to keep animals.", "good", ""),
        ("It is not right to keep animals.", "bad", ""),
        ("It is wrong to keep animals.", "bad", ""),
        ("It is not wrong to keep animals.", "good", ""),
        ("It is not true that remote work harms young employees.", "good", "remote work"),
        ("Robots cannot replace nurses.", "", "robots"),
        ("NASA is worth its cost.", "good", "NASA"),
        ("NASA is not worth its cost.", "bad", "NASA"),
        ("School uniforms improve learning.", "good", "school uniforms"),
        ("School uniforms do not improve learning.", "bad", "school uniforms"),
        ("Advertising does more good than harm.", "good", "advertising"),
        ("Advertising does more harm than good.", "bad", "advertising"),
        ("Trees prevent traffic noise.", "good", "trees"),
        ("Football causes violence.", "bad", "football"),
        ("Exams would make pupils unhappy.", "bad", "exams"),
        ("It is not true that cats are useless.", "good", "cats"),
        ("Young employees are harmed by remote work.", "", "young employees"),
        ("Children need better schools.", "", ""),
        ("There is too much advertising.", "", ""),
        ("Cats can live where food is good.", "", "cats"),
    ],
)
def test_a_claim_says_whether_its_deed_or_its_subject_is_good_and_what_it_speaks_of(
    claim: str, effect: str, subject: str
) -> None:
    assert effect_of(claim) == effect
    assert subject_of(claim) == subject


@given(
    st.text(min_size=1).filter(str.strip) | st.sampled_from(["M", "?", "Do?", "is", "Is it?", ".", "no no", "It is."])
)
def test_any_motion_however_short_or_odd_is_made_something_of(motion: str) -> None:
    for claim in (sentence(motion), *statements(sentence(motion))):
        opposite = denied(claim, verb_of(claim))
        assert opposite.strip()
        for one in (claim, opposite):
            assert effect_of(one) in get_args(Effect)
            assert isinstance(is_plural(one), bool)
            assert isinstance(carried_by(one) + subject_of(one) + lowered(one), str)
