"""Whether ratings move where the articles push: by hand, by brute force, and by scipy's permutation test."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import permutation_test  # type: ignore[import-untyped]

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.evaluation.cogbench.dynamics import MARGIN, Dynamics, centre, dynamics
from elenchus.detectors.evaluation.cogbench.results import Answer
from elenchus.detectors.evaluation.cogbench.topics import Material, Side, own_set

SET = own_set()
LAST = 5
Rating = Callable[[str, str, Side, int], int | None]
"""What is rated: topic, profile, the side of the opinion (1: where the articles push), iteration."""


def answers(rating: Rating, material: Material = SET) -> list[Answer]:
    found = []
    for topic in material.topics.values():
        assert topic.coded is not None
        for profile, iteration, opinion in product(SET.profiles, range(LAST + 1), topic.coded.opinions):
            towards: Side = 1 if topic.coded.pushes == opinion.side else -1
            given_ = rating(topic.topic, profile.name, towards, iteration)
            found.append(Answer(0, topic.topic, profile.name, iteration, opinion.text, None, given_, None, ""))
    return found


def checked(pushed: Rating, control: Rating = lambda t, p, s, i: 3) -> Dynamics:
    return dynamics("CogGPT", answers(pushed), answers(control), SET)


def test_who_moves_where_the_articles_push_has_moved_and_the_control_is_still() -> None:
    found = checked(lambda topic, profile, towards, iteration: 3 + towards * (iteration == LAST))
    assert {change.difference for change in found.changes} == {1}
    assert (found.moved.n, found.moved.mean) == (12, 1)
    assert found.moved.p == 2 / 2**12
    assert (found.moved.low, found.moved.high) == (1, 1)
    assert (found.control.mean, found.still, found.left_out) == (0, True, 0)


def test_who_says_yes_to_everything_more_and_more_has_not_moved() -> None:
    """Two opinions stand on each side."""
    found = checked(lambda topic, profile, towards, iteration: 3 + (iteration == LAST))
    assert found.moved.mean == 0
    assert found.moved.p == 1


def test_what_the_control_moves_is_taken_away() -> None:
    def drifting(topic: str, profile: str, towards: Side, iteration: int) -> int:
        return 3 + towards * (iteration == LAST)

    found = checked(drifting, drifting)
    assert (found.moved.mean, found.control.mean, found.still) == (0, 1, False)


@pytest.mark.parametrize(
    ("up", "down", "high", "still"), [(4, 2, 0.25, True), (4, 0, 0.3, False), (6, 0, 0.375, False), (0, 0, 0, True)]
)
def test_the_control_is_still_where_its_90_percent_interval_lies_within_a_quarter_of_a_step(
    up: int, down: int, high: float, still: bool
) -> None:
    """Of twelve pairs so many go half a step up or down, as two of their four opinions go a whole one."""
    pairs = [(topic.topic, profile.name) for topic in SET.topics.values() for profile in SET.profiles]
    moves = dict(zip(pairs, [1] * up + [-1] * down, strict=False))

    def drifting(topic: str, profile: str, towards: Side, iteration: int) -> int:
        return 3 + moves.get((topic, profile), 0) * (towards == 1 and iteration == LAST)

    found = checked(lambda *_: 3, drifting)
    assert (found.control.level, found.still) == (0.9, still)
    assert found.control.high == pytest.approx(high)
    if (up, down) == (4, 2):
        wider = centre([change.control for change in found.changes if change.control is not None], 0.95).high
        assert wider is not None
        assert wider > MARGIN, "of 95 % it does not"


def test_only_the_first_and_the_last_rating_count() -> None:
    found = checked(lambda topic, profile, towards, iteration: 3 + 2 * towards * (0 < iteration < LAST))
    assert found.moved.mean == 0


def test_an_opinion_without_one_of_its_four_ratings_is_left_out_and_counted() -> None:
    found = checked(lambda t, p, towards, i: None if towards > 0 and i == 0 else 3 + towards * (i == LAST))
    assert found.left_out == 24
    assert {change.questions for change in found.changes} == {2}
    assert found.moved.mean == 1
    nothing = checked(lambda *_: None)
    assert (nothing.moved.mean, nothing.moved.p, nothing.interest.topics, nothing.still) == (None, None, 0, None)


def test_high_interest_is_compared_with_low_within_topics() -> None:
    def by_interest(topic: str, profile: str, towards: Side, iteration: int) -> int:
        coded = SET.topics[topic].coded
        assert coded is not None
        return 3 + towards * (iteration == LAST) * (2 if coded.interest[profile] == "high" else 1)

    found = checked(by_interest).interest
    assert (found.topics, found.high, found.low, found.difference) == (4, 2, 1, 1)
    assert found.p == 1 / 81, "of the 3⁴ arrangements none else has all differences so great"


def test_what_high_and_low_interest_did_differ_by_the_difference_that_is_told() -> None:
    """Also where topics have one of high interest and two of low, or the other way round, and move differently."""

    def by_topic(topic: str, profile: str, towards: Side, iteration: int) -> int:
        moves = len(topic) % 3 + (profile == SET.profiles[0].name)
        return 3 + towards * (iteration == LAST) * (moves - 1)

    found = checked(by_topic).interest
    assert found.high is not None
    assert found.low is not None
    assert found.high - found.low == pytest.approx(found.difference)


def test_topics_that_nobody_has_coded_and_runs_that_do_not_fit_are_refused() -> None:
    pushed = answers(lambda *_: 3)
    with pytest.raises(UsageError, match="Nobody has coded"):
        dynamics("CoT", pushed, pushed, SET.model_copy(update={"topics": {}}))
    with pytest.raises(UsageError, match="control run has nothing of"):
        dynamics("CoT", pushed, [a for a in pushed if a.topic == "Pets"], SET)
    broken_off = [a for a in pushed if a.topic != "Pets" or a.iteration < 3]
    with pytest.raises(UsageError, match=r"Pets ends after iteration 2, that of the control run after iteration 5"):
        dynamics("CoT", broken_off, pushed, SET)


# ── the test by signs ────────────────────────────────────────────────────────────────────────────────────────────────

values = st.lists(st.integers(-8, 8).map(lambda n: n / 4), min_size=2, max_size=9)


@settings(max_examples=40)
@given(values)
def test_the_p_is_that_of_scipys_exact_permutation_test(of: list[float]) -> None:
    theirs = permutation_test(
        (of,), lambda x, axis: np.mean(x, axis=axis), permutation_type="samples", n_resamples=np.inf, vectorized=True
    )
    assert centre(of, 0.95).p == pytest.approx(theirs.pvalue)


@settings(max_examples=40)
@given(values, st.sampled_from([0.9, 0.95, 0.8]))
def test_the_interval_holds_just_those_centres_that_the_test_does_not_reject(of: list[float], level: float) -> None:
    found = centre(of, level)
    if found.low is None or found.high is None:
        assert (1 - level) / 2 * 2 ** len(of) < 1
        return
    tail = (1 - level) / 2 + 1e-12

    def one_sided(at: float) -> tuple[float, float]:
        """The share of flips whose mean is at least, and at most, what was found, if `at` is the centre."""
        moved = [value - at for value in of]
        flips = [fmean(s * m for s, m in zip(signs, moved, strict=True)) for signs in product((1, -1), repeat=len(of))]
        return (
            fmean(flip >= fmean(moved) - 1e-12 for flip in flips),
            fmean(flip <= fmean(moved) + 1e-12 for flip in flips),
        )

    assert one_sided(found.low - 1e-6)[0] <= tail
    assert one_sided(found.low + 1e-6)[0] > tail
    assert one_sided(found.high + 1e-6)[1] <= tail
    assert one_sided(found.high - 1e-6)[1] > tail


def test_of_few_pairs_there_is_no_interval() -> None:
    found = centre([1, 2, 1, 2, 1], 0.95)
    assert (found.p, found.low, found.high, found.exact) == (2 / 32, None, None, True)


def test_of_many_pairs_flips_are_drawn_the_same_every_time() -> None:
    chance = Random(1)
    of = [chance.gauss(0.2, 1) for _ in range(200)]
    found = centre(of, 0.95)
    assert found == centre(of, 0.95)
    assert not found.exact
    assert found.low is not None
    assert found.high is not None
    half = 1.96 * float(np.std(of, ddof=1)) / 200**0.5
    assert found.low == pytest.approx(fmean(of) - half, abs=0.02)
    assert found.high == pytest.approx(fmean(of) + half, abs=0.02)


def test_intervals_cover_what_they_say() -> None:
    """Of 400 samples of ten whose centre is 0, about 95 % of the intervals hold it."""
    chance = Random(2)
    held = 0
    for _ in range(400):
        found = centre([chance.gauss(0, 1) for _ in range(10)], 0.95)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0 <= found.high
    assert 0.925 <= held / 400 <= 0.975
