"""Amounts as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.amounts import dollars_in, tokens_in


@pytest.mark.parametrize(
    "typed", ["$0,50", "$1.000,50", "$1,000.50", "$1,5", "1,000", "$-4", "$0", "$nan", "$1e3", "$"]
)
def test_dollars_that_could_be_read_in_two_ways_or_are_none_are_no_amount(typed: str) -> None:
    assert dollars_in(typed) is None


@pytest.mark.parametrize("typed", ["0,50", "1.000", "1.5", "1,00", "0,500", "12,34,567", "-4", "0", "1e3", "²", ""])
def test_tokens_are_whole_and_only_thousands_stand_behind_a_comma(typed: str) -> None:
    assert tokens_in(typed) is None


@given(st.integers(1, 10**14))
def test_a_number_of_tokens_is_read_as_it_is_printed(number: int) -> None:
    assert tokens_in(f" {number} ") == tokens_in(f"{number:,}") == number


@given(st.decimals(min_value="0.01", max_value=99_999, places=2))
def test_an_amount_of_dollars_is_read_as_it_is_printed(amount: object) -> None:
    assert dollars_in(f"${amount}") == dollars_in(f" {amount}") == float(str(amount))
