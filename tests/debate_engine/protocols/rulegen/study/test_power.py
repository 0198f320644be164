"""What a design can find, against tables of others and against simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import fisher_exact  # type: ignore[import-untyped]
from statsmodels.stats.power import TTestIndPower  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.power import (
    power_of_means,
    power_of_shares,
    rejected,
    smallest_difference,
    smallest_g,
    subjects_for_means,
)


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
    assert subjects_for_means(g) in (n, n - 1)
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
    with pytest.raises(ValueError, match="difference of nothing"):
        subjects_for_means(0)
