"""A schema asked field by field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel, Field

from elenchus.debate_engine.llm.schema import at_most, check, json_schema_of
from elenchus.debate_engine.protocols.crit.schemas import Arguments, FoundReasons
from elenchus.debate_engine.protocols.judging.schemas import Ruling
from elenchus.debate_engine.protocols.rldf.schemas import marks_of
from elenchus.debate_engine.protocols.socrasynth.schemas import (
    AgendaChoice,
    AgendaReview,
    FurtherArguments,
    OpenAnswer,
    ProposalReviews,
    RecommendationReview,
)  # fmt: skip
from elenchus.service.cli import forms


def filled(form: forms.Form[Any], typed: Iterable[str]) -> tuple[Any, list[forms.Prompt]]:
    """The form's value after these lines, and the fields that were shown."""
    shown = [next(form)]
    for line in typed:
        try:
            shown.append(form.send(line))
        except StopIteration as done:
            return done.value, shown
    pytest.fail(f"the form wants more: {shown[-1]}")


def test_a_form_of_numbers_choices_and_text_gives_a_value_of_the_schema() -> None:
    schema = json_schema_of(Ruling)
    value, _ = filled(forms.form_of(schema), ["A showed more.", "8", "7", "5", "6", "A"])
    assert Ruling.model_validate(check(value, schema)).winner == "A"


def test_a_number_outside_its_range_is_asked_again_with_the_range() -> None:
    _, shown = filled(forms.form_of({"type": "integer", "minimum": 1, "maximum": 10}, "score"), ["11", "ten", "7"])
    assert "this must be from 1 to 10" in shown[1].problem
    assert "this must be a whole number" in shown[2].problem


def test_the_first_letters_of_a_choice_do() -> None:
    value, shown = filled(forms.form_of({"enum": ["agree", "amend"]}, "verdict"), ["a", "am"])
    assert value == "amend"
    assert "agree, amend" in shown[1].problem


def test_a_list_of_numbers_is_one_line() -> None:
    value, shown = filled(forms.form_of(json_schema_of(AgendaChoice)), ["", "2, 1 3"])
    assert value == {"keep": [2, 1, 3]}
    assert "at least 1" in shown[1].problem


def test_a_list_of_texts_ends_with_an_empty_line() -> None:
    typed = ["the liver", "fever", "rash", "", "since when?", "", "", "60"]
    value, _ = filled(forms.form_of(json_schema_of(OpenAnswer)), typed)
    assert value["reasons"] == ["fever", "rash"]
    assert value["questions"] == ["since when?"]
    assert value["tests"] == []
    assert value["confidence"] == 60


def test_a_list_of_entries_ends_where_the_next_entry_is_left_empty() -> None:
    schema = json_schema_of(ProposalReviews)
    value, shown = filled(forms.form_of(schema), ["1", "sign", "2", "amend", "Half of it.", ""])
    assert [item["decision"] for item in check(value, schema)["items"]] == ["sign", "amend"]
    assert "empty: no more" in shown[2].hint


TOPICS = {1: "rest vs. practice", 3: "cost vs. use"}


def test_every_topic_is_asked_for_by_its_title_and_a_signature_asks_for_no_text() -> None:
    schema = json_schema_of(ProposalReviews)
    value, shown = filled(forms.form_of(schema, topics=TOPICS), ["99", "sign", "amend", "", "Half of it."])
    assert [field.label for field in shown] == [
        *["topic 1, rest vs. practice: decision"] * 2, "topic 3, cost vs. use: decision",
        *["topic 3, cost vs. use: proposal"] * 2,
    ]  # fmt: skip
    assert "this must be one of sign, amend" in shown[1].problem
    assert shown[3].hint == "the amended text (at most 160 words)"
    assert shown[4].problem == "this must not be empty"
    assert check(value, schema)["items"] == [
        {"number": 1, "decision": "sign", "proposal": ""},
        {"number": 3, "decision": "amend", "proposal": "Half of it."},
    ]


def test_a_fair_agenda_is_agreed_to_with_a_word_for_each_topic() -> None:
    schema = json_schema_of(AgendaReview)
    value, _ = filled(forms.form_of(schema, topics=TOPICS), ["ag", "am", "rest", "work", "Evenings."])
    assert [topic["verdict"] for topic in check(value, schema)["topics"]] == ["agree", "amend"]


def test_a_topic_that_is_not_there_is_told() -> None:
    value, shown = filled(forms.form_of(json_schema_of(AgendaChoice), topics=TOPICS), ["1 99", "3 1"])
    assert shown[1].problem == "there is no topic 99; the numbers are 1, 3"
    assert value == {"keep": [3, 1]}


def test_nothing_more_is_asked_of_who_has_nothing_to_add_or_signs() -> None:
    assert filled(forms.form_of(json_schema_of(FurtherArguments)), ["no"])[0] == {"more": False, "what": ""}
    assert filled(forms.form_of(json_schema_of(FurtherArguments)), ["yes", "sleep"])[0] == {
        "more": True,
        "what": "sleep",
    }
    schema = json_schema_of(RecommendationReview)
    value, _ = filled(forms.form_of(schema), ["sign"])
    assert check(value, schema)["next_tests"] == []


def test_an_entry_whose_quote_may_be_empty_is_begun_with_what_may_not() -> None:
    schema = json_schema_of(Arguments)
    typed = ["It is paid for.", "", "", "It is loud.", "so loud", "Lee 2001", ""]
    value, shown = filled(forms.form_of(schema), typed)
    assert [entry["quote"] for entry in check(value, schema)["reasons"]] == ["", "so loud"]
    assert "(empty: no more)" in shown[0].hint
    assert not any("empty: no more" in field.hint for field in shown[1:3])
    filled(forms.form_of(json_schema_of(FoundReasons)), ["1", "a quote", "a reason", "", ""])


def test_a_text_is_bounded_by_its_words_where_there_is_such_a_bound() -> None:
    schema = {"type": "string", **at_most(3, characters=10)}
    value, shown = filled(forms.form_of(schema, "scope"), ["one two three four", "Donaudampfschiffahrtsgesellschaft"])
    assert shown[1].problem == "this may have at most 3 words (it has 4)"
    assert (shown[1].label, shown[0].hint) == ("scope", "(at most 3 words)")
    assert value == "Donaudampfschiffahrtsgesellschaft"


def test_a_field_within_another_is_called_by_both_names() -> None:
    """The referee's form on two statements."""
    value, shown = filled(forms.form_of(json_schema_of(marks_of(2))), ["B", "A", "They all do.", "8", "Nobody.", "0"])
    assert [prompt.label for prompt in shown] == ["ranking 1", "ranking 2", "A: why", "A: score", "B: why", "B: score"]
    assert (value["ranking"], value["A"]["score"], value["B"]["score"]) == (["B", "A"], 8, 0)


def test_free_text_must_say_something() -> None:
    value, shown = filled(forms.text_form("your words"), ["  ", " Yes. "])
    assert value == "Yes."
    assert "/pass" in shown[1].problem


def test_how_many_words_a_free_text_may_have_is_told_before_it_is_typed() -> None:
    _, shown = filled(forms.text_form("your words", 400), ["Yes."])
    assert (shown[0].hint, shown[0].multiline) == ("(at most 400 words)", True)


def test_a_field_that_may_be_nothing_is_nothing_when_left_empty() -> None:
    class Note(BaseModel):
        note: str | None
        sure: bool
        mood: Literal["calm"]

    schema = json_schema_of(Note)
    assert filled(forms.form_of(schema), ["", "y"])[0] == {"note": None, "sure": True, "mood": "calm"}
    assert filled(forms.form_of(schema), ["well", "no"])[0] == {"note": "well", "sure": False, "mood": "calm"}


def test_a_text_has_the_length_that_the_schema_wants() -> None:
    class Short(BaseModel):
        text: str = Field(min_length=2, max_length=4)

    _, shown = filled(forms.form_of(json_schema_of(Short)), ["", "12345", "123"])
    assert "not be empty" in shown[1].problem
    assert "at most 4" in shown[2].problem


@given(st.lists(st.text(), max_size=60))
def test_whatever_is_typed_a_form_ends_with_a_value_of_its_schema_or_asks_on(typed: list[str]) -> None:
    schema = json_schema_of(AgendaReview)
    form = forms.form_of(schema)
    next(form)
    for line in typed:
        try:
            form.send(line)
        except StopIteration as done:
            check(done.value, schema)
            break
