"""A judge against people's labels, on values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.evaluation.agreement import Compared, Labels, agreement_of, kappa, majority, pearson, within
from detectors.evaluation.intervals import bootstrapped, share

TABLE = [(True, True)] * 20 + [(False, True)] * 5 + [(True, False)] * 10 + [(False, False)] * 15
"""(human, judge): 20 both yes, 5 only the judge, 10 only the human, 15 both no."""

labels = st.lists(st.sampled_from([True, False, None]), min_size=1, max_size=5).map(tuple)


def items(pairs: list[tuple[bool, bool]]) -> list[Compared]:
    return [Compared(item=str(n), human=(human,), judge=(judge,)) for n, (human, judge) in enumerate(pairs)]


def test_accuracy_kappa_and_pearson_of_a_table_worked_out_by_hand() -> None:
    # Observed 35/50 = 0.7. Yes: humans 30/50, judge 25/50; by chance 0.6 · 0.5 + 0.4 · 0.5 = 0.5; κ = 0.2 / 0.5.
    # φ = (20 · 15 − 5 · 10) / √(25 · 25 · 30 · 20) = 250 / 612.3724.
    found = agreement_of(items(TABLE), seed=1)
    assert (found.items, found.left_out, found.unread) == (50, 0, 0)
    assert found.accuracy.value == 0.7
    assert found.kappa.value == pytest.approx(0.4)
    assert found.pearson.value == pytest.approx(0.4082483)
    assert found.repeats.value is None
    for measured in (found.kappa, found.pearson):
        assert measured.low is not None
        assert measured.high is not None
        assert measured.value is not None
        assert measured.low < measured.value < measured.high


def test_pearson_takes_shares_of_several_labels() -> None:
    # Shares (1, 1), (1/2, 1/2), (0, 1/2): means 1/2 and 2/3; Σ = 1/6 + 0 + 1/12 = 1/4; √(1/2 · 1/6) = 0.2886751.
    three = [
        Compared(item="a", human=(True, True), judge=(True, True)),
        Compared(item="b", human=(True, False), judge=(True, False)),
        Compared(item="c", human=(False, False), judge=(True, False)),
    ]
    assert agreement_of(three, seed=1).pearson.value == pytest.approx(0.25 / 0.2886751)


def test_agreement_over_repeats_is_the_mean_share_of_pairs_that_agree() -> None:
    # Pairs that agree: 1 of 3; 3 of 3; 0 of 1 (None is no label); the last item has no pair. Mean of 1/3, 1, 0.
    judged: list[Labels] = [(True, True, False), (True, True, True), (True, None, False), (True,)]
    three = [Compared(item=str(n), human=(True,), judge=judge) for n, judge in enumerate(judged)]
    found = agreement_of(three, seed=1)
    assert found.repeats.value == pytest.approx(4 / 9)
    assert (found.unread, found.left_out) == (1, 1)
    assert (found.accuracy.count, found.accuracy.of) == (3, 3)


@pytest.mark.parametrize(
    ("given", "says"),
    [((True, True, False), True), ((True, False), None), ((None, False), False), ((None,), None), ((), None)],
)
def test_most_readable_labels_decide(given: Labels, says: bool | None) -> None:
    assert majority(given) is says


def test_figures_that_are_not_defined_are_none_and_not_zero() -> None:
    assert kappa([]) is None
    assert kappa([(True, True)] * 9) is None, "both always say yes: chance alone agrees as well"
    assert pearson([(1.0, 0.0)]) is None
    assert pearson([(1.0, 0.0), (1.0, 1.0)]) is None, "one side never varies"
    assert within((True, None)) is None


def test_kappa_is_one_for_full_agreement_and_minus_one_for_full_contradiction() -> None:
    assert kappa([(True, True), (False, False)]) == 1
    assert kappa([(True, False), (False, True)]) == -1


@given(st.lists(st.tuples(labels, labels), min_size=1, max_size=12))
def test_whatever_the_labels_the_figures_stay_in_their_ranges(pairs: list[tuple[Labels, Labels]]) -> None:
    compared = [Compared(item=str(n), human=human, judge=judge) for n, (human, judge) in enumerate(pairs)]
    majorities = [(h, j) for item in compared if (h := majority(item.human)) is not None
                  and (j := majority(item.judge)) is not None]  # fmt: skip
    value = kappa(majorities)
    assert value is None or -1 <= value <= 1
    for item in compared:
        agreed = within(item.judge)
        assert agreed is None or 0 <= agreed <= 1


# ── intervals ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_wilsons_interval_is_that_of_the_book() -> None:
    half = share(35, 50)
    assert half.low == pytest.approx(0.56249, abs=1e-5)
    assert half.high == pytest.approx(0.80897, abs=1e-5)
    none = share(0, 10)
    assert none.value == none.low == 0
    assert none.high == pytest.approx(0.27753, abs=1e-5)
    assert share(10, 10).high == 1
    assert share(0, 0).value is share(0, 0).low is None


@given(st.integers(1, 500).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_a_share_lies_within_its_interval_and_that_within_0_and_1(counted: tuple[int, int]) -> None:
    found = share(*counted)
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert 0 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1


def test_a_bootstrap_repeats_with_its_seed_and_leaves_out_what_is_not_defined() -> None:
    pairs = [(True, True)] * 9 + [(False, True)]
    first = bootstrapped(pairs, kappa, 3, 200)
    assert first == bootstrapped(pairs, kappa, 3, 200)
    lone = bootstrapped([(True, True), (False, False)], kappa, 3, 200)
    assert 0 < lone.undefined < 200
    assert lone.low == lone.high == 1
