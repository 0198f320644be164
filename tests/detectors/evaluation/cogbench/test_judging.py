"""A model rates reasons, blind to methods and to what people said; how far it agrees with them stands beside it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from scipy.stats import spearmanr  # type: ignore[import-untyped]
from sklearn.metrics import cohen_kappa_score  # type: ignore[import-untyped]

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.llm.client import Call
from elenchus.detectors.evaluation.cogbench.judging import (
    JUDGE,
    JudgeConfig,
    JudgeResult,
    JudgeRow,
    items_of,
    with_people,
    with_scores,
)
from elenchus.detectors.evaluation.cogbench.presentation import judged_tables
from elenchus.detectors.evaluation.cogbench.results import Results, read_results
from elenchus.detectors.evaluation.cogbench.spec import JUDGING
from tests.detectors.evaluation.cogbench.made_files import record, written
from tests.detectors.evaluation.stage import GARBLED, Bench, Says

PROMPT = "detectors/evaluation/cogbench/rationality"


def results_in(folder: Path) -> Results:
    """Two personas with three answers each; people have rated the reasons of the first with 4."""
    records = [
        {**record(1, [(2, 4), (-1, 2), (3, -1)], name="Greta", rationality=4), "information_flow": ["An article."]},
        record(1, [(-1, 5), (1, 1), (3, 3)], name="Jonas", rationality=-1),
    ]
    return read_results(written(folder, records))


def bench(results: Results, says: Says) -> Bench:
    cfg = JudgeConfig(method="CoT", judge="scripted:j", items=items_of(results, "CoT", None, 0))
    return Bench(JUDGING.name, cfg, {JUDGE: "scripted:j"}, {PROMPT: says})


async def test_each_reason_is_rated_by_who_it_is_and_what_was_read_and_nothing_else(tmp_path: Path) -> None:
    run = bench(results_in(tmp_path), {"why": "It fits.", "score": 5})
    found = JudgeResult.model_validate(await run.outcome())
    assert len(found.rows) == 5, "where there is no rating there is nothing to judge"
    assert {row.score for row in found.rows} == {5}
    shown = run.shown("0-0/score")
    for told in ("Name: Greta", "An article.", "Q0", "I read it.", "vague: many others could say it"):
        assert told in shown
    for hidden in ("CoT", "human_rating"):
        assert hidden not in shown


async def test_a_score_that_cannot_be_read_is_no_score(tmp_path: Path) -> None:
    def says(call: Call) -> object:
        return GARBLED if call.step.startswith("0-1/") else {"why": "So.", "score": 4}

    found = JudgeResult.model_validate(await bench(results_in(tmp_path), says).outcome())
    assert (found.unread, [row.score for row in found.rows][1]) == (1, None)
    assert found.with_people.items == 1, "of the two that people have rated one could be read"


async def test_the_scores_stand_in_the_results_with_who_gave_them(tmp_path: Path) -> None:
    results = results_in(tmp_path)
    found = JudgeResult.model_validate(await bench(results, {"why": "So.", "score": 2}).outcome())
    records = with_scores(results, found)
    answers = [question["answer"]["CoT"] for record in records for question in record["questionnaire"]]
    assert [answer["rationality"] for answer in answers] == [2, 2, -1, 2, 2, 2]
    assert {answer["rationality_by"] for answer in answers} == {"scripted:j"}
    assert results.records[0]["questionnaire"][0]["answer"]["CoT"]["rationality"] == 4, "nothing is changed in place"


def test_of_few_those_are_judged_first_that_people_have_rated(tmp_path: Path) -> None:
    items = items_of(results_in(tmp_path), "CoT", 3, 1)
    assert sorted(item.people is not None for item in items) == [False, True, True]
    assert items == items_of(results_in(tmp_path), "CoT", 3, 1)


def test_a_method_that_is_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no answers of the method"):
        items_of(results_in(tmp_path), "ToT", None, 0)


def test_agreement_with_people_is_that_of_scikit_learn_and_scipy() -> None:
    chance = Random(4)
    said = chance.choices(range(1, 6), k=80)
    pairs = [(people, max(1, min(5, people + chance.choice((-1, 0, 0, 1))))) for people in said]
    rows = [
        JudgeRow(record=n, question=0, cluster=str(n % 8), score=score, people=people)
        for n, (people, score) in enumerate(pairs)
    ]
    unrated = JudgeRow(record=99, question=0, cluster="x", score=3)
    found = with_people([*rows, unrated])
    people, scores = zip(*pairs, strict=True)
    assert found.items == 80
    assert found.same.value == pytest.approx(np.mean(np.equal(people, scores)))
    assert found.spearman.value == pytest.approx(spearmanr(people, scores).statistic)
    kappa = cohen_kappa_score(people, scores, labels=[1, 2, 3, 4, 5], weights="quadratic")
    assert found.quadratic_kappa.value == pytest.approx(kappa)
    assert found.mean_absolute_error.value == pytest.approx(np.mean(np.abs(np.subtract(people, scores))))
    assert found.same.low is not None


def test_without_people_it_is_said_that_nothing_is_known() -> None:
    row = JudgeRow(record=0, question=0, cluster="x", score=3)
    result = JudgeResult(method="CoT", judge="a:b", rows=(row,), unread=0, with_people=with_people([row]))
    assert "Nobody has rated any of these reasons" in "\n".join(judged_tables(result))


def test_a_judge_that_cannot_be_read_is_not_told_as_people_who_have_not_rated() -> None:
    rows = (
        JudgeRow(record=0, question=0, cluster="x", score=None, unread="no JSON", people=4),
        JudgeRow(record=0, question=1, cluster="x", score=3),
    )
    result = JudgeResult(method="CoT", judge="a:b", rows=rows, unread=1, with_people=with_people(rows))
    told = "\n".join(judged_tables(result))
    assert "none of its scores for what people have rated (1) could be read" in told
    assert "Nobody has rated" not in told


def test_what_another_judge_said_is_not_what_people_said(tmp_path: Path) -> None:
    """A file that one judge has rated tells the next one nothing of agreement with people."""
    results = results_in(tmp_path)
    first = items_of(results, "CoT", None, 0)
    rows = tuple(JudgeRow(record=i.record, question=i.question, cluster=i.cluster, score=5) for i in first)
    judged = JudgeResult(method="CoT", judge="a:b", rows=rows, unread=0, with_people=with_people(rows))
    again = items_of(Results("judged.json", with_scores(results, judged)), "CoT", None, 0)
    assert [item.people for item in first if item.people] == [4, 4]
    assert [item.people for item in again] == [None] * len(first)
