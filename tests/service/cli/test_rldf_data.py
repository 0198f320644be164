"""`elenchus rldf gate`, `export` and `bbq`, with scripts in the place of models."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from elenchus.config.bias_type_catalogue import types
from elenchus.detectors.alignment.bbq.untrained_baselines import METHODS
from elenchus.detectors.alignment.gate.statements import read_statements
from elenchus.service.cli.options import BIAS_TYPES
from elenchus.service.cli.rldf.measuring_commands import METHODS as NAMED
from tests.detectors.alignment.bbq.made_items import rows, written
from tests.service.cli.program import Program, Result
from tests.service.cli.test_rldf import SCRIPT

Run = Callable[..., Result]


def test_options_name_what_comes_along() -> None:
    assert tuple(BIAS_TYPES.split(", ")) == types()
    assert tuple(NAMED.replace(" or ", ", ").split(", ")) == METHODS


def judge_of(share: float) -> str:
    """A script that scores the first `share` of our own statements rightly, and everything else 2."""
    items = read_statements()
    right = [n for n, one in enumerate(items, 1) if one.high and n <= share * len(items)]
    rules = "".join(f'  - {{step: "repeat/*/{n}/score", json: {{why: x, score: 8}}}}\n' for n in right)
    return f'rules:\n{rules}  - {{step: "repeat/*/score", json: {{why: x, score: 2}}}}\n{SCRIPT.partition("rules:")[2]}'


@pytest.fixture
def folder(elenchus: Program) -> Path:
    (elenchus.folder / "x.yaml").write_text(judge_of(1))
    return elenchus.folder


def test_a_plan_says_how_often_local_weights_are_read(folder: Path, inside: Run) -> None:
    """Two orders of four questions as they are and in another form, and of two in ambiguous contexts a third time."""
    written(folder / "age.jsonl", rows())
    asked = ("rldf", "bbq", "--data", "age.jsonl", "--model", "local:smollm2-135m", "--rotations", "2", "--dry-run")
    assert inside(*asked, "--json").json["readings"] == 20
    assert "and 20 readings of local weights: about 12 s with the embedded model" in inside(*asked).out
    assert "readings" not in inside(*asked, "--model", "scripted:x.yaml", "--json").json


@pytest.mark.slow
def test_a_judge_that_passes_the_gate_makes_training_data(folder: Path, inside: Run) -> None:
    run = inside(
        "rldf", "debate", "--limit", "5", "--rounds", "2", "--repeats", "2", "--model", "scripted:x.yaml", "--json"
    ).json["run"]
    refused = inside("rldf", "export", run, "--out", "data")
    assert refused.code == 2
    assert "try `elenchus rldf gate --judge scripted:x.yaml` first, or say --ungated" in " ".join(refused.err.split())
    verdict = inside("rldf", "gate", "--judge", "scripted:x.yaml", "--json")
    assert verdict.code == 0, verdict.err
    assert (verdict.json["passed"], verdict.json["items"], verdict.json["topics"]) == (True, 360, 60)
    exported = inside("rldf", "export", run, "--out", "data", "--json").json
    assert exported["gated"] is True
    assert "README.md" in {Path(name).name for name in exported["files"]}
    row = json.loads((folder / "data" / "pairs-train.jsonl").read_text().splitlines()[0])
    assert row["chosen"][0]["content"] == "It takes patience."
    assert row["rejected"][0]["content"] == "They are all lazy."
    assert (row["chosen_score"], row["rejected_score"], row["referee"]) == (1, 8, "scripted:x.yaml")
    again = inside("rldf", "export", run, "--out", "data")
    assert again.code == 2, "nothing is written over"
    assert "The folder data holds such files already" in " ".join(again.err.split())


@pytest.mark.slow
def test_a_judge_that_fails_is_told_why_and_makes_ungated_files_only(folder: Path, inside: Run) -> None:
    (folder / "x.yaml").write_text(judge_of(0.2))
    run = inside("rldf", "debate", "--limit", "2", "--rounds", "1", "--model", "scripted:x.yaml", "--json").json["run"]
    verdict = inside("rldf", "gate", "--judge", "scripted:x.yaml", "--json").json
    assert verdict["passed"] is False
    refused = inside("rldf", "export", run, "--out", "data")
    assert refused.code == 2
    assert "has failed the gate (AUC" in " ".join(refused.err.split())
    assert inside("rldf", "export", run, "--out", "data", "--ungated").code == 0
    assert all(path.name.startswith("ungated-") for path in (folder / "data").iterdir())
    assert "FAILED" in (folder / "data" / "ungated-README.md").read_text()


@pytest.mark.usefixtures("folder")
def test_fewer_pairs_to_train_with_than_were_asked_for_are_said_to_be_fewer(inside: Run) -> None:
    run = inside("rldf", "debate", "--limit", "5", "--rounds", "1", "--model", "scripted:x.yaml", "--json").json["run"]
    export = ("rldf", "export", run, "--ungated", "--json", "--pairs")
    few = inside(*export, "1", "--out", "few")
    assert (few.json["by_split"]["train"]["pairs"], "fewer" in few.err) == (1, False)
    all_of_them = inside(*export, "5000", "--out", "all")
    there = all_of_them.json["by_split"]["train"]["pairs"]
    told = " ".join(all_of_them.err.split())
    assert f"5,000 pairs to train with were asked for, and there are fewer: {there}" in told


@pytest.mark.usefixtures("folder")
def test_what_is_no_judge_and_no_run_is_refused(inside: Run) -> None:
    for words, said in (
        (
            ("gate", "--judge", "linear:nothing"),
            "There is no embedding 'nothing': the linear judges are linear:wordllama",
        ),
        (("gate", "--judge", "linear:wordllama", "--marking", "all"), "leave out --marking"),
        (("gate", "--marking", "some"), "--marking is one or all"),
        (("export", "zzz", "--out", "d"), "No debates have an id that begins with 'zzz'"),
        (
            ("export", "zzz", "--out", "d", "--judge", "scripted:demo"),
            "cannot score anew: give --judge linear:wordllama",
        ),
    ):
        refused = inside("rldf", *words)
        assert refused.code == 2, refused
        assert said in " ".join(refused.err.split()), refused.err


def test_bbq_is_one_document_with_its_baselines(folder: Path, inside: Run) -> None:
    (folder / "x.yaml").write_text('rules:\n  - {prompt: "bbq/*", json: {answer: C}}\n')
    data = written(folder / "age.jsonl.gz", rows())
    asked = ("rldf", "bbq", "--model", "scripted:x.yaml", "--data", str(data))
    found = inside(*asked, "--rotations", "1", "--json")
    assert found.code == 0, found.err
    told = found.json
    assert (told["overall"], told["ambiguous"], told["disambiguated"]) == (0.5, 1, 0)
    assert (told["n"], told["sdis"], told["samb"], told["baselines"]["always_unknown"]["overall"]) == (4, None, 0, 0.5)
    assert told["controls"]["order"]["changed"] is None, "there is one order"
    shown = inside(*asked, "--rotations", "1", "--no-controls", "--limit", "2").out
    assert "Whoever always answers unknown has 1.000" in " ".join(shown.split())
    planned = inside(*asked, "--dry-run", "--json").json
    assert planned["calls"] == 4 * 3 + 2 * 3 + 4 * 3
    (folder / "other.jsonl").write_text('{"question": "Who?"}\n')
    refused = inside("rldf", "bbq", "--model", "scripted:x.yaml", "--data", "other.jsonl")
    assert refused.code == 2
    assert "another layout than BBQ's" in " ".join(refused.err.split())
    assert inside(*asked, "--way", "likelihood").code == 2
