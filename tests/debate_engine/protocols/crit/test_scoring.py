from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, strategies as st

from benchmarks.stopping import shares
from elenchus.debate_engine.protocols.crit.schemas import ScoredReason, TopicQuality
from elenchus.debate_engine.protocols.crit.scoring import (
    K,
    Z,
    by_topic,
    fell,
    fell_beyond,
    fell_twice,
    gamma_of,
    noise_of,
    quality_of,
    sources_of,
    standing_of,
    two_unreadable,
    weakest,
)
from elenchus.debate_engine.protocols.speech import Side, other

SCORE = st.integers(1, 10).map(float) | st.floats(1, 10)


def reason(
    side: Side, gamma: float | None, theta: float | None, topic: int = 1, text: str = "because", source: str = ""
) -> ScoredReason:
    return ScoredReason(side=side, about="round 1", topic=topic, reason=text, source=source, gamma=gamma, theta=theta)


def scored(side: Side | None = None) -> st.SearchStrategy[ScoredReason]:
    sides: st.SearchStrategy[Side] = st.just(side) if side else st.sampled_from(["pro", "con"])
    return st.builds(reason, sides, SCORE, SCORE, st.integers(0, 3))


UNREAD = st.builds(reason, st.sampled_from(["pro", "con"]), st.none(), st.none(), st.integers(0, 3))
SCORED = st.lists(scored(), min_size=1, max_size=30)
MIXED = st.lists(scored() | UNREAD, max_size=30)


def swapped(reasons: list[ScoredReason]) -> list[ScoredReason]:
    return [r.model_copy(update={"side": other(r.side)}) for r in reasons]


def told(value: float | None) -> float:
    assert value is not None
    return value


# ── Γ ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_gamma_is_the_mean_of_validity_weighted_by_credibility() -> None:
    assert gamma_of([reason("pro", 8, 6), reason("con", 2, 2)]) == (8 * 6 + 2 * 2) / (6 + 2)


@given(SCORED)
def test_gamma_lies_between_the_lowest_and_the_highest_validity(reasons: list[ScoredReason]) -> None:
    validities = [told(r.gamma) for r in reasons]
    gamma = told(gamma_of(reasons))
    assert min(validities) - 1e-9 <= gamma <= max(validities) + 1e-9


@given(SCORED)
def test_gamma_does_not_depend_on_who_argues(reasons: list[ScoredReason]) -> None:
    assert gamma_of(swapped(reasons)) == gamma_of(reasons)


@given(SCORED, st.data())
def test_an_unreadable_score_is_left_out_and_never_counts_as_nought(
    reasons: list[ScoredReason], data: st.DataObject
) -> None:
    unread = data.draw(st.lists(UNREAD, max_size=len(reasons)))
    assert gamma_of([*reasons, *unread]) == gamma_of(reasons)


@given(SCORED, st.data())
def test_no_gamma_is_told_when_more_than_half_could_not_be_read(
    reasons: list[ScoredReason], data: st.DataObject
) -> None:
    unread = data.draw(st.lists(UNREAD, min_size=len(reasons) + 1, max_size=2 * len(reasons) + 1))
    assert gamma_of([*unread, *reasons]) is None


def test_nothing_gives_neither_gamma_nor_standing() -> None:
    assert gamma_of([]) is None
    assert standing_of([]) is None


# ── standing ─────────────────────────────────────────────────────────────────────────────────────────────────────


@given(SCORED)
def test_standing_lies_strictly_between_one_and_ten(reasons: list[ScoredReason]) -> None:
    assert 1 < told(standing_of(reasons)) < 10


@given(SCORED)
def test_swapping_the_sides_turns_the_standing_round(reasons: list[ScoredReason]) -> None:
    assert math.isclose(told(standing_of(swapped(reasons))), 11 - told(standing_of(reasons)), abs_tol=1e-9)


@given(SCORED)
def test_equal_weights_on_both_sides_are_even(reasons: list[ScoredReason]) -> None:
    assert math.isclose(told(standing_of([*reasons, *swapped(reasons)])), 5.5, abs_tol=1e-9)


@given(SCORED)
def test_standing_is_above_even_just_when_the_reasons_outweigh_the_rivals(reasons: list[ScoredReason]) -> None:
    weight = sum((1 if r.side == "pro" else -1) * told(r.gamma) * told(r.theta) for r in reasons)
    assume(abs(weight) > 1e-6)
    assert (told(standing_of(reasons)) > 5.5) == (weight > 0)


@given(SCORED, st.integers(0), st.sampled_from(["gamma", "theta"]), st.floats(0.01, 9))
def test_a_better_score_moves_the_standing_towards_its_side(
    reasons: list[ScoredReason], index: int, which: str, more: float
) -> None:
    index %= len(reasons)
    before = getattr(reasons[index], which)
    assume(before + more <= 10)
    better = reasons[index].model_copy(update={which: before + more})
    change = told(standing_of([*reasons[:index], better, *reasons[index + 1 :]])) - told(standing_of(reasons))
    assert change > 0 if better.side == "pro" else change < 0


@given(SCORED, scored("pro"))
def test_a_further_reason_raises_the_standing(reasons: list[ScoredReason], added: ScoredReason) -> None:
    assert told(standing_of([*reasons, added])) > told(standing_of(reasons))


@given(SCORED, scored("con"))
def test_a_further_rival_lowers_the_standing(reasons: list[ScoredReason], added: ScoredReason) -> None:
    assert told(standing_of([*reasons, added])) < told(standing_of(reasons))


def test_a_single_middling_reason_does_not_decide_the_matter() -> None:
    assert standing_of([reason("pro", 5.5, 5.5)]) == 7.75
    assert K == 30.25
    assert told(standing_of([reason("pro", 1, 1)])) < 5.7


def test_no_standing_is_told_when_one_side_is_mostly_unreadable() -> None:
    read, unread = reason("pro", 9, 9), reason("con", None, None)
    assert standing_of([read, read, read, unread]) is None
    assert gamma_of([read, read, read, unread]) == 9
    assert standing_of([read, read, read, unread, reason("con", 3, 3)]) is not None


# ── the whole ────────────────────────────────────────────────────────────────────────────────────────────────────


@given(MIXED)
def test_the_whole_counts_every_reason_and_each_topic_its_own(reasons: list[ScoredReason]) -> None:
    quality = quality_of(reasons, 3)
    assert quality.reasons == tuple(reasons)
    assert quality.unreadable == sum(r.gamma is None for r in reasons)
    assert (quality.gamma, quality.standing) == (gamma_of(reasons), standing_of(reasons))
    for topic in quality.by_topic:
        own = [r for r in reasons if r.topic == topic.number]
        assert (topic.gamma, topic.standing) == (gamma_of(own), standing_of(own))
    assert [topic.number for topic in quality.by_topic] == [1, 2, 3]


@given(MIXED)
def test_what_belongs_to_no_topic_has_a_line_of_its_own(reasons: list[ScoredReason]) -> None:
    quality = quality_of(reasons, 3)
    outside = [r for r in reasons if r.topic == 0]
    own = [TopicQuality(number=0, gamma=gamma_of(outside), standing=standing_of(outside))] if outside else []
    assert by_topic(quality) == (*quality.by_topic, *own)
    assert by_topic(quality_of(reasons)) == (), "without topics there is nothing beside the whole"


def test_when_nothing_new_was_read_there_is_no_gamma() -> None:
    assert quality_of([reason("pro", 5, 5)], nothing_read=True).gamma is None


# ── comparisons ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_gamma_fell_when_it_is_below_the_last_readable_one() -> None:
    assert fell([6.0, 5.9])
    assert fell([6.0, None, 5.9])
    assert not fell([6.0, 6.0])
    assert not fell([5.0, 6.0, None])
    assert not fell([6.0, 5.0, None])
    assert not fell([6.0])
    assert not fell([None, 6.0])
    assert not fell([])


@given(st.lists(st.none() | SCORE, max_size=12))
def test_skipping_the_unreadable_leaves_the_same_comparison(history: list[float | None]) -> None:
    readable = [gamma for gamma in history if gamma is not None]
    expected = bool(history) and history[-1] is not None and len(readable) > 1 and readable[-1] < readable[-2]
    assert fell(history) == expected


def test_two_unreadable_in_a_row_are_noticed() -> None:
    assert two_unreadable([5.0, None, None])
    assert not two_unreadable([None, 5.0, None])
    assert not two_unreadable([None])


def test_the_weakest_reason_has_the_lowest_validity_then_the_least_credible_source() -> None:
    reasons = [
        reason("pro", 4, 9),
        reason("pro", 3, 5, text="weak"),
        reason("pro", 3, 4, text="weakest"),
        reason("pro", None, None),
        reason("con", 1, 1),
    ]
    found = weakest(reasons, "pro")
    assert found is not None
    assert found.reason == "weakest"
    assert weakest([reason("pro", None, None)], "pro") is None


def test_named_sources_are_counted_once_a_side_whatever_their_spelling() -> None:
    reasons = [
        reason("con", 5, 5, source="The WHO"),
        reason("pro", 5, 5, source="  the  WHO "),
        reason("pro", None, None, source="The WHO"),
        reason("pro", 5, 5),
    ]
    named = [(s.side, s.name, s.times) for s in sources_of(reasons)]
    assert named == [("pro", "the  WHO", 2), ("con", "The WHO", 1)]


# ── the noise of Γ ───────────────────────────────────────────────────────────────────────────────────────────────


def test_the_noise_is_so_many_standard_errors_of_how_far_new_reasons_move_gamma() -> None:
    """By hand: four old reasons 4, 8, 4, 8 and two new ones 5, 7, all of θ 5."""
    old = [reason("pro", gamma, 5) for gamma in (4, 8, 4, 8)]
    new = [reason("con", gamma, 5) for gamma in (5, 7)]
    spread = (4 * 2**2 + 2 * 1**2) / 6 * 6 / 4  # the variance within both groups, for two means that were taken
    share = 2 / 6
    assert noise_of(old, new) == pytest.approx(Z * share * math.sqrt(spread * (1 / 4 + 1 / 2)))


def test_scores_are_whole_numbers_so_the_noise_is_never_nought() -> None:
    alike = [reason("pro", 6, 5)] * 4
    assert noise_of(alike, alike) == pytest.approx(Z * 0.5 * math.sqrt(1 / 12 * (1 / 4 + 1 / 4)))


def test_there_is_no_noise_to_tell_without_scores_on_both_sides() -> None:
    some, unread = [reason("pro", 6, 5)] * 3, [reason("pro", None, None)] * 3
    assert noise_of([], some) is None
    assert noise_of(some, []) is None
    assert noise_of(some, unread) is None
    assert noise_of(some[:1], some[:1]) is None


def test_a_fall_is_beyond_its_noise_or_it_is_not() -> None:
    assert fell_beyond([7.0, 6.0], 0.9)
    assert not fell_beyond([7.0, 6.2], 0.9)
    assert not fell_beyond([7.0, 8.0], 0.9)
    assert not fell_beyond([7.0, 6.0], None)
    assert fell_beyond([7.0, None, 6.0], 0.9)


def test_twice_running_means_the_last_two_readable_changes() -> None:
    assert fell_twice([7.0, 6.9, 6.8])
    assert not fell_twice([7.0, 6.9])
    assert not fell_twice([6.8, 7.0, 6.9])
    assert not fell_twice([7.0, 6.9, 6.8, None])
    assert fell_twice([7.0, 6.9, None, 6.8])


def test_without_a_trend_the_bare_rule_is_a_coin_flip_after_round_2_and_the_noise_rule_is_not() -> None:
    """The simulation of NOTES, on fewer debates."""
    assert 0.4 < shares("paper", 2, 0, 300)[0] < 0.6
    assert shares("noise", 2, 0, 300)[0] < 0.12
    assert shares("noise", 2, -2, 300)[0] > 0.8
    assert shares("noise", 2, -1, 300)[1] > 0.9
    assert shares("noise", 2, 1, 300)[-1] < 0.02


def test_scores_that_hang_together_within_a_round_end_more_debates_than_the_noise_says() -> None:
    """The second table of the benchmark: the noise takes reasons as independent, and pages and legends say so."""
    assert shares("noise", 2, 0, 300, common=0.4)[0] > 0.2
    assert shares("noise", 2, 0, 300, apart=2.0)[0] < 0.03
