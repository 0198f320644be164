"""Comparisons that a scene names: like with like, people and models apart; against statsmodels and by simulation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import ttest_ind  # type: ignore[import-untyped]
from statsmodels.stats.contingency_tables import StratifiedTable  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.contrasts import (
    MODELS,
    PEOPLE,
    Case,
    compared,
    excluded_by,
    stratified_means,
)
from elenchus.debate_engine.scenes.contrasts import Contrast, UnreadableContrast, by_default, check, strata_of

VERSIONS = ("low/cue", "low/quiet", "high/cue", "high/quiet", "none/cue", "none/quiet")


def cases(version: str, yes: int, no: int, subject: str = PEOPLE) -> list[Case]:
    return [Case(subject=subject, version=version, outcome=n < yes) for n in range(yes + no)]


def numbers(version: str, values: Sequence[float], subject: str = PEOPLE) -> list[Case]:
    return [Case(subject=subject, version=version, outcome=float(value)) for value in values]


def test_like_is_compared_with_like() -> None:
    assert strata_of(Contrast(compare="high/* - none/*"), VERSIONS) == [
        ("high/cue", "none/cue"), ("high/quiet", "none/quiet"),
    ]  # fmt: skip
    assert strata_of(Contrast(compare="*/cue - */quiet"), VERSIONS) == [
        ("low/cue", "low/quiet"), ("high/cue", "high/quiet"), ("none/cue", "none/quiet"),
    ]  # fmt: skip
    assert strata_of(Contrast(compare="high/cue - none/quiet"), VERSIONS) == [("high/cue", "none/quiet")]
    assert [str(one) for one in by_default(("a", "b", "c"))] == ["a − c", "b − c"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("high/*", "compares no two versions: write low/cue - none/quiet"),
        ("high/* - loud/*", "compares no two versions"),
        ("high - none", "compares no two versions"),
        ("high/* - */cue", "compares a version with itself"),
        ("high/cue - low/cue/now", "compares no two versions"),
        ("high/cue - none/*", "compares what differs in more than the factors it names"),
        ("", "compares no two versions"),
    ],
)
def test_what_compares_nothing_is_refused(text: str, says: str) -> None:
    with pytest.raises(UnreadableContrast, match=says.replace("*", ".")):
        check(Contrast(compare=text), VERSIONS)


def test_shares_are_compared_within_strata_and_never_added_up_over_them() -> None:
    """Within each stratum nothing differs; added up, cue would seem to matter."""
    table = [
        *cases("low/cue", 18, 2),
        *cases("none/cue", 90, 10),
        *cases("low/quiet", 10, 90),
        *cases("none/quiet", 2, 18),
    ]
    (one,) = compared(table, [Contrast(compare="low/* - none/*")], VERSIONS)
    assert one.shares is not None
    assert one.shares.difference == pytest.approx(0)
    assert (one.n, one.strata) == ((120, 120), 2)
    by = StratifiedTable([[[18, 2], [90, 10]], [[10, 90], [2, 18]]]).test_null_odds()
    assert one.p == pytest.approx(by.pvalue)


def test_people_and_models_are_never_added_up() -> None:
    table = [
        *cases("low/cue", 9, 1), *cases("none/cue", 9, 1),
        *cases("low/cue", 0, 50, "openai:x"), *cases("none/cue", 50, 0, "openai:x"),
    ]  # fmt: skip
    found = compared(table, [Contrast(compare="low/cue - none/cue")], VERSIONS)
    assert [one.subject for one in found] == [PEOPLE, "openai:x"]
    assert [one.shares.difference for one in found if one.shares] == [0, -1]


def test_models_together_are_compared_by_one_difference_each_from_three_on() -> None:
    table = [
        case
        for n in range(3)
        for case in (*numbers("high/cue", [5 + n] * 40, f"m:{n}"), *numbers("none/cue", [4 + n / 2] * 40, f"m:{n}"))
    ]
    found = compared(table, [Contrast(compare="high/cue - none/cue")], VERSIONS)
    together = found[-1]
    assert together.subject == MODELS
    assert together.by_model is not None
    assert (together.by_model.models, together.by_model.general) == (3, False)
    assert together.by_model.difference == pytest.approx(1.5)
    two = [case for case in table if case.subject != "m:2"]
    assert MODELS not in {one.subject for one in compared(two, [Contrast(compare="high/cue - none/cue")], VERSIONS)}


def test_p_values_are_corrected_within_the_family_of_one_subject() -> None:
    table = [*cases("low/cue", 9, 1), *cases("high/cue", 8, 2), *cases("none/cue", 1, 9)]
    table += [case.model_copy(update={"subject": "m:x"}) for case in table]
    contrasts = [Contrast(compare="low/cue - none/cue"), Contrast(compare="high/cue - none/cue")]
    people = [one for one in compared(table, contrasts, VERSIONS) if one.subject == PEOPLE]
    assert [one.adjusted for one in people] == pytest.approx([2 * (people[0].p or 0), people[1].p])


def test_what_does_not_count_is_counted_and_compared_with_nothing() -> None:
    table = [
        *cases("low/cue", 3, 3),
        Case(subject=PEOPLE, version="low/cue", outcome=True, excluded="failed attention"),
        Case(subject=PEOPLE, version="low/cue"),
    ]
    assert excluded_by(table) == {"failed attention": 1, "no outcome": 1}
    (one,) = compared(table, [Contrast(compare="low/cue - none/cue")], VERSIONS)
    assert (one.n, one.p, one.shares, one.means, one.strata) == ((6, 0), None, None, None, 0)
    assert compared([], [Contrast(compare="low/cue - none/cue")], VERSIONS) == ()


def test_one_stratum_of_numbers_is_welchs_test() -> None:
    one, other = [1.0, 2.5, 3.0, 7.0], [0.5, 1.0, 1.5]
    found = stratified_means([(one, other)])
    by = ttest_ind(one, other, equal_var=False)
    assert found.p == pytest.approx(by.pvalue)
    assert found.df == pytest.approx(by.df)
    assert stratified_means([([1.0], other)]).difference is None


@pytest.mark.slow
def test_where_nothing_differs_within_strata_one_of_twenty_experiments_finds_something() -> None:
    rng = np.random.default_rng(20_261_123)

    def experiment() -> bool:
        sides = [
            (list(rng.normal(level, 1 + level / 5, 8 + level)), list(rng.normal(level, 1.0, 14 - level)))
            for level in range(4)
        ]
        p = stratified_means(sides).p
        return p is not None and p < 0.05

    found = sum(experiment() for _ in range(2_000)) / 2_000
    assert 0.035 <= found <= 0.065, found
