"""A judge against people's labels, on values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from scipy.stats import pearsonr  # type: ignore[import-untyped]

from elenchus.detectors.evaluation.agreement import (
    Compared,
    Labels,
    agreement_of,
    fleiss,
    kappa,
    majority,
    pearson,
    within,
)
from elenchus.detectors.evaluation.intervals import bootstrapped, share
from elenchus.detectors.evaluation.tables import figures

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


def test_pearson_of_the_majority_is_between_the_peoples_shares_and_the_majoritys_answer() -> None:
    """As a single repeat's is; scipy's is the same. The judge's own shares of yes would give another."""
    found = agreement_of(noisy(), seed=1)
    shares = [sum(label is True for label in human) / 3 for human, _ in NOISY]
    theirs = pearsonr(shares, [float(judge.count(True) > 1) for _, judge in NOISY]).statistic
    assert found.pearson.value == pytest.approx(float(theirs))
    assert found.pearson.value != pytest.approx(
        float(pearsonr(shares, [j.count(True) / 3 for _, j in NOISY]).statistic)
    )
    tied = Compared(item="tie", human=(True, False), judge=(True, False))
    assert agreement_of([*noisy(), tied], seed=1).pearson.value == found.pearson.value, "a tie is no answer"


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
    assert (lone.value, lone.low, lone.high) == (1, None, None), "it is 1 in all resamples in which it is defined"


@pytest.mark.parametrize("judge", [None, True], ids=["perfect", "always yes"])
def test_a_figure_that_does_not_vary_over_the_items_has_no_interval(judge: bool | None) -> None:
    """Right on all of 60 items is no proof that no item is missed."""
    judged = [Compared(item=str(n), human=(n % 2 == 0,), judge=(n % 2 == 0 if judge is None else judge,) * 3)
              for n in range(60)]  # fmt: skip
    found = agreement_of(judged, seed=1)
    for figure in (found.single["kappa"].mean, found.kappa, found.repeats):
        assert figure.value in (0, 1)
        assert (figure.low, figure.high) == (None, None)
    assert "1.000 (no interval)" in figures(found)
    if judge is None:
        assert found.single["accuracy"].mean.low is None
        assert found.accuracy.low == pytest.approx(0.9398, abs=1e-4), "Wilson's has a width"


# ── a single repeat first ────────────────────────────────────────────────────────────────────────────────────────

NOISY: list[tuple[Labels, Labels]] = [
    # Three people, three repeats; the repeats err on different items, so that their majority never does.
    ((True, True, True), (True, True, False)), ((True, True, False), (True, False, True)),
    ((True, True, True), (False, True, True)), ((True, False, True), (True, True, True)),
    ((False, False, False), (False, False, True)), ((False, False, True), (False, True, False)),
    ((False, False, False), (True, False, False)), ((False, False, False), (False, False, False)),
]  # fmt: skip


def noisy() -> list[Compared]:
    return [Compared(item=str(n), human=human, judge=judge) for n, (human, judge) in enumerate(NOISY)]


def test_a_single_repeat_is_worse_than_the_majority_of_them_and_is_told_first() -> None:
    """By hand: each repeat errs on 2 of 8, 4 yes and 4 no on both sides: accuracy 3/4, κ = (3/4 - 1/2) / (1/2)."""
    found = agreement_of(noisy(), seed=1)
    assert [(of.items, of.accuracy, of.kappa) for of in found.each] == [(8, 0.75, 0.5)] * 3
    assert found.single["kappa"].mean.value == pytest.approx(0.5)
    assert (found.single["kappa"].least, found.single["kappa"].greatest) == (0.5, 0.5)
    assert found.kappa.value == 1, "the majority of three, which nobody gets by asking once"
    shown = figures(found)
    order = [
        "Cohen's κ, of a single repeat", "Fleiss' κ between the repeats", "Fleiss' κ between the people",
        "Cohen's κ, of the majority",
    ]  # fmt: skip
    assert [shown.index(told) for told in order] == sorted(shown.index(told) for told in order)
    assert "0.500 to 0.500 in 3 repeats" in shown


def test_the_repeats_have_a_mean_and_a_range() -> None:
    """The third repeat says no to all: accuracy 1/2, κ 0; the others as above."""
    with_a_bad_one = [item.model_copy(update={"judge": (*item.judge[:2], False)}) for item in noisy()]
    found = agreement_of(with_a_bad_one, seed=1).single
    assert (found["accuracy"].least, found["accuracy"].greatest) == (0.5, 0.75)
    assert found["accuracy"].mean.value == pytest.approx((0.75 + 0.75 + 0.5) / 3)
    assert (found["kappa"].least, found["kappa"].greatest) == (0, 0.5)
    assert found["pearson"].least == found["pearson"].greatest or found["pearson"].least is not None


def test_pearson_of_a_repeat_is_phi_where_people_have_one_label_an_item() -> None:
    """φ = (20 · 15 − 5 · 10) / √(25 · 25 · 30 · 20), as above; scipy's is the same."""
    (repeat,) = agreement_of(items(TABLE), seed=1).each
    assert repeat.pearson == pytest.approx(0.4082483)
    theirs = pearsonr([float(human) for human, _ in TABLE], [float(judge) for _, judge in TABLE])
    assert repeat.pearson == pytest.approx(float(theirs.statistic))


def test_fleiss_kappa_among_the_repeats_and_among_the_people_is_that_by_hand() -> None:
    found = agreement_of(noisy(), seed=1)
    for among_, side in ((found.between, 1), (found.raters, 0)):
        rows = [(labels.count(True), labels.count(False)) for labels in (both[side] for both in NOISY)]
        agreed = sum((yes * (yes - 1) + no * (no - 1)) / 6 for yes, no in rows) / 8
        yes = sum(row[0] for row in rows) / 24
        by_chance = yes**2 + (1 - yes) ** 2
        assert among_ is not None
        assert (among_.items, among_.labels) == (8, 3)
        assert among_.kappa.value == pytest.approx((agreed - by_chance) / (1 - by_chance))


def test_one_label_an_item_has_no_agreement_among_people_and_gaps_are_left_out() -> None:
    found = agreement_of(items(TABLE), seed=1)
    assert (found.raters, found.between) == (None, None)
    gaps = [*noisy(), Compared(item="gap", human=(True, None, True), judge=(True, None, False))]
    with_gaps = agreement_of(gaps, seed=1)
    assert with_gaps.raters is not None
    assert with_gaps.between is not None
    assert (with_gaps.raters.items, with_gaps.between.items) == (8, 8)
    assert fleiss([(True, True), (True, True)]) is None, "all say the same of all: chance would have it so"


def test_the_interval_of_a_single_repeat_comes_from_items_not_from_answers() -> None:
    """The same answers three times over are no more evidence than once."""
    once = [Compared(item=str(n), human=(human,), judge=(judge,)) for n, (human, judge) in enumerate(TABLE)]
    thrice = [item.model_copy(update={"judge": item.judge * 3}) for item in once]
    one, three = (agreement_of(of, seed=1).single["accuracy"].mean for of in (once, thrice))
    assert (one.low, one.high) == pytest.approx((three.low, three.high))


def test_unfounded_answers_are_counted_apart_from_unread_ones() -> None:
    found = agreement_of([Compared(item="a", human=(True,), judge=(None, None, True))], seed=1, unfounded=1)
    assert (found.unread, found.unfounded) == (1, 1)
