"""What so many subjects can find, in sentences."""

from __future__ import annotations

import numpy as np
import pytest

from elenchus.debate_engine.protocols.rulegen.study.means import equivalent_means
from elenchus.debate_engine.protocols.rulegen.study.planning import beforehand, group_sizes, smallest_of, too_few
from elenchus.debate_engine.protocols.rulegen.study.power import (
    balanced,
    power_of_shares,
    smallest_change,
    smallest_crossed,
    smallest_d_z,
    smallest_difference,
    smallest_g,
    smallest_margin,
)
from elenchus.debate_engine.scenes.contrasts import Contrast
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.plan import Plan
from tests.debate_engine.protocols.rulegen.study.crossover import (
    BETWEEN,
    DESIGN as CROSSOVER,
    MIXED,
    ONE_LEVEL,
    WITHIN,
)

VERSIONS = ("low/cue", "low/quiet", "high/cue", "high/quiet", "none/cue", "none/quiet")
DESIGN = Design.between(VERSIONS)
HIGH, CUE = Contrast(compare="high/* - low/*"), Contrast(compare="*/cue - */quiet", expect="same", margin=0.2)


def test_what_the_planned_number_finds_is_told_and_what_is_asked_for_too() -> None:
    planned, asked = beforehand(Plan(n=80, contrasts=(HIGH,)), "price", VERSIONS, asked=2)
    assert smallest_g(26) == pytest.approx(0.79, abs=0.005)
    assert planned == (
        "As planned, 80 subjects (13 or 14 a version) find with a power of 0.8: 0.79 standard deviations in "
        "high/* − low/*."
    )
    assert asked.startswith(
        "As asked for, 12 runs (2 a version): no test at 0.05 is possible, as the exact p of so few is 0.056"
    )


def test_shares_are_told_in_points_at_the_first_of_holms_levels() -> None:
    (told,) = beforehand(Plan(contrasts=(HIGH, CUE)), "price >= 3", VERSIONS, asked=20, subjects=3)
    found = smallest_difference(40, alpha=0.025)
    assert found is not None
    assert told.startswith(
        f"As asked for, 120 runs of each subject (20 a version) find with a power of 0.8, at a level of 0.05/2 (Holm): "
        f"{100 * found:.0f} points (from 50 %) in high/* − low/* and no difference within "
    )


@pytest.mark.parametrize(
    ("plan", "versions", "asked", "told"),
    [
        (Plan(n=4), VERSIONS, 0, "4 subjects are planned for 6 versions: some stay empty."),
        (Plan(n=80), VERSIONS[:1], 9, "One version is played: nothing is compared, and no effect can be found."),
        (
            Plan(),
            ("a", "b"),
            3,
            "As asked for, 6 runs (3 a version): no test at 0.05 is possible, as the exact p of so",
        ),
        (
            Plan(),
            VERSIONS,
            100,
            "As asked for, 600 runs (100 a version) find with a power of 0.8, at a level of 0.05/5",
        ),
    ],
)
def test_what_a_design_cannot_do_is_said_in_one_sentence(
    plan: Plan, versions: tuple[str, ...], asked: int, told: str
) -> None:
    (found,) = beforehand(plan, "price >= 3", versions, asked)
    assert found.startswith(told)


@pytest.mark.parametrize(
    ("outcome", "asked", "told"),
    [
        ("price", 3, "no test at 0.05 is possible, as the exact p of so few is 0.1 at the least."),
        ("price", 4, "fewer than five on a side: of their exact test no power is told."),
        ("price >= 3", 4, "too few, as not even the greatest difference is found with a power of 0.8."),
    ],
)
def test_below_five_on_a_side_no_size_is_told_that_the_exact_test_does_not_find(
    outcome: str, asked: int, told: str
) -> None:
    (found,) = beforehand(Plan(), outcome, ("a", "b"), asked)
    assert found == f"As asked for, {2 * asked} runs ({asked} a version): {told}"


def test_below_five_on_a_side_nothing_is_shown_not_to_differ() -> None:
    plan = Plan(contrasts=(Contrast(compare="a - b", expect="same", margin=3.0),))
    (found,) = beforehand(plan, "price", ("a", "b"), 4)
    assert found.endswith("fewer than five on a side are too few to claim that nothing differs.")
    design = Design.between(("a", "b"))
    assert smallest_of(plan.contrasts[0], (4, 9), design, shares=False) is None
    assert smallest_of(plan.contrasts[0], (2, 2), design, shares=True) is None


@pytest.mark.parametrize(("n", "shares", "least"), [(4, False, "0.12"), (5, True, "0.062")])
def test_few_subjects_compared_with_themselves_can_have_no_significant_p(n: int, shares: bool, least: str) -> None:
    contrast = Contrast(compare="*/gain - */loss")
    assert smallest_of(contrast, (n,), CROSSOVER, shares=shares) is None
    told = too_few(contrast, (n,), CROSSOVER, shares=shares)
    assert told == f"no test at 0.05 is possible, as the exact p of so few is {least} at the least"
    assert smallest_of(contrast, (30,), CROSSOVER, shares=shares) is not None


def test_without_a_number_and_without_runs_nothing_is_said() -> None:
    assert beforehand(Plan(), "", ("treatment", "control"), 0) == []


def test_groups_are_of_the_versions_that_are_compared() -> None:
    n = dict(zip(VERSIONS, (1, 2, 3, 4, 50, 60), strict=True))
    assert group_sizes(HIGH, DESIGN, n) == (7, 3)
    assert group_sizes(CUE, DESIGN, n) == (54, 66)


def test_unequal_groups_find_as_much_as_their_harmonic_mean() -> None:
    assert (balanced(10, 30), balanced(20, 20), balanced(5, 0)) == (15, 20, 0)
    assert smallest_of(HIGH, (10, 30), DESIGN, shares=True) == smallest_difference(15)
    assert smallest_of(HIGH, (0, 30), DESIGN, shares=False) is None


def test_a_stricter_level_asks_for_a_greater_difference_and_many_subjects_find_a_small_one() -> None:
    loose, strict, many = smallest_difference(30), smallest_difference(30, alpha=0.01), smallest_difference(5_000)
    assert loose is not None
    assert strict is not None
    assert many is not None
    assert many < 0.03 < loose < strict
    assert power_of_shares(0.5, 0.7, 101) == pytest.approx(power_of_shares(0.5, 0.7, 100), abs=0.05)


@pytest.mark.slow
def test_the_smallest_margin_is_one_at_which_80_of_100_studies_of_the_same_show_that_nothing_differs() -> None:
    rng, margin = np.random.default_rng(2), smallest_margin(40)
    assert margin is not None
    shown = sum(
        (p := equivalent_means([(list(one), list(other))], margin).p) is not None and p < 0.05
        for one, other in rng.normal(size=(2_000, 2, 40))
    )
    assert shown / 2_000 == pytest.approx(0.8, abs=0.03)
    assert smallest_margin(1) is None


def told_of(outcome: str, *compare: str, n: int = 120) -> str:
    contrasts = tuple(Contrast(compare=one) for one in compare)
    (told,) = beforehand(Plan(n=n, contrasts=contrasts), outcome, CROSSOVER, 0)
    return told


def test_subjects_compared_with_themselves_are_all_that_there_are() -> None:
    assert group_sizes(Contrast(compare=WITHIN), CROSSOVER, dict.fromkeys(CROSSOVER.met, 30)) == (120,)
    assert f"{smallest_d_z(120):.2f} standard deviations of the differences in gain/* − loss/*" in told_of(
        "risk", WITHIN
    )
    change = smallest_change(120)
    assert change is not None
    assert f"{100 * change:.0f} points (from 50 %, the two answers of a subject unrelated)" in told_of(
        "risk > 5", WITHIN
    )
    assert f"{smallest_g(60):.2f} standard deviations of the differences" in told_of("risk", MIXED)
    assert f"{smallest_g(60):.2f} standard deviations in */cue" in told_of("risk > 5", BETWEEN), "a mean of two answers"
    assert "points (from 50 %) in gain/cue − gain/quiet" in told_of("risk > 5", ONE_LEVEL)


def test_an_interaction_needs_four_groups_and_says_what_it_finds() -> None:
    crossed = "(high/cue - low/cue) - (high/quiet - low/quiet)"
    plan = Plan(n=180, contrasts=(Contrast(compare=crossed),))
    (told,) = beforehand(plan, "price", VERSIONS, 0)
    assert f"{smallest_crossed([30] * 4):.2f} standard deviations in (high/cue − low/cue)" in told
    (shares,) = beforehand(plan, "price >= 3", VERSIONS, 0)
    assert "points between the two differences (all shares near 50 %)" in shares
    (few,) = beforehand(plan.model_copy(update={"n": 60}), "price >= 3", VERSIONS, 0)
    assert "too few, as not even the greatest difference is found" in few, "an interaction of shares needs fifteen each"


def test_where_judges_say_what_came_out_orders_are_versions_and_levels_are_none() -> None:
    (told,) = beforehand(Plan(n=120), "", CROSSOVER, 0)
    assert "in */cue − */quiet" in told
