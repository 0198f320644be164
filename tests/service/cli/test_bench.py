"""`elenchus bench` and `elenchus cache`, as programs of their own."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from elenchus.config.static_questions import read_questions
from tests.service.cli.program import Program, Result
from tests.service.cli.test_debate import refused

JUDGE = """
rules:
  - prompt: detectors/label
    step: "sunk-cost*"
    json: {reason: It says “all that for nothing”., present: "yes"}
  - prompt: detectors/label
    json: {reason: It does not., present: "no"}
  - prompt: detectors/choose
    json: {bias: Sunk cost fallacy, reason: They say “We go on”.}
  - prompt: detectors/evaluation/answer
    text: I go on, or it would be all that for nothing.
"""
SLOW = f"latency: 3\n{JUDGE}"
BIASES = ("--bias", "sunk cost fallacy", "--bias", "anchoring")
MODELS = ("--model", "scripted:x.yaml", "--judge", "scripted:judge.yaml")


@pytest.fixture
def program(elenchus: Program) -> Program:
    """The program in a folder with scripts."""
    for name, script in (("x", JUDGE), ("judge", JUDGE), ("slow", SLOW)):
        (elenchus.folder / f"{name}.yaml").write_text(script)
    return elenchus


def calls_of(program: Program) -> Counter[str]:
    """The calls that were really made, by step, over all sessions."""
    done = program.events("step_done")
    return Counter(e["step"] for e in done for call in e["calls"] if call["recalled"] is None)


# ── static questions ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_static_asks_judges_counts_and_exports(program: Program) -> None:
    static = ("bench", "static", *MODELS, *BIASES, "--repeats", "2")
    result = program.from_a_shell(*static, "--export", "out", "--json")
    assert result.code == 0, result.err
    found = result.json
    assert (found["state"], found["protocol"]) == ("finished", "bench-static")
    rows = {row["bias"]: row["shown"] for row in found["frequencies"]}
    assert (rows["sunk-cost-fallacy"]["count"], rows["sunk-cost-fallacy"]["of"]) == (6, 6)
    assert (rows["anchoring-effect"]["count"], rows["anchoring-effect"]["of"]) == (0, 6)
    names = {path.name for path in (program.folder / "out").iterdir()}
    assert {"frequencies.png", "frequencies.svg", "bars.png", "bars.svg", "scores.csv", "run.json"} <= names
    run = json.loads((program.folder / "out" / "run.json").read_text())
    assert run["settings"]["repeats"] == 2
    assert {prompt["id"] for prompt in run["prompts"]} == {"detectors/evaluation/answer", "detectors/label"}


def test_the_same_bench_again_asks_nobody_and_tells_so_and_no_cache_asks_anew(program: Program) -> None:
    first = program("bench", "static", *MODELS, *BIASES, "--json")
    again = program("bench", "static", *MODELS, *BIASES, "--json")
    assert (first.code, again.code) == (0, 0), again.err
    assert again.json["judged"] == first.json["judged"]
    used = [run.json["used"]["scripted:judge.yaml"] for run in (first, again)]
    assert [(of["calls"], of["recalled"]) for of in used] == [(6, 0), (6, 6)]
    assert used[0]["input_tokens"] == used[1]["input_tokens"]
    assert again.json["usage"]["input_tokens"] == 0
    shown = program("cache", "show", "--json").json
    assert (shown["answers"], shown["hits"]) == (12, 12)
    anew = program("bench", "static", *MODELS, *BIASES, "--no-cache", "--json")
    assert anew.json["used"]["scripted:judge.yaml"]["recalled"] == 0
    assert program("cache", "clear", "--json").json == {"removed": 12}
    assert "No answers are kept." in program("cache", "show").out
    assert len(calls_of(program)) == 12
    assert set(calls_of(program).values()) == {2}


def test_more_repeats_ask_only_what_is_new_and_a_changed_script_is_another_model(program: Program) -> None:
    assert program("bench", "static", *MODELS, "--bias", "anchoring", "--limit", "1").code == 0
    more = program("bench", "static", *MODELS, "--bias", "anchoring", "--limit", "1", "--repeats", "3", "--json")
    assert more.json["used"]["scripted:x.yaml"] | {"seconds": 0} == {
        **more.json["used"]["scripted:x.yaml"], "seconds": 0, "calls": 3, "recalled": 1,
    }  # fmt: skip
    (program.folder / "x.yaml").write_text("rules:\n  - text: I do what the others do.\n")
    changed = program("bench", "static", *MODELS, "--bias", "anchoring", "--limit", "1", "--json")
    assert changed.json["used"]["scripted:x.yaml"]["recalled"] == 0
    assert changed.json["judged"][0]["answer"] == "I do what the others do."


@pytest.mark.slow
def test_a_bench_that_is_killed_goes_on_where_it_stopped_and_asks_nothing_twice(program: Program) -> None:
    process = program.start("bench", "static", "--model", "scripted:x.yaml", "--judge", "scripted:slow.yaml",
                         *BIASES, "--repeats", "4", "--no-cache", "--json")  # fmt: skip
    try:
        session = program.wait_for("step_done", "/answer")
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    before = calls_of(program)
    assert 0 < sum(before.values()) < 48, "it was killed in the middle"
    resumed = program("sessions", "resume", session, "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.json["state"] == "finished"
    after = calls_of(program)
    assert len(after) == 48
    assert set(after.values()) == {1}
    assert resumed.json["by_model"][0]["shown"]["of"] == 24


def test_a_dry_run_tells_the_cost_and_asks_nobody(inside: Callable[..., Result], program: Program) -> None:
    planned = inside(
        "bench", "static", *MODELS, *BIASES, "--repeats", "2", "--judge-repeats", "3", "--dry-run", "--json"
    )
    assert planned.code == 0, planned.err
    assert planned.json["calls"] == 6 * 2 * (1 + 2 * 3), "each yes is asked about once more"
    methods = ("--method", "zero-shot", "--method", "full")
    planned = inside(
        "bench", "unlabelled", "--model", "scripted:x.yaml", *methods, "--limit", "2", "--dry-run", "--json"
    )
    assert planned.json["calls"] == 2 * (2 + 274)
    assert not program.home.exists()


def test_a_bench_beyond_its_budget_pauses_and_can_be_resumed(program: Program) -> None:
    first = program("bench", "static", *MODELS, *BIASES, "--budget-tokens", "3000", "--json")
    assert (first.code, first.json["state"]) == (4, "paused")
    assert program("sessions", "budget", first.json["id"], "--tokens", "1000000").code == 0
    again = program("sessions", "resume", first.json["id"], "--export", "out", "--json")
    assert again.code == 0, again.err
    assert (program.folder / "out" / "bars.svg").exists()


def records(folder: Path, rows: list[dict[str, Any]], name: str = "records.jsonl") -> str:
    (folder / name).write_text("\n".join(map(json.dumps, rows)))
    return name


def test_records_in_six_fields_are_asked_or_their_answers_judged(program: Program) -> None:
    row = {"question": "Go on?", "evaluation tag": "The past decides.", "name of bias": "Concorde fallacy"}
    name = records(program.folder, [row, {**row, "answer": "We go on.", "model": "their:model"}])
    result = program("bench", "static", *MODELS, "--records", name, "--json")
    assert result.code == 0, result.err
    assert [one["model"] for one in result.json["judged"]] == ["scripted:x.yaml", "their:model"]
    assert result.json["judged"][1]["answer"] == "We go on."


# ── methods ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_unlabelled_compares_methods_over_a_sample_and_prints_the_table(program: Program) -> None:
    arguments = ("bench", "unlabelled", "--model", "scripted:x.yaml", "--method", "zero-shot", "--limit", "6")
    result = program(*arguments, "--export", "out")
    assert result.code == 0, result.err
    assert "| zero-shot | one call |" in result.out
    found = program(*arguments, "--json").json
    (row,) = found["rows"]
    assert (row["texts"], row["unfounded"], row["founded"]["of"]) == (6, 6, 0), "no text says what it quotes"
    assert (row["all"]["count"], row["all"]["of"]) == (0, 6), "and what is named so is wrong"
    assert row["used"]["recalled"] == 2 * 6, "each was asked once more"
    assert {"methods.png", "methods.svg", "scores.csv", "run.json", "report.md"} <= {
        path.name for path in (program.folder / "out").iterdir()
    }


def test_methods_that_ask_the_same_question_each_keep_an_answer_of_their_own(program: Program) -> None:
    methods = ("--method", "tree", "--method", "candidates", "--model", "scripted:x.yaml")
    result = program("bench", "unlabelled", *methods, "--limit", "2", "--json")
    assert result.code == 0, result.err
    calls = {row["method"]: row["used"]["calls"] for row in result.json["rows"]}
    assert calls["candidates"] >= 2 * 2, "both screeners were asked of both texts"
    assert program("cache", "show", "--json").json["answers"] == sum(calls.values())


def test_unlabelled_takes_a_users_texts(program: Program) -> None:
    name = records(
        program.folder, [{"text": "We go on.", "bias": "sunk cost fallacy"}, {"text": "Here we go on no more."}]
    )
    result = program(
        "bench", "unlabelled", "--model", "scripted:x.yaml", "--texts", name, "--method", "zero-shot", "--json"
    )
    assert result.code == 0, result.err
    assert [one["right"] for one in result.json["named"]] == [True, False]


# ── a judge against people ───────────────────────────────────────────────────────────────────────────────────────


def test_evaluator_asks_a_judge_about_labelled_answers(program: Program) -> None:
    row = {"answer": "We go on.", "bias": "sunk cost fallacy"}
    name = records(program.folder, [{**row, "human": ["yes", "no", "yes"]}, {**row, "human": "no"}])
    result = program("bench", "evaluator", name, "--judge", "scripted:judge.yaml", "--json")
    assert result.code == 0, result.err
    assert [row["judge"] for row in result.json["rows"]] == [[False] * 3] * 2
    assert result.json["agreement"]["accuracy"]["value"] == 0.5
    assert result.json["agreement"]["kappa"]["value"] == 0
    shown = program("cache", "show", "--json").json
    assert shown["answers"] == 3, "every repetition has an answer of its own, and both rows are the same question"


def test_evaluator_compares_what_a_file_has_and_asks_nobody(inside: Callable[..., Result], program: Program) -> None:
    rows = [{"human": h, "judge": j} for h, j, n in (("yes", "yes", 20), ("no", "yes", 5), ("yes", "no", 10),
                                                     ("no", "no", 15)) for _ in range(n)]  # fmt: skip
    name = records(program.folder, rows)
    result = inside("bench", "evaluator", name, "--export", "out")
    assert result.code == 0, result.err
    assert "| accuracy, of the majority of repeats | 70% (56–81, 35 of 50) |" in result.out
    assert "| Cohen's κ, of the majority of repeats | 0.400 (" in result.out
    assert {path.name for path in (program.folder / "out").iterdir()} == {
        "report.md",
        "scores.csv",
        "scores-codebook.md",
    }
    assert not program.home.exists()


# ── questions ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_questions_writes_a_file_that_static_can_use_and_says_that_nobody_reviewed_it(program: Program) -> None:
    from elenchus.config.static_questions import BUILT_IN

    good = read_questions(BUILT_IN / "reactance.yaml") if (BUILT_IN / "reactance.yaml").exists() else None
    source = good or read_questions(BUILT_IN / "sunk-cost-fallacy.yaml")
    question = source.questions[0].model_dump(mode="json", exclude={"origin"})
    (program.folder / "writer.yaml").write_text(
        yaml.safe_dump({"rules": [{"prompt": "detectors/evaluation/write", "json": question}]})
    )
    who = ("--bias", source.bias, "--model", "scripted:writer.yaml")
    arguments = ("bench", "questions", *who, "-n", "2", "--out", "new")
    made = program(*arguments)
    assert made.code == 0, made.err
    assert "generated and not reviewed" in made.err
    assert "not shown" not in made.out + made.err
    assert f"2 questions for {source.bias}, nobody has reviewed them" in made.out
    assert source.questions[0].domain in made.out
    file = read_questions(program.folder / "new" / f"{source.bias}.yaml")
    assert [q.origin for q in file.questions] == ["written by scripted:writer.yaml, not reviewed"] * 2
    used = program("bench", "static", *MODELS, "--questions", "new")
    assert used.code == 0, used.err
    assert "2 of the questions were written by a model, and nobody has reviewed them." in used.out
    assert "is there already" in refused(program(*arguments, "--json"))


def test_questions_of_which_none_can_be_used_leave_no_file_and_are_no_success(program: Program) -> None:
    made = program("bench", "questions", "--bias", "unit bias", "--model", "scripted:demo", "-n", "2", "--out", "new")
    assert made.code == 3, made.err
    assert "none of them can be used, so new was not written" in made.err
    assert not (program.folder / "new").exists()


# ── what cannot be done ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["static", "--bias", "boat bias"], "no bias 'boat bias'"),
        (["static", "--model", "scripted:x.yaml", "--model", "scripted:x.yaml"], "names a model twice"),
        (["static", "--model", "human"], "needs a model"),
        (["static", "--repeats", "0"], "--repeats must be"),
        (["static", "--limit", "0"], "--limit must be"),
        (["static", "--temperature", "3"], "--temperature must be"),
        (["static", "--questions", "none"], "holds no question file"),
        (["static", "--questions", "bad"], "bad/reactance.yaml: questions"),
        (["static", "--questions", "bad", "--records", "a.csv"], "give one of them"),
        (["static", "--records", "ragged.csv"], "ragged.csv, row 3: it has 1 cells, the header 3"),
        (["unlabelled", "--method", "guess"], "There is no method 'guess'"),
        (["unlabelled", "--texts", "none.jsonl"], "cannot be read"),
        (["unlabelled", "--texts", "twice.jsonl"], "The id 'a' stands at several texts"),
        (["unlabelled", "--weights", "best"], "no weights 'best'"),
        (["unlabelled", "--weights", "mean"], "only --method full has"),
        (["static", "--records", "answered.jsonl", "--model", "scripted:x.yaml"], "leave out --model"),
        (["static", "--records", "answered.jsonl", "--repeats", "2"], "leave out --repeats"),
        (["static", "--records", "answered.jsonl", "--temperature", "0.5"], "leave out --temperature"),
        (["evaluator", "none.csv"], "cannot be read"),
        (["evaluator", "ragged.csv"], "row 3: it has 1 cells"),
        (["evaluator", "twice.jsonl"], "row 1: no person has labelled it"),
        (["questions", "--bias", "boat", "--out", "new"], "no bias 'boat'"),
        (["questions", "--bias", "reactance", "--out", "new", "-n", "0"], "-n must be"),
        (["static", "--budget-tokens", "0"], "pays for nothing"),
    ],
)
def test_what_cannot_be_measured_is_refused_before_anything_is_spent(
    inside: Callable[..., Result], program: Program, arguments: list[str], says: str
) -> None:
    (program.folder / "bad").mkdir()
    (program.folder / "bad" / "reactance.yaml").write_text("bias: reactance\nquestions: []\n")
    (program.folder / "ragged.csv").write_text("question,criteria,bias\nq,c,reactance\nq\n")
    answered = {"question": "Go on?", "criteria": "c", "bias": "reactance", "answer": "No."}
    (program.folder / "answered.jsonl").write_text(json.dumps(answered))
    (program.folder / "twice.jsonl").write_text('{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}\n')
    assert says in refused(inside("bench", *arguments, "--json"))
    assert not program.home.exists()
