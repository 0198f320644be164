"""Comparisons that a scene names: like with like, people and models apart; against statsmodels and by simulation."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from scipy.stats import ttest_ind  # type: ignore[import-untyped]
from statsmodels.stats.contingency_tables import StratifiedTable  # type: ignore[import-untyped]
from statsmodels.stats.oneway import anova_oneway  # type: ignore[import-untyped]
from statsmodels.stats.weightstats import ttost_ind  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.cases import MODELS, Case
from elenchus.debate_engine.protocols.rulegen.study.contrasts import (
    PEOPLE_AND_MODELS,
    THESE,
    Compared,
    compared,
)
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.debate_engine.protocols.rulegen.study.omnibus import arms_of
from elenchus.debate_engine.scenes.contrasts import Contrast, UnreadableContrast, by_default, check, strata_of
from elenchus.debate_engine.scenes.design import Design

VERSIONS = ("low/cue", "low/quiet", "high/cue", "high/quiet", "none/cue", "none/quiet")
DESIGN = Design.between(VERSIONS)


def cases(version: str, yes: int, no: int, subject: str = PEOPLE) -> list[Case]:
    return [Case(subject=subject, version=version, outcome=n < yes) for n in range(yes + no)]


def numbers(version: str, values: Sequence[float], subject: str = PEOPLE) -> list[Case]:
    return [Case(subject=subject, version=version, outcome=float(value)) for value in values]


def pairs_of(compare: str) -> list[tuple[str, ...]]:
    """The cells on both sides, stratum by stratum."""
    return [
        tuple(cell for group in groups for cell, _ in group.cells)
        for groups in strata_of(Contrast(compare=compare), DESIGN)
    ]


def test_like_is_compared_with_like() -> None:
    assert pairs_of("high/* - none/*") == [("high/cue", "none/cue"), ("high/quiet", "none/quiet")]
    assert pairs_of("*/cue - */quiet") == [
        ("low/cue", "low/quiet"), ("high/cue", "high/quiet"), ("none/cue", "none/quiet"),
    ]  # fmt: skip
    assert pairs_of("high/cue - none/quiet") == [("high/cue", "none/quiet")]
    assert [str(one) for one in by_default(("a", "b", "c"))] == ["a − c", "b − c"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("high/*", "compares no two versions: write low/cue - none/quiet"),
        ("high/* - loud/*", "compares no two versions"),
        ("high - none", "names 1 level where there are 2 factors: write a level or * for each, in this order"),
        ("high/* - */cue", "compares a version with itself"),
        ("high/cue - low/cue/now", "“low/cue/now” in “high/cue - low/cue/now” names 3 levels where there are 2"),
        ("high/cue - none/*", "compares what differs in more than the factors it names"),
        ("", "compares no two versions"),
    ],
)
def test_what_compares_nothing_is_refused(text: str, says: str) -> None:
    with pytest.raises(UnreadableContrast, match=says.replace("*", ".")):
        check(Contrast(compare=text), DESIGN)


def test_shares_are_compared_within_strata_and_never_added_up_over_them() -> None:
    """Within each stratum nothing differs; added up, cue would seem to matter."""
    table = [
        *cases("low/cue", 18, 2),
        *cases("none/cue", 90, 10),
        *cases("low/quiet", 10, 90),
        *cases("none/quiet", 2, 18),
    ]
    (one,) = compared(table, [Contrast(compare="low/* - none/*")], DESIGN)
    assert one.shares is not None
    assert one.shares.difference == pytest.approx(0)
    assert (one.n, one.strata) == ((120, 120), 2)
    by = StratifiedTable([[[18, 2], [90, 10]], [[10, 90], [2, 18]]]).test_null_odds()
    assert one.p == pytest.approx(by.pvalue)


def of_versions(found: Sequence[Compared], subject: str) -> list[Compared]:
    return [one for one in found if (one.over, one.subject) == ("versions", subject)]


def test_people_and_models_are_never_added_up() -> None:
    table = [
        *cases("low/cue", 9, 1), *cases("none/cue", 9, 1),
        *cases("low/cue", 0, 50, "openai:x"), *cases("none/cue", 50, 0, "openai:x"),
    ]  # fmt: skip
    found = compared(table, [Contrast(compare="low/cue - none/cue")], DESIGN)
    assert [one.subject for one in found if one.over == "versions"] == [PEOPLE, "openai:x"]
    assert [one.shares.difference for one in found if one.over == "versions" and one.shares] == [0, -1]


def test_models_together_are_compared_by_one_difference_each_from_three_on() -> None:
    table = [
        case
        for n in range(3)
        for case in (*numbers("high/cue", [5 + n] * 40, f"m:{n}"), *numbers("none/cue", [4 + n / 2] * 40, f"m:{n}"))
    ]
    contrast = Contrast(compare="high/cue - none/cue")
    found = compared(table, [contrast], DESIGN)
    (together,) = of_versions(found, MODELS)
    assert together.by_model is not None
    assert (together.by_model.models, together.by_model.general) == (3, False)
    assert together.by_model.difference == pytest.approx(1.5)
    two = compared([case for case in table if case.subject != "m:2"], [contrast], DESIGN)
    assert of_versions(two, MODELS) == []
    assert of_versions(two, THESE) != []


def test_these_models_alone_are_strata_and_suppose_the_same_effect_in_each() -> None:
    table = [
        *cases("high/cue", 30, 10, "m:a"), *cases("none/cue", 20, 20, "m:a"),
        *cases("high/cue", 12, 28, "m:b"), *cases("none/cue", 4, 36, "m:b"),
    ]  # fmt: skip
    (one,) = of_versions(compared(table, [Contrast(compare="high/cue - none/cue")], DESIGN), THESE)
    by = StratifiedTable([[[30, 10], [20, 20]], [[12, 28], [4, 36]]])
    assert one.strata == 2
    assert one.p == pytest.approx(by.test_null_odds().pvalue)
    assert one.shares is not None
    assert one.shares.odds is not None
    assert one.shares.odds.ratio == pytest.approx(by.oddsratio_pooled)


def test_p_values_are_corrected_within_the_family_of_one_subject() -> None:
    table = [*cases("low/cue", 9, 1), *cases("high/cue", 8, 2), *cases("none/cue", 1, 9)]
    table += [case.model_copy(update={"subject": "m:x"}) for case in table]
    contrasts = [Contrast(compare="low/cue - none/cue"), Contrast(compare="high/cue - none/cue")]
    people = of_versions(compared(table, contrasts, DESIGN), PEOPLE)
    assert [one.adjusted for one in people] == pytest.approx([2 * (people[0].p or 0), people[1].p])


def test_people_are_compared_with_each_model_and_style_with_style_within_versions() -> None:
    """In both versions people say yes as often as the model; the versions are played unevenly."""
    table = [
        *cases("low/cue", 32, 8), *cases("none/cue", 2, 8),
        *cases("low/cue", 8, 2, "m:x"), *cases("none/cue", 8, 32, "m:x"),
    ]  # fmt: skip
    table += [case.model_copy(update={"style": "bold", "outcome": True}) for case in table if case.subject == "m:x"]
    found = compared(table, [Contrast(compare="low/cue - none/cue")], DESIGN)
    plain, bold = [one for one in found if one.over == "subjects"]
    assert {plain.subject, bold.subject} == {PEOPLE_AND_MODELS}
    assert [str(plain.contrast), str(bold.contrast)] == ["people − m:x", "people − m:x (bold)"]
    assert plain.shares is not None
    assert plain.shares.difference == pytest.approx(0)
    assert plain.strata == 2
    assert bold.p is not None
    assert bold.p < 0.001
    (styles,) = [one for one in found if one.over == "styles"]
    assert (styles.subject, str(styles.contrast), styles.strata) == ("m:x", "no style − bold", 2)
    assert styles.p is not None
    assert styles.p < 0.001
    (model,) = of_versions(found, "m:x")
    assert model.strata == 2, "the styles of one subject are strata of its versions"


def test_the_expected_direction_is_told_and_changes_no_p() -> None:
    table = [*numbers("high/cue", [5, 7, 9, 8, 6]), *numbers("none/cue", [4, 3, 5, 5, 7])]
    by = {
        expect: compared(table, [Contrast(compare="high/cue - none/cue", expect=expect)], DESIGN)[0]
        for expect in ("greater", "less", "different")
    }
    (p,) = {one.p for one in by.values()}
    assert p == pytest.approx(ttest_ind([5, 7, 9, 8, 6], [4, 3, 5, 5, 7], equal_var=False).pvalue)
    assert [one.as_expected for one in by.values()] == [True, False, None]


def test_where_the_file_claims_no_difference_p_is_that_of_the_claim() -> None:
    table = [*numbers("high/cue", [50, 52, 48, 51, 49]), *numbers("none/cue", [50, 49, 51, 52, 47])]
    claim = Contrast(compare="high/cue - none/cue", expect="same", margin=10.0)
    (one,) = compared(table, [claim], DESIGN)
    p, _, _ = ttost_ind([50, 52, 48, 51, 49], [50, 49, 51, 52, 47], -10, 10, usevar="unequal")
    assert one.p == pytest.approx(p)
    assert one.means is not None
    assert one.means.p is not None
    assert one.means.p > 0.5, "that they differ is another claim, and is not shown"
    shares = [*cases("high/cue", 50, 50), *cases("none/cue", 52, 48)]
    (of,) = compared(shares, [Contrast(compare="high/cue - none/cue", expect="same", margin=0.2)], DESIGN)
    assert of.equivalent is not None
    assert (of.p, of.equivalent.margin) == (of.equivalent.p, 0.2)
    (wide,) = compared(shares, [Contrast(compare="high/cue - none/cue", expect="same", margin=30.0)], DESIGN)
    assert (wide.p, wide.why) == (None, "any two shares lie within a margin of 1: nothing is claimed")


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ([*cases("low/cue", 3, 3)], "nobody counts in none/cue"),
        ([Case(subject=PEOPLE, version="low/cue")], "nobody counts in low/cue and none/cue"),
        ([*cases("low/cue", 3, 0), *cases("none/cue", 4, 0)], "all say the same: there is nothing to be told apart"),
        (
            [*numbers("low/cue", [3]), *numbers("none/cue", [4, 5])],
            "with one alone in a group, an effect and chance",
        ),
        ([*numbers("low/cue", [3, 3]), *numbers("none/cue", [4, 4])], "no number varies"),
    ],
)
def test_what_the_data_cannot_carry_is_said_in_one_sentence_and_has_no_p(table: list[Case], why: str) -> None:
    (one,) = compared(table, [Contrast(compare="low/cue - none/cue")], DESIGN)
    assert (one.p, one.adjusted) == (None, None)
    assert one.why.startswith(why)


def test_a_handful_claim_nothing_of_being_the_same() -> None:
    table = [*numbers("low/cue", [3, 4, 3]), *numbers("none/cue", [4, 3, 4, 4, 3, 3])]
    (one,) = compared(table, [Contrast(compare="low/cue - none/cue", expect="same", margin=5.0)], DESIGN)
    assert (one.p, one.why) == (None, "fewer than five on a side are too few to claim that nothing differs")


def test_nobody_is_compared_with_nobody() -> None:
    assert compared([], [Contrast(compare="low/cue - none/cue")], DESIGN) == ()


def test_over_all_versions_numbers_are_analysed_by_variance_and_shares_by_an_exact_test() -> None:
    levels = {"low/cue": [1.0, 2, 3, 4, 5] * 2, "high/cue": [4.0, 5, 7, 2, 1] * 2, "none/cue": [2.0, 2, 3, 6, 2] * 2}
    (one,) = arms_of([case for version, values in levels.items() for case in numbers(version, values)], DESIGN)
    by = anova_oneway(list(levels.values()), use_var="unequal", welch_correction=True)
    assert one.variance is not None
    assert one.versions == 3
    assert one.variance.p == pytest.approx(by.pvalue)
    (shares,) = arms_of([*cases("low/cue", 9, 1), *cases("high/cue", 1, 9), *cases("none/cue", 5, 5)], DESIGN)
    assert shares.p is not None
    assert shares.p < 0.01
    assert arms_of([*cases("low/cue", 9, 1), *cases("high/cue", 1, 9)], DESIGN) == (), "two are a contrast"


def test_a_seat_that_a_version_has_and_the_other_lacks_belongs_to_the_version() -> None:
    """The confederate's words are a model's in one version, and fixed in the other: that is what is compared."""
    alone, beside = (("temperature", "0"),), (("Ben", "a:b"), ("system", "a:b"), ("temperature", "0"))

    def of(version: str, settings: tuple[tuple[str, str], ...]) -> list[Case]:
        return [case.model_copy(update={"settings": settings}) for case in cases(version, 3, 3)]

    contrast = [Contrast(compare="low/cue - none/cue")]
    (found,) = compared([*of("low/cue", beside), *of("none/cue", alone)], contrast, DESIGN)
    assert found.confounded == ()
    hot = (("temperature", "1"),)
    (found,) = compared([*of("low/cue", beside), *of("none/cue", hot)], contrast, DESIGN)
    assert found.confounded == ("temperature",)


def test_what_else_differs_within_a_stratum_is_named_and_what_people_do_not_have_is_no_difference() -> None:
    cold, hot = (("Ben", "a:b"), ("temperature", "0")), (("Ben", "a:b"), ("temperature", "1"))

    def of(version: str, settings: tuple[tuple[str, str], ...], subject: str = "m:x") -> list[Case]:
        return [case.model_copy(update={"settings": settings}) for case in cases(version, 3, 3, subject)]

    contrast = [Contrast(compare="low/cue - none/cue")]
    assert compared([*of("low/cue", cold), *of("none/cue", hot)], contrast, DESIGN)[0].confounded == ("temperature",)
    assert compared([*of("low/cue", cold), *of("none/cue", cold)], contrast, DESIGN)[0].confounded == ()
    people = of("low/cue", (("Ben", "a:c"), ("temperature", "default")), PEOPLE)
    found = compared([*people, *of("low/cue", cold)], contrast, DESIGN)
    assert [one.confounded for one in found if one.over == "subjects"] == [("Ben",)]
