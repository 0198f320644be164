"""Fixed lines with places: what is filled in, what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.scenes.templates import UnknownPlace, check, filled, names_in

VALUES = {"anchor": "480", "Imani": "Imani", "price": "{anchor}"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("More or less than {anchor} euros?", "More or less than 480 euros?"),
        ("{ Imani }, {Imani}!", "Imani, Imani!"),
        ("You said {price}.", "You said {anchor}."),
        ("{{anchor}} is {anchor}", "{anchor} is 480"),
        ("No places.", "No places."),
        ("", ""),
    ],
)
def test_places_are_filled_once(text: str, said: str) -> None:
    assert filled(text, VALUES) == said


@pytest.mark.parametrize(
    "text", ["{prize}", "{}", "{0}", "{anchor.real}", "{anchor!r}", "{anchor:>9}", "{a\nb}", "{", "}", "{{}"]
)
def test_what_is_no_place_is_refused_by_name(text: str) -> None:
    with pytest.raises(UnknownPlace):
        filled(text, VALUES)


def test_a_name_that_is_not_known_is_told_with_those_that_are() -> None:
    assert names_in("{a} {b} {a}") == ("a", "b")
    with pytest.raises(UnknownPlace, match=r"\{prize\} is nothing that can be filled in here: there is anchor, price"):
        check("{anchor} {prize}", ["anchor", "price"])


@given(st.text(max_size=80))
def test_any_text_can_be_said_with_its_braces_doubled(text: str) -> None:
    assert filled(text.replace("{", "{{").replace("}", "}}"), {}) == text
