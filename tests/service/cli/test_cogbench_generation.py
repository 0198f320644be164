"""`elenchus cogbench generate`, `review` and `judge`, played by scripts: a benchmark of one's own, up to its score."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from elenchus.service.cli.cogbench.generation import folder_of, topics_named
from tests.debate_engine.protocols.cognition.profiles import GRETA_AS_JSON
from tests.detectors.evaluation.cogbench.made_files import record, task, written
from tests.service.cli.program import Program, Result

Run = Callable[..., Result]

OPINIONS = [
    {"opinion": text, "perspective": "money", "supporters": ["nurse"], "reasons": ["So."]}
    for text in ("Night trains are worth their price.", "Nobody sleeps well on rails.")
]
GOOD = {
    "why": "It stands.", "relevant": "yes", "assertive": "yes", "sometimes_true": "yes", "sometimes_false": "yes",
    "same_as": 0,
}  # fmt: skip
MADE = {
    "real_person": "no",
    "who": "",
    "profile": {name.lower().replace(" ", "_"): value for name, value in GRETA_AS_JSON.items()},
}
SCRIPT = {
    "rules": [
        {"prompt": "*/cogbench/opinions", "json": {"opinions": OPINIONS}},
        {"prompt": "*/cogbench/check_opinion", "step": "*/2", "json": {**GOOD, "relevant": "no"}},
        {"prompt": "*/cogbench/check_opinion", "json": GOOD},
        {"prompt": "*/cogbench/rationality", "json": {"why": "It fits.", "score": 5}},
        {"prompt": "cognition/create", "json": MADE},
        {"prompt": "cognition/cot", "json": {"reason": "I read it.", "sources": [], "rating": 4}},
    ]
}
GENERATE = ("cogbench", "generate", "--topic", "Night trains", "--opinions", "2", "--profiles", "1")
BY = ("--model", "scripted:x.yaml")


@pytest.fixture
def folder(elenchus: Program) -> Path:
    (elenchus.folder / "x.yaml").write_text(yaml.safe_dump(SCRIPT))
    return elenchus.folder


def kept(path: Path, keep: str) -> None:
    """Fill in the review: the same for everything."""
    rows = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "keep": keep} for row in rows)


def test_a_benchmark_is_generated_reviewed_run_and_its_reasons_judged(folder: Path, inside: Run) -> None:
    made = inside(*GENERATE, *BY, "--out", "made")
    assert made.code == 0, made.err
    assert "1 opinions and 1 profiles are in made, generated and not reviewed" in made.err
    (refused, _) = json.loads((folder / "made/generated.json").read_text())["topics"][0]["refused"]
    assert refused["why"] == "it is not about the topic: It stands."
    kept(folder / "made/review.csv", "yes")
    (folder / "articles/night-trains").mkdir(parents=True)
    (folder / "articles/night-trains/1.txt").write_text("A night train ran late.")
    reviewed = inside("cogbench", "review", "made", "--flows", "articles", "--out", "mine", "--json")
    assert (reviewed.json["topics"], reviewed.json["profiles"], reviewed.json["with_flows"]) == (1, 1, 1)
    places = ("--tasks", "mine/cogbench.json", "--profile-file", "mine/profile.json")
    run = inside("cogbench", "run", "--method", "cot", *BY, *places, "--out", "eval.json", "--json")
    assert (run.code, run.json["answers"]) == (0, 2), run.err
    judge = ("cogbench", "judge", "eval.json", "--method", "CoT", "--judge", "scripted:x.yaml")
    judged = inside(*judge, "--out", "judged.json")
    assert judged.code == 0, judged.err
    assert "Nobody has rated any of these reasons" in " ".join(judged.out.split())
    scored = inside("cogbench", "score", "judged.json", "--method", "CoT", "--json").json
    assert (scored["rationality"]["average"], scored["left_out"]) == (5, 2)
    assert "judged.json is there already" in inside(*judge, "--out", "judged.json").err
    (folder / "x.yaml").write_text(yaml.safe_dump({"rules": [{"prompt": "*/rationality", "text": "As you like."}]}))
    unread = inside(*judge, "--out", "unread.json")
    assert (unread.code, (folder / "unread.json").exists()) == (3, False), (
        "what people said is not written over by nothing"
    )
    assert "unread.json is not written: none of the judge's scores could be read" in unread.err


def test_what_nobody_has_decided_is_not_used_and_nothing_is_written_over(folder: Path, inside: Run) -> None:
    inside(*GENERATE, *BY, "--out", "made")
    again = inside(*GENERATE, *BY, "--out", "made")
    assert (again.code, "generated.json is there already" in again.err) == (2, True)
    review = ("cogbench", "review", "made", "--out", "mine")
    assert "keeps nothing" in inside(*review).err
    kept(folder / "made/review.csv", "yes")
    assert "nowhere has no folder of a kept topic, such as night-trains" in inside(*review, "--flows", "nowhere").err
    assert not (folder / "mine").exists()
    without = inside(*review)
    assert without.code == 0
    assert "Night trains has nothing to read" in without.err
    assert "is there already" in inside(*review).err


def test_profiles_of_one_name_and_files_that_nobody_reads_are_said_at_the_review(folder: Path, inside: Run) -> None:
    """And not by the run, days later."""
    inside(*GENERATE, *BY, "--out", "made")
    path = folder / "made/generated.json"
    generated = json.loads(path.read_text())
    generated["profiles"] *= 2
    path.write_text(json.dumps(generated))
    with (folder / "made/review.csv").open("a") as file:
        file.write("p2,profile,,,,,,,,\n")
    kept(folder / "made/review.csv", "yes")
    review = ("cogbench", "review", "made", "--out", "mine")
    refused = inside(*review)
    assert (refused.code, "The profiles p1 and p2 are both called Greta Lund: keep one" in refused.err) == (2, True)
    table = folder / "made/review.csv"
    table.write_text(table.read_text().replace("p2,profile,,,,,,,yes", "p2,profile,,,,,,,no"))
    (folder / "articles/night-trains").mkdir(parents=True)
    for name in ("1.txt", "2.docx"):
        (folder / "articles/night-trains" / name).write_text("A night train ran late.")
    assert "holds what no persona reads: 2.docx;" in inside(*review, "--flows", "articles").err
    assert not (folder / "mine").exists()


def test_where_no_opinion_passes_it_is_said_and_each_refusal_is_kept(folder: Path, inside: Run) -> None:
    rules = [{"prompt": "*/check_opinion", "json": {**GOOD, "assertive": "no"}}, *SCRIPT["rules"]]
    (folder / "x.yaml").write_text(yaml.safe_dump({"rules": rules}))
    made = inside(*GENERATE, *BY, "--out", "made")
    assert made.code == 3
    assert "no opinion has passed the checks" in made.err
    assert len(json.loads((folder / "made/generated.json").read_text())["topics"][0]["refused"]) == 4


def test_topics_are_the_papers_or_ones_own_in_any_script_each_with_a_folder_of_its_own() -> None:
    assert len({folder_of(topic) for topic in topics_named(["ALL"])}) == 50
    assert topics_named(["tv tropes", "movies  & tv shows", "夜行列車", "Nachtzüge 5"]) == [
        "tv tropes", "Movies & TV Shows", "夜行列車", "Nachtzüge 5",
    ]  # fmt: skip
    assert [folder_of(topic) for topic in ("Movies & TV Shows", "夜行列車", "../Nachtzüge 5")] == [
        "movies-tv-shows", "夜行列車", "nachtzüge-5",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--topic", "?!"), "Name topics, each once"),
        (("--topic", "night  trains", "--topic", "Night trains"), "Name topics, each once"),
        (("--opinions", "0"), "--opinions"),
        (("--profiles", "99"), "--profiles"),
        (("--out", "x.yaml"), "x.yaml"),
    ],
)
def test_what_cannot_be_generated_is_refused_before_anything_is_asked(
    folder: Path, inside: Run, arguments: tuple[str, ...], said: str
) -> None:
    given: dict[str, Any] = {"--topic": ("--topic", "Pets"), "--out": ("--out", "made")}
    rest = [word for name, words in given.items() if name not in arguments for word in words]
    result = inside("cogbench", "generate", *BY, *rest, *arguments)
    assert (result.code, said in result.err) == (2, True), result.err
    assert inside("sessions", "list", "--json").json == [], inside("sessions", "list").err


def test_what_was_read_comes_from_the_tasks_where_the_results_do_not_say_so(folder: Path, inside: Run) -> None:
    """The released files of results need not hold it."""
    written(folder, [record(0, [(3, 3)]), record(1, [(5, 4)])])
    written(folder, [task(0, flow=[]), task(1, flow=["The mat was blue."])], "tasks.json")
    written(folder, [task(1, topic="Loans")], "others.json")
    sheet = ("cogbench", "sheet", "eval_cogbench_a.json")
    assert inside(*sheet, "--out", "without").code == inside(*sheet, "--tasks", "tasks.json", "--out", "with").code == 0
    assert "(the file does not say)" in (folder / "without/material.md").read_text()
    material = (folder / "with/material.md").read_text()
    assert "The mat was blue." in material
    assert "(nothing: this was asked before anything was read)" in material
    assert "no topic and iteration of those tasks" in inside(*sheet, "--tasks", "others.json", "--out", "x").err
