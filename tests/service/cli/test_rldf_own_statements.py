"""A judge's verdict on labelled statements of one's own: it holds for them, and opens nothing else."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from elenchus.detectors.alignment.gate.statements import LabelledStatement, read_statements
from elenchus.service.cli.rldf.gate import scores_by
from tests.service.cli.program import Program, Result
from tests.service.cli.test_rldf import SCRIPT
from tests.service.workers.test_detached_everywhere import ANSWER

Run = Callable[..., Result]


def lines(items: list[LabelledStatement]) -> str:
    """The statements as a file."""
    told, subject = [], ""
    for one in items:
        if one.subject != subject:
            subject = one.subject
            told.append(subject)
        told.append(f"{one.style} {'high' if one.high else 'low'}: {one.text}")
    return "\n".join(told) + "\n"


def test_one_topic_under_sixty_names_is_refused(elenchus: Program) -> None:
    first = read_statements()[:6]
    copied = [one.model_copy(update={"topic": f"topic number {n}"}) for n in range(60) for one in first]
    (elenchus.folder / "dups.txt").write_text(lines(copied))
    refused = elenchus("rldf", "gate", "--judge", "linear:wordllama", "--statements", "dups.txt")
    assert refused.code == 2
    assert "line 9: the same words stand in line 2 already" in " ".join(refused.err.split())


def test_the_scores_of_a_linear_judge_are_exported_and_its_figures_follow_from_them(elenchus: Program) -> None:
    done = elenchus("rldf", "gate", "--judge", "linear:wordllama", "--export", "gate", "--json")
    assert done.code == 0, done.err
    verdict = json.loads((elenchus.folder / "gate/gate.json").read_text())
    assert verdict["conditions"] == json.loads(done.out)["conditions"]
    with (elenchus.folder / "gate/scores.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["repeat"] == "1"]
    high, low = ([float(row["score"]) for row in rows if row["high"] == kind] for kind in "10")
    won = sum((a > b) + (a == b) / 2 for a in high for b in low) / len(high) / len(low)
    assert won == pytest.approx(verdict["conditions"][0]["value"])
    again = elenchus("rldf", "gate", "--judge", "linear:wordllama", "--export", "gate")
    assert again.code == 2
    assert "holds such files already" in " ".join(again.err.split())


@pytest.mark.slow
def test_a_verdict_on_ones_own_statements_opens_no_export_but_one_scored_by_them(elenchus: Program) -> None:
    """All but one of ours, to have a file that passes and is another one."""
    (elenchus.folder / "x.yaml").write_text(SCRIPT)
    own = elenchus.folder / "own.txt"
    own.write_text(lines(read_statements()[1:]))
    asked = ("rldf", "debate", "--limit", "5", "--rounds", "2", "--repeats", "2", "--model", "scripted:x.yaml")
    run = elenchus(*asked, "--json").json["run"]
    gate = elenchus("rldf", "gate", "--judge", "linear:wordllama", "--statements", str(own), "--json").json
    assert (gate["passed"], gate["own"]) == (True, True)
    export = ("rldf", "export", run, "--judge", "linear:wordllama", "--json")
    refused = elenchus(*export, "--out", "data")
    assert refused.code == 2, "that verdict is of another judge"
    assert "`elenchus rldf gate --judge linear:wordllama` first" in " ".join(refused.err.split())
    assert elenchus(*export, "--out", "data", "--statements", str(own)).json["gated"] is True
    card = (elenchus.folder / "data" / "README.md").read_text()
    assert "on 359 labelled statements of one's own" in card
    assert elenchus("rldf", "gate", "--judge", "linear:wordllama", "--json").json["own"] is False
    assert elenchus(*export, "--out", "data2").json["gated"] is True
    assert "of one's own" not in (elenchus.folder / "data2" / "README.md").read_text()


@pytest.mark.slow
def test_a_verdict_by_another_seed_is_told_and_opens_nothing(elenchus: Program) -> None:
    """A head that scores is drawn by seed 0: with another one its penalty, and what it calls high, may be others."""
    (elenchus.folder / "x.yaml").write_text(SCRIPT)
    run = elenchus("rldf", "debate", "--limit", "1", "--rounds", "1", "--model", "scripted:x.yaml", "--json").json[
        "run"
    ]
    tried = elenchus("rldf", "gate", "--judge", "linear:wordllama", "--seed", "2", "--json")
    assert tried.code == 0
    assert "is not kept: what scores is drawn by seed 0" in " ".join(tried.err.split())
    refused = elenchus("rldf", "export", run, "--judge", "linear:wordllama", "--out", "data")
    assert refused.code == 2
    assert "Nobody knows what the scores" in refused.err


def test_the_head_that_scores_has_seen_the_statements_that_it_is_given() -> None:
    """With the labels turned round it says the opposite."""
    items = read_statements()
    turned = [one.model_copy(update={"high": not one.high}) for one in items]
    texts = [one.text for one in items[:6]]
    ours, others = (scores_by("linear:wordllama", texts, of) for of in (items, turned))
    assert [score > 3 for score in ours] == [one.high for one in items[:6]]
    assert [score > 3 for score in others] == [not one.high for one in items[:6]]


def test_a_file_of_statements_for_an_export_is_read_before_anything_else(elenchus: Program, tmp_path: Path) -> None:
    missing = tmp_path / "none.txt"
    refused = elenchus("rldf", "export", "zzz", "--out", "d", "--statements", str(missing))
    assert refused.code == 2
    assert "none.txt" in refused.err


def test_a_verdict_counts_that_came_when_a_gate_was_gone_on_with(elenchus: Program, inside: Run) -> None:
    """As does that of a gate that a worker has run: whoever ran it, it stands in the log."""
    (elenchus.folder / "x.yaml").write_text(SCRIPT)
    (elenchus.folder / "own.txt").write_text(lines(read_statements()[:12]))
    (elenchus.folder / "a.jsonl").write_text(json.dumps(ANSWER) + "\n")
    judge = ("--judge", "scripted:x.yaml", "--statements", "own.txt")
    begun = inside("rldf", "gate", *judge, "--budget-tokens", "300", "--json")
    assert begun.code != 0
    rlaif = ("rldf", "rlaif", "a.jsonl", *judge, "--out", "pairs")
    assert "was never tried" in inside(*rlaif).err
    assert inside("sessions", "budget", begun.json["id"], "--tokens", "900000").code == 0
    assert inside("sessions", "resume", begun.json["id"]).code == 0
    assert "has failed the judge gate" in inside(*rlaif).err
