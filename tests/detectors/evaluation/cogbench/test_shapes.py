"""The files of the release: read, written unchanged, refused in one sentence where they have another shape."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from elenchus.config.documents import UnreadableDocument
from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.evaluation.cogbench.judging import items_of
from elenchus.detectors.evaluation.cogbench.results import read_results, with_flows
from elenchus.detectors.evaluation.cogbench.runs import joined
from elenchus.detectors.evaluation.cogbench.shapes import write_json
from elenchus.detectors.evaluation.cogbench.sheets import make_sheets
from elenchus.detectors.evaluation.cogbench.tasks import Task, read_profiles, read_tasks
from tests.detectors.evaluation.cogbench.made_files import changed, noisy_records, record, task, written


def test_results_are_written_again_byte_by_byte_with_all_that_nobody_asks_for(tmp_path: Path) -> None:
    records = noisy_records(1)
    records[3]["category"] = "健康"
    records[3]["information_flow"] = [{"description": "A “video”\u2028", "transcript": None, "length": 4.0}]
    path = written(tmp_path, records)
    write_json(again := tmp_path / "again.json", read_results(path).records)
    assert again.read_bytes() == path.read_bytes()


def test_a_methods_answers_come_with_what_they_hang_together_with(tmp_path: Path) -> None:
    path = written(tmp_path, [record(2, [(5, 4), (-1, 3), (2, -1)], rationality=-1)])
    first, second, third = read_results(path).answers("CoT")
    assert (first.cluster, first.iteration, first.question) == (("Yoga", "Greta"), 2, "Q0")
    assert (first.human, first.rating, first.rationality, first.reason) == (5, 4, None, "I read it.")
    assert (second.human, second.rating) == (None, 3)
    assert (third.human, third.rating) == (2, None)


def test_a_record_that_a_method_has_not_come_to_is_not_rated(tmp_path: Path) -> None:
    path = written(tmp_path, [record(1, [(5, 4)]), record(2, [(3, 3)], method="ReAct")])
    assert [answer.rating for answer in read_results(path).answers("CoT")] == [4, None]
    assert read_results(path).methods == ["CoT", "ReAct"]


def test_whole_numbers_may_be_written_with_a_point(tmp_path: Path) -> None:
    (answer,) = read_results(written(tmp_path, [record(1, [(4.0, -1.0)], rationality=3.5)])).answers("CoT")
    assert (answer.human, answer.rating, answer.rationality) == (4, None, 3.5)


RAGGED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no iteration": (lambda r: r.pop("iteration"), "record 1: it lacks an iteration"),
    "an iteration in words": (lambda r: r.update(iteration="first"), "record 1: it lacks an iteration"),
    "no questionnaire": (lambda r: r.pop("questionnaire"), "record 1: it lacks a questionnaire"),
    "no questions": (lambda r: r.update(questionnaire=[]), "at least one question"),
    "a question that is none": (lambda r: r["questionnaire"].append("Q9"), "record 1, question 3"),
    "no answer": (lambda r: r["questionnaire"][1].pop("answer"), "question 2: it lacks an answer"),
    "no human rating": (lambda r: r["questionnaire"][0]["answer"].pop("human_rating"), "question 1: it lacks"),
    "a part of the answers": (lambda r: r["questionnaire"][0]["answer"].pop("CoT"), "CoT has answered 1 of its 2"),
    "an answer without rating": (lambda r: r["questionnaire"][0]["answer"]["CoT"].pop("rating"), "with a rating"),
    "an answer that is a number": (lambda r: r["questionnaire"][0]["answer"].update(CoT=4), "with a rating"),
    "six": (lambda r: r["questionnaire"][0]["answer"].update(human_rating=6), "is 6: a rating is a whole number"),
    "a word": (lambda r: r["questionnaire"][0]["answer"]["CoT"].update(rating="4"), 'is "4": a rating'),
    "a half": (lambda r: r["questionnaire"][0]["answer"]["CoT"].update(rating=4.5), "is 4.5: a rating"),
    "true": (lambda r: r["questionnaire"][0]["answer"].update(human_rating=True), "is true: a rating"),
    "a far reason": (lambda r: r["questionnaire"][0]["answer"]["CoT"].update(rationality=5.5), "is 5.5"),
}


@pytest.mark.parametrize("case", RAGGED)
def test_ragged_results_are_refused_in_one_sentence_that_names_the_place(tmp_path: Path, case: str) -> None:
    change, said = RAGGED[case]
    path = written(tmp_path, changed([record(1, [(5, 4), (3, 3)]), record(2, [(1, 1), (2, 2)])], change))
    with pytest.raises(UsageError) as refused:
        read_results(path).answers("CoT")
    assert said in str(refused.value)
    assert str(refused.value).startswith(str(path))
    assert len(str(refused.value).splitlines()) == 1


def test_an_answer_that_is_there_twice_is_refused_as_it_would_count_twice(tmp_path: Path) -> None:
    records = [record(1, [(1, 1)]), record(2, [(1, 1)]), record(1, [(1, 1)], name="Jonas")]
    assert len(read_results(written(tmp_path, records)).records) == 3
    with pytest.raises(
        UsageError, match=r"record 4: iteration 2 of Greta on Yoga has the question “Q0” already, in record 2\."
    ):
        read_results(written(tmp_path, [*records, record(2, [(3, 3)])]))


@pytest.mark.parametrize("content", ["{}", "[]", "[1]", '"x"'])
def test_what_is_no_list_of_records_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(content)
    for read in (read_results, read_tasks, read_profiles):
        with pytest.raises(UsageError, match="record"):
            read(path)


@pytest.mark.parametrize("content", [b"", b"[{", b"\x00\x01", b"\xff\xfe[]", b"[NaN]"])
def test_what_is_no_json_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(content)
    with pytest.raises(UnreadableDocument, match="cannot be read"):
        read_results(path)


def test_a_method_that_is_nowhere_is_refused_with_those_that_are_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no answers of the method 'ToT': it has those of CoT"):
        read_results(written(tmp_path, [record(1, [(1, 1)])])).answers("ToT")


# ── tasks and profiles ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_topics_iterations_come_in_their_order_with_their_flows_as_text(tmp_path: Path) -> None:
    video = {"description": "A mat.", "frame_text": "", "transcript": "Breathe in.", "seconds": 30}
    records = [
        task(2, flow=[video, "and a text"]),
        task(0, flow=[], category="Health"),
        task(1),
        task(1, topic="Loans"),
    ]
    found = read_tasks(written(tmp_path, records))
    assert list(found) == ["Yoga", "Loans"]
    assert [one.iteration for one in found["Yoga"]] == [0, 1, 2]
    assert found["Yoga"][2].flow == ("A mat.\nBreathe in.\n30", "and a text")
    assert (found["Yoga"][0].flow, found["Yoga"][0].category) == ((), "Health")
    assert found["Loans"][0].questions == ("Yoga heals.", "Yoga is dull.")


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([task(1), task(1)], "record 2: iteration 1 of Yoga is there already"),
        ([task(1), {**task(2), "questionnaire": [{"question": "Other"}]}], "record 2: its questions are not those of"),
        ([task(1, topic=" ")], "record 1: it lacks a topic"),
        ([{**task(1), "information_flow": "text"}], "record 1: it lacks an information_flow"),
        ([task(1, flow=["text", 3])], "piece 2 of its information_flow"),
        ([task(1, flow=[{"frames": ["a"]}])], "piece 1 of its information_flow"),
    ],
)
def test_ragged_tasks_are_refused(tmp_path: Path, records: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_tasks(written(tmp_path, records))


def test_profiles_are_read_with_every_attribute(tmp_path: Path) -> None:
    profiles = [{"Name": "Greta", "Age": 34}, {"Name": "Jonas", "Hobbies": "Chess"}]
    assert read_profiles(written(tmp_path, profiles)) == [
        {"Name": "Greta", "Age": "34"},
        {"Name": "Jonas", "Hobbies": "Chess"},
    ]


@pytest.mark.parametrize(
    ("profiles", "said"),
    [
        ([{"Age": "34"}], "profile 1: it lacks a Name"),
        ([{"Name": "G"}, {"Name": "G"}], "profile 2: another one is called G"),
        ([{"Name": "G", "Hobbies": ["x", 3]}], "profile 1: Hobbies is to be a text"),
    ],
)
def test_ragged_profiles_are_refused(tmp_path: Path, profiles: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_profiles(written(tmp_path, profiles))


# ── whatever stands in a file ────────────────────────────────────────────────────────────────────────────────────────

_NAMES = st.sampled_from(
    ["topic", "iteration", "profile", "questionnaire", "question", "answer", "human_rating", "CoT", "rating",
     "rationality", "reason", "information_flow", "Name"]
)  # fmt: skip
_ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 7) | st.floats(-2, 7) | st.text(max_size=5),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(_NAMES, inside, max_size=5),
    max_leaves=20,
)


def _parts(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a value: what holds it, and where in there it stands."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict | list):
        inner = list(value.items() if isinstance(value, dict) else enumerate(value))
    return [place for key, one in inner for place in [(value, key), *_parts(one)]]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.integers(0, 10_000), _ANY)
def test_a_file_with_anything_anywhere_is_read_or_refused_in_one_sentence_and_stays_as_it_is(
    tmp_path: Path, where: int, odd: Any
) -> None:
    results = [record(1, [(5, 4), (3, 3)]), record(2, [(1, 1)])]
    tasks = [dict(task(0, flow=[])), dict(task(1, flow=[{"description": "A mat."}]))]
    for value in (results, tasks, [{"Name": "Greta", "Age": "34"}]):
        places = _parts(value)
        holder, key = places[where % len(places)]
        holder[key] = odd
        path = written(tmp_path, value)
        before = path.read_bytes()
        for read in (_scored, read_tasks, read_profiles):
            try:
                read(path)
            except UsageError as error:
                assert len(str(error).splitlines()) == 1
                assert len(str(error)) < 400 + len(str(path))
        assert path.read_bytes() == before


def _scored(path: Path) -> None:
    results = read_results(path)
    items_of(results, "CoT", None, 0)
    make_sheets(results, "rationality", ["CoT"], 2, None, 0)
    joined(results, "ReAct", [{**record(1, [(5, 4), (3, 3)], method="ReAct"), "topic": "Loans"}])
    with suppress(UsageError):
        with_flows(results, {"Yoga": [Task("Yoga", "", 1, ("Q0",), ("A mat.",))]})
