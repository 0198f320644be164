"""Means and their comparison: against scipy and statsmodels, and against their own promises by simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gamma

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from scipy.stats import ncf, nct, ttest_ind  # type: ignore[import-untyped]
from statsmodels.stats.oneway import anova_oneway  # type: ignore[import-untyped]
from statsmodels.stats.weightstats import ttost_ind  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.means import (
    analysis_of_variance,
    equivalent_means,
    eta_squared,
    hedges_g,
    mean_of,
    means_apart,
)

numbers = st.lists(st.integers(-10_000, 10_000).map(lambda n: n / 8), min_size=2, max_size=12)
many = st.lists(st.integers(-10_000, 10_000).map(lambda n: n / 8), min_size=5, max_size=12).filter(
    lambda found: len(set(found)) > 1
)
varied = numbers.filter(lambda found: len(set(found)) > 1)
EXPERIMENTS = 2_000


@given(varied, varied)
def test_two_means_are_compared_as_scipy_does(one: list[float], other: list[float]) -> None:
    found = means_apart([(one, other)])
    by = ttest_ind(one, other, equal_var=False)
    low, high = by.confidence_interval()
    assert found.exact == (min(len(one), len(other)) < 5)
    assert found.exact or found.p == pytest.approx(by.pvalue, rel=1e-6)
    assert [found.low, found.high] == pytest.approx([low, high], rel=1e-6, abs=1e-6)
    assert found.df == pytest.approx(by.df)


@given(st.lists(numbers, min_size=2, max_size=4))
def test_several_means_are_compared_as_statsmodels_does(groups: list[list[float]]) -> None:
    found = analysis_of_variance(groups)
    if any(len(set(group)) == 1 for group in groups):
        assert (found.p, found.eta_squared) == (None, None)
        return
    by = anova_oneway(groups, use_var="unequal", welch_correction=True)
    assert found.f == pytest.approx(by.statistic, rel=1e-6)
    assert found.exact == (min(map(len, groups)) < 10)
    assert found.exact or found.p == pytest.approx(by.pvalue, rel=1e-6, abs=1e-12)
    assert found.df_within == pytest.approx(by.df[1])


def test_one_stratum_of_numbers_is_welchs_test_and_several_are_their_weighted_mean() -> None:
    one, other = [1.0, 2.5, 3.0, 7.0, 2.0], [0.5, 1.0, 1.5, 2.0, 1.5, 3.0]
    found, by = means_apart([(one, other)]), ttest_ind(one, other, equal_var=False)
    assert [found.p, found.df] == pytest.approx([by.pvalue, by.df])
    two = means_apart([(one, other), ([4.0, 6.0], [1.0, 3.0])])
    apart = sum(one) / 5 - sum(other) / 6
    assert two.difference == pytest.approx((apart * 30 / 11 + 3 * 1) / (30 / 11 + 1)), "weights 5·6/11 and 2·2/4"
    assert means_apart([([1.0], other)]).difference is None
    assert means_apart([]).difference is None


def test_where_strata_are_alike_in_spread_their_test_is_that_of_a_regression() -> None:
    """Levels as indicators: the effect is the same, and so is the error up to degrees of freedom."""
    rng = np.random.default_rng(4)
    sides = [(list(rng.normal(level + 0.4, size=40)), list(rng.normal(level, size=40))) for level in (0.0, 3.0, -2.0)]
    found = means_apart(sides)
    y = np.array([x for one, other in sides for x in (*one, *other)])
    arm = np.array([arm for one, other in sides for arm in (*[1.0] * len(one), *[0.0] * len(other))])
    strata = np.array([n for n, (one, other) in enumerate(sides) for _ in (*one, *other)])
    design = np.column_stack([arm, *[strata == n for n in range(3)]])
    fitted, squares, *_ = np.linalg.lstsq(design, y, rcond=None)
    spread = float(np.sqrt(squares[0] / (len(y) - 4)))
    error = spread * np.sqrt(np.linalg.inv(design.T @ design)[0, 0])
    assert found.difference == pytest.approx(fitted[0])
    assert found.t == pytest.approx(fitted[0] / error, rel=0.02)
    assert found.g == pytest.approx(fitted[0] / spread, rel=0.01)


@given(
    many.filter(lambda found: len(set(found)) > 1),
    many.filter(lambda found: len(set(found)) > 1),
    st.floats(0.001, 1e5),
)
def test_equivalence_is_tested_as_statsmodels_does(one: list[float], other: list[float], margin: float) -> None:
    found = equivalent_means([(one, other)], margin)
    p, _, _ = ttost_ind(one, other, -margin, margin, usevar="unequal")
    assert found.p == pytest.approx(p, rel=1e-6, abs=1e-12)
    assert found.low is not None
    assert found.high is not None
    assert (found.p is not None and found.p < 0.05) == (-margin < found.low and found.high < margin)


@given(varied, varied)
def test_the_interval_of_g_holds_the_sizes_by_which_what_was_seen_is_no_surprise(
    one: list[float], other: list[float]
) -> None:
    g, low, high = hedges_g(one, other)
    df, size = len(one) + len(other) - 2, (len(one) * len(other) / (len(one) + len(other))) ** 0.5
    t = ttest_ind(one, other).statistic
    correction = gamma(df / 2) / gamma((df - 1) / 2) / (df / 2) ** 0.5
    assert g == pytest.approx(correction * t / size)
    if abs(t) < 20:
        assert low is not None
        assert high is not None
        for end, share in ((low, 0.975), (high, 0.025)):
            assert nct.cdf(t, df, end / correction * size) == pytest.approx(share, abs=1e-6)


@given(numbers, numbers)
def test_numbers_that_do_not_vary_differ_without_a_test(one: list[float], other: list[float]) -> None:
    found = means_apart([([one[0]] * 3, [other[0]] * 4)])
    assert (found.difference, found.p, found.g) == (one[0] - other[0], None, None)
    with pytest.raises(ValueError, match="do not vary"):
        hedges_g([one[0]] * 3, [other[0]] * 4)
    assert (means_apart([(one, [other[0]] * 3)]).p is None) == (len(set(one)) == 1)


def test_g_is_the_published_one() -> None:
    """Borenstein et al., Introduction to Meta-Analysis (2009), chapter 4: d 0.5970, J 0.9922, g 0.5924."""
    one, other = _sample(103, 5.5, 50), _sample(100, 4.5, 50)
    g, low, high = hedges_g(one, other)
    assert g == pytest.approx(0.5924, abs=5e-4)
    assert [low, high] == pytest.approx([0.5924 - 1.96 * 0.2028, 0.5924 + 1.96 * 0.2028], abs=0.01)


def _sample(mean: float, sd: float, n: int) -> list[float]:
    """Numbers of exactly this mean and standard deviation."""
    raw = np.random.default_rng(1).normal(size=n)
    return list(mean + sd * (raw - raw.mean()) / raw.std(ddof=1))


@pytest.mark.parametrize("apart", [0.2, 0.5, 2.0])
def test_the_interval_of_eta_squared_is_the_noncentral_f_turned_round(apart: float) -> None:
    groups = [_sample(apart * n, 1.0, 12) for n in range(3)]
    eta, low, high = eta_squared(groups)
    f, n = eta / 2 / ((1 - eta) / 33), 36
    assert low is not None
    assert high is not None
    assert 0 <= low <= eta <= high < 1
    assert ncf.cdf(f, 2, 33, high * n / (1 - high)) == pytest.approx(0.025, abs=1e-6)
    assert low == 0 or ncf.cdf(f, 2, 33, low * n / (1 - low)) == pytest.approx(0.975, abs=1e-6)


def test_conditions_more_alike_than_chance_makes_them_have_no_interval_of_no_width() -> None:
    eta, low, high = eta_squared([_sample(0, 1.0, 12)] * 3)
    assert (low, high) == (None, None)
    assert eta == pytest.approx(0)


def test_what_is_too_little_gives_no_number_that_looks_like_a_result() -> None:
    assert (mean_of([]).mean, mean_of([3.0]).low) == (None, None)
    assert mean_of([1.0, 2.0, 9.0]).median == 2
    assert means_apart([([1.0], [2.0, 3.0])]).difference is None
    assert analysis_of_variance([[1.0, 2.0]]).p is None
    assert equivalent_means([([1.0], [2.0, 3.0])], 1.0).p is None
    assert equivalent_means([([1.0, 2, 1, 2], [1.0, 2, 1, 2, 1, 2])], 9.0).p is None, "four claim nothing"
    for margin in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="above 0"):
            equivalent_means([([1.0, 2.0], [2.0, 3.0])], margin)
    with pytest.raises(ValueError, match="but one"):
        eta_squared([[1.0, 2.0]])


# ── each test at its own null ────────────────────────────────────────────────────────────────────────────────────────


Draw = Callable[[np.random.Generator], float | None]


def _welch_of(n: int, m: int, wider: float) -> Draw:
    def draw(rng: np.random.Generator) -> float | None:
        return means_apart([(list(rng.normal(size=n)), list(rng.normal(scale=wider, size=m)))]).p

    return draw


def _anova(rng: np.random.Generator) -> float | None:
    groups: Sequence[Sequence[float]] = [list(rng.normal(scale=1 + k / 2, size=15)) for k in range(3)]
    return analysis_of_variance(groups).p


def _tost(rng: np.random.Generator) -> float | None:
    return equivalent_means([(list(rng.normal(1.0, size=60)), list(rng.normal(0.0, size=60)))], 1.0).p


def _strata(rng: np.random.Generator) -> float | None:
    sides = [
        (list(rng.normal(level, 1 + level / 5, 8 + level)), list(rng.normal(level, 1.0, 14 - level)))
        for level in range(4)
    ]
    return means_apart(sides).p


def _tost_over_strata(rng: np.random.Generator) -> float | None:
    sides = [(list(rng.normal(level + 1.0, size=30)), list(rng.normal(level, size=25))) for level in range(3)]
    return equivalent_means(sides, 1.0).p


@pytest.mark.slow
@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(_welch_of(15, 15, 1.0), id="Welch, 15 and 15"),
        pytest.param(_welch_of(10, 30, 3.0), id="Welch, 10 and 30, three times as wide"),
        pytest.param(_anova, id="Welch's analysis of variance"),
        pytest.param(_tost, id="equivalence, at its margin"),
        pytest.param(_strata, id="Welch over strata"),
        pytest.param(_tost_over_strata, id="equivalence over strata, at its margin"),
    ],
)
def test_where_nothing_is_a_test_finds_something_in_one_of_twenty_experiments(draw: Draw) -> None:
    rng = np.random.default_rng(20_261_123)
    found = sum((p := draw(rng)) is not None and p < 0.05 for _ in range(EXPERIMENTS))
    assert 0.035 <= found / EXPERIMENTS <= 0.065, found / EXPERIMENTS


few_whole = st.lists(st.integers(0, 250), min_size=2, max_size=5)


@given(few_whole, few_whole)
@example([200, 210], [50, 60])
@example([114, 57], [1570, 1722])
def test_of_few_numbers_a_size_may_have_no_interval_but_is_always_told(one: list[int], other: list[int]) -> None:
    found = means_apart([(one, other)])
    if found.t is not None:
        assert found.g is not None
        assert (found.g_low is None) == (found.g_high is None)
        if found.g_low is not None and found.g_high is not None:
            assert found.g_low <= found.g <= found.g_high
    several = analysis_of_variance([one, other, [*one, *other]])
    assert (several.eta_squared is None) == (several.f is None)
