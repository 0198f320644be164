"""Proportions and their comparison, against published figures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import binomtest  # type: ignore[import-untyped]
from statsmodels.stats.inter_rater import cohens_kappa  # type: ignore[import-untyped]
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.statistics import (
    agreement,
    design_effect,
    holm,
    mcnemar,
    proportion,
)

PUBLISHED_WILSON = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
"""Newcombe, Stat. Med. 17 (1998) 857, table I, method 3."""


@pytest.mark.parametrize(("k", "n", "low", "high"), PUBLISHED_WILSON)
def test_wilsons_interval_is_the_published_one(k: int, n: int, low: float, high: float) -> None:
    found = proportion(k, n)
    assert found.share == k / n
    assert [found.low, found.high] == pytest.approx([low, high], abs=5e-5)


def test_more_than_all_is_refused() -> None:
    with pytest.raises(ValueError, match="no proportion"):
        proportion(3, 2)


@given(st.integers(0, 60), st.integers(1, 60))
def test_wilsons_interval_is_scipys(k: int, n: int) -> None:
    if k > n:
        return
    found, theirs = proportion(k, n), binomtest(k, n).proportion_ci(0.95, method="wilson")
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
    assert found.effective == n


# ── what hangs together ──────────────────────────────────────────────────────────────────────────────────────────


def test_runs_that_all_say_the_same_are_one_observation() -> None:
    found = proportion(20, 20, [(20, 20)])
    assert (found.k, found.n, found.effective) == (20, 20, 1)
    assert (found.low, found.high) == (proportion(1, 1).low, 1)


def test_repeats_that_agree_within_each_item_are_worth_the_items() -> None:
    found, items = proportion(12, 20, [(4, 4), (0, 4), (4, 4), (0, 4), (4, 4)]), proportion(3, 5)
    assert found.effective == pytest.approx(5)
    assert (found.share, found.low, found.high) == pytest.approx((items.share, items.low, items.high))


def test_observations_that_do_not_hang_together_are_worth_themselves() -> None:
    assert proportion(3, 7, [(1, 1)] * 3 + [(0, 1)] * 4) == proportion(3, 7)
    assert design_effect([(2, 4)] * 10) == 1, "less alike than chance would have it counts as chance"


def test_few_clusters_are_worth_less_by_students_quantiles_but_no_less_than_themselves() -> None:
    """Korn and Graubard 1998: times (t of n - 1 over t of clusters - 1)², here 2.0244 and 2.2622."""
    forty = proportion(20, 40, [(2, 4)] * 10)
    assert forty.effective == pytest.approx(40 * (2.02269 / 2.26216) ** 2, abs=1e-3), "39 and 9 degrees of freedom"
    two = [(6, 10), (2, 10)]
    assert proportion(8, 20, two).effective == 2, "the quantile of one degree of freedom is 12.7"


def test_the_variance_between_clusters_is_that_of_a_regression_with_clustered_errors() -> None:
    """Liang and Zeger's sandwich for a constant, with errors clustered by item, times K / (K - 1)."""
    clusters = [(3, 3), (1, 3), (0, 3), (3, 3), (2, 3), (0, 2), (2, 2)]
    said = np.array([float(n < k) for k, of in clusters for n in range(of)])
    groups = np.array([place for place, (_, of) in enumerate(clusters) for _ in range(of)])
    constant = np.ones((len(said), 1))
    bread = np.linalg.inv(constant.T @ constant)
    left = said - said.mean()
    scores = [constant[groups == group].T @ left[groups == group] for group in range(len(clusters))]
    sandwich = (bread @ np.sum([np.outer(score, score) for score in scores], axis=0) @ bread).item()
    ours = design_effect(clusters) * said.mean() * (1 - said.mean()) / len(said)
    assert ours == pytest.approx(sandwich * len(clusters) / (len(clusters) - 1))


# ── several tests, and pairs ─────────────────────────────────────────────────────────────────────────────────────


def test_holms_correction_by_hand() -> None:
    """In order: 0.01 · 3, 0.03 · 2, 0.04 · 1, none smaller than the one before; what has no p has none."""
    assert holm([0.04, None, 0.01, 0.03]) == pytest.approx([0.06, None, 0.03, 0.06])
    assert holm([None, None]) == [None, None]
    assert holm([0.9, 0.8]) == [1, 1]


@given(st.integers(0, 30), st.integers(0, 30))
def test_mcnemars_test_is_the_binomial_test_of_the_texts_on_which_the_two_differ(one: int, other: int) -> None:
    expected = binomtest(one, one + other).pvalue if one + other else 1
    assert mcnemar(one, other) == pytest.approx(expected)


@pytest.mark.slow
@settings(max_examples=5)  # theirs collects all garbage at each call
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holms_correction_is_that_of_statsmodels(ps: list[float]) -> None:
    assert holm(ps) == pytest.approx(list(multipletests(ps, method="holm")[1]))


def test_two_instruments_agree_as_far_as_statsmodels_says_and_no_kappa_is_told_where_one_says_the_same_of_all() -> None:
    found = agreement([(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10 + [(False, False)] * 15)
    by = cohens_kappa([[20, 5], [10, 15]])
    assert (found.both, found.first, found.second, found.neither, found.raw) == (20, 5, 10, 15, 0.7)
    assert [found.kappa, found.low, found.high] == pytest.approx([by.kappa, by.kappa_low, by.kappa_upp])
    assert agreement([(True, True)] * 4).kappa is None
    assert agreement([(True, True), (False, True)]).kappa is None
    assert agreement([]).raw is None
