"""A person can judge a scene or a bench, look for a bias and score arguments, by the same forms as a debate's judge."""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import Any

import pytest

from tests.service.cli.program import PATIENCE, Program, Started
from tests.service.cli.test_debate import refused
from tests.twins import SEEDS

MODELS = ("--confederate", "scripted:demo", "--moderator", "scripted:demo", "--others", "scripted:demo")
SCENE = ("scene", "run", SEEDS, "--subject", "scripted:demo", *MODELS)
TEXT = "We have paid for two years, so we go on, although nobody comes."
QUOTING = "“We have paid for two years” is why."
SAYS = "rules:\n  - text: I took the first number that I was told.\n"


@pytest.fixture
def program(elenchus: Program) -> Program:
    (elenchus.folder / "text.md").write_text(TEXT)
    labelled = [
        {"id": f"a-{n}", "bias": "Sunk cost fallacy", "answer": TEXT, "human": label}
        for n, label in enumerate(["yes", "no"])
    ]
    (elenchus.folder / "labelled.jsonl").write_text("\n".join(map(json.dumps, labelled)))
    return elenchus


def answered(elenchus: Program, process: Started, by_schema: dict[str, dict[str, Any]]) -> tuple[Counter[str], Any]:
    """What a person elsewhere was asked until the session's end, by schema, and the session's document."""
    asked: Counter[str] = Counter()
    while process.poll() is None:
        for turn in elenchus.events("turn_opened")[asked.total() :]:
            asked[turn["asked"]["schema_name"]] += 1
            text = json.dumps(by_schema[turn["asked"]["schema_name"]])
            done = elenchus("sessions", "answer", elenchus.wait_for("turn_opened"), "--text", text, "--json")
            assert done.code == 0, done.err
        time.sleep(0.02)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    return asked, json.loads(out)


# ── a scene's judge ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_person_at_this_terminal_judges_a_scene_without_seeing_it_played(program: Program) -> None:
    done = program(*SCENE, "--judge", "human", stdin="yes\nHe keeps his own view.\n\nno\n")
    assert done.code == 0, done.err
    asked = done.out.index("[your turn: judge-1]")
    assert "[system" not in done.out[:asked], "a judge reads the record, and nothing before it"
    assert "/withdraw" not in done.out, "that is for those who play"
    (session,) = {info["id"] for info in program("sessions", "list", "--json").json}
    shown = program("sessions", "show", session, "--json").json
    (opinion,) = shown["evaluation"]["opinions"]
    assert (opinion["judge"], opinion["present"], opinion["reason"]) == ("judge-1", False, "He keeps his own view.")


def test_a_person_elsewhere_judges_beside_a_model_under_a_made_up_name(program: Program) -> None:
    with program.start(*SCENE, "--judge", "human:Anna", "--judge", "scripted:demo", "--json") as process:
        value = {"reason": "He keeps his own view.", "quotes": [], "present": "no"}
        asked, result = answered(program, process, {"Agreement": {"agreed": "yes"}, "Finding": value})
    opinions = {one["judge"]: one["present"] for one in result["evaluation"]["opinions"]}
    assert asked == {"Agreement": 1, "Finding": 1}
    assert opinions["judge-1"] is False
    assert set(opinions) == {"judge-1", "judge-2"}
    (started,) = program.events("session_started")
    (spec,) = [seat["spec"] for seat in started["seats"] if seat["name"] == "judge-1"]
    assert spec.startswith("human:")
    assert "Anna" not in spec


def test_who_does_not_agree_to_judge_leaves_a_judgement_unread_and_why(program: Program) -> None:
    done = program(*SCENE, "--judge", "human", "--judge", "scripted:demo", "--json", stdin="no\n")
    assert done.code == 0, done.err
    reasons = {one["judge"]: one["unread"] for one in done.json["evaluation"]["opinions"]}
    assert reasons["judge-1"] == "the judge did not agree to judge"
    assert reasons["judge-2"] == ""
    (session,) = {info["id"] for info in program("sessions", "list", "--json").json}
    assert "the judge did not agree to judge" in " ".join(program("sessions", "show", session).out.split())


def test_who_plays_in_a_scene_cannot_judge_it(program: Program) -> None:
    playing = ("scene", "run", SEEDS, "--subject", "human", *MODELS, "--judge", "human", "--json")
    assert "cannot judge it" in refused(program(*playing))
    twice = ("--judge", "human:Anna", "--judge", "human:Anna", "--json")
    assert "same person twice" in refused(program(*SCENE, *twice))


# ── detectors and referees ───────────────────────────────────────────────────────────────────────────────────────


def test_a_person_looks_for_one_bias_and_is_asked_once_more_for_words_of_the_text(program: Program) -> None:
    """A yes needs a quote, of people too."""
    typed = f"It is why.\nyes\n{QUOTING}\nyes\n"
    found = program("detect", "text.md", "--bias", "Sunk cost fallacy", "--model", "human", stdin=typed)
    assert found.code == 0, found.err
    first, again = found.out.split("[your turn: detector]")[1:]
    assert "a yes counts only with three or more in a row" in " ".join(first.split())
    assert "You said yes before" not in first
    assert "You said yes before" in again
    (finished,) = program.events("session_finished")
    (answer,) = finished["outcome"]["answers"]
    assert (finished["outcome"]["verdict"], answer["reason"], answer["asked_again"]) == ("found", QUOTING, True)


def test_a_person_elsewhere_checks_the_suspects_and_judges_the_debates_of_models(program: Program) -> None:
    labels = ("--labels", "Sunk cost fallacy,Anchoring effect")
    who = ("--model", "scripted:demo", "--detector", "human:Anna")
    with program.start("detect", "text.md", *labels, *who, "--json") as process:
        value = {"quotes": [TEXT[:30]], "reason": "It is why they go on.", "present": "yes"}
        asked, found = answered(program, process, {"Check": value})
    assert asked == {"Check": 2}
    assert [one["present"] for one in found["candidates"]] == [True, True]
    assert found["matches"], "the models went on with it"


def test_a_person_referees(program: Program) -> None:
    labels = ("--labels", "Sunk cost fallacy,Anchoring effect", "--method", "tree")
    planned = program("detect", "text.md", *labels, "--model", "scripted:demo", "--referee", "human", "--dry-run")
    assert "rational (human) will be asked 2 times" in planned.out
    none = program("detect", "text.md", "--bias", "Sunk cost fallacy", "--referee", "human", "--json")
    assert "nobody sits there" in refused(none)


# ── CRIT ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_person_scores_a_document(program: Program) -> None:
    planned = program("crit", "text.md", "--model", "human", "--max-reasons", "1", "--dry-run", "--json").json
    assert planned["calls"] == 0
    times = {one["what"]: one["count"] for one in planned["of_people"]}
    assert times["crit/validate"] >= 2
    with program.start("crit", "text.md", "--model", "human:Anna", "--max-reasons", "1", "--json") as process:
        values: dict[str, dict[str, Any]] = {
            "Claim": {"claim": "We go on."},
            "Arguments": {"reasons": [{"quote": "", "reason": "It is paid for.", "source": ""}]},
            "Objections": {"reasons": [{"reason": "It is loud.", "source": ""}]},
            "Validation": {
                "justification": "That money is gone either way.", "quotes": [], "validity": 2, "credibility": 5,
            },
            "Analysis": {"how": "By one reason.", "holds": "", "fails": ""},
        }  # fmt: skip
        asked, scored = answered(program, process, values)
    assert asked.total() <= sum(times.values()), "no more than the plan has told"
    assert scored["reasons"][0]["gamma"] == 2
    assert scored["usage"]["calls"] == 0


def test_a_person_scores_the_arguments_of_a_debate(program: Program) -> None:
    debate = ("debate", "Cars must go.", "--pro", "scripted:demo", "--con", "scripted:demo", "--judge", "scripted:demo")
    planned = program(*debate, "--crit", "human:Anna", "--topics", "1", "--max-rounds", "1", "--dry-run")
    assert planned.code == 0, planned.err
    assert "crit (human:Anna) will be asked" in planned.out
    with program.start(*debate, "--crit", "human:Anna", "--topics", "1", "--max-rounds", "0", "--json") as process:
        session = program.wait_for("turn_opened", "reasons/pro")
        none = json.dumps({"reasons": []})
        assert program("sessions", "answer", session, "--seat", "crit", "--text", none, "--json").code == 0
        process.kill()


# ── benches ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_person_judges_a_bench_and_its_results_say_so(program: Program) -> None:
    (program.folder / "says.yaml").write_text(SAYS)
    bench = ("bench", "static", "--model", "scripted:says.yaml", "--judge", "human", "--bias", "anchoring effect")
    planned = program(*bench, "--limit", "2", "--dry-run")
    assert "detector (human) will be asked 4 times, at the most: 4 × label" in planned.out, "each yes perhaps twice"
    typed = "It leans on “the first number that I was told”.\nyes\nIt does not.\nno\n"
    done = program(*bench, "--limit", "2", "--export", "out", stdin=typed)
    assert done.code == 0, done.err
    assert "The judge is a person." in done.out
    assert "The judge is a person." in (program.folder / "out" / "report.md").read_text()
    (session,) = program.events("session_finished")
    assert session["outcome"]["judge"] == "a person"
    assert sorted(one["verdict"] for one in session["outcome"]["judged"]) == ["found", "none"]


def test_a_person_is_the_judge_that_is_compared_with_peoples_labels(program: Program) -> None:
    bench = ("bench", "evaluator", "labelled.jsonl", "--judge", "human:Anna", "--repeats", "1")
    with program.start(*bench, "--json") as process:
        asked, result = answered(program, process, {"Label": {"reason": QUOTING, "present": "yes"}})
    assert asked == {"Label": 2}
    assert result["judge"] == "a person"
    assert [row["judge"] for row in result["rows"]] == [[True], [True]]
    (started,) = program.events("session_started")
    assert "Anna" not in json.dumps([started["title"], started["config"]]), "who it is stands on the seat alone"


def test_a_model_under_test_is_a_model(program: Program) -> None:
    assert "needs a model" in refused(program("bench", "static", "--model", "human", "--limit", "1", "--json"))
    assert "needs a model" in refused(program("bench", "unlabelled", "--model", "human", "--limit", "2", "--json"))
