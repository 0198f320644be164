"""What a class is shown: no number rests on fewer than five people, nor does what can be worked out from several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from elenchus.debate_engine.protocols.rulegen.study.analysis import StudiedScene, Study, study_of
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.debate_engine.scenes.contrasts import Contrast
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.plan import Plan, Source
from elenchus.service.lab.classes.differencing import singles_out
from elenchus.service.lab.classes.disclosure import bars_of, by_cell, edges_of, groups_of
from elenchus.service.lab.classes.effects import FEW_PEOPLE, FEW_SAID, effects_of, literature_of
from elenchus.service.lab.classes.publication import LEAST, Publication, own_place
from elenchus.service.lab.classes.reveal import rows_of
from tests.service.lab.classes.observed import observed

CELLS = tuple("/".join(levels) for levels in product(("high", "low", "none"), ("hurried", "calm")))
BETWEEN = Design.between(CELLS, ("anchor", "hurry"))
AT = datetime(2026, 1, 1, tzinfo=UTC)

numbers = st.lists(st.integers(0, 1_000).map(float), max_size=12)
answers = st.lists(st.booleans(), max_size=14)


def study(outcomes: Mapping[str, Sequence[Any]], contrasts: Sequence[str], **plan: Any) -> Study:
    """People who met these cells, and what came out."""
    plan_ = Plan(contrasts=tuple(Contrast(compare=one) for one in contrasts), **plan)
    return study_of(StudiedScene(name="s", title="S", design=BETWEEN, outcome="x", plan=plan_), observed(outcomes))


def cells_of(outcomes: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    return by_cell([{cell: value} for cell, values in outcomes.items() for value in values])


# ── groups ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@given(st.lists(numbers, min_size=6, max_size=6))
def test_every_group_has_five_people_every_bar_five_answers_and_everybody_is_in_one(found: list[list[float]]) -> None:
    outcomes = dict(zip(CELLS, found, strict=True))
    groups, people = groups_of(cells_of(outcomes), BETWEEN), sum(map(len, found))
    assert bool(groups) == (people >= LEAST)
    assert sum(group.n for group in groups) == (people if groups else 0)
    cells = [cell for group in groups for cell in group.cells]
    assert len(cells) == len(set(cells))
    for group in groups:
        assert group.n >= LEAST
        assert group.n == sum(len(outcomes[cell]) for cell in group.cells)
        assert sum(bar.n or 0 for bar in group.bars) == group.n
        assert all(bar.n is not None and bar.n >= LEAST for bar in group.bars)
        assert group.bars[0].low is None
        assert group.bars[-1].high is None
        assert all(one.high == other.low for one, other in zip(group.bars, group.bars[1:], strict=False))


@given(st.lists(answers, min_size=6, max_size=6))
def test_of_yes_and_no_no_count_under_five_is_told_nor_follows_from_what_is(found: list[list[bool]]) -> None:
    outcomes = dict(zip(CELLS, found, strict=True))
    for group in groups_of(cells_of(outcomes), BETWEEN):
        yes = sum(sum(outcomes[cell]) for cell in group.cells)
        if min(yes, group.n - yes) >= LEAST:
            assert group.share == yes / group.n
            assert [bar.n for bar in group.bars] == [yes, group.n - yes]
        else:
            assert group.share is None
            assert [bar.n for bar in group.bars if bar.n is not None] == []
            assert str(min(yes, group.n - yes)) not in {bar.told for bar in group.bars}


def test_by_all_factors_where_that_goes_else_by_one_else_with_small_ones_merged() -> None:
    def named(sizes: Sequence[int]) -> list[tuple[str, int]]:
        outcomes = {cell: [float(n) for n in range(size)] for cell, size in zip(CELLS, sizes, strict=True)}
        return [(group.name, group.n) for group in groups_of(cells_of(outcomes), BETWEEN)]

    assert named([5] * 6) == [(cell, 5) for cell in CELLS]
    assert named([5, 4, 5, 5, 5, 5]) == [("high", 9), ("low", 10), ("none", 10)]
    assert named([6, 6, 6, 6, 2, 2]) == [("hurried", 14), ("calm", 14)]
    assert named([9, 1, 1, 1, 1, 1]) == [("", 14)], "no two groups could be told apart"
    assert named([1, 1, 1, 1, 0, 0]) == []


def test_small_levels_are_told_of_together_and_with_the_smallest_other_where_they_are_too_few() -> None:
    one = Design.between(("a", "b", "c"), ("f",))

    def named(**sizes: int) -> list[tuple[str, int]]:
        found = {cell: [float(n) for n in range(size)] for cell, size in sizes.items()}
        return [(group.name, group.n) for group in groups_of(cells_of(found), one)]

    assert named(a=8, b=3, c=2) == [("a", 8), ("b or c", 5)]
    assert named(a=8, b=3, c=9) == [("c", 9), ("a or b", 11)]
    assert named(a=3, b=3) == [("", 6)]


def test_what_is_met_within_subjects_is_grouped_by_what_varies_between_them() -> None:
    within = Design(
        cells=("x/gain", "x/loss", "y/gain", "y/loss"), factors=("f", "g"), within=(False, True),
        met={f"{arm}/gain-loss": (("gain", f"{arm}/gain"), ("loss", f"{arm}/loss")) for arm in "xy"},
    )  # fmt: skip
    found = by_cell([{"x/gain": 1.0, "x/loss": 2.0}] * 6 + [{"y/gain": 3.0, "y/loss": 4.0}] * 5)
    assert [(group.name, group.n) for group in groups_of(found, within)] == [
        ("x/gain", 6), ("x/loss", 6), ("y/gain", 5), ("y/loss", 5),
    ]  # fmt: skip
    few = by_cell([{"x/gain": 1.0, "x/loss": 2.0}] * 6 + [{"y/gain": 3.0, "y/loss": 4.0}] * 4)
    assert [(group.name, group.n) for group in groups_of(few, within)] == [("gain", 10), ("loss", 10)]


def test_nobodys_own_number_is_an_edge_that_is_an_end() -> None:
    said = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1_000_000.0]
    bars = bars_of(said, edges_of(said), "beads")
    assert [bar.n for bar in bars] == [5, 5]
    assert "1,000,000" not in " ".join(bar.label for bar in bars)
    assert bars[1].label.endswith("or more")


# ── effects ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_where_all_counts_are_five_or_more_the_studys_own_comparison_is_told() -> None:
    found = study({cell: [float(10 * k + n) for n in range(5)] for k, cell in enumerate(CELLS)}, ["high/* - low/*"])
    (effect,), told = effects_of(found, PEOPLE, groups_of(cells_of_study(found), BETWEEN))
    (own,) = (one for one in found.contrasts if one.over == "versions")
    assert own.means is not None
    assert (effect.difference, effect.n) == (own.means.difference, (10, 10))
    assert (effect.low, effect.high) == pytest.approx((own.means.low, own.means.high), rel=0.005)
    assert told[0].strata == 2
    assert "a median of" in effect.sentences[0]
    assert effect.size.startswith("g ")


def cells_of_study(found: Study) -> dict[str, list[Any]]:
    return by_cell([case.outcomes for case in found.cases if case.counts])


def test_sides_of_small_cells_are_compared_all_together_and_a_side_of_four_not_at_all() -> None:
    sizes = dict(zip(CELLS, (4, 4, 4, 4, 3, 1), strict=True))
    found = study(
        {cell: [float(n) for n in range(size)] for cell, size in sizes.items()}, ["high/* - low/*", "high/* - none/*"]
    )
    (one, other), told = effects_of(found, PEOPLE, ())
    assert (one.n, told[0].strata, one.why) == ((8, 8), 1, "")
    assert (other.why, other.difference) == (FEW_PEOPLE, None)


def test_what_compares_versions_that_the_class_has_not_is_left_out_without_a_word() -> None:
    calm = ("high/calm", "low/calm")
    found = study({cell: [float(n) for n in range(6)] for cell in calm}, ["high/* - low/*", "*/hurried - */calm"])
    (effect,), told = effects_of(found, PEOPLE, (), calm)
    assert ("high" in effect.compare, len(told)) == (True, 1)
    (_, other), _ = effects_of(found, PEOPLE, ())
    assert "hurried" in other.compare, "without its versions it would be told that nobody has met it"


def test_a_study_that_knows_no_other_versions_compares_none_with_them() -> None:
    calm = ("high/calm", "low/calm")
    runs = study({cell: [float(n) for n in range(6)] for cell in calm}, ["high/* - low/*", "*/hurried - */calm"])
    of_class = StudiedScene(
        name="s", title="S", design=Design.between(calm, ("anchor", "hurry")), outcome="x", plan=runs.plan
    )
    effects, _ = effects_of(study_of(of_class, runs.observed), PEOPLE, (), calm)
    assert [effect.compare for effect in effects] == ["high against low"]


def test_a_count_of_yes_under_five_is_covered_by_an_interval_over_all_that_it_may_be() -> None:
    def rough(yes: int) -> Any:
        values = {"high/hurried": [True] * 12 + [False] * 6, "low/hurried": [True] * yes + [False] * (18 - yes)}
        return effects_of(study(values, ["high/* - low/*"]), PEOPLE, ())[0][0]

    four, none = rough(4), rough(0)
    assert four.rough
    assert four == none, "nobody can tell whether it was none or four"
    assert "between +44 and +67 points" in four.sentences[0]
    exact = study(
        {"high/hurried": [True] * 12 + [False] * 6, "low/hurried": [True] * 2 + [False] * 16}, ["high/* - low/*"]
    )
    own = next(one for one in exact.contrasts if one.over == "versions").shares
    assert own is not None
    assert own.low is not None
    assert own.high is not None
    assert four.low <= own.low
    assert own.high <= four.high
    assert rough(9).rough is False


def test_of_fewer_than_ten_a_share_is_not_told_at_all() -> None:
    found = study({"high/hurried": [True] * 6 + [False] * 3, "low/hurried": [True, False] * 8}, ["high/* - low/*"])
    assert effects_of(found, PEOPLE, ())[0][0].why == FEW_SAID


def test_why_an_interaction_is_not_told_is_true_of_it_and_tells_of_nobody() -> None:
    crossed = "(high/hurried - low/hurried) - (high/calm - low/calm)"
    four = CELLS[:4]
    (of_shares,), _ = effects_of(study({cell: [True] * 12 for cell in four}, [crossed]), PEOPLE, ())
    assert of_shares.why == FEW_SAID, "there are twelve on each side"
    (of_few,), _ = effects_of(study({cell: [True] * 4 for cell in four}, [crossed]), PEOPLE, ())
    (of_none,), _ = effects_of(study({cell: [True] * 12 for cell in four[:3]}, [crossed]), PEOPLE, ())
    assert of_few.why == of_none.why == FEW_PEOPLE, "nobody can tell whether it was none or four"


def test_published_sizes_stand_beside_ours_only_of_the_same_arms_and_metric_and_where_ours_may_be_told() -> None:
    sources = (
        Source(citation="A (2001)", arms="high - low", metric="d", size=0.5, same="task"),
        Source(citation="B (2002)", arms="high - low", metric="risk difference", size=0.1, same="paradigm"),
        Source(citation="C (2003)", arms="high - low", same="name"),
    )
    many = study(
        {cell: [float(10 * k + n) for n in range(5)] for k, cell in enumerate(CELLS)},
        ["high/* - low/*"],
        literature=sources,
    )
    shown = literature_of(many, effects_of(many, PEOPLE, ())[1])
    assert [(one.citation, one.same, bool(one.ours)) for one in shown] == [
        ("A (2001)", "task", True),
        ("B (2002)", "paradigm", False),
    ]
    few = study({cell: [1.0, 2.0] for cell in CELLS}, ["high/* - low/*"], literature=sources)
    assert [one.ours for one in literature_of(few, effects_of(few, PEOPLE, ())[1])] == ["", ""]


def test_beside_what_came_out_of_runs_stands_of_how_many_it_did() -> None:
    (row,) = rows_of(study({"high/hurried": [True, False, None, None]}, ["high/* - low/*"]))
    assert (row.runs, row.told) == (2, "50% (9% to 91%)")


# ── several together ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_sums_that_differ_by_two_people_tell_of_them() -> None:
    sizes = {"a": 10, "b": 2, "c": 8}
    assert singles_out([{"a", "b"}, {"a"}], sizes)
    assert singles_out([{"a", "b", "c"}, {"a", "c"}], sizes)
    assert not singles_out([{"a", "b"}, {"c"}], sizes)
    assert not singles_out([{"a", "b"}, {"b", "c"}], sizes)
    assert singles_out([{"a", "b"}, {"b", "c"}, {"a"}], sizes)
    assert not singles_out([], sizes)


@settings(max_examples=60)
@given(
    st.lists(st.sets(st.sampled_from("abcd"), min_size=1), min_size=1, max_size=4),
    st.lists(st.integers(0, 9), min_size=4, max_size=4),
)
def test_what_is_said_to_tell_nobody_has_no_combination_of_few_weights_that_does(
    sums: list[set[str]], sizes: list[int]
) -> None:
    by = dict(zip("abcd", sizes, strict=True))
    found = False
    for weights in product(range(-2, 3), repeat=len(sums)):
        total = {cell: sum(w for w, one in zip(weights, sums, strict=True) if cell in one) for cell in by}
        people = sum(by[cell] for cell, weight in total.items() if weight)
        found |= 0 < people < LEAST
    assert not found or singles_out(sums, by)


def test_an_effect_that_would_give_a_small_cell_away_together_with_the_groups_is_left_out() -> None:
    cells = Design.between(("a", "b"), ("f",))
    assert not singles_out([("a", "b")], {"a": 9, "b": 3})
    assert [group.cells for group in groups_of({"a": [1.0] * 9, "b": [2.0] * 3}, cells)] == [("a", "b")]
    assert singles_out([("a", "b"), ("a",)], {"a": 9, "b": 3})


# ── one's own place ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("weight", "bar"), [(0.0, 0), (4.9, 0), (5.0, 1), (99.0, 1)])
def test_ones_own_place_is_the_bar_of_ones_own_answer(weight: float, bar: int) -> None:
    values = {"high/hurried": [float(n) for n in range(10)]}
    groups = groups_of(values, BETWEEN, "kilos")
    shown = Publication(at=AT, title="S", unit="kilos", groups=groups, met={"high/hurried": (("", "high/hurried"),)})
    own = own_place(shown, "high/hurried", {"": weight}, "kilos")
    assert own is not None
    assert (own.answers[0].bar, own.answers[0].told) == (bar, f"{weight:g} kilos")
    assert own_place(shown, "elsewhere", {"": weight}) is None
    assert own_place(shown, "high/hurried", {}) is None


def test_a_large_number_of_ones_own_is_told_digit_by_digit() -> None:
    groups = groups_of({"high/hurried": [float(n) for n in range(10)]}, BETWEEN, "beads")
    shown = Publication(at=AT, title="S", unit="beads", groups=groups, met={"high/hurried": (("", "high/hurried"),)})
    own = own_place(shown, "high/hurried", {"": 1_234_567.0}, "beads")
    assert own is not None
    assert (own.answers[0].told, own.answers[0].number) == ("1,234,567 beads", 1_234_567.0)
    yes = own_place(shown, "high/hurried", {"": True})
    assert yes is not None
    assert (yes.answers[0].told, yes.answers[0].number) == ("yes", None)
