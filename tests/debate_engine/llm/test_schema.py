"""From a pydantic model to a strict schema, and from a reply to a checked value."""

from __future__ import annotations

import json
from enum import Enum
from random import Random
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel, Field

from elenchus.debate_engine.errors import ProtocolBug, UnreadableReply
from elenchus.debate_engine.llm import anthropic, filler, local, openai
from elenchus.debate_engine.llm.client import Call, Message
from elenchus.debate_engine.llm.schema import at_most, check, in_words, json_schema_of, repair_messages
from tests.debate_engine.llm.replies import parse
from tests.fakes.llm.schemas import schema_problem


class Side(Enum):
    A = "A"
    B = "B"


class Reason(BaseModel):
    """Something that our readers may know and models may not."""

    quote: str = Field(min_length=1, description="copied exactly")
    strength: int = Field(ge=1, le=10)
    weight: float = Field(gt=0, lt=1)


class Ruling(BaseModel):
    """A judge's ruling."""

    rationale: str
    reasons: list[Reason] = Field(min_length=1, max_length=3)
    winner: Side
    kind: Literal["final"] = "final"
    second: Reason | None = Field(None, description="if any")
    undecided: bool = False


GOOD: dict[str, Any] = {
    "rationale": "Clearer.",
    "reasons": [{"quote": "a b", "strength": 3, "weight": 0.5}],
    "winner": "A",
    "kind": "final",
    "second": None,
    "undecided": False,
}


def spoilt(**fields: Any) -> str:
    return json.dumps(GOOD | fields)


def test_the_schema_is_strict_and_self_contained() -> None:
    schema = json_schema_of(Ruling)
    keywords = frozenset(
        {"minLength", "minItems", "maxItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
    )
    assert schema_problem(schema, keywords) is None
    assert schema["required"] == list(Ruling.model_fields), "in the order in which the model answers"
    assert "may not" not in str(schema), "docstrings are ours"
    assert schema["properties"]["second"]["description"] == "if any"


def test_constraints_in_words_leave_a_schema_that_every_vendor_takes() -> None:
    plain = in_words(json_schema_of(Ruling))
    assert schema_problem(plain) is None
    reason = plain["properties"]["reasons"]["items"]["properties"]
    assert reason["quote"]["description"] == "copied exactly (minLength 1)"
    assert in_words(plain) == plain
    assert "minimum" in str(json_schema_of(Ruling)), "the original is not touched"


class Free(BaseModel):
    scores: dict[str, int]


class Node(BaseModel):
    children: list[Node]


class Pair(BaseModel):
    both: tuple[int, str]


@pytest.mark.parametrize("model", [Free, Node, Pair])
def test_what_no_vendor_can_take_is_a_bug_of_the_protocol(model: type[BaseModel]) -> None:
    with pytest.raises(ProtocolBug, match=model.__name__):
        json_schema_of(model)


class Choice(BaseModel):
    either: Annotated[Reason | Ruling, Field()]


def test_alternatives_are_taken() -> None:
    assert parse(json.dumps({"either": GOOD}), Choice).either == Ruling.model_validate(GOOD)


def test_bounds_are_told_without_needless_decimals_and_with_thousands_apart() -> None:
    schema = {"type": "object", "properties": {"price": {"type": "number", "minimum": 1.0, "maximum": 1e6}}}
    with pytest.raises(UnreadableReply, match="price must be from 1 to 1,000,000"):
        check({"price": 2e6}, schema)


@pytest.mark.parametrize(
    "changed, faults",
    [
        ({"mood": "good"}, ["the answer has unknown fields mood"]),
        ({"winner": "C"}, ["winner must be one of A, B"]),
        ({"undecided": 1}, ["undecided must be of type boolean"]),
        ({"reasons": []}, ["reasons needs at least 1 items"]),
        ({"reasons": GOOD["reasons"] * 4}, ["reasons may have at most 3 items"]),
        ({"reasons": [{"quote": "", "strength": 3, "weight": 0.5}]}, ["reasons[0].quote must not be empty"]),
        ({"reasons": [{"quote": "a", "strength": True, "weight": 0.5}]}, ["strength must be of type integer"]),
        (
            {"winner": "C", "reasons": [{"quote": "", "strength": 11, "weight": 1}], "second": {"quote": "a"}},
            [
                "reasons[0].quote must not be empty",
                "reasons[0].strength must be from 1 to 10",
                "reasons[0].weight must be less than 1",
                "winner must be one of A, B",
                "second lacks strength, weight",
            ],
        ),
    ],
)
def test_everything_that_keeps_a_value_from_fitting_is_said_at_once(changed: Any, faults: list[str]) -> None:
    with pytest.raises(UnreadableReply) as refused:
        check(GOOD | changed, json_schema_of(Ruling))
    assert [fault for fault in faults if fault not in str(refused.value)] == []


def test_a_hundred_faults_are_told_without_end() -> None:
    worst = GOOD | {"reasons": [{}] * 100}
    with pytest.raises(UnreadableReply, match=r"and 81 more$"):
        check(worst, json_schema_of(Ruling))


def test_a_text_whose_words_count_may_have_any_number_of_characters() -> None:
    schema = {"type": "string", **at_most(3, characters=10)}
    assert check("Kraftfahrzeughaftpflichtversicherung zahlt nichts", schema)
    with pytest.raises(UnreadableReply, match=r"at most 3 words \(it has 4"):
        check("a b c d", schema)
    assert in_words(schema) == {"type": "string"}, "no vendor is told of what is for grammars only"
    assert in_words(schema, frozenset({"maxLength"})) == {"type": "string", "maxLength": 10}


def test_a_schema_is_enough_to_check_an_answer() -> None:
    schema = json_schema_of(Ruling)
    assert check(GOOD, schema) is GOOD


@given(st.text(), st.text())
def test_a_repair_shows_the_reply_and_the_problem(reply: str, problem: str) -> None:
    shown, asked = repair_messages(reply, problem)
    assert shown.role == "assistant"
    assert shown.content.strip()
    assert problem in asked.content


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)
    )
)
def test_no_json_makes_the_check_fail_in_another_way(value: Any) -> None:
    with pytest.raises(UnreadableReply):
        check(value, json_schema_of(Ruling))


@given(st.integers())
def test_made_up_answers_fit_their_schema(seed: int) -> None:
    call = Call(
        "m", (Message("user", f"{seed}: The road is long and winding today. Decide."),), schema=json_schema_of(Ruling)
    )
    ruling = parse(filler.answer(call, json_schema_of(Ruling)), Ruling)
    assert ruling.reasons


@st.composite
def schemas(draw: st.DrawFn, depth: int = 2) -> dict[str, Any]:
    """Schemas of the strict form, with constraints."""
    kind = draw(
        st.sampled_from(
            ["string", "integer", "number", "boolean", "enum", "null", *(["object", "array"] * (depth > 0))]
        )
    )
    low = draw(st.integers(-50, 50))
    match kind:
        case "enum":
            return {"enum": draw(st.lists(st.text(max_size=5), min_size=1, max_size=4, unique=True))}
        case "string":
            least = draw(st.integers(0, 20))
            return {"type": "string", "minLength": least, "maxLength": least + draw(st.integers(0, 300))}
        case "integer" | "number":
            return {"type": kind, "minimum": low, "maximum": low + draw(st.integers(0, 30))}
        case "array":
            least = draw(st.integers(0, 3))
            return {"type": "array", "items": draw(schemas(depth - 1)), "minItems": least, "maxItems": least + 2}
        case "object":
            properties = draw(
                st.dictionaries(st.text("abc_quote", min_size=1, max_size=6), schemas(depth - 1), max_size=3)
            )
            return {
                "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False,
            }  # fmt: skip
    return {"type": kind}


@given(schemas(), st.text(max_size=200))
def test_an_answer_can_be_made_up_for_any_schema(schema: dict[str, Any], prompt: str) -> None:
    call = Call("m", (Message("user", prompt),), schema=schema, seed=Random(prompt).randint(0, 9))
    text = filler.answer(call, schema)
    assert check(json.loads(text), schema) == json.loads(text)
    assert filler.answer(call, schema) == text, "the same call gets the same answer"
    assert schema_problem(in_words(schema)) is None


def test_the_hard_bound_in_characters_reaches_the_local_grammar_alone() -> None:
    pytest.importorskip("xllamacpp")
    schema = {"type": "object", "properties": {"claim": {"type": "string", **at_most(80, characters=300)}}}
    call = Call("m", (Message("user", "Say it."),), schema | {"required": ["claim"]})
    grammar = local.request_body(call)["grammar"]
    assert '"maxLength":300' in grammar
    assert "maxWords" not in grammar
    for vendor in (openai, anthropic):
        sent = str(vendor.request_body(call, frozenset(), 0, stream=False))
        assert "claim" in sent
        assert "maxLength" not in sent
        assert "maxWords" not in sent
