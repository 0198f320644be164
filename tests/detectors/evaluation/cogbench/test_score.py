"""The figures of a results file, scikit-learn and scipy being the referees."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import spearmanr  # type: ignore[import-untyped]
from sklearn.metrics import cohen_kappa_score  # type: ignore[import-untyped]

from elenchus.detectors.evaluation.cogbench import measures
from elenchus.detectors.evaluation.cogbench.bootstrap import crosswise, estimate
from elenchus.detectors.evaluation.cogbench.results import read_results
from elenchus.detectors.evaluation.cogbench.score import Score, score
from tests.detectors.evaluation.cogbench.made_files import noisy_records, record, written

ratings = st.integers(1, 5)
pairs = st.lists(st.tuples(ratings, ratings), min_size=1, max_size=60)


def scored(folder: Path, records: list[dict[str, Any]], method: str = "CoT") -> Score:
    return score(method, read_results(written(folder, records)).answers(method))


def released(records: list[dict[str, Any]], method: str = "CoT") -> dict[int, tuple[float, float]]:
    """Authenticity and rationality by iteration, as the released scorer takes them: of all records joined."""
    found = {}
    for iteration in sorted({r["iteration"] for r in records}):
        answers = [q["answer"] for r in records if r["iteration"] == iteration for q in r["questionnaire"]]
        kappa = cohen_kappa_score([a["human_rating"] for a in answers], [a[method]["rating"] for a in answers])
        reasons = [a[method]["rationality"] for a in answers]
        found[iteration] = float(kappa), sum(reasons) / len(reasons)
    return found


@pytest.mark.parametrize("seed", range(20))
def test_without_missing_ratings_the_figures_are_the_released_scorers_to_the_last_digit(
    tmp_path: Path, seed: int
) -> None:
    records = noisy_records(seed)
    found, theirs = scored(tmp_path, records), released(records)
    for course, place in ((found.authenticity, 0), (found.rationality, 1)):
        assert course.by_iteration == {iteration: figures[place] for iteration, figures in theirs.items()}
        assert course.average == sum(theirs[n][place] for n in range(1, 11)) / 10
        assert (course.fifth, course.tenth, course.averaged) == (theirs[5][place], theirs[10][place], 10)
    assert found.left_out == 0


@given(pairs)
def test_kappa_is_scikit_learns_to_the_last_digit_or_undefined_with_the_reason(of: list[tuple[int, int]]) -> None:
    found = measures.cohen(of)
    if len({label for pair in of for label in pair}) == 1:
        assert found.value is None
        assert "cannot be told from chance" in found.reason
    else:
        assert found.value == cohen_kappa_score(*zip(*of, strict=True))


@given(pairs)
def test_the_figures_beside_it_are_those_of_scikit_learn_and_scipy(of: list[tuple[int, int]]) -> None:
    table, (human, method) = measures.counts(of), zip(*of, strict=True)
    assert float(measures.absolute_error(table)) == pytest.approx(np.mean(np.abs(np.subtract(human, method))))
    if len({*human, *method}) > 1:
        weighted = cohen_kappa_score(human, method, labels=[1, 2, 3, 4, 5], weights="quadratic")
        assert float(measures.quadratic(table)) == pytest.approx(weighted, abs=1e-12)
        assert float(measures.kappa(table)) == pytest.approx(cohen_kappa_score(human, method), abs=1e-12)
    if len(set(human)) > 1 and len(set(method)) > 1:
        assert float(measures.spearman(table)) == pytest.approx(spearmanr(human, method).statistic, abs=1e-12)
    else:
        assert math.isnan(measures.spearman(table))


# ── cases made by hand ───────────────────────────────────────────────────────────────────────────────────────────────


def test_kappa_of_a_table_worked_out_by_hand() -> None:
    # Agreed 3 of 5; by chance (2·2 + 2·1 + 1·2) / 25 = 0.32; κ = (0.6 − 0.32) / 0.68.
    of = [(1, 1), (1, 3), (2, 2), (2, 1), (3, 3)]
    assert measures.cohen(of).value == pytest.approx(0.28 / 0.68)


def test_a_constant_side_gives_zero() -> None:
    assert measures.cohen([(3, 1), (3, 2), (3, 3), (3, 5)]).value == 0
    assert measures.cohen([(1, 4), (2, 4), (4, 4)]).value == 0
    assert measures.cohen([(1, 2), (1, 2)]).value == 0, "both constant, and never the same"


def test_what_nobody_has_rated_is_left_out_and_counted(tmp_path: Path) -> None:
    whole = [record(1, [(1, 1), (2, 3), (4, 4), (5, 5), (2, 2)])]
    more = [record(1, [(1, 1), (2, 3), (-1, 5), (4, 4), (5, 5), (3, -1), (2, 2), (None, None)])]
    found = scored(tmp_path, more)
    assert found.left_out == 3
    assert found.authenticity.left_out == 3
    assert found.authenticity.by_iteration[1] == scored(tmp_path, whole).authenticity.by_iteration[1]


def test_reasons_that_nobody_has_rated_are_counted_apart(tmp_path: Path) -> None:
    found = scored(
        tmp_path, [record(1, [(1, 1), (2, 3)], rationality=-1), record(1, [(4, 4)], name="Jonas", rationality=5)]
    )
    assert (found.left_out, found.rationality.left_out, found.rationality.average) == (0, 2, 5)


def test_an_iteration_without_data_has_no_figure_and_the_average_is_over_those_that_have_one(tmp_path: Path) -> None:
    records = noisy_records(3, iterations=(0, 1, 5))
    found, theirs = scored(tmp_path, records), released(records)
    assert found.authenticity.average == (theirs[1][0] + theirs[5][0]) / 2
    assert found.authenticity.averaged == 2
    assert found.authenticity.tenth is None
    assert found.authenticity.by_iteration[7] is None
    assert found.authenticity.undefined[7] == "nothing was rated by both"
    assert found.rationality.undefined[10] == "nothing was rated"


def test_an_undefined_kappa_is_null_with_its_reason_and_in_no_average(tmp_path: Path) -> None:
    found = scored(tmp_path, [record(1, [(4, 4), (4, 4)]), record(2, [(1, 1), (2, 2)])])
    assert found.authenticity.by_iteration[1] is None
    assert found.authenticity.undefined[1] == (
        "both sides say 4 of everything: agreement cannot be told from chance"
    )  # fmt: skip
    assert (found.authenticity.average, found.authenticity.averaged) == (1, 1)


def test_iteration_0_is_shown_and_in_no_average(tmp_path: Path) -> None:
    found = scored(tmp_path, [record(0, [(1, 1), (2, 2)]), record(1, [(1, 2), (2, 1)])])
    assert found.authenticity.by_iteration[0] == 1
    assert found.authenticity.average == -1


def test_nothing_rated_at_all_gives_no_figure_and_no_error(tmp_path: Path) -> None:
    found = scored(tmp_path, [record(1, [(-1, 4), (-1, 4)], rationality=-1)])
    assert (found.authenticity.average, found.rationality.average, found.left_out) == (None, None, 2)
    assert found.beside["spearman"].average.value is None
    assert found.paper_formula.average is None


def test_the_document_has_the_released_parts_first_and_is_plain_json(tmp_path: Path) -> None:
    document = scored(tmp_path, noisy_records(1)).document
    assert list(document)[:3] == ["authenticity", "rationality", "left_out"]
    assert {"average", "fifth", "tenth", "by_iteration"} <= set(document["authenticity"])
    assert list(document["authenticity"]["by_iteration"]) == [str(n) for n in range(11)]


# ── the paper's formula, and intervals ───────────────────────────────────────────────────────────────────────────────


def test_the_papers_formula_is_the_mean_of_a_kappa_a_question(tmp_path: Path) -> None:
    people = {"A": [1, 5, 3], "B": [2, 4, 3], "C": [5, 1, 3]}
    method = {"A": [1, 5, 3], "B": [2, 5, 3], "C": [4, 1, 3]}
    records = [record(1, list(zip(people[name], method[name], strict=True)), name=name) for name in people]
    found = scored(tmp_path, records).paper_formula
    by_question = [
        cohen_kappa_score([people[name][n] for name in people], [method[name][n] for name in people]) for n in (0, 1)
    ]
    assert found.average == pytest.approx(sum(by_question) / 2)
    assert (found.questions, found.defined) == (3, 2), "of the third everybody says 3"


def test_with_one_profile_the_papers_formula_is_not_defined(tmp_path: Path) -> None:
    found = scored(tmp_path, [record(1, [(1, 1), (2, 3)])]).paper_formula
    assert (found.average, found.questions, found.defined) == (None, 2, 0)


def test_beside_has_the_same_values_with_intervals_around_them(tmp_path: Path) -> None:
    found = scored(tmp_path, noisy_records(5, profiles=10))
    assert found.clusters == 20
    for name, course in (("authenticity", found.authenticity), ("rationality", found.rationality)):
        of = found.beside[name]
        assert of.average.value == pytest.approx(course.average)
        assert of.fifth.value == pytest.approx(course.fifth)
        assert of.tenth.value == pytest.approx(course.tenth)
        assert of.by_iteration == pytest.approx(course.by_iteration)
    for of in found.beside.values():
        for one in (of.average, of.fifth, of.tenth):
            assert one.low is not None
            assert one.high is not None
            assert one.value is not None
            assert one.low < one.value < one.high


def test_intervals_come_from_whole_clusters_and_there_is_none_from_one_alone(tmp_path: Path) -> None:
    """Ten copies of a record are no ten observations: with one cluster nothing can be said of others."""
    found = scored(tmp_path, [record(i, [(1, 1), (2, 3), (5, 4), (4, 4)]) for i in range(1, 11)])
    assert found.clusters == 1
    assert found.beside["authenticity"].average.low is None


def test_intervals_of_a_cluster_with_all_its_iterations_are_wider_than_those_of_its_parts(tmp_path: Path) -> None:
    """Where profiles differ and a profile's iterations are alike, the interval is that of the few profiles."""
    good, bad = [(1, 1), (2, 2), (4, 4), (5, 5)], [(1, 2), (2, 1), (4, 5), (5, 4)]
    records = [
        record(i, good if n % 2 else bad, name=f"P{n}") for n in range(6) for i in range(1, 11)
    ]  # fmt: skip
    interval = scored(tmp_path, records).beside["authenticity"].average
    assert interval.low is not None
    assert interval.high is not None
    assert interval.high - interval.low > 0.6


def of_pairs(same: Mapping[tuple[str, str], bool]) -> list[dict[str, Any]]:
    """A record a topic and profile, in which people and method always or never agree."""
    good, bad = [(1, 1), (2, 2), (4, 4), (5, 5)], [(1, 2), (2, 1), (4, 5), (5, 4)]
    return [record(1, good if like else bad, topic=topic, name=name) for (topic, name), like in same.items()]


def test_of_fewer_than_six_pairs_of_topic_and_profile_there_is_no_interval(tmp_path: Path) -> None:
    same = {("Yoga", f"P{n}"): n % 2 == 0 for n in range(6)}
    of = scored(tmp_path, of_pairs(same)).beside["authenticity"].average
    assert of.low is not None
    few = scored(tmp_path, of_pairs(dict(list(same.items())[:5]))).beside
    assert {name: found.average.low for name, found in few.items()} == dict.fromkeys(few)


def test_of_reasons_that_were_rated_for_few_pairs_there_is_no_interval_though_all_have_ratings(tmp_path: Path) -> None:
    records = [record(1, [(1, 1), (2, 3)], name=f"P{n}", rationality=n + 1 if n < 3 else -1) for n in range(12)]
    assert scored(tmp_path, records).beside["rationality"].average.low is None


@pytest.mark.parametrize("by", [0, 1])
def test_pairs_that_share_a_topic_or_a_profile_are_no_observations_of_their_own(tmp_path: Path, by: int) -> None:
    """Where all that a topic has is alike, eight times as many profiles tell hardly more of other topics."""

    def width(others: int) -> float:
        pairs = [(f"T{n}", f"P{m}") if by == 0 else (f"T{m}", f"P{n}") for n in range(6) for m in range(others)]
        found = scored(tmp_path, of_pairs({pair: int(pair[by][1:]) % 2 == 0 for pair in pairs}))
        interval = found.beside["authenticity"].average
        assert interval.low is not None
        assert interval.high is not None
        return interval.high - interval.low

    assert width(8) > 0.9 * width(1)


def test_intervals_over_new_topics_and_profiles_cover_what_they_say() -> None:
    """Of 200 benchmarks of 20 topics and 8 profiles, each with an effect of its own: about 19 of 20 hold the mean. One
    over pairs, as if they told nothing of each other, holds it in half of them.
    """
    chance = np.random.default_rng(7)
    clusters = [(f"T{n}", f"P{m}") for n in range(20) for m in range(8)]
    held = 0
    for seed in range(200):
        by_topic, by_profile = chance.normal(0, 1, (20, 1)), chance.normal(0, 1, (1, 8))
        values = (by_topic + by_profile + chance.normal(0, 1, (20, 8))).ravel()
        sums = np.stack([values, np.ones_like(values)], 1)
        again = crosswise(sums, clusters, seed)
        found = estimate(values.mean(), again[:, 0] / again[:, 1])
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0 <= found.high
    assert held >= 180


def test_a_rationality_that_a_model_gave_is_told_as_its_own(tmp_path: Path) -> None:
    one = record(1, [(1, 1), (2, 3)])
    one["questionnaire"][0]["answer"]["CoT"]["rationality_by"] = "openai:judge"
    found = scored(tmp_path, [one])
    assert (found.rationality.by_iteration[1], found.judges) == (4, {"openai:judge": 1})
