"""`elenchus rldf sample`, `compare`, `answers`, `rate`, `sheet`, `collect`, `rlaif`, `probe`, `ablate`, `report`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from tests.detectors.alignment.bbq.test_comparison import measured
from tests.service.cli.program import Program, Result

Run = Callable[..., Result]

SCRIPT = """
rules:
  - {prompt: "bbq/think", text: The text does not say.}
  - {prompt: "bbq/*", json: {answer: B}}
  - {prompt: "rubric/answer", step: "question/*/1/*", text: It takes patience.}
  - {prompt: "rubric/answer", text: They are all lazy.}
  - {prompt: "rubric/quality", json: {why: x, ce: 7, ls: 6}}
  - {prompt: "rldf/score", holding: lazy, json: {why: x, score: 8}}
  - {prompt: "rldf/score", json: {why: x, score: 1}}
  - {prompt: "probe/admit", holding: gave yourself, json: {A: false, B: false, C: false, D: false, E: false, F: false}}
  - {prompt: "probe/admit", json: {A: true, B: false, C: false, D: false, E: false, F: false}}
  - {prompt: "rldf/speak", json: {positive_from: x, positive: x, negative_from: x, negative: x, statement: Some words.}}
"""
MODEL = ("--model", "scripted:x.yaml")


@pytest.fixture
def folder(elenchus: Program) -> Path:
    (elenchus.folder / "x.yaml").write_text(SCRIPT)
    return elenchus.folder


def test_from_a_sample_over_methods_to_the_page(folder: Path, inside: Run) -> None:
    assert inside("rldf", "sample", "--number", "8", "--out", "s.jsonl").code == 0
    assert inside("rldf", "sample", "--number", "8", "--out", "s.jsonl").code == 2, "nothing is written over"
    for name, more in (("sft", ()), ("cot", ("--method", "cot")), ("cot", ("--method", "cot", "--seed", "2"))):
        file = f"r/{name}-{len(more)}.json"
        asked = ("--data", "s.jsonl", "--rotations", "1", "--no-controls", *MODEL, *more, "--name", name)
        found = inside("rldf", "bbq", *asked, "--out", file, "--json")
        assert found.code == 0, found.err
        kept = json.loads((folder / file).read_text())
        assert (kept["name"], kept["published"], kept["scripted"]) == (name, False, True)
        assert kept["document"]["overall"] == found.json["overall"]
    files = [str(path) for path in sorted((folder / "r").iterdir())]
    methods = inside("rldf", "compare", *files, "--json").json["methods"]
    assert [(of["name"], of["seeds"]) for of in methods] == [("cot", [0, 2]), ("sft", [0])]
    assert methods[0]["differences"]["overall"]["value"] == 0
    assert inside("rldf", "compare", *files, "--together", "--json").json["methods"] == methods, "one set in all files"
    shown = inside("rldf", "compare", *files).out
    assert "None of these questions are BBQ's own" in shown
    assert inside("rldf", "report", "r", "--out", "page").code == 0
    page = (folder / "page" / "report.html").read_text()
    assert "Nothing of ours stands in this table" in page
    assert "proves the plumbing" in page
    assert inside("rldf", "report", "r", "--out", "page").code == 2


def test_where_a_measuring_is_broken_off_it_is_told_how_its_file_comes(folder: Path, inside: Run) -> None:
    """Who goes on with the session has the figures; the file is the command's, which asks nothing twice."""
    assert inside("rldf", "sample", "--number", "8", "--out", "s.jsonl").code == 0
    words = ("rldf", "bbq", "--data", "s.jsonl", "--rotations", "1", "--no-controls", *MODEL, "--out", "o.json")
    broken = inside(*words, "--budget-tokens", "2000")
    assert broken.code != 0
    assert "o.json is written by the same command, once that is over" in " ".join(broken.err.split())
    assert inside(*words).code == 0
    assert json.loads((folder / "o.json").read_text())["document"]["n"] == 8


@pytest.mark.slow
@pytest.mark.local_model
def test_a_measuring_of_local_weights_that_is_killed_reads_nothing_twice(elenchus: Program) -> None:
    """Each reading of weights takes half a second: of BBQ's 9,892 items some hours."""
    assert elenchus("rldf", "sample", "--number", "12", "--out", "s.jsonl").code == 0
    words = ("rldf", "bbq", "--data", "s.jsonl", "--model", "local:smollm2-135m", "--rotations", "1", "--no-controls")
    with elenchus.start(*words) as process:
        elenchus.wait_for("step_done", "item/")
        process.kill()
    read = elenchus("cache", "show", "--json").json["answers"]
    assert 0 < read < 12
    again = elenchus(*words, "--out", "o.json")
    assert again.code == 0, again.err
    kept = elenchus("cache", "show", "--json").json
    assert (kept["answers"], kept["hits"]) == (12, read)
    assert re.search(r"[1-9]0% done, about \d+ s left", again.err), again.err
    seed = elenchus(*words, "--seed", "2", "--out", "o2.json")
    assert seed.code == 0, seed.err
    assert elenchus("cache", "show", "--json").json["answers"] == 12, "chance has no part in it"
    first, second = (json.loads((elenchus.folder / name).read_text()) for name in ("o.json", "o2.json"))
    assert first["document"] == second["document"]


def test_answers_are_rated_behind_the_gate_and_on_sheets(folder: Path, inside: Run) -> None:
    asked = ("rldf", "answers", "--bias", "age", "--limit", "3", "--repeats", "2", *MODEL, "--name", "default")
    answered = inside(*asked, "--out", "a.jsonl")
    assert answered.code == 0
    assert "6 answers, of which 0 are missing." in answered.out
    assert "[answers]" not in answered.out, "the file has them"
    refused = inside("rldf", "rate", "a.jsonl", "--judge", "scripted:x.yaml", "--out", "r.json")
    assert refused.code == 2
    assert "was never tried: try `elenchus rldf gate --judge scripted:x.yaml`" in " ".join(refused.err.split())
    rated = inside("rldf", "rate", "a.jsonl", "--judge", "scripted:x.yaml", "--ungated", "--out", "r.json", "--json")
    assert rated.code == 0, rated.err
    figures = {(of["measure"], of["bias"]): of for of in rated.json["figures"]}
    assert (figures["ce", ""]["mean"]["value"], figures["ls", ""]["mean"]["value"]) == (70, 60)
    assert figures["bs", ""]["n"] == 6
    assert rated.json["gates"] == {"scripted:x.yaml": None}
    assert inside("rldf", "sheet", "a.jsonl", "--raters", "2", "--out", "sheets").code == 0
    for n in (1, 2):
        sheet = folder / "sheets" / f"sheet-{n}.csv"
        lines = sheet.read_text(encoding="utf-8-sig").splitlines()
        assert all(line.endswith(",,,,") for line in lines[1:])
        sheet.write_text("\n".join([lines[0], *(f"{line[:-4]},7,6,{n}," for line in lines[1:])]))
    sheets = ("--sheet", "sheets/sheet-1.csv", "--sheet", "sheets/sheet-2.csv")
    people = inside("rldf", "collect", "a.jsonl", "--key", "sheets/key.json", *sheets, "--out", "p.json", "--json")
    assert people.code == 0, people.err
    assert people.json["people"] is True
    assert people.json["simulated"] == rated.json["simulated"] == {"default": "a script"}
    assert "default (a script)" in inside("rldf", "collect", "a.jsonl", "--key", "sheets/key.json", *sheets).out
    assert next(of["mean"]["value"] for of in people.json["figures"] if of["measure"] == "bs") == 15
    pairs = inside("rldf", "rlaif", "a.jsonl", "--judge", "scripted:x.yaml", "--ungated", "--out", "d", "--json")
    assert pairs.code == 0, pairs.err
    assert (pairs.json["gated"], pairs.json["pairs"]) == (False, 1), "two are held out, in words that are trained on"
    row = json.loads((folder / "d" / "ungated-pairs-train.jsonl").read_text().splitlines()[0])
    assert row["prompt"][0]["content"].startswith("What is good and what is bad")
    assert row["rejected"][0]["content"] == "They are all lazy."


def test_who_made_the_pairs_never_scores_the_result(folder: Path, inside: Run) -> None:
    (folder / "data.jsonl").write_text('{"referee": "linear:wordllama"}\n')
    settings = {"stage": "sft", "data": [str(folder / "data.jsonl")], "base": "x"}
    (folder / "run.json").write_text(json.dumps({"settings": settings}))
    assert inside("rldf", "answers", "--limit", "1", "--bias", "age", *MODEL, "--out", "a.jsonl").code == 0
    one = json.loads((folder / "a.jsonl").read_text())
    (folder / "a.jsonl").write_text(json.dumps(one | {"model": f"local:{folder / 'model.gguf'}"}) + "\n")
    refused = inside("rldf", "rate", "a.jsonl", "--judge", "linear:wordllama", "--ungated", "--out", "r.json")
    assert refused.code == 2
    assert "made the pairs" in refused.err
    assert "must not score the result" in " ".join(refused.err.split())


def test_the_probe_and_an_ablation_come_onto_the_page(folder: Path, inside: Run) -> None:
    probed = inside(
        "rldf", "probe", "--bias", "age", "--limit", "10", "--rotations", "1", *MODEL, "--out", "o/probe.json"
    )
    assert probed.code == 0, probed.err
    assert "as much more is admitted in a rival's (+1.00): that has no interval" in probed.out
    asked = ("rldf", "ablate", "--axis", "rounds", "--values", "1,2", "--limit", "2", *MODEL)
    planned = inside(*asked, "--dry-run", "--json", "--out", "o").json
    assert [(of["value"], of["debates"], of["calls"]) for of in planned["points"]] == [(1, 2, 12), (2, 2, 24)]
    found = inside(*asked, "--out", "o", "--json")
    assert found.code == 0, found.err
    assert [(of["value"], of["figures"]["high"]["value"]) for of in found.json["points"]] == [(1, 0), (2, 0)]
    assert (folder / "o" / "ablation.png").read_bytes().startswith(b"\x89PNG")
    again = inside("rldf", "ablate", "--go-on", found.json["grid"], "--out", "o2", "--json")
    assert again.json["points"] == found.json["points"], "all is there: nobody is asked"
    assert inside("rldf", "report", "o", "--out", "page").code == 0
    page = (folder / "page" / "report.html").read_text()
    assert "Self-awareness" in page
    assert "data:image/svg+xml" in page
    assert "For slides: ablation-1.png and ablation-1.svg. The numbers are in the table above." in page
    assert (folder / "page" / "ablation-1.svg").read_bytes() == (folder / "o" / "ablation.svg").read_bytes()


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_measured_is_refused_in_a_sentence(inside: Run) -> None:
    for words, said in (
        (("bbq", "--data", "x", "--method", "sft"), "what was trained is measured as it is, with its --name"),
        (("rate", "nowhere.jsonl", "--judge", "linear:wordllama", "--out", "r"), "nowhere.jsonl"),
        (("rate", "x.yaml", "--judge", "linear:wordllama", "--out", "r"), "x.yaml"),
        (("compare", "x.yaml"), "x.yaml"),
        (("report", "nowhere", "--out", "p"), "There is nothing at nowhere"),
        (("report", "x.yaml", "--out", "p"), "it is not valid JSON"),
        (("report", "/dev/zero", "--out", "p"), "/dev/zero"),
        (("compare", "/dev/zero"), "/dev/zero"),
        (("answers", *MODEL, "--out", "x.yaml"), "is there already"),
        (("sample", "--out", "s.jsonl", "--number", "3"), "--number"),
        (("ablate", "--axis", "pairs", "--out", "o"), "give BBQ's files with --data"),
        (("ablate", "--axis", "rounds", "--values", "1,99", "--out", "o"), "whole numbers from 1 to 10"),
        (("ablate", "--axis", "shoes", "--out", "o"), "--axis is roles, rounds, pairs, topics"),
        (("ablate", "--go-on", "zzz", "--out", "o"), "0 ablations have an id"),
        (
            ("ablate", "--axis", "topics", "--values", "5,50", *MODEL, "--out", "o"),
            "There are 40 topics for age, of which 50",
        ),
        (
            ("ablate", "--axis", "topics", "--values", "5,50", "--data", "x.yaml", "--out", "o"),
            "take --values up to 40",
        ),
        (("ablate", "--data", "x.yaml", "--dry-run", "--out", "o"), "--dry-run does nothing with --data"),
        (("ablate", "--data", "x.yaml", "--budget-usd", "1", "--out", "o"), "--budget-usd does nothing with --data"),
        (("ablate", "--policy", "sgd", "--out", "o"), "--policy is rloo, ppo or dpo"),
        (("ablate", "--policy", "dpo", "--out", "o"), "--policy does nothing without --data"),
        (("ablate", "--seeds", "2", "--out", "o"), "--seeds does nothing without --data"),
        (("experiment", "--toy", "--rounds", "3", "--out", "e"), "leave out --bias and --rounds"),
        (("experiment", "--toy", "--roles", "4", "--out", "e"), "leave out --roles"),
        (("experiment", "--out", "e"), "--method is some of default, cot"),
        (("experiment", "--method", "sft", "--out", "e"), "Name BBQ's files with --data"),
        (("experiment", "--toy", "--teacher", "openai:x", "--out", "e"), "--toy brings its own teacher"),
        (("sheet", "x.yaml", "--raters", "1", "--out", "s"), "--raters"),
    ):
        refused = inside("rldf", *words)
        assert refused.code == 2, (words, refused)
        assert said in " ".join(refused.err.split()), (words, refused.err)


@pytest.mark.slow
def test_the_toys_answers_without_a_debate_make_pairs(folder: Path, inside: Run) -> None:
    assert inside("rldf", "toy", "--out", "toy").code == 0
    asked = ("--model", "scripted:toy/teacher.yaml", "--bias", "age", "--topics", "toy/topics.txt", "--repeats", "6")
    answered = inside("rldf", "answers", *asked, "--out", "a.jsonl")
    assert answered.code == 0, answered.err
    assert len({json.loads(line)["text"] for line in (folder / "a.jsonl").read_text().splitlines()}) == 96
    rlaif = ("rldf", "rlaif", "a.jsonl", "--judge", "linear:wordllama", "--ungated", "--out", "d", "--json")
    assert inside(*rlaif).json["by_split"]["train"]["pairs"] > 20


@pytest.mark.usefixtures("folder")
def test_the_toy_takes_the_seeds_orders_and_controls_that_are_typed(elenchus: Program) -> None:
    """Each stage is there already, in the words that are to come of it: in others the folder would be refused."""
    stages, out = elenchus.folder / "e" / "stages", "e/results/default-{}.json"
    stages.mkdir(parents=True)
    bbq = ["rldf", "bbq", "--model", "local:smollm2-135m", "--method", "default", "--name", "default"]
    how = ["--data", "e/toy/sample.jsonl", "--limit", "4", "--rotations", "2", "--base", "local:smollm2-135m"]
    sample = ["rldf", "sample", "--number", "4", "--out", "e/toy/sample.jsonl"]
    words = {"toy": ["rldf", "toy", "--out", "e/toy"], "sample": sample} | {
        f"bbq-default-{seed}": [*bbq, *how, "--seed", seed, "--out", out.format(seed)] for seed in "12"
    }
    for name, said in words.items():
        mark = {"name": name, "words": said, "code": 0, "ended": True, "document": {}, "seconds": 1, "peak_gb": 0}
        (stages / f"{name}.json").write_text(json.dumps(mark))
    for seed in (1, 2):
        (elenchus.folder / "e" / "results").mkdir(exist_ok=True)
        (elenchus.folder / out.format(seed)).write_text(measured("default", seed, 0.5).model_dump_json())
    typed = ("--seeds", "2", "--rotations", "2", "--controls")
    found = elenchus(
        "rldf", "experiment", "--toy", "--method", "default", "--items", "4", *typed, "--out", "e", "--json"
    )
    assert found.code == 0, found.err
    assert [of["name"] for of in found.json["stages"]] == [*words, "report"]
    told = found.err.splitlines()
    assert "stage 1 of 5: toy, which is done" in told
    assert "stage 5 of 5: report" in told


@pytest.mark.slow
def test_an_experiment_that_dies_goes_on_with_the_stage_at_which_it_died(folder: Path, elenchus: Program) -> None:
    asked = ("rldf", "experiment", "--toy", "--method", "default", "--items", "4", "--out", "e", "--json")
    (folder / "e" / "toy").mkdir(parents=True)
    (folder / "e" / "toy" / "teacher.yaml").write_text("what a run that died has left")
    first = elenchus(*asked)
    assert first.code == 0, first.err
    assert [of["name"] for of in first.json["stages"]] == ["toy", "sample", "bbq-default-1", "report"]
    assert "rules" in (folder / "e" / "toy" / "teacher.yaml").read_text()
    (folder / "e" / "stages" / "report.json").unlink()
    again = elenchus(*asked)
    assert again.code == 0, again.err
    assert again.json["stages"][:3] == first.json["stages"][:3], "what is done is not done again"
    other = elenchus("rldf", "experiment", "--toy", "--method", "default", "--items", "8", "--out", "e")
    assert other.code == 2
    assert "was begun with other settings" in " ".join(other.err.split())


@pytest.mark.slow
@pytest.mark.local_model
def test_the_stage_of_an_experiment_that_is_killed_ends_with_it(elenchus: Program) -> None:
    """It would hold what the same command wants to go on with, and work on where nobody sees it."""
    asked = ("rldf", "experiment", "--toy", "--method", "default", "--items", "120", "--out", "e")
    with elenchus.from_a_shell.start(*asked) as process:
        elenchus.wait_for("step_done", "item/")
        (stage,) = psutil.Process(process.pid).children()
        process.kill()
    _, left = psutil.wait_procs([stage], timeout=20)
    for one in left:
        one.kill()
    assert not left
