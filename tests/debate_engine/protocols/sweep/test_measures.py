from __future__ import annotations

import string
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.protocols.sweep.lexicons import CATEGORIES, SCALES, Category, entries
from elenchus.debate_engine.protocols.sweep.measures import count, is_english, measure

PLAIN = ["the", "of", "is", "we", "city", "trees", "people", "that", "not", "no", "reduces", ",", ".", "\n\n"]
ENGLISH = st.lists(
    st.sampled_from(
        [*PLAIN, *(entry.replace("*", "") for category in CATEGORIES for entry in sorted(entries(category)))]
    ),
    max_size=40,
).map(" ".join)
ASCII = st.text(string.ascii_letters + string.digits + string.punctuation + " \n", max_size=200)


def hits(text: str, category: Category) -> tuple[str, ...]:
    return count(text).hits[category]


def test_words_of_each_list_are_found() -> None:
    found = count("Perhaps it is clearly wrong. It is unacceptable: the risks outweigh every benefit.").hits
    assert found["hedges"] == ("perhaps",)
    assert found["boosters"] == ("clearly",)
    assert found["polarising"] == ("unacceptable",)
    assert (found["risk"], found["benefit"]) == (("risks",), ("benefit",))


def test_a_phrase_counts_once_and_hides_the_words_in_it() -> None:
    found = count("This is not always so; in our view it should not be allowed.").hits
    assert found["hedges"] == ("not always", "in our view")
    assert found["polarising"] == ("should not be allowed",)


def test_a_phrase_does_not_reach_over_the_end_of_a_clause() -> None:
    assert hits("We act in part. In general we wait.", "hedges") == ("in part", "in general")
    assert hits("We believe in. Part of it holds.", "hedges") == ("believe",)


@pytest.mark.parametrize(
    "text", ["There is no risk.", "It reduces the risk.", "This isn't a danger.", "It avoids harm."]
)
def test_a_negated_or_reduced_risk_counts_as_a_benefit(text: str) -> None:
    assert hits(text, "risk") == ()
    assert len(hits(text, "benefit")) == 1


@pytest.mark.parametrize(
    "text", ["It brings no benefit.", "It does not help anyone.", "There is little real progress."]
)
def test_a_negated_benefit_counts_as_a_risk(text: str) -> None:
    assert hits(text, "benefit") == ()
    assert len(hits(text, "risk")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "It is not only harmful.",
        "It cannot prevent harm.",
        "No, the danger is real.",
        "No one in this whole city sees the danger.",
        "The lessons are about risk.",
    ],
)
def test_a_risk_stays_one_without_a_negation_in_reach(text: str) -> None:
    assert len(hits(text, "risk")) == 1


def test_what_turned_a_word_is_kept_with_it() -> None:
    assert hits("It greatly reduces the serious risk.", "benefit") == ("reduces the serious risk",)


def test_headings_are_not_measured() -> None:
    spoken = "The trees of the city are the pride of the people."
    assert count(f"## 1. Risk vs. benefit\n{spoken}\n**2. Danger**\n") == count(spoken)


def test_curly_and_straight_apostrophes_are_the_same() -> None:
    assert count("It isn’t a risk.") == count("It isn't a risk.")


@pytest.mark.parametrize(
    "text",
    [
        "Das Risiko ist hoch, und die Stadt darf die Menschen nicht gefährden, denn das wäre nicht richtig.",
        "Le risque est grand et la ville ne doit pas mettre en danger les habitants de ce quartier.",
        "El riesgo es alto y la ciudad no debe poner en peligro a las personas que viven en ella.",
        "Het risico is groot en de stad mag de mensen niet in gevaar brengen, want dat is niet goed.",
        "Il rischio è alto e la città non deve mettere in pericolo le persone che vi abitano.",
        "リスクが高いので、市は人々を危険にさらすべきではありません。",
        "",
    ],
)
def test_a_text_that_is_not_english_has_no_numbers_rather_than_zeros(text: str) -> None:
    measured = measure(text)
    assert not measured.english
    assert (measured.hedges, measured.boosters, measured.polarising, measured.risk_share) == (None, None, None, None)


def test_english_speech_is_taken_for_english() -> None:
    assert measure("Cars harm the air that we breathe, and a city without them would be a better place.").english


def test_a_script_without_spaces_has_no_number_of_words() -> None:
    assert measure("リスクが高いので、市は人々を危険にさらすべきではありません。").words is None
    assert measure("Das Risiko ist hoch.").words == 4


def test_rates_are_per_hundred_words() -> None:
    measured = measure("Perhaps the city is to be closed to the cars.")  # 10 words
    assert (measured.words, measured.hedges, measured.boosters) == (10, 10.0, 0.0)


def test_without_risk_and_benefit_words_there_is_no_share() -> None:
    assert measure("The city is to be closed to the cars.").risk_share is None


def test_the_share_is_of_risk_words_among_both() -> None:
    assert measure("The risk and the danger and the harm are there with the benefit.").risk_share == 0.75


@pytest.mark.parametrize("scale", SCALES)
def test_lists_of_one_scale_share_no_entry(scale: tuple[Category, ...]) -> None:
    for one, two in combinations(scale, 2):
        assert entries(one) & entries(two) == set()


@pytest.mark.parametrize("category", CATEGORIES)
def test_entries_are_words_in_lower_case_with_a_star_at_the_end_only(category: Category) -> None:
    for entry in entries(category):
        assert entry == entry.casefold().strip()
        assert "*" not in entry[:-1]


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_entry_is_found_under_its_own_list(category: Category) -> None:
    for entry in entries(category):
        word = entry.replace("*", "")
        assert (word,) == hits(f"X {word}.", category), entry


@given(ENGLISH, ENGLISH)
def test_counts_add_up(one: str, two: str) -> None:
    assert count(f"{one}\n\n{two}") == count(one) + count(two)


@given(st.text(max_size=200), st.text(max_size=200))
def test_counts_of_any_texts_add_up(one: str, two: str) -> None:
    assert count(f"{one}\n\n{two}") == count(one) + count(two)


@given(st.one_of(ENGLISH, ASCII))
def test_letter_case_does_not_count(text: str) -> None:
    assert count(text.upper()) == count(text) == count(text.lower())


@given(st.one_of(ENGLISH, st.text(max_size=300)))
def test_numbers_stay_within_their_bounds(text: str) -> None:
    counts, measured = count(text), measure(text)
    for scale in SCALES:
        assert sum(len(counts.hits[category]) for category in scale) <= counts.words
    for rate in (measured.hedges, measured.boosters, measured.polarising):
        assert rate is None or 0 <= rate <= 100
    assert measured.risk_share is None or 0 <= measured.risk_share <= 1
    assert measured.english == (is_english(counts) and measured.words is not None)
    assert measured.english == (measured.hedges is not None)


@given(ENGLISH)
def test_the_same_text_gives_the_same_numbers(text: str) -> None:
    assert measure(text) == measure(text)
