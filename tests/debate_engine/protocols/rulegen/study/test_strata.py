"""Contrasts within the strata of a plan and pooled over them; against statsmodels and scipy."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from itertools import count, product
from math import sqrt
from random import Random

import numpy as np
import pytest
from scipy.stats import fisher_exact, ttest_ind  # type: ignore[import-untyped]
from statsmodels.stats.contingency_tables import StratifiedTable  # type: ignore[import-untyped]
from statsmodels.stats.weightstats import CompareMeans  # type: ignore[import-untyped]

from elenchus.debate_engine.protocols.rulegen.study.analysis import StudiedScene, Study, study_of
from elenchus.debate_engine.protocols.rulegen.study.contrasts import Compared
from elenchus.debate_engine.protocols.rulegen.study.export.files import study_files
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation
from elenchus.debate_engine.protocols.rulegen.study.plot import strata_plots
from elenchus.debate_engine.protocols.rulegen.study.report import study_markdown
from elenchus.debate_engine.protocols.rulegen.study.strata import FEW_HERE
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.plan import Plan
from tests.debate_engine.protocols.rulegen.study.crossover import WITHIN, crossover, subjects
from tests.debate_engine.protocols.rulegen.study.export.experiment import (
    TEXT,
    Subject,
    drawing,
    run,
    states,
    study_over,
)

At = tuple[str, str]
"""A school, and a version."""

SCHOOLS, BOTH = ("lower", "upper"), ("high", "low")


def stratified(runs: Sequence[Observation], *, shares: bool = False) -> Study:
    plan = Plan(contrasts=({"compare": "high - low"},), strata=("school",))  # type: ignore[arg-type]
    outcome = "price > 5" if shares else "price"
    return study_of(
        StudiedScene(name="jar", title="The jar", design=Design.between(BOTH), outcome=outcome, plan=plan), runs
    )


def everybody(values: Mapping[At, Sequence[float | bool]], who: str = PEOPLE) -> list[Observation]:
    """A school's numbers in each version; no two of one session."""
    return [
        run(1000 * place + n, version, x, who, stated={"school": school})
        for place, ((school, version), own) in enumerate(values.items())
        for n, x in enumerate(own)
    ]


def told(study: Study, over: str) -> list[Compared]:
    return [one for one in study.contrasts if one.over == over]


def drawn(n: Sequence[int], apart: float = 2.0) -> dict[At, Sequence[float]]:
    chance, found = Random(7), dict[At, Sequence[float]]()
    for place, size in enumerate(n):
        school, version = SCHOOLS[place // 2], BOTH[place % 2]
        middle = 20.0 * (school == "upper") + apart * (version == "high")
        found[school, version] = [chance.gauss(middle, 1 + place) for _ in range(size)]
    return found


def test_shares_are_told_in_each_stratum_and_pooled_as_mantel_and_haenszel_pool_them() -> None:
    """Added up, the difference would be another: the schools are unlike, and unequal in the versions."""
    counts = dict(zip(product(SCHOOLS, BOTH), [(18, 30), (5, 12), (5, 9), (8, 28)], strict=True))
    study = stratified(
        everybody({at: [True] * yes + [False] * (n - yes) for at, (yes, n) in counts.items()}), shares=True
    )
    tables = [
        [[counts[school, version][0], counts[school, version][1] - counts[school, version][0]] for version in BOTH]
        for school in SCHOOLS
    ]
    (pooled,) = told(study, "pooled")
    by = StratifiedTable(tables)
    assert pooled.shares is not None
    assert pooled.shares.odds is not None
    assert pooled.shares.odds.ratio == pytest.approx(by.oddsratio_pooled)
    assert (pooled.shares.odds.low, pooled.shares.odds.high) == pytest.approx(by.oddsratio_pooled_confint())
    assert pooled.p == pytest.approx(by.test_null_odds().pvalue)
    assert (pooled.n, pooled.strata, pooled.why) == ((39, 40), 2, "")
    for one, school, own in zip(told(study, "strata"), SCHOOLS, tables, strict=True):
        assert one.stratum == f"school: {school}"
        assert one.p == pytest.approx(fisher_exact(own).pvalue)
    assert told(study, "strata")[0].shares.difference == pytest.approx(18 / 30 - 5 / 12)  # type: ignore[union-attr]


def test_numbers_are_told_in_each_stratum_and_pooled_as_by_blocks() -> None:
    values = drawn((12, 8, 9, 14))
    study = stratified(everybody(values))
    rows = [(x, version == "high", school == "upper") for (school, version), own in values.items() for x in own]
    numbers, design = np.array([x for x, _, _ in rows]), np.array([[1.0, a, b] for _, a, b in rows])
    (pooled,) = told(study, "pooled")
    assert pooled.means is not None
    assert pooled.means.difference is not None
    assert pooled.means.difference == pytest.approx(np.linalg.lstsq(design, numbers)[0][1]), "stratum as a block"
    pairs = [(values[school, "high"], values[school, "low"]) for school in SCHOOLS]
    weights = [len(one) * len(other) / (len(one) + len(other)) for one, other in pairs]
    errors = [CompareMeans.from_data(*pair).std_meandiff_separatevar for pair in pairs]
    error = sqrt(sum((w / sum(weights) * e) ** 2 for w, e in zip(weights, errors, strict=True)))
    assert pooled.means.t == pytest.approx(pooled.means.difference / error)
    for one, pair in zip(told(study, "strata"), pairs, strict=True):
        assert one.p == pytest.approx(ttest_ind(*pair, equal_var=False).pvalue)
    (over_all,) = told(study, "versions")
    assert over_all.p != pytest.approx(pooled.p), "what the schools differ in is no part of the pooled one"


def test_a_stratum_with_few_has_a_sentence_and_no_figures_and_who_cannot_be_pooled_is_counted() -> None:
    values = {**drawn((12, 8, 6, 4)), ("evening", "high"): [3.0]}
    study = stratified(everybody(values))
    evening, lower, upper = told(study, "strata")
    assert (evening.n, evening.found, evening.p, evening.why) == ((1, 0), None, None, FEW_HERE)
    assert (upper.n, upper.found, upper.why) == ((6, 4), None, FEW_HERE)
    assert lower.means is not None
    (pooled,) = told(study, "pooled")
    assert (pooled.n, pooled.strata) == ((19, 12), 2)
    assert pooled.why == "1 subject of strata with too few on a side is left out"
    text = study_markdown(study)
    section = text.partition("## Within strata")[2].partition("\n## ")[0]
    assert "fewer than five in a group of this stratum" in section
    assert "1 subject of strata with too few on a side is left out" in section
    assert "upper" in section


def test_strata_have_a_picture_with_the_pooled_difference_and_nothing_where_there_are_none() -> None:
    study = stratified(everybody(drawn((12, 8, 9, 14))))
    (picture,) = strata_plots(study)
    assert picture.name == "strata"
    assert [name in picture.alt for name in ("school: lower", "school: upper", "pooled")] == [True] * 3
    assert "difference, in price" in picture.svg.decode()
    assert strata_plots(stratified([])) == []


def test_the_planned_comparison_is_the_same_with_strata_and_without_and_stands_alone_in_its_family() -> None:
    runs = everybody(drawn((12, 8, 9, 14)))
    study = stratified(runs)
    plan = study.plan.model_copy(update={"strata": ()})
    plain = study_of(
        StudiedScene(name="jar", title="The jar", design=Design.between(BOTH), outcome="price", plan=plan), runs
    )
    assert told(study, "versions") == told(plain, "versions")
    assert {one.over for one in plain.contrasts} == {"versions"}
    assert [one.adjusted == one.p for one in told(study, "pooled")] == [True]


def test_each_model_and_people_are_pooled_by_themselves_and_one_stratum_alone_is_none() -> None:
    people = everybody(drawn((6, 6, 6, 6)))
    model = everybody({at: own for at, own in drawn((6, 6, 6, 6)).items() if at[0] == "lower"}, "openai:robot")
    study = stratified([*people, *(one.model_copy(update={"session": f"m{one.session}"}) for one in model)])
    assert {one.subject for one in study.contrasts if one.over in ("pooled", "strata")} == {PEOPLE}


def test_subjects_compared_with_themselves_are_told_by_stratum_and_not_pooled() -> None:
    runs = [
        one.model_copy(update={"stated": {"school": SCHOOLS[n % 2]}})
        for n, one in enumerate(subjects(20, 3, shares=False))
    ]
    study = crossover(runs, WITHIN, outcome="risk", strata=("school",))
    assert told(study, "pooled") == []
    lower, upper = told(study, "strata")
    assert (lower.stratum, upper.stratum) == ("school: lower", "school: upper")
    assert lower.means is not None
    assert lower.n != told(study, "versions")[0].n
    assert lower.n[0] + upper.n[0] == told(study, "versions")[0].n[0]


def test_an_answer_that_was_not_given_is_a_stratum_of_its_own() -> None:
    runs = [*everybody(drawn((6, 6, 6, 6))), *(run(9000 + n, "high", float(n), stated={}) for n in range(3))]
    assert [one.stratum for one in told(stratified(runs), "strata")] == ["school: lower", "school: upper", "school: –"]


SCHOOL = """0. **unicast, DES** Ada → Ben: the school
   measure: school
0. **unicast, FTO** Ben → Ada: a number"""


async def test_what_was_answered_before_the_version_was_drawn_is_the_stratum_in_the_files_of_a_played_study() -> None:
    text = TEXT.replace("OUTCOME", "price").replace("n: 60\n", "n: 60\nstrata: [school]\n")
    text = text.replace("2. **unicast, FTO** Ben → Ada: a number", SCHOOL)
    text = text.replace("# Measures\n", '# Measures\n\nschool: {kind: choice, options: [lower, upper], ask: "Where?"}')
    numbers = count(1)
    text = re.sub(r"^\d\. ", lambda _: f"{next(numbers)}. ", text, flags=re.MULTILINE)
    scene, findings = canonical.check(text)
    assert findings == ()
    logs = {}
    for number, school in enumerate(("lower", "upper", "lower"), 1):
        lots = drawing(scene, 1, number)
        logs[f"p{number}"] = await Subject(lots.pop("common"), states(school=school), "people", **lots).log_of()
    study = await study_over(scene, logs)
    assert [case.stratum for case in study.cases] == ["school: lower", "school: upper", "school: lower"]
    rows = list(csv.DictReader(io.StringIO(study_files(study, logs, None, scene)["outcomes.csv"].decode())))
    assert [row["stratum"] for row in rows] == [case.stratum for case in study.cases]
