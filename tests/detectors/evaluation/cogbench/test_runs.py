"""What a run is made of: its sessions and their seeds, what people said before, and results that join a file."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import now
from elenchus.debate_engine.protocols.cognition.schemas import (
    CognitionResult,
    Feedback,
    Iteration,
    MethodName,
    RatedOpinion,
)
from elenchus.detectors.evaluation.cogbench.results import Results, read_results
from elenchus.detectors.evaluation.cogbench.runs import (
    CogBenchRun,
    cells_of,
    feedback_of,
    flows_of,
    joined,
    records_of,
)
from elenchus.detectors.evaluation.cogbench.topics import Material, own_set
from tests.detectors.evaluation.cogbench.made_files import written

SET = own_set()
PAIR = SET.only(("Pets",), ("Ruth",))


def run_of(material: Material = PAIR, method: MethodName = "react", **more: Any) -> CogBenchRun:
    cells = cells_of("r", "a:b", material, 7, control=bool(material.control))
    return CogBenchRun(
        id="r", method=method, called="ReAct", model="a:b", material=material, runs=cells, version="0", created=now(),
        **more,
    )  # fmt: skip


def outcome(run: CogBenchRun, *, unread: bool = False) -> CognitionResult:
    """Every question answered with 4, of iteration 1 the first one perhaps not."""
    cfg = run.config(run.runs[0])
    iterations = [
        Iteration(
            iteration=n,
            profile=cfg.profile,
            answers=tuple(
                RatedOpinion(question=question, why_unread="It breaks off.")
                if unread and (n, place) == (1, 0)
                else RatedOpinion(question=question, rating=4, reason="I read it.")
                for place, question in enumerate(cfg.questionnaire)
            ),
        )
        for n in range(len(cfg.flows) + 1)
    ]
    return CognitionResult(method=run.method, topic=cfg.topic, iterations=tuple(iterations))


def records(run: CogBenchRun, **more: Any) -> list[dict[str, Any]]:
    return records_of(run, {run.runs[0].session: outcome(run, **more)}, control=False)


def test_a_pair_has_the_same_seed_in_a_narrower_run_and_in_its_control() -> None:
    whole = cells_of("r", "a:b", SET, 7, control=True)
    by_pair = {(cell.topic, cell.profile, cell.control): cell.seed for cell in whole}
    assert len(set(by_pair.values())) == 12, "another for each pair"
    for cell in cells_of("s", "a:b", PAIR, 7, control=True):
        assert cell.seed == by_pair[cell.topic, cell.profile, cell.control]
    assert by_pair["Pets", "Ruth Adeyemi", True] == by_pair["Pets", "Ruth Adeyemi", False]
    assert cells_of("r", "a:b", SET, 8, control=False)[0].seed != whole[0].seed


def test_a_control_reads_as_many_texts_from_the_first_on_again_and_again() -> None:
    topic, few = SET.topics["Pets"], SET.model_copy(update={"control": SET.control[:2]})
    assert flows_of(SET, topic, control=False) == topic.flows
    assert flows_of(few, topic, control=True) == tuple(SET.control[n] for n in (0, 1, 0, 1, 0))


def test_too_many_sessions_are_refused() -> None:
    many = SET.model_copy(update={"topics": {f"T{n}": SET.topics["Pets"] for n in range(1_700)}})
    with pytest.raises(UsageError, match="That are 5,100 sessions"):
        cells_of("r", "a:b", many, 7, control=False)


def test_what_people_said_of_an_answer_is_told_in_the_next_iteration_of_the_same_pair(tmp_path: Path) -> None:
    rated = records(run_of())
    rated[2]["questionnaire"][1]["answer"]["human_rating"] = 2
    rated[2]["questionnaire"][1]["answer"]["ReAct"]["rationality"] = 3.5
    answers = read_results(written(tmp_path, rated)).answers("ReAct")
    run = run_of(feedback=feedback_of(answers, PAIR))
    cfg = run.config(run.runs[0])
    assert cfg.feedback_on(2)[1] == Feedback(human_rating=2, rationality=3.5, rating=4, reason="I read it.")
    assert {one for n in (0, 1, 3, 4, 5) for one in cfg.feedback_on(n)} == {Feedback()}
    assert run.config(run.runs[1]).feedback == (), "people have rated nothing of the control"


def test_what_a_model_said_of_a_reason_is_not_told_as_what_people_said(tmp_path: Path) -> None:
    rated = records(run_of())
    answer = rated[2]["questionnaire"][1]["answer"]
    answer["human_rating"] = 2
    answer["ReAct"] |= {"rationality": 3.5, "rationality_by": "openai:judge"}
    (found,) = feedback_of(read_results(written(tmp_path, rated)).answers("ReAct"), PAIR).values()
    assert found[2][1] == Feedback(human_rating=2, rating=4, reason="I read it.")


def test_an_answer_that_could_not_be_read_is_minus_one_with_why() -> None:
    first = records(run_of(), unread=True)[1]["questionnaire"][0]["answer"]["ReAct"]
    assert (first["rating"], first["why_unread"], first["rationality"]) == (-1, "It breaks off.", -1)


def test_results_join_a_file_and_nothing_of_it_is_lost() -> None:
    ours = records(run_of())
    there = deepcopy(ours[:2])
    for record in there:
        record["extra"] = "stays"
        for question in record["questionnaire"]:
            question["answer"] = {"human_rating": 5, "CoT": {"rating": 1, "more": [1]}}
    before = deepcopy(there)
    found = joined(Results("eval.json", there), "ReAct", ours)
    assert there == before, "nothing is changed in place"
    assert len(found) == 6, "what was not there comes behind"
    for old, new in zip(before, found[:2], strict=True):
        for asked, answered in zip(old["questionnaire"], new["questionnaire"], strict=True):
            assert answered["answer"].pop("ReAct")["rating"] == 4
            assert answered == asked
        assert {**new, "questionnaire": None} == {**old, "questionnaire": None}


def test_results_do_not_join_what_was_asked_otherwise_or_has_them_already() -> None:
    ours = records(run_of())
    other = deepcopy(ours)
    other[0]["questionnaire"][0]["question"] = "Something else."
    with pytest.raises(UsageError, match="has other questions on Pets"):
        joined(Results("eval.json", other), "CoT", ours)
    with pytest.raises(UsageError, match="has answers of ReAct already"):
        joined(Results("eval.json", ours), "ReAct", ours)
