"""Proportions and their comparison, against published figures."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import binomtest, chi2, fisher_exact  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.statistics import (
    Cluster,
    Difference,
    Proportion,
    design_effect,
    difference,
    holm,
    mcnemar,
    proportion,
    stratified,
)

PUBLISHED_WILSON = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
"""Newcombe, Stat. Med. 17 (1998) 857, table I, method 3."""

PUBLISHED_MIETTINEN_NURMINEN = [
    ((56, 70), (48, 80), 0.0528, 0.3382),
    ((9, 10), (3, 10), 0.1700, 0.8406),
    ((6, 7), (2, 7), 0.0342, 0.8534),
    ((5, 56), (0, 29), -0.0326, 0.1933),
    ((0, 10), (0, 20), -0.1658, 0.2844),
    ((10, 10), (0, 20), 0.7156, 1.0),
    ((10, 10), (0, 10), 0.6636, 1.0),
]
"""Newcombe, Stat. Med. 17 (1998) 873, table II, method 6."""


@pytest.mark.parametrize(("k", "n", "low", "high"), PUBLISHED_WILSON)
def test_wilsons_interval_is_the_published_one(k: int, n: int, low: float, high: float) -> None:
    found = proportion(k, n)
    assert found.share == k / n
    assert [found.low, found.high] == pytest.approx([low, high], abs=5e-5)


@pytest.mark.parametrize(("one", "other", "low", "high"), PUBLISHED_MIETTINEN_NURMINEN)
def test_the_score_interval_of_a_difference_is_the_published_one(
    one: tuple[int, int], other: tuple[int, int], low: float, high: float
) -> None:
    found = difference(proportion(*one), proportion(*other))
    assert found.difference == pytest.approx(one[0] / one[1] - other[0] / other[1])
    assert [found.low, found.high] == pytest.approx([low, high], abs=5e-5)
    assert over((one, other)).low == found.low, "of one stratum it is the same"


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


def test_of_effective_numbers_between_whole_ones_the_greater_p_counts() -> None:
    """2.5 of 5 against 0 of 5 is neither 3 (p 0.167) nor 2 (p 0.444) of 5, and surely not 2 of 4."""
    half, none = Proportion(k=5, n=10, effective=5, share=0.5, low=0.1, high=0.9), proportion(0, 5)
    assert difference(half, none).p == pytest.approx(fisher_exact([[2, 3], [0, 5]]).pvalue)
    assert difference(none, half).p == difference(half, none).p


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


# ── over strata ──────────────────────────────────────────────────────────────────────────────────────────────────

Stratum = tuple[tuple[int, int], tuple[int, int]]


def over(*strata: Stratum) -> Difference:
    return stratified([(proportion(*one), proportion(*other)) for one, other in strata])


def test_two_groups_without_any_difference_have_none_over_all_however_they_are_mixed() -> None:
    """People show it in 80 %, models in 20 %, in both versions alike; added up it were -40 points, p < 1e-4."""
    people, models = ((8, 10), (40, 50)), ((10, 50), (2, 10))
    pooled = difference(proportion(18, 60), proportion(42, 60))
    assert pooled.difference == pytest.approx(-0.4)
    assert pooled.p is not None
    assert pooled.p < 1e-4
    found = over(people, models)
    assert (found.difference, found.p) == pytest.approx((0, 1))
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0 < found.high


def test_a_difference_within_each_group_is_found_although_adding_up_hides_it() -> None:
    """30 points in each of two groups; added up there are 6."""
    strata = ((8, 10), (20, 40)), ((16, 40), (1, 10))
    assert difference(proportion(24, 50), proportion(21, 50)).difference == pytest.approx(0.06)
    found = over(*strata)
    assert found.difference == pytest.approx(0.3), "the same weight: 10 · 40 / 50 on both sides"
    assert found.p is not None
    assert found.p < 0.02


def test_cochran_mantel_haenszels_p_is_that_by_hand() -> None:
    strata: list[Stratum] = [((8, 12), (3, 10)), ((5, 9), (2, 11)), ((1, 4), (1, 6))]
    observed = expected = variance = 0.0
    for (a, n1), (c, n0) in strata:
        n, m1 = n1 + n0, a + c
        observed, expected = observed + a, expected + n1 * m1 / n
        variance += n1 * n0 * m1 * (n - m1) / (n**2 * (n - 1))
    assert over(*strata).p == pytest.approx(float(chi2.sf((observed - expected) ** 2 / variance, 1)))


def test_of_one_stratum_the_difference_is_its_own_and_of_none_there_is_none() -> None:
    assert over(((7, 10), (3, 12))).difference == pytest.approx(0.45)
    assert over() == Difference()
    assert over(((7, 10), (0, 0))) == Difference()
    assert over(((0, 10), (0, 8)), ((0, 5), (0, 4))).p is None, "nobody shows it: nothing can be tested"


@pytest.mark.parametrize(
    "same", [((3, 3), (0, 3)), ((0, 3), (0, 3)), ((3, 3), (3, 3)), ((0, 3), (3, 3)), ((1, 1), (0, 1))]
)
def test_cells_that_all_say_the_same_still_have_an_interval_with_a_width(same: Stratum) -> None:
    found = over(same, same)
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low > 0.5, "two strata of three runs, or one, tell little"
    back = over(same[::-1], same[::-1])
    assert (back.low, back.high) == pytest.approx((-found.high, -found.low))


@given(st.lists(st.tuples(COUNTS, COUNTS), min_size=1, max_size=4))
def test_the_interval_over_strata_holds_0_where_cochran_mantel_haenszels_p_is_above_5_in_100(
    strata: list[Stratum],
) -> None:
    found = over(*strata)
    assert found.difference is not None
    assert found.low is not None
    assert found.high is not None
    assert -1 <= found.low <= found.difference <= found.high <= 1
    if found.p is not None and abs(found.p - 0.05) > 1e-6:
        assert (found.low <= 0 <= found.high) == (found.p > 0.05)


@pytest.mark.parametrize(
    ("n", "strata", "one", "other"),
    [(5, 2, 0.95, 0.85), (3, 2, 0.9, 0.7), (10, 2, 0.10, 0.02), (20, 2, 0.5, 0.2), (1, 5, 0.6, 0.3), (5, 2, 1.0, 0.0)],
)
def test_the_interval_over_strata_holds_the_true_difference_in_93_of_100_samples_and_more(
    n: int, strata: int, one: float, other: float
) -> None:
    """Small and one-sided cells, where Sato's variance held it in 78 to 88 of 100, or was 0."""
    interval = lru_cache(None)(over)
    chance, held = np.random.default_rng(1), 0
    for _ in range(600):
        drawn = (((int(chance.binomial(n, one)), n), (int(chance.binomial(n, other)), n)) for _ in range(strata))
        found = interval(*sorted(drawn))
        assert found.low is not None
        assert found.high is not None
        assert found.high > found.low
        held += found.low <= one - other <= found.high
    assert held >= 0.93 * 600


def test_runs_that_hang_together_are_no_more_evidence_over_strata() -> None:
    alone = stratified([(proportion(4, 5), proportion(1, 5))] * 2)
    six_times = proportion(24, 30, [(6, 6)] * 4 + [(0, 6)]), proportion(6, 30, [(6, 6)] + [(0, 6)] * 4)
    assert stratified([six_times] * 2) == alone
    assert difference(*six_times).p == difference(proportion(4, 5), proportion(1, 5)).p


def drawn_in_clusters(chance: np.random.Generator, clusters: int, size: int, alike: float, share: float) -> Proportion:
    """One side: clusters whose own shares are beta distributed, so that two of a cluster correlate by `alike`."""
    spread = (1 - alike) / alike if alike < 1 else 0.0
    own = chance.beta(share * spread, (1 - share) * spread, clusters) if spread else chance.random(clusters) < share
    found: list[Cluster] = [(int(chance.binomial(size, of)), size) for of in own]
    return proportion(sum(k for k, _ in found), clusters * size, found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("clusters", "size", "alike", "strata"), [(4, 5, 0.5, 2), (2, 10, 1.0, 2), (3, 4, 0.5, 4), (8, 4, 0.5, 2)]
)
def test_few_clusters_make_no_more_false_findings_than_5_in_100(
    clusters: int, size: int, alike: float, strata: int
) -> None:
    """Both sides alike, 500 studies: 7 in 100 is two standard errors above 5. It was up to 22.6 in 100."""
    chance = np.random.default_rng(1)

    def side() -> Proportion:
        return drawn_in_clusters(chance, clusters, size, alike, 0.4)

    studies = [[(side(), side()) for _ in range(strata)] for _ in range(500)]
    for found in ([stratified(study) for study in studies], [difference(*study[0]) for study in studies]):
        assert sum(of.p is not None and of.p < 0.05 for of in found) <= 35
        assert sum(of.low is not None and of.high is not None and not of.low <= 0 <= of.high for of in found) <= 35


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
