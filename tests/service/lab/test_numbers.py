"""What people type for a number: read as one value, or asked for once more, but never read as another."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.errors import UnreadableReply
from elenchus.service.lab.forms import numbers_understood, read_valid, value_of
from elenchus.service.lab.numbers import as_read, read_number, written

LOCALES = (
    "en",
    "en-IN",
    "de",
    "de-CH",
    "de-AT",
    "fr",
    "fr-CH",
    "es",
    "es-MX",
    "it",
    "pt-PT",
    "pl",
    "sv",
    "ru",
    "ar-EG",
    "hi",
)
numbers = st.one_of(
    st.integers(-(10**7), 10**7).map(float),
    st.integers(-(10**7), 10**7).map(lambda n: n / 1000),
    st.floats(-1e12, 1e12, allow_nan=False),
)


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("240", 240), ("7,5", 7.5), ("7.5", 7.5), ("0,125", 0.125), ("1200,5", 1200.5), ("1,200.50", 1200.5),
        ("1.200,50", 1200.5), ("1 200", 1200), ("1\u202f200,5", 1200.5), ("1’200", 1200), ("1.200.000", 1_200_000),
        (".5", 0.5), ("−3,25", -3.25), ("+4", 4), ("1e3", 1000), ("12.3450", 12.345),
        ("١٢٠٠", 1200), ("١٬٢٠٠٫٥", 1200.5), ("1,20,000.5", 120_000.5),
    ],
)  # fmt: skip
def test_a_number_that_can_mean_one_thing_is_read(typed: str, value: float) -> None:
    assert read_number(typed, "price") == value


@pytest.mark.parametrize(
    ("typed", "either"),
    [("1.200", "1200 or 1.2"), ("1,200", "1200 or 1.2"), ("12.345", "12345 or 12.3450"), ("-1.500", "-1500 or -1.5")],
)
def test_one_that_may_be_thousands_is_asked_for_once_more(typed: str, either: str) -> None:
    with pytest.raises(UnreadableReply, match=rf"price: {typed} may be {either}, write which"):
        read_number(typed, "price")
    values = [read_number(one, "price") for one in either.split(" or ")]
    assert values[0] == pytest.approx(values[1] * 1000)


def test_what_only_one_reading_allows_is_no_question() -> None:
    assert read_number("1.200", "seats", whole=True) == 1200
    assert isinstance(read_number("1.200", "seats", whole=True), int)
    assert read_number("1.200", "share", high=10) == 1.2
    assert read_number("1,200", "price", low=100, high=5000) == 1200


@pytest.mark.parametrize(
    "typed", ["", "one", "1.2.3", "1,2,000", "12 34", "1e999", "inf", "nan", "1_000", "5.", "--5", "1.200,"]
)
def test_what_is_no_number_is_none(typed: str) -> None:
    with pytest.raises(UnreadableReply, match="price must be a number"):
        read_number(typed, "price")


@given(numbers)
def test_a_number_as_it_is_written_is_read_without_a_question(value: float) -> None:
    assert read_number(written(value), "price") == value


@given(numbers, st.sampled_from(LOCALES))
def test_a_number_of_any_locale_is_read_rightly_or_asked_for_once_more(value: float, locale: str) -> None:
    typed = as_read(value, locale)
    try:
        assert math.isclose(read_number(typed, "price"), value), typed
    except UnreadableReply as question:
        assert "may be" in str(question), typed


def test_what_was_understood_is_told_as_the_readers_locale_has_it() -> None:
    schema = {"type": "object", "properties": {"price": {"type": "number"}, "known": {"type": "boolean"}}}
    answer = value_of(schema, {"price": "1200,5", "known": "yes"})
    assert numbers_understood(schema, answer, "de") == "1.200,5"
    assert numbers_understood(schema, answer, "en-US") == "1,200.5"
    assert numbers_understood(schema, answer, "no such locale") == "1,200.5"
    assert numbers_understood(schema, {"price": 240.0, "known": True}, "de") == ""


def test_a_number_beyond_all_digits_is_no_number() -> None:
    with pytest.raises(UnreadableReply, match="this must be a number"):
        read_valid({"type": "number"}, "9" * 5_000)


@pytest.mark.parametrize("typed", ["ca. 200", "12 Punkte", "zwölf", ""])
def test_what_is_no_number_is_asked_for_in_digits_with_an_example(typed: str) -> None:
    with pytest.raises(UnreadableReply, match=r"this must be a whole number, in digits alone, such as 250$"):
        read_valid({"type": "integer"}, typed)
    with pytest.raises(UnreadableReply, match=r"this must be a number, in digits alone, such as 250 or 2\.5$"):
        read_valid({"type": "number"}, typed)
