"""Proportions and their comparison, against published figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_engine.protocols.rulegen.study.statistics import difference, proportion

PUBLISHED_WILSON = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
"""Newcombe, Stat. Med. 17 (1998) 857, table I, method 3."""

PUBLISHED_NEWCOMBE = [
    ((56, 70), (48, 80), 0.0524, 0.3339),
    ((9, 10), (3, 10), 0.1705, 0.8090),
    ((10, 10), (0, 20), 0.6791, 1.0),
    ((10, 10), (0, 10), 0.6075, 1.0),
]
"""Newcombe, Stat. Med. 17 (1998) 873, table II, method 10."""


@pytest.mark.parametrize(("k", "n", "low", "high"), PUBLISHED_WILSON)
def test_wilsons_interval_is_the_published_one(k: int, n: int, low: float, high: float) -> None:
    found = proportion(k, n)
    assert found.share == k / n
    assert [found.low, found.high] == pytest.approx([low, high], abs=5e-5)


@pytest.mark.parametrize(("one", "other", "low", "high"), PUBLISHED_NEWCOMBE)
def test_newcombes_interval_of_a_difference_is_the_published_one(
    one: tuple[int, int], other: tuple[int, int], low: float, high: float
) -> None:
    found = difference(proportion(*one), proportion(*other))
    assert found.difference == pytest.approx(one[0] / one[1] - other[0] / other[1])
    assert [found.low, found.high] == pytest.approx([low, high], abs=5e-5)


def test_fishers_p_of_the_lady_tasting_tea() -> None:
    assert difference(proportion(3, 4), proportion(1, 4)).p == pytest.approx(34 / 70)
    assert difference(proportion(4, 4), proportion(0, 4)).p == pytest.approx(2 / 70)


def test_without_runs_there_is_no_share_and_no_difference() -> None:
    none = proportion(0, 0)
    assert (none.share, none.low, none.high) == (None, None, None)
    found = difference(none, proportion(3, 4))
    assert (found.difference, found.low, found.high, found.p) == (None, None, None, None)


def test_more_than_all_is_refused() -> None:
    with pytest.raises(ValueError, match="no proportion"):
        proportion(3, 2)


COUNTS = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(COUNTS, COUNTS)
def test_intervals_hold_their_estimate_and_turn_round_with_the_order(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    a, b = proportion(*one), proportion(*other)
    there, back = difference(a, b), difference(b, a)
    for low, value, high, least in ((a.low, a.share, a.high, 0), (there.low, there.difference, there.high, -1)):
        assert low is not None
        assert value is not None
        assert high is not None
        assert least <= low <= value <= high <= 1
    assert there.low is not None
    assert back.high is not None
    assert there.low == pytest.approx(-back.high)
    assert there.p == pytest.approx(back.p)
