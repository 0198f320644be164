"""What varies within subjects, and interactions, over a table of cases: against scipy, statsmodels and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_ind, ttest_rel  # type: ignore[import-untyped]
from statsmodels.stats.contingency_tables import mcnemar  # type: ignore[import-untyped]
from statsmodels.stats.weightstats import ttost_paired  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.contrasts import Compared
from elenchus.debate_engine.protocols.rulegen.study.observation import Observation
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from elenchus.debate_engine.protocols.rulegen.study.tables import by_order
from elenchus.debate_engine.scenes.contrasts import Contrast, UnreadableContrast, check, kind_of, strata_of
from elenchus.debate_engine.scenes.design import Design
from tests.debate_engine.protocols.rulegen.study.crossover import (
    BETWEEN,
    DESIGN,
    MIXED,
    ONE_LEVEL,
    WITHIN,
    crossover,
    subject,
    subjects,
)


def first(runs: list[Observation], compare: str | Contrast) -> Compared:
    return crossover(runs, compare).contrasts[0]


def at(runs: list[Observation], level: str, start: str = "") -> list[float]:
    return [float(run.outcomes[level] or 0) for run in runs if run.cell.condition.startswith(start)]


def test_numbers_of_the_same_subjects_are_compared_as_scipys_paired_test_does_whatever_their_version() -> None:
    runs = subjects()
    one, by = first(runs, WITHIN), ttest_rel(at(runs, "gain"), at(runs, "loss"))
    assert (one.kind, one.n, one.strata) == ("within", (32,), 1)
    assert one.means is not None
    low, high = by.confidence_interval()
    assert [one.p, one.means.t, one.means.low, one.means.high] == pytest.approx([by.pvalue, by.statistic, low, high])
    apart = np.array(at(runs, "gain")) - np.array(at(runs, "loss"))
    assert one.means.unit == "d_z"
    assert one.means.g == pytest.approx(apart.mean() / apart.std(ddof=1) * (1 - 3 / (4 * 31 - 1)), rel=1e-3)


def test_yes_and_no_of_the_same_subjects_are_compared_as_statsmodels_mcnemar_does() -> None:
    runs = subjects(shares=True)
    gain, loss = np.array(at(runs, "gain")), np.array(at(runs, "loss"))
    table = [[sum(gain * loss), sum(gain * (1 - loss))], [sum((1 - gain) * loss), sum((1 - gain) * (1 - loss))]]
    one = first(runs, WITHIN)
    assert one.shares is not None
    assert one.shares.exact
    assert one.p == pytest.approx(mcnemar(table, exact=True).pvalue)
    assert one.shares.difference == pytest.approx((gain - loss).mean())
    assert one.changed == (table[0][1], table[1][0])


def test_between_subjects_each_is_one_case_with_the_mean_of_its_levels() -> None:
    runs = subjects()
    means = [[(a + b) / 2 for a, b in zip(at(runs, "gain", of), at(runs, "loss", of), strict=True)] for of in "cq"]
    one = first(runs, BETWEEN)
    assert (one.kind, one.n) == ("between", (16, 16))
    assert one.p == pytest.approx(ttest_ind(*means, equal_var=False).pvalue)
    single = first(runs, ONE_LEVEL)
    assert single.p == pytest.approx(ttest_ind(at(runs, "gain", "c"), at(runs, "gain", "q"), equal_var=False).pvalue)
    shares = subjects(shares=True)
    assert first(shares, BETWEEN).means is not None, "a mean of yes and no is a number"
    assert first(shares, BETWEEN).in_points
    assert first(shares, ONE_LEVEL).shares is not None


def test_a_mixed_interaction_compares_the_differences_of_other_subjects_however_it_is_written() -> None:
    runs = subjects()
    apart = [[a - b for a, b in zip(at(runs, "gain", of), at(runs, "loss", of), strict=True)] for of in "cq"]
    one = first(runs, MIXED)
    turned = first(runs, "(gain/cue - gain/quiet) - (loss/cue - loss/quiet)")
    assert {one.kind, turned.kind} == {"interaction mixed"}
    assert one.p == turned.p == pytest.approx(ttest_ind(*apart, equal_var=False).pvalue)
    assert one.found is not None
    assert turned.found is not None
    assert one.found.difference == turned.found.difference == pytest.approx(np.mean(apart[0]) - np.mean(apart[1]))


def test_an_interaction_of_two_factors_within_subjects_is_one_number_a_subject() -> None:
    design = Design(
        cells=("a/x", "a/y", "b/x", "b/y"), within=(True, True),
        met={"o": (("a_x", "a/x"), ("b_x", "b/x"), ("a_y", "a/y"), ("b_y", "b/y"))},
    )  # fmt: skip
    contrast = Contrast(compare="(a/x - b/x) - (a/y - b/y)")
    assert kind_of(contrast, design) == "interaction within"
    ((group,),) = strata_of(contrast, design)
    assert dict(group.cells) == {"a/x": 1, "b/x": -1, "a/y": -1, "b/y": 1}


def test_no_difference_within_subjects_is_claimed_by_two_one_sided_tests() -> None:
    runs = subjects()
    one = first(runs, Contrast(compare=WITHIN, expect="same", margin=9.0))
    p, _, _ = ttost_paired(np.array(at(runs, "gain")), np.array(at(runs, "loss")), -9, 9)
    assert one.p == pytest.approx(p)
    shares = first(subjects(shares=True), Contrast(compare=WITHIN, expect="same", margin=0.4))
    assert shares.equivalent is not None
    assert shares.p == shares.equivalent.p
    assert shares.equivalent.low is not None
    assert shares.equivalent.high is not None
    assert ((shares.p or 1) < 0.05) == (shares.equivalent.low > -0.4 and shares.equivalent.high < 0.4)


def test_the_order_is_a_check_beside_the_result() -> None:
    """Whoever met gain first says more at both, and differs more."""
    runs = [
        subject(n, version, 50 + 10 * early + n % 3 + 5 * early, 50 + 10 * early - n % 2)
        for n, version in enumerate(["cue/gain-loss", "cue/loss-gain", "quiet/gain-loss", "quiet/loss-gain"] * 6)
        for early in [version.endswith("gain-loss")]
    ]
    order = first(runs, WITHIN).order
    assert order is not None
    assert order.n == (12, 12)
    early, late = order.differences
    assert early is not None
    assert late is not None
    assert early == pytest.approx(late + 5, abs=1.5)
    assert order.p is not None
    assert order.carry_over is not None
    assert max(order.p, order.carry_over) < 0.001
    told = study_markdown(crossover(runs, WITHIN))
    assert "(12) |" in told
    assert "By what was met first (a check beside the result; no analysis was chosen by it)." in told
    assert first([run for run in runs if run.cell.condition.endswith("gain-loss")], WITHIN).order is None


def test_the_order_is_told_once_of_a_comparison_and_not_of_its_strata() -> None:
    runs = [
        run.model_copy(update={"stated": {"school": "North" if n % 2 else "South"}})
        for n, run in enumerate(subjects(12))
    ]
    given = crossover(runs, WITHIN, strata=("school",))
    assert [one.over for one in given.contrasts if one.order is not None] == ["versions", "strata", "strata"]
    assert len(by_order(given).rows) == 1


def test_who_lacks_a_level_is_counted_shown_and_in_no_comparison() -> None:
    runs = subjects(4)
    given = crossover([*runs, subject(99, "cue/gain-loss", 70.0, None)], WITHIN, BETWEEN)
    assert [one.n for one in given.contrasts] == [(16,), (8, 8)]
    assert given.flow[0].excluded == {"no outcome at loss": 1}
    told = study_markdown(given)
    assert "> 1 subject lacked the outcome at one of the levels that each was to meet, and is in no comparison." in told
    assert [(row.cell.condition, row.counted) for row in given.rows] == [(cell, 8) for cell in DESIGN.cells]


@pytest.mark.parametrize(
    ("runs", "compare", "why"),
    [
        ([subject(n, "cue/gain-loss", True, True) for n in range(6)], WITHIN, "all answer alike at both"),
        ([subject(1, "cue/gain-loss", 4.0, 3.0)], WITHIN, "one subject alone met all of it"),
        ([subject(n, "cue/gain-loss", 4.0, 3.0) for n in range(6)], WITHIN, "all differ by the same"),
        ([subject(1, "cue/gain-loss", None, 3.0)], WITHIN, "nobody who counts met both gain/* and loss/*"),
        ([subject(n, "cue/gain-loss", 4.0 + n, 3.0) for n in range(6)], MIXED, "nobody counts in quiet"),
    ],
)
def test_what_the_data_cannot_carry_is_said_in_one_sentence(runs: list[Observation], compare: str, why: str) -> None:
    one = first(runs, compare)
    assert (one.p, one.why.startswith(why)) == (None, True), one.why


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("gain - loss", "“gain” in “gain - loss” names 1 level where there are 2 factors (frame, pressure): write"),
        ("(gain/cue - loss/cue) - (gain/quiet - gain/quiet)", "compares a version with itself"),
        ("(gain/cue - loss/quiet) - (gain/quiet - loss/cue)", "is no difference of differences"),
        ("(gain/cue - loss/cue) - (win/quiet - loss/quiet)", "nothing is win/quiet"),
        ("gain/* - loss/cue", "compares what differs in more than the factors it names"),
    ],
)  # fmt: skip
def test_what_compares_nothing_is_refused_before_anybody_plays(text: str, says: str) -> None:
    with pytest.raises(UnreadableContrast) as caught:
        check(Contrast(compare=text), DESIGN)
    assert says in str(caught.value)


def test_what_judges_see_is_told_once_of_a_subject_and_compared_between_them_alone() -> None:
    runs = [
        run.model_copy(update={"outcomes": {}, "result": "present" if n % 3 else "absent"})
        for n, run in enumerate(subjects(5))
    ]
    between, within = crossover(runs, BETWEEN, WITHIN, outcome="").contrasts
    assert (between.n, between.shares is not None) == ((10, 10), True)
    assert within.p is None
    assert within.why


def test_units_stand_beside_means_and_differences() -> None:
    given = crossover(subjects(), WITHIN, BETWEEN).model_copy(update={"unit": "euros"})
    told = study_markdown(given)
    assert "`risk`: a number, in euros." in told
    cell = next(row for row in given.rows if row.cell.condition == "gain/cue")
    assert cell.mean is not None
    assert f"| people | gain/cue | 16 | {cell.mean.mean:.3g} euros (" in told
    assert "gain/\\* − loss/\\* | 32 with both |" in told or "gain/* − loss/* | 32 with both |" in told


def test_of_models_each_gives_one_difference() -> None:
    runs = subjects(4, who=[f"m:{n}" for n in range(4)])
    found = {one.subject: one for one in crossover(runs, WITHIN, MIXED).contrasts if one.contrast.compare == WITHIN}
    together = found["models"].by_model
    assert together is not None
    own = [found[f"m:{n}"].found for n in range(4)]
    assert together.difference == pytest.approx(np.mean([one.difference for one in own if one]))
    assert found["these models"].n == (64,)


def test_two_models_that_say_the_same_are_two_and_one_that_repeats_itself_is_one() -> None:
    """At temperature 0, with the same record: of one model one observation, of two models two."""
    same = [
        subject(n, "cue/gain-loss", True, False, who).model_copy(update={"record": "r"})
        for n, who in enumerate(["m:a", "m:a", "m:a", "m:b", "m:b"])
    ]
    found = {one.subject: one for one in crossover(same, WITHIN, outcome="risk > 5").contrasts}
    assert [found[name].changed for name in ("m:a", "these models")] == [(1, 0), (2, 0)]


def test_what_floats_leave_where_numbers_cancel_is_no_spread() -> None:
    """0.1 + 0.2 less 0.3, and what hardly varies: no test of noise, and no size in units of it."""
    noise = [subject(n, "cue/gain-loss", 0.1 + 0.2 + n, 0.3 + n) for n in range(6)]
    one = first(noise, WITHIN)
    assert (one.p, one.why) == (None, "all differ by the same: there is no spread to measure it by")
    hardly = [subject(n, "cue/gain-loss", 5 + 1e-8 * (n % 2), 0.0) for n in range(8)]
    far = first(hardly, WITHIN)
    assert far.means is not None
    assert far.means.g is not None
    assert (far.means.g_low, far.means.g_high) == (None, None)
    assert "d\\_z" in study_markdown(crossover(hardly, WITHIN))
