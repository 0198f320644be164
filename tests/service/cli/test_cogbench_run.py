"""`elenchus cogbench run`, `resume` and `dynamics`, played by scripts."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest

from elenchus.debate_engine.protocols.cognition.schemas import MethodName
from elenchus.detectors.evaluation.cogbench.results import read_results
from elenchus.detectors.evaluation.cogbench.runs import CALLED
from tests.detectors.evaluation.cogbench.made_files import task, written
from tests.detectors.evaluation.cogbench.test_topics import profile
from tests.service.cli.program import Program, Result

Run = Callable[..., Result]
METHODS = get_args(MethodName)

SCRIPT = """
rules:
  - prompt: cognition/cot
    step: "iteration/[1-5]/answer/[12]"
    json: {reason: I read it., sources: [], rating: 2}
  - prompt: cognition/cot
    step: "iteration/[1-5]/answer/[34]"
    json: {reason: I read it., sources: [], rating: 4}
  - prompt: cognition/cot
    json: {reason: I never thought of it., sources: [], rating: 3}
"""
UNREAD = SCRIPT.replace("rules:", 'rules:\n  - {prompt: cognition/cot, step: "iteration/2/answer/1", text: I agree}', 1)
DOWN = SCRIPT.replace("rules:", 'rules:\n  - {prompt: cognition/cot, step: "iteration/3/*", fault: down}', 1)
COT = ("cogbench", "run", "--method", "cot", "--model", "scripted:x.yaml")


@pytest.fixture
def folder(elenchus: Program) -> Path:
    (elenchus.folder / "x.yaml").write_text(SCRIPT)
    return elenchus.folder


def ratings(path: Path) -> list[tuple[Any, ...]]:
    return [(a.topic, a.profile, a.iteration, a.rating) for a in read_results(path).answers("CoT")]


def steps_of(elenchus: Program) -> dict[str, list[tuple[str, str]]]:
    """Of each session the steps that are done, with the time."""
    found: dict[str, list[tuple[str, str]]] = {}
    with closing(sqlite3.connect(elenchus.home / "elenchus.db")) as log:
        for session, at, body in log.execute(
            "SELECT session, at, body FROM events WHERE kind = 'step_done' ORDER BY id"
        ):
            found.setdefault(session, []).append((json.loads(body)["step"], at))
    return found


def test_each_profile_with_a_topic_is_run_and_the_results_have_the_shape_of_the_release(
    folder: Path, inside: Run
) -> None:
    result = inside(*COT, "--topics", "pets,virtual", "--profiles", "ruth,deniz", "--out", "eval.json", "--json")
    assert result.code == 0, result.err
    found = result.json
    assert (found["sessions"], found["ended"], found["answers"], found["unread"]) == (4, 4, 96, 0)
    records = json.loads((folder / "eval.json").read_text())
    assert len(records) == 24
    assert list(records[0]) == ["topic", "category", "iteration", "questionnaire", "information_flow", "profile"]
    assert records[0]["questionnaire"][0]["answer"] == {
        "human_rating": -1,
        "CoT": {
            "profile": records[0]["questionnaire"][0]["answer"]["CoT"]["profile"],
            "rating": 3,
            "reason": "I never thought of it.",
            "rationality": -1,
        },
    }
    assert records[0]["information_flow"] == []
    assert records[1]["information_flow"][0].startswith("Eleven hours behind a door")
    assert records[1]["profile"]["Hobbies"].startswith("sewing for her family, singing in a choir")
    assert inside("cogbench", "score", "eval.json", "--method", "CoT", "--json").json["left_out"] == 96


def test_with_a_control_the_check_of_both_is_told_and_can_be_told_again_from_the_files(
    folder: Path, inside: Run
) -> None:
    result = inside(*COT, "--topics", "pets", "--control", "--out", "eval.json", "--json")
    check = result.json["dynamics"]
    assert [change["pushed"] for change in check["changes"]] == [1, 1, 1], "pets are argued against: 2, 2, 4, 4"
    assert check["moved"]["mean"] == 0, "the script answers the control alike"
    assert (check["control"]["mean"], check["still"]) == (1, None)
    again = inside("cogbench", "dynamics", "eval.json", "eval-control.json", "--method", "CoT", "--json")
    assert again.json == check
    control = json.loads((folder / "eval-control.json").read_text())
    assert control[1]["information_flow"][0].startswith("How a lighthouse is numbered")
    shown = inside("cogbench", "dynamics", "eval.json", "eval-control.json", "--method", "CoT")
    assert "Moved, minus control: +0.00 steps" in shown.out
    for files, says in (
        (("eval-control.json", "eval.json"), "eval-control.json is of the control: give the results first"),
        (("eval.json", "eval.json"), "eval.json is of no control"),
    ):
        refused = inside("cogbench", "dynamics", *files, "--method", "CoT")
        assert (refused.code, says in refused.err) == (2, True), "else the movement would be told the other way round"


def test_a_run_of_which_nothing_could_be_read_ends_as_an_answer_that_could_not(folder: Path, inside: Run) -> None:
    (folder / "x.yaml").write_text("rules:\n  - {prompt: cognition/cot, text: I agree}\n")
    run = inside(*COT, "--topics", "pets", "--profiles", "ruth", "--out", "eval.json")
    assert (run.code, "24 answers of CoT by scripted:x.yaml; 24 could not be read" in run.out) == (3, True), run
    assert "eval.json is not written: none of the answers could be read" in run.err
    assert not (folder / "eval.json").exists()


def test_of_a_run_that_wrote_no_file_it_is_said_how_to_have_one(folder: Path, inside: Run) -> None:
    run = inside(*COT, "--topics", "pets", "--profiles", "ruth")
    (told,) = [line for line in run.err.splitlines() if "the answers are kept" in line]
    again = told.partition("elenchus ")[2].replace("FILE", "eval.json").split()
    assert inside(*again).code == 0
    assert len(ratings(folder / "eval.json")) == 24


def test_an_answer_that_could_not_be_read_is_no_rating(folder: Path, inside: Run) -> None:
    (folder / "x.yaml").write_text(UNREAD)
    result = inside(*COT, "--topics", "pets", "--profiles", "ruth", "--out", "eval.json")
    assert "24 answers of CoT by scripted:x.yaml; 1 could not be read" in result.out
    assert ratings(folder / "eval.json")[8] == ("Pets", "Ruth Adeyemi", 2, None)
    raw = json.loads((folder / "eval.json").read_text())[2]["questionnaire"][0]["answer"]["CoT"]
    assert raw["rating"] == -1
    assert raw["why_unread"]


def test_a_run_that_is_broken_off_goes_on_where_it_stopped_and_asks_nothing_twice(
    folder: Path, inside: Run, elenchus: Program
) -> None:
    (folder / "x.yaml").write_text(DOWN)
    broken = inside(*COT, "--topics", "pets", "--out", "eval.json", "--json")
    assert broken.code == 3
    assert broken.json["ended"] == 0
    assert not (folder / "eval.json").exists()
    again = broken.json["next"].split()[1:]
    (folder / "x.yaml").write_text(SCRIPT)
    resumed = inside(*again, "--json")
    assert (resumed.code, resumed.json["ended"], resumed.json["answers"]) == (0, 3, 72)
    assert len(ratings(folder / "eval.json")) == 72
    steps = [step for of in steps_of(elenchus).values() for step, _ in of]
    assert len([step for step in steps if "/answer/" in step]) == 72, "each answer is in the log once"
    (folder / "eval.json").unlink()
    (folder / "x.yaml").unlink()
    assert inside(*again).code == 0, "all is there: nobody is asked"
    assert len(ratings(folder / "eval.json")) == 72


def test_results_are_joined_to_a_file_that_people_have_rated(folder: Path, inside: Run) -> None:
    pair = ("--topics", "pets", "--profiles", "ruth", "--out", "eval.json")
    inside(*COT, *pair)
    records = json.loads((folder / "eval.json").read_text())
    for record in records:
        for question in record["questionnaire"]:
            question["answer"]["human_rating"] = 2
    written(folder, records, "eval.json")
    assert "has answers of CoT already: give this run another --name" in inside(*COT, *pair).err
    assert inside(*COT, *pair, "--name", "CoT again").code == 0
    answer = json.loads((folder / "eval.json").read_text())[0]["questionnaire"][0]["answer"]
    assert list(answer) == ["human_rating", "CoT", "CoT again"]
    assert answer["human_rating"] == 2
    told = inside("cogbench", "run", "--method", "react", "--name", "CoT", "--feedback", "eval.json", "--dry-run",
                  "--model", "scripted:x.yaml", "--topics", "pets", "--json")  # fmt: skip
    assert told.code == 0
    refused = inside(*COT, "--feedback", "eval.json", "--topics", "pets")
    assert "Only react and reflexion are told what people said" in refused.err


def test_a_dry_run_asks_nobody_and_tells_calls_by_topic(folder: Path, inside: Run) -> None:
    result = inside(*COT, "--dry-run", "--json")
    assert result.code == 0
    assert result.json["sessions"] == 12
    assert [of["calls"] for of in result.json["by_topic"]] == [24] * 4
    assert result.json["calls"] == 24 * 12
    assert inside("sessions", "list", "--json").json == []


def test_files_of_the_release_are_run(folder: Path, inside: Run) -> None:
    written(folder, [task(0, flow=[]), task(1), task(2)], "tasks.json")
    written(folder, [profile()], "profile.json")
    places = ("--tasks", "tasks.json", "--profile-file", "profile.json", "--out", "eval.json", "--json")
    result = inside(*COT, *places)
    assert result.json["answers"] == 6
    assert "dynamics" not in result.json
    assert "There are no control flows" in inside(*COT, *places, "--control").err
    assert "There are no profiles" in inside(*COT, "--tasks", "tasks.json").err


def test_the_help_names_every_method_and_each_has_a_name_in_files(inside: Run) -> None:
    told = " ".join(inside("cogbench", "run", "--help").out.split())
    assert [method for method in METHODS if method not in told] == []
    assert list(CALLED) == list(METHODS)


def test_every_method_is_run_into_one_file_and_scored(folder: Path, inside: Run) -> None:
    written(folder, [task(0, flow=[]), task(1), task(2)], "tasks.json")
    written(folder, [profile()], "profile.json")
    places = ("--tasks", "tasks.json", "--profile-file", "profile.json", "--out", "eval.json", "--json")
    for method in METHODS:
        result = inside("cogbench", "run", "--method", method.replace("_", "-"), "--model", "scripted:demo", *places)
        assert (result.code, result.json["answers"], result.json["unread"]) == (0, 6, 0), result.err
    assert read_results(folder / "eval.json").methods == [CALLED[method] for method in METHODS]
    scored = inside("cogbench", "score", "eval.json", "--method", "CogGPT", "--json").json
    assert (scored["answers"], scored["left_out"]) == (6, 6), "nobody has rated yet"
    assert scored["controls"] == {}
    for name, control in (("NoInformation", "no_information"), ("EverythingInPrompt", "everything_in_prompt")):
        score = ("cogbench", "score", "eval.json", "--method", "CogGPT", "--against", name)
        assert inside(*score, "--json").json["controls"] == {name: control}
        told = inside(*score).out
        assert f"CogGPT less {name}*: 6 answers of each" in told
        assert f"* {name} is a control and no method: " in told.splitlines()[-1]


def test_a_control_by_a_name_of_its_own_is_marked_as_one(folder: Path, inside: Run) -> None:
    named = ("--name", "Profile alone", "--topics", "pets", "--profiles", "ruth", "--out", "eval.json")
    ran = inside("cogbench", "run", "--method", "no_information", "--model", "scripted:demo", *named)
    assert "Profile alone is a control and no method: it has its profile alone and reads nothing." in ran.out
    told = inside("cogbench", "score", "eval.json", "--method", "Profile alone").out
    assert "Profile alone*: 24 answers" in told
    assert told.splitlines()[-1].startswith("* Profile alone is a control and no method")


def test_pairs_of_a_topic_and_a_profile_go_side_by_side(folder: Path, inside: Run, elenchus: Program) -> None:
    (folder / "x.yaml").write_text(f"latency: 0.05\n{SCRIPT}")
    assert inside(*COT, "--topics", "pets,clothes", "--profiles", "ruth,deniz", "--at-once", "4").code == 0
    times = [[at for _, at in of] for of in steps_of(elenchus).values()]
    assert len(times) == 4
    assert max(min(of) for of in times) < min(max(of) for of in times), (
        "at a moment all four had begun and none was done"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--topics", "Yoga"), "There is no one topic 'Yoga'"),
        (("--profiles", "Greta"), "There is no one profile 'Greta'"),
        (("--method", "guess"), "method"),
        (("--model", "human"), "measures models"),
        (("--tasks", "nowhere"), "nowhere"),
        (("--name", "a/b"), "--name is what the results call the method: letters, digits"),
        (("--name", "human_rating"), "--name is what the results call the method"),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_is_asked(
    folder: Path, inside: Run, arguments: tuple[str, ...], said: str
) -> None:
    result = inside("cogbench", "run", "--model", "scripted:x.yaml", *arguments)
    assert result.code == 2
    assert said in result.err
    assert "Traceback" not in result.err
    assert inside("sessions", "list", "--json").json == []


def test_a_run_that_nobody_has_begun_cannot_be_gone_on_with(folder: Path, inside: Run) -> None:
    assert "No run has an id that begins with 'x'; there is none yet." in inside("cogbench", "resume", "x").err
