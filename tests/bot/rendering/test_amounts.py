"""Money, heat and waiting times as members read them."""

from __future__ import annotations

import pytest

from elenchus.bot.rendering.amounts import capitalised, dollars, in_time, two_places


@pytest.mark.parametrize(
    ("usd", "told"),
    [(0, "$0.00"), (0.00001, "under $0.0001"), (0.0042, "$0.0042"), (0.01, "$0.01"), (12.5, "$12.50")],
)
def test_little_money_is_shown_as_exactly_as_tells_it_from_nothing(usd: float, told: str) -> None:
    assert dollars(usd) == told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(1, "in 1 min"), (61, "in 2 min"), (7_140, "in 119 min"), (7_200, "in 2 h"), (7_201, "in 3 h")],
)
def test_a_wait_is_told_in_full_minutes_and_from_two_hours_on_in_full_hours(seconds: float, told: str) -> None:
    assert in_time(seconds) == told


def test_a_heat_is_rounded_as_by_hand() -> None:
    assert [two_places(value) for value in (0.625, 0.125, 1)] == ["0.63", "0.13", "1.00"]


def test_a_capital_changes_nothing_but_the_first_letter() -> None:
    assert [capitalised(text) for text in ("the CRIT score", "", "ärger")] == ["The CRIT score", "", "Ärger"]
