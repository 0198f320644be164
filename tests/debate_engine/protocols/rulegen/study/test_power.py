"""What a design can find, against tables of others and against simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import fisher_exact, multinomial  # type: ignore[import-untyped]
from statsmodels.stats.contingency_tables import mcnemar  # type: ignore[import-untyped]
from statsmodels.stats.power import TTestIndPower, TTestPower  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.factor_interactions import means_crossed, shares_crossed
from elenchus.debate_engine.protocols.rulegen.study.power import (
    power_of_changes,
    power_of_means,
    power_of_shares,
    rejected,
    smallest_change,
    smallest_crossed,
    smallest_crossed_shares,
    smallest_d_z,
    smallest_difference,
    smallest_g,
)
from elenchus.debate_engine.protocols.rulegen.study.statistics import proportion


@pytest.mark.parametrize("n", [1, 3, 4, 9, 15])
def test_the_tables_that_are_rejected_are_fishers(n: int) -> None:
    for one in range(n + 1):
        for other in range(n + 1):
            p = fisher_exact([[one, n - one], [other, n - other]]).pvalue
            assert rejected(n)[one, other] == (p < 0.05), (one, other, p)


@pytest.mark.parametrize(("g", "n", "power"), [(0.5, 64, 0.801), (0.2, 394, 0.80), (0.8, 26, 0.807)])
def test_the_power_of_means_is_cohens(g: float, n: int, power: float) -> None:
    """Cohen (1988), table 2.4.1: 64, 393 and 26 subjects an arm."""
    assert power_of_means(g, n) == pytest.approx(power, abs=0.002)
    assert power_of_means(g, n) == pytest.approx(TTestIndPower().power(g, n, 0.05), abs=1e-9)
    assert smallest_g(n) == pytest.approx(g, abs=0.01)


def test_the_power_of_shares_is_what_comes_of_many_experiments() -> None:
    rng = np.random.default_rng(3)
    tables = zip(rng.binomial(15, 0.8, 4_000), rng.binomial(15, 0.3, 4_000), strict=True)
    found = np.mean([rejected(15)[one, other] for one, other in tables])
    assert power_of_shares(0.8, 0.3, 15) == pytest.approx(found, abs=0.02)


def test_where_nothing_differs_fisher_finds_it_in_less_than_one_of_twenty() -> None:
    assert all(power_of_shares(p, p, n) <= 0.05 for p in (0.05, 0.3, 0.5) for n in (5, 15, 40))


def test_what_so_few_cannot_find_is_said() -> None:
    assert (smallest_difference(3), smallest_g(1), power_of_shares(0, 1, 0), power_of_means(1, 1)) == (None, None, 0, 0)
    found = smallest_difference(15)
    assert found is not None
    assert power_of_shares(0.5, 0.5 + found, 15) >= 0.8 > power_of_shares(0.5, 0.5 + found - 0.001, 15)
    assert smallest_difference(15, 0.05) == pytest.approx(smallest_difference(15, 0.95))


@pytest.mark.parametrize(
    ("n", "one", "other", "alpha"), [(9, 0.5, 0.8, 0.05), (14, 0.3, 0.7, 0.05), (12, 0.5, 0.9, 0.01)]
)
def test_the_power_of_mcnemars_test_is_the_sum_over_all_tables(n: int, one: float, other: float, alpha: float) -> None:
    up, down = one * (1 - other), other * (1 - one)
    found = sum(
        multinomial.pmf([b, c, n - b - c], n, [up, down, 1 - up - down])
        for b in range(n + 1)
        for c in range(n + 1 - b)
        if mcnemar([[0, b], [c, 0]], exact=True).pvalue < alpha
    )
    assert power_of_changes(one, other, n, alpha) == pytest.approx(found)
    assert power_of_changes(0.5, 0.62, 501) == pytest.approx(power_of_changes(0.5, 0.62, 500), abs=0.03)
    assert power_of_changes(0.5, 0.7, 0) == power_of_changes(0.0, 0.0, 9) == 0


def test_the_smallest_mean_difference_of_pairs_is_that_of_statsmodels() -> None:
    by = TTestPower().solve_power(nobs=30, power=0.8, alpha=0.05)
    assert smallest_d_z(30) == pytest.approx(by, abs=1e-3)
    assert smallest_d_z(1) is None
    change = smallest_change(40)
    assert change is not None
    assert power_of_changes(0.5, 0.5 - change, 40) >= 0.8 > power_of_changes(0.5, 0.5 - change + 0.01, 40)


@pytest.mark.slow
def test_an_interaction_of_the_smallest_size_is_found_in_80_of_100_studies() -> None:
    rng, size, shares = np.random.default_rng(4), smallest_crossed([20] * 4), smallest_crossed_shares([60] * 4)
    assert size is not None
    assert shares is not None
    means = [means_crossed([[list(rng.normal(size * (k == 0), 1, size=20)) for k in range(4)]]).p for _ in range(2_000)]
    assert np.mean([p is not None and p < 0.05 for p in means]) == pytest.approx(0.8, abs=0.03)
    near = (0.5 + shares / 4, 0.5 - shares / 4, 0.5 - shares / 4, 0.5 + shares / 4)
    found = [shares_crossed([[proportion(int(k), 60) for k in rng.binomial(60, near)]]).p for _ in range(2_000)]
    assert np.mean([p is not None and p < 0.05 for p in found]) == pytest.approx(0.8, abs=0.06)
    assert smallest_crossed([1, 9, 9, 9]) is None
    assert smallest_crossed_shares([0, 9, 9, 9]) is None
