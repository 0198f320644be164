"""An Ask's schema as Discord's forms, and back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel

from elenchus.bot.people.modal_forms import TEXT, fields_of, steps_of, value_of
from elenchus.debate_engine.errors import UnreadableReply
from elenchus.debate_engine.llm.schema import at_most, check, json_schema_of
from elenchus.debate_engine.protocols.judging.schemas import Preference, Ruling
from elenchus.debate_engine.protocols.socrasynth.schemas import (
    AgendaChoice,
    AgendaReview,
    More,
    OpenAnswer,
    Position,
    ProposalDraft,
    ProposalReviews,
    Proposals,
    Recommendations,
)

ASKED = (
    Ruling, Preference, AgendaChoice, AgendaReview, More, OpenAnswer, Position, ProposalDraft, ProposalReviews,
    Proposals, Recommendations,
)  # fmt: skip


class Optional(BaseModel):
    name: str | None
    size: float


class Nested(BaseModel):
    inner: Optional
    mood: bool


@pytest.mark.parametrize("schema", [*(json_schema_of(s) for s in ASKED), None])
def test_every_form_of_every_ask_is_within_discords_limits(schema: dict[str, Any] | None) -> None:
    fields = fields_of(schema)
    for step in steps_of(fields):
        assert 1 <= len(step) <= 5
        for field in step:
            assert 1 <= len(field.label) <= 45
            assert len(field.hint) <= 100
            assert 1 <= len(field.key) <= 100
            assert 0 <= field.least <= field.most <= 4_000
            assert field.kind != "choice" or 1 <= len(field.choices) <= 25
    assert len({field.key for field in fields}) == len(fields)


def test_a_ruling_comes_in_two_steps() -> None:
    assert [[field.key for field in step] for step in steps_of(fields_of(json_schema_of(Ruling)))] == [
        ["rationale", "a_validity", "a_credibility", "b_validity", "b_credibility"],
        ["winner"],
    ]


def test_a_free_text_is_a_paragraph_of_up_to_4000_characters() -> None:
    (field,) = fields_of(None)
    assert (field.kind, field.most, field.required) == ("paragraph", 4_000, True)
    assert value_of(None, {TEXT: " my speech \n"}) == "my speech"


def test_a_text_whose_words_count_may_have_as_many_characters_as_a_form_takes() -> None:
    short, long = fields_of(
        {
            "type": "object",
            "properties": {name: {"type": "string", **at_most(9, characters=n)} for name, n in (("a", 80), ("b", 600))},
        }
    )
    assert [(field.kind, field.most) for field in (short, long)] == [("line", 4_000), ("paragraph", 4_000)]


def test_a_filled_in_ruling_is_the_asked_value() -> None:
    schema = json_schema_of(Ruling)
    typed = {"rationale": "A was clearer", "a_validity": "7", "a_credibility": "6", "b_validity": " 5 ",
             "b_credibility": "4", "winner": "A"}  # fmt: skip
    value = value_of(schema, typed)
    assert Ruling.model_validate(check(value, schema)).model_dump()["a_validity"] == 7


def test_lists_are_one_a_line_and_objects_have_their_values_divided() -> None:
    schema = json_schema_of(ProposalReviews)
    value = value_of(schema, {"items": "1 | sign\n\n2|amend| Only in summer | or not"})
    assert check(value, schema) == {
        "items": [
            {"number": 1, "decision": "sign", "proposal": ""},
            {"number": 2, "decision": "amend", "proposal": "Only in summer | or not"},
        ]
    }
    assert value_of(json_schema_of(AgendaChoice), {"keep": "2\n1"}) == {"keep": [2, 1]}


def test_what_may_be_left_out_may_stay_empty() -> None:
    schema = json_schema_of(Nested)
    assert [(f.key, f.required) for f in fields_of(schema)] == [
        ("inner.name", False), ("inner.size", True), ("mood", True),
    ]  # fmt: skip
    typed = {"inner.name": "", "inner.size": "1,5", "mood": "no"}
    assert value_of(schema, typed) == {"inner": {"name": None, "size": 1.5}, "mood": False}


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ({"more": "maybe", "what": "x"}, "More must be one of Yes, No"),
        ({}, "More must be one of Yes, No"),
    ],
)
def test_a_wrong_choice_is_named(typed: dict[str, str], problem: str) -> None:
    with pytest.raises(UnreadableReply, match=problem):
        value_of(json_schema_of(More), typed)


def test_a_word_for_a_number_is_named() -> None:
    with pytest.raises(UnreadableReply, match="Keep must be a whole number"):
        value_of(json_schema_of(AgendaChoice), {"keep": "first"})


@given(
    st.sampled_from(ASKED), st.dictionaries(st.sampled_from(["items", "topics", "keep", "more", "answer"]), st.text())
)
def test_whatever_is_typed_gives_a_value_or_one_sentence(schema: type[BaseModel], typed: dict[str, str]) -> None:
    try:
        value = value_of(json_schema_of(schema), typed)
        check(value, json_schema_of(schema))
    except UnreadableReply as problem:
        assert str(problem)
