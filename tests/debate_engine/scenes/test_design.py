"""Who plays which condition, and in which order: balanced at every moment, the same for the same seed."""

from __future__ import annotations

from collections import Counter
from itertools import islice, pairwise

from hypothesis import given, strategies as st

from elenchus.debate_engine.scenes.design import Design, Place, next_place, orders_of, places
from elenchus.debate_engine.scenes.factors import Factor, Level, described


def factor(name: str, *levels: str, within: bool = False) -> Factor:
    return Factor(name=name, levels=tuple(Level(name=level) for level in levels), within=within)


ANCHORS = factor("anchor", "low", "high", "none")
PRESSURE = factor("pressure", "cue", "no cue")
FRAMES = factor("frame", "gain", "loss", within=True)

between = st.lists(st.integers(2, 4), min_size=0, max_size=3).map(
    lambda sizes: tuple(
        factor(f"factor_{n}", *(f"level {level}" for level in range(size))) for n, size in enumerate(sizes)
    )
)


@given(between, st.integers(), st.integers(0, 80))
def test_after_any_number_of_subjects_two_arms_differ_by_one_at_the_most(
    factors: tuple[Factor, ...], seed: int, subjects: int
) -> None:
    design = Design(factors=factors)
    drawn = Counter(place.arm for place in islice(places(design, seed), subjects))
    counts = [drawn[arm] for arm in design.arms]
    assert max(counts) - min(counts) <= 1


@given(st.integers(), st.sets(st.integers(1, 40)))
def test_a_place_that_is_free_again_is_the_next_one(seed: int, gone: set[int]) -> None:
    design = Design(factors=(ANCHORS, PRESSURE))
    held = set(range(1, 41)) - gone
    known = {place.number: place for place in islice(places(design, seed), 41)}
    for number in sorted(gone) or [41]:
        assert next_place(design, seed, held) == known[number]
        held.add(number)


@given(st.integers(), st.lists(st.booleans(), min_size=1, max_size=120))
def test_who_plays_or_has_finished_is_balanced_whoever_leaves(seed: int, leaves: list[bool]) -> None:
    design = Design(factors=(PRESSURE,))
    held: dict[int, Place] = {}
    for leaving in leaves:
        place = next_place(design, seed, held.keys())
        held[place.number] = place
        counts = Counter(one.arm for one in held.values())
        assert max(counts.values()) - min(counts[arm] for arm in design.arms) <= 1
        if leaving:
            del held[place.number]


def test_the_same_seed_draws_the_same_everywhere_and_strata_draw_for_themselves() -> None:
    design = Design(factors=(ANCHORS, PRESSURE))
    first = [described(place.arm) for place in islice(places(design, 7), 6)]
    assert first == [described(place.arm) for place in islice(places(design, 7), 6)]
    assert sorted(first) == sorted(described(arm) for arm in design.arms)
    others = {tuple(place.arm for place in islice(places(design, 7, stratum), 6)) for stratum in "abcdef"}
    assert len(others) == 6
    assert described(design.arms[0]) == "anchor low, pressure cue"


@given(st.integers(2, 7))
def test_each_condition_stands_equally_often_at_each_position_and_after_each_other(n: int) -> None:
    conditions = tuple((("dose", str(level)),) for level in range(n))
    orders = orders_of(conditions)
    assert len(orders) == (2 * n if n % 2 else n)
    for position in range(n):
        assert set(Counter(order[position] for order in orders).values()) == {len(orders) // n}
    after = Counter(pair for order in orders for pair in pairwise(order))
    assert len(after) == n * (n - 1)
    assert len(set(after.values())) == 1


@given(st.integers())
def test_orders_are_shared_out_within_each_arm(seed: int) -> None:
    design = Design(factors=(PRESSURE, FRAMES))
    drawn = Counter((place.arm, place.order) for place in islice(places(design, seed), 8))
    assert set(drawn.values()) == {2}
    assert len(drawn) == 4


def test_a_design_without_factors_has_one_arm_in_which_one_thing_is_met() -> None:
    place = next_place(Design(), 1, [])
    assert (place.number, place.arm, place.order, described(place.arm)) == (1, (), ((),), "")
