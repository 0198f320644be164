"""Measures: what is asked, what is taken, and what is stored."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from pydantic import TypeAdapter, ValidationError

from elenchus.debate_engine.llm.schema import json_schema_of
from elenchus.debate_engine.scenes.measures import (
    Choice,
    FreeText,
    Measure,
    Number,
    Rating,
    Scale,
    Stated,
    YesNo,
    form,
    in_words,
    stated,
)

PRICE = Number(name="price", ask="What is the fair price?", unit="euros", low=0, high=2000)
ANSWER = Choice(name="answer", options=("A", "B", "C"))
AGREE = Scale(name="agree", ask="Prices should be fair.")
SURE = Rating(name="sure", low=0, high=10)
HIGHER = YesNo(name="higher")
WHY = FreeText(name="why", words=20)
MEASURES: list[Measure] = [PRICE, ANSWER, AGREE, SURE, HIGHER, WHY]


@pytest.mark.parametrize(
    ("measure", "answer", "value", "told"),
    [
        (PRICE, 240, 240.0, "240 euros"),
        (PRICE, 1200.5, 1200.5, "1,200.5 euros"),
        (Number(name="n", whole=True), 3, 3, "3"),
        (ANSWER, "B", "B", "B"),
        (AGREE, "agree", 6, "agree (6 of 7)"),
        (SURE, 10, 10, "10 of 10"),
        (Rating(name="quality", low=-3, high=3), -2, -2, "-2"),
        (HIGHER, True, True, "yes"),
        (HIGHER, False, False, "no"),
        (WHY, "It rides well.", "It rides well.", "It rides well."),
    ],
)
def test_an_answer_is_stored_as_its_kind_and_read_out_in_words(
    measure: Measure, answer: Stated, value: Stated, told: str
) -> None:
    found = stated(measure, answer)
    assert (found, type(found)) == (value, type(value))
    assert in_words(measure, found) == told


@pytest.mark.parametrize(
    ("measure", "answer"),
    [
        (PRICE, -1), (PRICE, 2000.5), (PRICE, float("nan")), (PRICE, float("inf")), (PRICE, "dear"), (PRICE, None),
        (Number(name="free"), float("inf")), (Number(name="n", whole=True), 2.5), (ANSWER, "D"), (ANSWER, ""),
        (AGREE, "perhaps"), (AGREE, 3), (SURE, 11), (SURE, -1), (HIGHER, "perhaps"),
    ],
)  # fmt: skip
def test_what_is_outside_a_measure_is_never_a_value(measure: Measure, answer: object) -> None:
    with pytest.raises(ValueError, match=r".+"):
        stated(measure, answer)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: str(measure.kind))
def test_every_measure_comes_back_from_its_file(measure: Measure) -> None:
    adapter: TypeAdapter[Measure] = TypeAdapter(Measure)
    assert adapter.validate_json(measure.model_dump_json()) == measure


def test_measures_are_asked_in_one_strict_form_with_their_questions() -> None:
    schema = json_schema_of(form(tuple(MEASURES)))
    assert schema["required"] == [measure.name for measure in MEASURES]
    fields = schema["properties"]
    assert fields["answer"]["enum"] == ["A", "B", "C"]
    assert fields["price"]["description"].startswith("What is the fair price? (one number in euros")
    assert (fields["price"]["minimum"], fields["sure"]["maximum"], fields["why"]["maxWords"]) == (0, 10, 20)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Number(name="price", low=3, high=3),
        lambda: Number(name="price", low=5, high=3),
        lambda: Number(name="price", high=float("inf")),
        lambda: Choice(name="answer", options=("A",)),
        lambda: Choice(name="answer", options=("A", "a")),
        lambda: Choice(name="answer", options=("A", " ")),
        lambda: Rating(name="sure", low=5, high=5),
        lambda: Rating(name="sure", low=0, high=101),
        lambda: FreeText(name="why", words=0),
        lambda: YesNo(name="Is it?"),
        lambda: YesNo(name=""),
    ],
)
def test_a_measure_that_makes_no_sense_is_refused(make: object) -> None:
    assert callable(make)
    with pytest.raises(ValidationError):
        make()


@given(st.floats(0, 2000, allow_nan=False))
def test_any_number_in_its_range_is_kept_as_it_is(value: float) -> None:
    assert stated(PRICE, value) == value
