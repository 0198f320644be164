from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, strategies as st
from scipy.stats import spearmanr  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.sweep.summary import SHUFFLES, ranks, trend

HEATS = [0.0, 0.3, 0.5, 0.7, 0.9]
NUMBER = st.integers(-5, 5).map(float)
PAIRS = st.lists(st.tuples(NUMBER, NUMBER), min_size=3, max_size=6)


def test_a_number_that_always_rises_has_rho_one_and_the_least_p_of_five_pairs() -> None:
    found = trend([list(zip(HEATS, [1, 2, 4, 8, 16], strict=True))])
    assert (found.n, found.rho, found.p) == (5, 1.0, round(2 / 120, 4))
    assert found.method == "exact, 120 arrangements"


def test_a_number_that_always_falls_has_rho_minus_one() -> None:
    assert trend([list(zip(HEATS, [5, 4, 3, 2, 1], strict=True))]).rho == -1.0


def test_rho_is_that_of_a_known_example_with_ties() -> None:
    pairs = list(zip(HEATS, [10.0, 6.0, 5.0, 6.0, 1.0], strict=True))
    assert trend([pairs]).rho == -0.8208  # by hand: −8 / √(10 · 9.5)


def test_p_is_the_share_of_arrangements_at_least_as_far_from_zero() -> None:
    ys = [10.0, 6.0, 5.0, 6.0, 1.0]
    seen = abs(spearmanr(HEATS, ys).statistic)
    arranged = [abs(spearmanr(HEATS, p).statistic) for p in permutations(ys)]
    assert trend([list(zip(HEATS, ys, strict=True))]).p == round(sum(r >= seen - 1e-9 for r in arranged) / 120, 4)


def test_two_sides_are_ranked_apart_so_a_difference_between_them_is_no_trend() -> None:
    low = list(zip(HEATS, [1, 2, 3, 4, 5], strict=True))
    high = [(heat, value + 100) for heat, value in low]
    both = trend([low, high])
    assert (both.n, both.rho, both.method) == (10, 1.0, "exact, 14400 arrangements")
    assert both.p == round(2 / 14400, 4)


def test_opposite_trends_of_the_sides_cancel_out() -> None:
    up, down = list(zip(HEATS, range(5), strict=True)), list(zip(HEATS, range(5, 0, -1), strict=True))
    both = trend([up, down])
    assert both.rho == 0.0
    assert both.p == 1.0


def test_many_pairs_are_tested_by_seeded_shuffles_which_never_give_zero() -> None:
    pairs = [(heat, heat) for heat in HEATS for _ in range(4)]
    found = trend([pairs])
    assert found == trend([pairs])
    assert found.method == f"{SHUFFLES} seeded shuffles"
    assert found.p == round(1 / (SHUFFLES + 1), 4)


@pytest.mark.parametrize("ys", [[], [1.0, 2.0], [3.0] * 5])
def test_without_three_different_pairs_nothing_is_told(ys: list[float]) -> None:
    found = trend([list(zip(HEATS, ys, strict=False))])
    assert (found.rho, found.p, found.n) == (None, None, len(ys))
    assert found.reason


def test_a_side_that_cannot_be_ranked_is_left_out() -> None:
    rising = list(zip(HEATS, range(5), strict=True))
    assert trend([rising, [(heat, 1.0) for heat in HEATS]]) == trend([rising])


@given(st.lists(NUMBER, max_size=12))
def test_ranks_add_up_to_those_without_ties(values: list[float]) -> None:
    assert sum(ranks(values)) == len(values) * (len(values) + 1) / 2


@given(PAIRS)
def test_rho_is_spearmans_and_is_symmetric(pairs: list[tuple[float, float]]) -> None:
    rho = trend([pairs]).rho
    constant = any(len(set(values)) == 1 for values in zip(*pairs, strict=True))
    assert (rho is None) == constant
    assert rho is None or rho == pytest.approx(spearmanr(pairs).statistic, abs=6e-5)
    assert trend([[(y, x) for x, y in pairs]]).rho == rho


@given(PAIRS)
def test_turning_a_scale_round_turns_rho_and_keeps_p(pairs: list[tuple[float, float]]) -> None:
    one, two = trend([pairs]), trend([[(x, -y) for x, y in pairs]])
    assert one.p == two.p
    assert (one.rho is None) == (two.rho is None)
    assert one.rho is None or one.rho == pytest.approx(-(two.rho or 0.0), abs=1e-3)


@given(PAIRS)
def test_any_rising_change_of_scale_leaves_rho_as_it_is(pairs: list[tuple[float, float]]) -> None:
    assert trend([pairs]) == trend([[(x, 3 * y**3 + 1) for x, y in pairs]])


@given(PAIRS)
def test_p_is_a_share_and_never_zero(pairs: list[tuple[float, float]]) -> None:
    found = trend([pairs])
    assert found.p is None or 0 < found.p <= 1
