"""Exact tests of few numbers: against all arrangements, scipy, and their own promises by simulation."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import permutation_test  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.means import analysis_of_variance, means_apart
from elenchus.debate_engine.protocols.rulegen.study.permutation import are_drawn, p_of_several, p_of_two

Numbers = NDArray[np.float64]


def _t(one: Numbers, other: Numbers, axis: int) -> Numbers:
    error = one.var(axis=axis, ddof=1) / one.shape[axis] + other.var(axis=axis, ddof=1) / other.shape[axis]
    return np.asarray(abs(one.mean(axis=axis) - other.mean(axis=axis)) / np.sqrt(error))


def test_two_groups_are_told_apart_as_by_scipys_test_over_all_arrangements() -> None:
    one, other = np.array([1.0, 5.0, 3.0]), np.array([7.0, 8.0, 9.0, 6.0, 12.0])
    by = permutation_test((one, other), _t, vectorized=True, n_resamples=100_000, alternative="greater")
    assert p_of_two([(list(one), list(other))]) == pytest.approx(by.pvalue, abs=1e-9), "gone through, and not drawn"
    assert means_apart([(list(one), list(other))]).exact


def test_within_strata_nobody_changes_their_stratum() -> None:
    """Two strata of two and two, each as far apart as can be: of the 6 · 6 arrangements four are as far out (both
    sides, either way).
    """
    strata = [([1.0, 2.0], [11.0, 12.0]), ([101.0, 102.0], [111.0, 112.0])]
    assert p_of_two(strata) == pytest.approx(2 / 36)
    assert means_apart(strata).exact


def test_several_groups_are_told_apart_as_over_all_arrangements() -> None:
    groups, everybody = [[1.0, 2.0], [3.0, 5.0], [9.0, 8.0]], [1.0, 2.0, 3.0, 5.0, 9.0, 8.0]
    seen, of = 0, 0
    for first in combinations(range(6), 2):
        for second in combinations([n for n in range(6) if n not in first], 2):
            third = [n for n in range(6) if n not in (*first, *second)]
            between = sum(sum(everybody[n] for n in group) ** 2 for group in (first, second, third))
            seen, of = seen + (between >= 3.0**2 + 8.0**2 + 17.0**2), of + 1
    assert p_of_several(groups) == pytest.approx(seen / of)


def test_the_same_numbers_give_the_same_p() -> None:
    assert p_of_two([([1.0, 2.0], [3.0, 5.0, 4.0])]) == p_of_two([([1.0, 2.0], [3.0, 5.0, 4.0])])
    assert p_of_two([([1.0, 1.0], [2.0, 2.0])]) == pytest.approx(2 / 6), "nothing varies within"


def test_few_arrangements_are_all_gone_through_and_of_many_some_are_drawn() -> None:
    few, many = [([1.0, 2.0], [3.0, 5.0, 4.5])], [([1.0, 2.5, 2.0], [float(n * n % 37) for n in range(60)])]
    assert [are_drawn([(2, 3)]), are_drawn([(2, 3), (2, 3)]), are_drawn([(3, 60)])] == [False, False, True]
    assert p_of_two(few) * 10 == pytest.approx(round(p_of_two(few) * 10)), "so many of ten"
    assert p_of_two(many) * 10_000 == pytest.approx(round(p_of_two(many) * 10_000))
    assert (means_apart(few).drawn, means_apart(many).drawn) == (False, True)
    assert not analysis_of_variance([[1.0, 2.0], [3.0, 5.0], [9.0, 8.0]]).drawn
    assert analysis_of_variance([[float(n * k % 7) for n in range(5)] for k in range(1, 5)]).drawn


Tested = Callable[[np.random.Generator], float | None]


def _two(n: int, m: int) -> Tested:
    return lambda rng: means_apart([(list(rng.normal(size=n)), list(rng.normal(size=m)))]).p


def _strata(n: int, m: int) -> Tested:
    return lambda rng: means_apart([(list(rng.normal(k, size=n)), list(rng.normal(k, size=m))) for k in (0, 3)]).p


def _several(n: int, arms: int) -> Tested:
    return lambda rng: analysis_of_variance([list(rng.normal(size=n)) for _ in range(arms)]).p


@pytest.mark.slow
@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(_two(2, 20), id="2 and 20"),
        pytest.param(_strata(2, 6), id="two strata of 2 and 6"),
        pytest.param(_several(5, 12), id="12 conditions of 5"),
    ],
)
def test_where_nothing_is_an_exact_test_finds_something_in_one_of_twenty_experiments_at_most(draw: Tested) -> None:
    """2,000 experiments, in 13, 4 and 10 of 100 of which Welch's would."""
    rng = np.random.default_rng(20_261_124)
    found = sum((p := draw(rng)) is not None and p < 0.05 for _ in range(2_000)) / 2_000
    assert found <= 0.05, found
