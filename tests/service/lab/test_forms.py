"""An Ask's schema as fields, and what was typed for them as its value."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel

from elenchus.debate_engine.errors import UnreadableReply
from elenchus.debate_engine.llm.schema import check, json_schema_of
from elenchus.debate_engine.protocols.crit.schemas import Arguments, FoundReasons
from elenchus.debate_engine.protocols.judging.schemas import Preference, Ruling
from elenchus.debate_engine.protocols.socrasynth.schemas import (
    AgendaChoice,
    AgendaReview,
    FurtherArguments,
    OpenAnswer,
    Position,
    ProposalDraft,
    ProposalReviews,
    Proposals,
    RecommendationReview,
    Recommendations,
)
from elenchus.service.lab.forms import TEXT, fields_of, named_as_in_the_form, read_valid, typed_of, value_of


class Optional(BaseModel):
    name: str | None
    size: float


class Nested(BaseModel):
    inner: Optional
    mood: bool


ASKED: tuple[type[BaseModel], ...] = (
    Ruling, Preference, AgendaChoice, AgendaReview, FurtherArguments, OpenAnswer, Position, ProposalDraft,
    ProposalReviews,
    Proposals, Recommendations, RecommendationReview, Arguments, FoundReasons, Nested,
)  # fmt: skip
"""What people are asked, as debaters, judges and for CRIT."""


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
    assert [(f.name, f.kind, f.optional) for f in fields_of(schema)] == [
        ("inner.name", "text", True), ("inner.size", "number", False), ("mood", "yes-no", False),
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
        value_of(json_schema_of(FurtherArguments), typed)


def test_a_word_for_a_number_is_named() -> None:
    with pytest.raises(UnreadableReply, match="Keep must be a whole number"):
        value_of(json_schema_of(AgendaChoice), {"keep": "first"})


def test_a_free_text_is_one_field() -> None:
    assert [(field.name, field.kind, field.label) for field in fields_of(None)] == [(TEXT, "text", "Your words")]
    assert value_of(None, {TEXT: " my speech \n"}) == "my speech"


@pytest.mark.parametrize("number", ["inf", "nan", "1e999", "one"])
def test_what_is_no_finite_number_is_none(number: str) -> None:
    with pytest.raises(UnreadableReply, match="Size must be a number"):
        value_of(json_schema_of(Optional), {"name": "", "size": number})


@pytest.mark.parametrize("digits", [400, 5_000])
def test_a_whole_number_beyond_all_bounds_is_refused_as_any_other(digits: int) -> None:
    with pytest.raises(UnreadableReply, match="this must be"):
        read_valid({"type": "integer", "minimum": 1, "maximum": 10}, "9" * digits)


def test_the_first_letters_of_a_choice_do_where_they_are_of_one_alone() -> None:
    schema = {"type": "string", "enum": ["agree", "amend"]}
    assert read_valid(schema, "AM") == "amend"
    with pytest.raises(UnreadableReply, match="this must be one of agree, amend"):
        read_valid(schema, "a")


def written(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of a schema whose texts are of one line, without the mark between an entry's values."""
    if "anyOf" in schema:
        return st.one_of(*(written(option) for option in schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "object":
            return st.fixed_dictionaries({name: written(sub) for name, sub in schema["properties"].items()})
        case "array":
            least = schema.get("minItems", 0)
            return st.lists(
                written(schema["items"]), min_size=least, max_size=min(schema.get("maxItems", 4), least + 3)
            )
        case "string":
            return st.lists(st.from_regex(r"[a-zäß.,;?]{1,9}", fullmatch=True), min_size=1, max_size=9).map(" ".join)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
    return st.integers(schema.get("minimum", -99), schema.get("maximum", 99))


@given(st.sampled_from(ASKED).flatmap(lambda asked: st.tuples(st.just(asked), written(json_schema_of(asked)))))
def test_what_is_written_of_a_value_is_read_as_the_value(case: tuple[type[BaseModel], Any]) -> None:
    schema = json_schema_of(case[0])
    typed = typed_of(schema, case[1])
    assert typed.keys() <= {field.name for field in fields_of(schema)}
    assert check(value_of(schema, typed), schema) == case[1]


@given(st.data(), st.sampled_from(ASKED))
def test_whatever_is_typed_gives_a_value_or_a_sentence_that_names_the_field(data: Any, asked: type[BaseModel]) -> None:
    schema = json_schema_of(asked)
    fields = fields_of(schema)
    typed = data.draw(st.fixed_dictionaries({}, optional={field.name: st.text() for field in fields}))
    try:
        check(value_of(schema, typed), schema)
    except UnreadableReply as problem:
        said = named_as_in_the_form(str(problem))
        assert any(field.label.split(":")[0] in said for field in fields), said


SCALE = ("strongly disagree", "disagree", "neither", "agree", "strongly agree")


@pytest.mark.parametrize(("typed", "value"), [("1", SCALE[0]), ("5", SCALE[4]), (" 3 ", "neither"), ("agree", "agree")])
def test_a_choice_may_be_typed_as_its_number(typed: str, value: str) -> None:
    assert read_valid({"enum": list(SCALE)}, typed) == value


@pytest.mark.parametrize("typed", ["0", "6", "-1", "1.", "²", "9" * 5_000])
def test_a_number_that_is_no_choices_is_none(typed: str) -> None:
    with pytest.raises(UnreadableReply, match="must be one of"):
        read_valid({"enum": list(SCALE)}, typed)


def test_choices_that_hold_digits_are_typed_as_they_are() -> None:
    assert read_valid({"enum": ["2", "1", "3"]}, "1") == "1"
    with pytest.raises(UnreadableReply, match="must be one of"):
        read_valid({"enum": ["plan A", "plan 3"]}, "1")
