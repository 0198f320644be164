"""Agreement among raters, statsmodels, scipy and the krippendorff package being the referees."""

from __future__ import annotations

from itertools import combinations
from random import Random
from statistics import fmean
from typing import Literal

import krippendorff
import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import spearmanr  # type: ignore[import-untyped]
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.cognition.people import majority
from elenchus.detectors.evaluation.cogbench.raters import Rated, Ratings, agreement_of

STEPS = [1, 2, 3, 4, 5]
POLARITY = {1: 1, 2: 1, 3: 2, 4: 3, 5: 3}


def made(seed: int, raters: int = 7, items: int = 60, missing: float = 0) -> list[Rated]:
    chance = Random(seed)

    def rating(truth: int) -> int | None:
        if chance.random() < missing:
            return None
        return max(1, min(5, truth + chance.choice((-1, 0, 0, 0, 1))))

    truths = [chance.randint(1, 5) for _ in range(items)]
    return [
        Rated(tuple(rating(t) for _ in range(raters)), ("a topic", f"profile {n % 12}")) for n, t in enumerate(truths)
    ]


def alpha(items: list[Ratings], level: Literal["nominal", "ordinal"]) -> float:
    """Krippendorff's α by the package of that name, which wants a row a rater."""
    table = np.array([[np.nan if rating is None else rating for rating in ratings] for ratings in items]).T
    return float(krippendorff.alpha(table, level_of_measurement=level, value_domain=STEPS))


def of_polarity(items: list[Rated]) -> list[Ratings]:
    return [tuple(rating and POLARITY[rating] for rating in item.ratings) for item in items]


@pytest.mark.parametrize("seed", range(5))
def test_fleiss_kappa_is_that_of_statsmodels_by_steps_and_by_polarity(seed: int) -> None:
    items = made(seed)
    found = agreement_of(items)
    assert (found.raters, found.items, found.whole, found.missing) == (7, 60, 60, 0)
    for agreement, of in ((found.ratings, [i.ratings for i in items]), (found.polarity, of_polarity(items))):
        assert agreement.fleiss.value == pytest.approx(fleiss_kappa(aggregate_raters(np.array(of))[0]), abs=1e-12)
    assert found.polarity.fleiss.value is not None
    assert found.ratings.fleiss.value is not None
    assert found.polarity.fleiss.value > found.ratings.fleiss.value, "neighbours are one in it"


@pytest.mark.parametrize("missing", [0, 0.3, 0.6])
def test_alpha_is_that_of_the_krippendorff_package_also_where_ratings_are_missing(missing: float) -> None:
    items = made(3, raters=4, missing=missing)
    found = agreement_of(items)
    for agreement, of in ((found.ratings, [i.ratings for i in items]), (found.polarity, of_polarity(items))):
        assert agreement.alpha_nominal.value == pytest.approx(alpha(of, "nominal"), abs=1e-12)
        assert agreement.alpha_ordinal.value == pytest.approx(alpha(of, "ordinal"), abs=1e-12)
    assert (found.whole < 60) == bool(missing)
    assert found.missing == sum(item.ratings.count(None) for item in items)


@given(st.lists(st.tuples(*[st.none() | st.integers(1, 5)] * 3), min_size=1, max_size=30))
def test_alpha_is_the_packages_or_undefined_whatever_is_rated(of: list[Ratings]) -> None:
    found = agreement_of([Rated(ratings, ("a topic", str(n))) for n, ratings in enumerate(of)])
    shared = {rating for ratings in of if 3 - ratings.count(None) > 1 for rating in ratings if rating}
    if len(shared) > 1:
        assert found.ratings.alpha_nominal.value == pytest.approx(alpha(of, "nominal"), abs=1e-9)
        assert found.ratings.alpha_ordinal.value == pytest.approx(alpha(of, "ordinal"), abs=1e-9)
    else:
        assert found.ratings.alpha_nominal.value is None
        assert found.ratings.alpha_ordinal.value is None


def test_fleiss_kappa_is_over_the_items_that_all_have_rated() -> None:
    whole = made(1, raters=3, items=20)
    partly = [Rated((5, None, 4), ("a topic", "x")), Rated((None, None, None), ("a topic", "y"))]
    found = agreement_of([*whole, *partly])
    assert (found.items, found.whole, found.missing) == (22, 20, 4)
    assert found.ratings.fleiss.value == agreement_of(whole).ratings.fleiss.value


def test_spearman_is_the_mean_over_the_pairs_of_raters() -> None:
    items = made(4, raters=3, missing=0.2)
    pairs = []
    for one, other in combinations(range(3), 2):
        both = [(i.ratings[one], i.ratings[other]) for i in items if i.ratings[one] and i.ratings[other]]
        pairs.append(float(spearmanr(*zip(*both, strict=True)).statistic))
    found = agreement_of(items)
    assert found.spearman == pytest.approx(fmean(pairs))
    assert found.pairs == 3


def test_intervals_are_around_the_figures() -> None:
    found = agreement_of(made(5))
    for agreement in (found.ratings, found.polarity):
        for estimate in (agreement.fleiss, agreement.alpha_nominal, agreement.alpha_ordinal):
            assert estimate.low is not None
            assert estimate.high is not None
            assert estimate.value is not None
            assert estimate.low < estimate.value < estimate.high


def test_what_cannot_be_told_is_no_figure() -> None:
    for items in ([], [Rated((4, 4))], [Rated((4, None))], [Rated((3, 3)), Rated((3, 3))], [Rated((3,)), Rated((5,))]):
        found = agreement_of(items)
        assert found.ratings.fleiss.value is None
        assert found.ratings.alpha_nominal.value is None
        assert found.spearman is None


def test_items_with_other_numbers_of_raters_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="different numbers"):
        agreement_of([Rated((1, 2)), Rated((1, 2, 3))])


@pytest.mark.parametrize(
    ("ratings", "rating", "tied"),
    [
        ((4, 4, 2), 4, False),
        ((1, 1, 5, 5, 5), 5, False),
        ((2, 4), 3, True),
        ((1, 1, 5, 5), 3, True),
        ((4, 5), 4, True),
        ((1, 2), 2, True),
        ((2, 3), 3, True),
        ((3, 4), 3, True),
        ((1, 2, 5), 2, True),
        ((2, 2, 4, 4, 5), 4, True),
        ((None, 2, None), 2, False),
    ],
)
def test_most_decide_and_the_median_decides_a_tie_nearer_to_the_middle(
    ratings: Ratings, rating: int, tied: bool
) -> None:
    assert majority(ratings) == (rating, tied)


def test_where_nobody_has_rated_there_is_no_majority() -> None:
    assert majority((None, None)) is None
