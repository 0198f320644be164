"""Interactions between subjects: against scipy and statsmodels, and by simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import minimize  # type: ignore[import-untyped]
from scipy.stats import nct, norm, ttest_ind  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.factor_interactions import (
    coefficients,
    equivalent_crossed_means,
    equivalent_crossed_shares,
    means_crossed,
    shares_crossed,
)
from elenchus.debate_engine.protocols.rulegen.study.statistics import Proportion, proportion

SIGNS = np.array([1, -1, -1, 1])


def shares(*counts: int, n: int = 20) -> list[Proportion]:
    return [proportion(k, n) for k in counts]


@pytest.mark.parametrize("counts", [(12, 8, 9, 8), (19, 3, 10, 12), (5, 6, 15, 2), (1, 2, 9, 19)])
@pytest.mark.parametrize("of", [-0.4, 0.0, 0.3])
def test_the_score_is_taken_at_the_likeliest_shares_that_have_the_difference(
    counts: tuple[int, int, int, int], of: float
) -> None:
    """Those of scipy's search with a constraint."""
    k = np.array(counts)

    def unlikely(p: np.ndarray) -> float:
        return -float((k * np.log(p) + (20 - k) * np.log(1 - p)).sum())

    held = {"type": "eq", "fun": lambda p: (SIGNS * p).sum() - of}
    bounds = [(1e-9, 1 - 1e-9)] * 4
    start = np.clip(0.5 + SIGNS * of / 4, 0.01, 0.99)
    p = minimize(unlikely, start, bounds=bounds, constraints=held, method="SLSQP", options={"ftol": 1e-14}).x
    variance = (p * (1 - p) / 20).sum() * 80 / 79
    z = ((SIGNS * k / 20).sum() - of) / np.sqrt(variance)
    if of == 0:
        assert shares_crossed([shares(*counts)]).p == pytest.approx(2 * norm.sf(abs(z)), abs=1e-4)
    else:
        found = equivalent_crossed_shares([shares(*counts)], abs(of))
        assert found.p is not None
        assert found.p >= (norm.cdf(z) if of > 0 else norm.sf(z)) - 1e-4


@settings(deadline=None)
@given(st.tuples(*[st.integers(0, 18)] * 4))
def test_the_interval_holds_nothing_where_the_test_finds_nothing(counts: tuple[int, int, int, int]) -> None:
    found = shares_crossed([shares(*counts, n=18)])
    apart = float((SIGNS * counts).sum() / 18)
    assert found.difference == pytest.approx(apart)
    assert found.low is not None
    assert found.high is not None
    assert -2 <= found.low <= apart + 1e-9
    assert apart - 1e-9 <= found.high <= 2
    if found.p is not None and abs(found.p - 0.05) > 1e-6:
        assert (found.p < 0.05) == (not found.low <= 0 <= found.high)


def test_of_few_an_interaction_of_shares_is_only_estimated() -> None:
    found = shares_crossed([shares(9, 2, 3, 3, n=14)])
    assert found.difference == pytest.approx(7 / 14)
    assert (found.low, found.p) == (None, None)
    assert shares_crossed([]).difference is None
    assert equivalent_crossed_shares([shares(9, 2, 3, 3, n=14)], 0.5).p is None
    assert shares_crossed([shares(0, 0, 0, 0)]).p is None, "all say the same"


def test_strata_are_weighted_by_what_they_can_tell() -> None:
    assert coefficients([[10, 10, 10, 10], [30, 30, 30, 30]]) == pytest.approx(
        [0.25, -0.25, -0.25, 0.25, 0.75, -0.75, -0.75, 0.75]
    )


def groups(rng: np.random.Generator, *sizes: int) -> list[list[float]]:
    return [list(rng.normal(n % 3, 1 + n % 2, size=size)) for n, size in enumerate(sizes)]


def test_means_are_those_of_a_regression_with_an_interaction_where_variances_are_taken_as_equal() -> None:
    """G times its size is the regression's t; t itself takes each group's own variance."""
    found = groups(np.random.default_rng(3), 8, 11, 9, 14)
    y = np.concatenate(found)
    a = np.repeat([1.0, 0, 1, 0], list(map(len, found)))
    b = np.repeat([1.0, 1, 0, 0], list(map(len, found)))
    design = np.column_stack([np.ones(len(y)), a, b, a * b])
    fitted, squares, *_ = np.linalg.lstsq(design, y, rcond=None)
    t = float(fitted[3] / np.sqrt(squares[0] / (len(y) - 4) * np.linalg.inv(design.T @ design)[3, 3]))
    of = means_crossed([found])
    assert of.difference == pytest.approx(fitted[3])
    size = 1 / np.sqrt(sum(1 / len(x) for x in found))
    correction = 1 - 3 / (4 * (len(y) - 4) - 1)
    assert of.g is not None
    assert of.g / correction * size == pytest.approx(t, rel=1e-3)
    for end, share in ((of.g_low, 0.975), (of.g_high, 0.025)):
        ncp = (end or 0) / of.g * t
        assert nct.cdf(t, len(y) - 4, ncp) == pytest.approx(share, abs=1e-4)
    assert of.t == pytest.approx(fitted[3] / np.sqrt(sum(np.var(x, ddof=1) / len(x) for x in found)))


def test_where_two_groups_do_not_vary_the_test_is_welchs() -> None:
    one, other, *_ = groups(np.random.default_rng(5), 8, 11)
    found, by = means_crossed([[one, other, [1.0] * 6, [1.0] * 6]]), ttest_ind(one, other, equal_var=False)
    assert [found.p, found.df] == pytest.approx([by.pvalue, by.df])


def test_what_does_not_vary_or_is_too_few_has_no_test() -> None:
    assert means_crossed([[[1.0, 2.0], [1.0], [1.0, 2.0], [1.0, 2.0]]]).difference is None
    same = means_crossed([[[1.0] * 6, [2.0] * 6, [1.0] * 6, [1.0] * 6]])
    assert (same.difference, same.p) == (-1.0, None)
    few = means_crossed([groups(np.random.default_rng(1), 4, 9, 9, 9)])
    assert few.difference is not None
    assert few.p is None
    assert equivalent_crossed_means([groups(np.random.default_rng(1), 4, 9, 9, 9)], 3.0).p is None


# ── each test at its own null ────────────────────────────────────────────────────────────────────────────────────────

EXPERIMENTS = 2_000
Tested = Callable[[np.random.Generator], float | None]


def _shares(n: int, four: Sequence[float], margin: float | None = None) -> Tested:
    @lru_cache(None)
    def p_of(counts: tuple[int, ...]) -> float | None:
        table = [shares(*counts, n=n)]
        return shares_crossed(table).p if margin is None else equivalent_crossed_shares(table, margin).p

    return lambda rng: p_of(tuple(int(k) for k in rng.binomial(n, four)))


def _means(sizes: Sequence[int], spreads: Sequence[float], margin: float | None = None) -> Tested:
    def draw(rng: np.random.Generator) -> float | None:
        found = [
            list(rng.normal((margin or 0.0) * (k == 0), spread, size=n))
            for k, (n, spread) in enumerate(zip(sizes, spreads, strict=True))
        ]
        return means_crossed([found]).p if margin is None else equivalent_crossed_means([found], margin).p

    return draw


@pytest.mark.slow
@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(_shares(15, (0.5, 0.5, 0.5, 0.5)), id="shares, 15"),
        pytest.param(_shares(15, (0.3, 0.3, 0.7, 0.7)), id="shares, 15, one factor"),
        pytest.param(_shares(20, (0.9, 0.6, 0.5, 0.2)), id="shares, 20, two factors"),
        pytest.param(_shares(40, (0.2, 0.2, 0.2, 0.2)), id="shares, 40"),
        pytest.param(_shares(40, (0.1, 0.1, 0.6, 0.6)), id="shares, 40, one factor"),
        pytest.param(_shares(60, (0.7, 0.5, 0.3, 0.5), 0.4), id="no difference of shares, at its margin of 0.4"),
        pytest.param(_means((5, 5, 5, 5), (1, 1, 1, 1)), id="means, 5"),
        pytest.param(_means((5, 5, 5, 5), (1, 2, 3, 1)), id="means, 5, unequal variances"),
        pytest.param(_means((5, 20, 20, 20), (3, 1, 1, 1)), id="means, 5 and 20, unequal variances"),
        pytest.param(_means((20, 20, 20, 20), (1, 2, 1, 2)), id="means, 20, unequal variances"),
        pytest.param(_means((20, 20, 20, 20), (1, 1, 1, 1), 2.0), id="no difference, at its margin of 2"),
    ],
)
def test_where_nothing_is_interactions_are_found_in_one_of_twenty_experiments(draw: Tested) -> None:
    """2,000 experiments, 3.5 to 6.5 %."""
    rng = np.random.default_rng(20_261_123)
    found = sum((p := draw(rng)) is not None and p < 0.05 for _ in range(EXPERIMENTS)) / EXPERIMENTS
    assert 0.035 <= found <= 0.065, found


@pytest.mark.slow
def test_within_strata_an_interaction_of_shares_holds_its_level() -> None:
    rng, found = np.random.default_rng(7), 0
    for _ in range(EXPERIMENTS):
        strata = [[proportion(int(rng.binomial(n, p)), n) for n in (8, 10, 9, 8)] for p in (0.3, 0.6)]
        found += (p := shares_crossed(strata).p) is not None and p < 0.05
    assert 0.035 <= found / EXPERIMENTS <= 0.065, found
