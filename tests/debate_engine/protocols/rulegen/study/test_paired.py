"""Subjects compared with themselves: against published figures, scipy and statsmodels, and by simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import example, given, strategies as st
from scipy.optimize import minimize  # type: ignore[import-untyped]
from scipy.stats import binomtest, nct, norm, ttest_1samp  # type: ignore[import-untyped]
from statsmodels.stats.contingency_tables import mcnemar  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.cases import Case, Outcome
from elenchus.debate_engine.protocols.rulegen.study.differences import order_of
from elenchus.debate_engine.protocols.rulegen.study.paired import (
    equivalent_differences,
    equivalent_within,
    means_within,
    shares_within,
    signs_p,
)
from elenchus.debate_engine.protocols.rulegen.study.permutation import p_of_two
from elenchus.debate_engine.scenes.contrasts import Group

Pairs = list[list[tuple[bool, bool]]]


def answers(both: int, first: int, second: int, neither: int) -> Pairs:
    return [
        [pair]
        for n, pair in (
            (both, (True, True)),
            (first, (True, False)),
            (second, (False, True)),
            (neither, (False, False)),
        )
        for _ in range(n)
    ]


def test_the_interval_and_p_are_the_published_ones_of_airways_before_and_after() -> None:
    """Fagerland, Lydersen and Laake, Stat. Med. 33 (2014) 2850–2875: 1, 1, 7 and 12 of 21 children; Tango's interval
    −0.517 to −0.026, McNemar's exact p 0.070.
    """
    found = shares_within(answers(1, 1, 7, 12))
    assert found.difference == pytest.approx(-6 / 21)
    assert [found.low, found.high] == pytest.approx([-0.517, -0.026], abs=5e-4)
    assert found.p == pytest.approx(0.0703, abs=5e-5)


@given(st.integers(0, 30), st.integers(0, 30))
def test_mcnemars_test_and_the_odds_of_a_change_are_those_of_other_programs(b: int, c: int) -> None:
    found = shares_within(answers(5, b, c, 5))
    if not b + c:
        assert (found.p, found.odds) == (None, None)
        return
    assert found.p == pytest.approx(mcnemar([[5, b], [c, 5]], exact=True).pvalue)
    low, high = binomtest(b, b + c).proportion_ci()
    assert found.odds is not None
    assert found.odds.low == pytest.approx(low / (1 - low))
    assert found.odds.high == (pytest.approx(high / (1 - high)) if c else None)
    assert found.low is not None
    assert found.high is not None
    assert -1 <= found.low <= (b - c) / (b + c + 10) <= found.high <= 1


@pytest.mark.parametrize("table", [(12, 9, 4, 5), (30, 2, 3, 8), (3, 0, 1, 20)])
@pytest.mark.parametrize("margin", [0.1, 0.3])
def test_no_difference_between_paired_shares_is_told_by_two_score_tests_at_the_margin(
    table: tuple[int, int, int, int], margin: float
) -> None:
    """The likeliest shares at the margin by scipy's search."""
    found = equivalent_within(answers(*table), margin)
    assert found.p == pytest.approx(max(norm.cdf(_score(table, margin)), norm.sf(_score(table, -margin))), abs=1e-5)
    assert found.low is not None
    assert found.high is not None
    assert (found.p is not None and found.p < 0.05) == (-margin < found.low and found.high < margin)


def _score(table: tuple[int, int, int, int], of: float) -> float:
    both, first, second, neither = table
    n = sum(table)

    def unlikely(q: Sequence[float]) -> float:
        changed = q[0] + of, q[0]
        rest = 1 - sum(changed)
        return -float(
            first * np.log(max(changed[0], 1e-12)) + second * np.log(max(changed[1], 1e-12))
            + (both + neither) * np.log(max(rest, 1e-12))
        )  # fmt: skip

    least, most = max(0.0, -of), (1 - of) / 2
    q = minimize(unlikely, [(least + most) / 2], bounds=[(least, most)], method="Nelder-Mead", tol=1e-13).x[0]
    return float((first - second - n * of) / np.sqrt(n * (2 * q + of - of * of)))


def test_a_margin_of_nothing_or_of_everything_is_refused() -> None:
    for margin in (0.0, 1.0, float("nan")):
        with pytest.raises(ValueError, match="between 0 and 1"):
            equivalent_within(answers(1, 1, 1, 1), margin)
    assert equivalent_within([], 0.1).p is None
    assert shares_within([]).difference is None


def test_what_hangs_together_changes_sign_together() -> None:
    """Two sessions of two subjects that all changed the same way are two observations, and not four."""
    two: Pairs = [[(True, False)] * 2] * 2
    assert signs_p([2, 2]) == pytest.approx(0.5)
    assert shares_within(two).p == pytest.approx(0.5)
    assert shares_within(answers(0, 4, 0, 0)).p == pytest.approx(0.125)
    assert shares_within(two).odds is None


@given(st.lists(st.integers(-100, 100).map(lambda n: n / 4), min_size=5, max_size=30).filter(lambda x: len({*x}) > 1))
def test_numbers_are_compared_as_scipy_does(differences: list[float]) -> None:
    found, by = means_within(differences), ttest_1samp(differences, 0)
    low, high = by.confidence_interval()
    assert [found.t, found.p, found.low, found.high] == pytest.approx([by.statistic, by.pvalue, low, high], abs=1e-9)
    assert found.unit == "d_z"


def test_the_interval_of_d_z_is_the_noncentral_t_turned_round() -> None:
    found = means_within([3.0, -1.0, 4.0, 2.0, 5.0, 0.5, 2.5])
    assert found.t is not None
    assert found.g is not None
    correction = found.g / (found.t / np.sqrt(7))
    assert correction == pytest.approx(1 - 3 / (4 * 6 - 1), abs=0.005)
    for end, share in ((found.g_low, 0.975), (found.g_high, 0.025)):
        assert nct.cdf(found.t, 6, (end or 0) / correction * np.sqrt(7)) == pytest.approx(share, abs=1e-6)


def test_of_a_handful_all_signs_are_looked_at_and_few_can_show_nothing() -> None:
    found = means_within([1.0, 2.0, 3.0, 4.0])
    assert (found.signs, found.p) == (True, 2 / 16)
    assert means_within([1.0, 2.0]).g is None
    assert means_within([1.0]).low is None
    assert means_within([]).difference is None
    same = means_within([2.0] * 6)
    assert (same.difference, same.p) == (2.0, None)
    assert equivalent_differences([1.0, 2.0, 1.0, 2.0], 5.0).p is None


# ── each test at its own null ────────────────────────────────────────────────────────────────────────────────────────

EXPERIMENTS = 2_000
Tested = Callable[[np.random.Generator], float | None]


def _pairs(n: int, first: float, second: float, margin: float | None = None) -> Tested:
    @lru_cache(None)
    def p_of(b: int, c: int, rest: int) -> float | None:
        table = answers(0, b, c, rest)
        return shares_within(table).p if margin is None else equivalent_within(table, margin).p

    return lambda rng: p_of(*map(int, rng.multinomial(n, [first, second, 1 - first - second])))


def _numbers(n: int, margin: float | None = None) -> Tested:
    def draw(rng: np.random.Generator) -> float | None:
        differences = list(rng.normal(margin or 0.0, size=n))
        return means_within(differences).p if margin is None else equivalent_differences(differences, margin).p

    return draw


def _means_of_answers(n: int) -> Tested:
    """The mean of two answers of yes or no at each of two levels."""

    def draw(rng: np.random.Generator) -> float | None:
        share = rng.beta(2, 2, size=n)
        return means_within(list((rng.binomial(2, share) - rng.binomial(2, share)) / 2)).p

    return draw


def _orders(n: int, *, carry_over: bool, shares: bool) -> Tested:
    """The check by order where the order makes no difference."""
    group = Group(1, (("a", 1.0), ("b", -1.0)))

    def draw(rng: np.random.Generator) -> float | None:
        made = []
        for k in range(n):
            a, b = rng.normal(0.5, size=2) + rng.normal()
            values = {"a": bool(a > 0), "b": bool(b > 0)} if shares else {"a": float(a), "b": float(b)}
            order = "ab" if k % 2 else "ba"
            levels: dict[str, Outcome] = {name: values[name] for name in order}
            made.append(Case.model_construct(subject="people", version=order, outcome=0.0, levels=levels))
        found = order_of([(group, made)], pairs=shares)
        assert found is not None
        return found.carry_over if carry_over else found.p

    return draw


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "least"),
    [
        pytest.param(_pairs(12, 0.3, 0.3), 0.0, id="McNemar, 12"),
        pytest.param(_pairs(60, 0.2, 0.2), 0.0, id="McNemar, 60"),
        pytest.param(_numbers(4), 0.0, id="all signs, 4"),
        pytest.param(_numbers(5), 0.035, id="paired t, 5"),
        pytest.param(_numbers(30), 0.035, id="paired t, 30"),
        pytest.param(_means_of_answers(10), 0.035, id="paired t of shares, 10"),
        pytest.param(_means_of_answers(40), 0.035, id="paired t of shares, 40"),
        pytest.param(_numbers(20, 1.0), 0.035, id="no difference, at its margin of 1, 20"),
        pytest.param(_numbers(40, 0.6), 0.035, id="no difference, at its margin of 0.6, 40"),
        pytest.param(_pairs(40, 0.3, 0.1, 0.2), 0.035, id="no difference, at its margin of 0.2, 40"),
        pytest.param(_pairs(200, 0.2, 0.1, 0.1), 0.035, id="no difference, at its margin of 0.1, 200"),
        pytest.param(_orders(12, carry_over=False, shares=True), 0.0, id="who changed which way by order, 12"),
        pytest.param(_orders(60, carry_over=False, shares=True), 0.0, id="who changed which way by order, 60"),
        pytest.param(_orders(40, carry_over=False, shares=False), 0.035, id="differences by order, 40"),
        pytest.param(_orders(40, carry_over=True, shares=False), 0.035, id="carry-over, 40"),
        pytest.param(_orders(30, carry_over=True, shares=True), 0.035, id="carry-over of yes and no, 30"),
    ],
)
def test_where_nothing_is_subjects_differ_from_themselves_in_one_of_twenty_experiments_or_fewer(
    draw: Tested, least: float
) -> None:
    """2,000 experiments: exact tests find something in 5 % at the most, the others in 3.5 to 6.5 %."""
    rng = np.random.default_rng(20_261_123)
    found = sum((p := draw(rng)) is not None and p < 0.05 for _ in range(EXPERIMENTS)) / EXPERIMENTS
    assert least <= found <= (0.065 if least else 0.05), found


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m"), [(8, 8), (20, 20), (10, 30)])
def test_where_nothing_is_differences_of_yes_and_no_are_the_same_between_other_subjects(n: int, m: int) -> None:
    """The mixed interaction: −1, 0 or 1 a subject, by Welch's test (fewer than five: by an exact one)."""
    from elenchus.debate_engine.protocols.rulegen.study.means import means_apart

    rng = np.random.default_rng(20_261_123)
    found = 0
    for _ in range(EXPERIMENTS):
        one, other = (list(rng.choice([-1.0, 0.0, 1.0], size=k, p=[0.15, 0.55, 0.3])) for k in (n, m))
        found += (p := means_apart([(one, other)]).p) is not None and p < 0.05
    assert 0.035 <= found / EXPERIMENTS <= 0.065, found
    assert p_of_two([([1.0, 0.0], [0.0, 0.0])]) > 0.05


@given(st.lists(st.integers(-250, 250), min_size=2, max_size=5))
@example([150, 151, 150])
def test_of_few_differences_a_size_may_have_no_interval_but_is_always_told(differences: list[int]) -> None:
    found = means_within(differences)
    if found.t is not None and len(differences) > 2:
        assert found.g is not None
        assert (found.g_low is None) == (found.g_high is None)
