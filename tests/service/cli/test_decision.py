"""`elenchus decision`."""

from __future__ import annotations

import json
import signal
from importlib.util import find_spec

import pytest

from elenchus.detectors.decision.data import read_debates, write_debates
from elenchus.detectors.decision.record import known_texts
from elenchus.detectors.decision.simulate import simulate
from elenchus.detectors.decision.weights import weights_of
from tests.service.cli.program import PATIENCE, Program
from tests.service.cli.test_debate import refused
from tests.service.cli.test_detect import NOTE, QUOTE, SCRIPT

QUICK = ("--learner", "genetic", "--learner", "logistic")
QUOTES = {"sunk-cost-fallacy": "throw away three years like an old coat", "loss-aversion": "have forfeited something"}
"""Words of the known texts on which an answer can rest."""


def about_known_text(elenchus: Program, bias: str) -> None:
    """The known text on a bias, and a script that quotes it."""
    text = next(text for text, known in known_texts().items() if known == bias)
    (elenchus.folder / "note.txt").write_text(text)
    (elenchus.folder / "sunk.yaml").write_text(SCRIPT.replace(QUOTE, QUOTES[bias]))


def test_evaluate_compares_learners_baseline_and_the_papers_weights_and_says_simulated(elenchus: Program) -> None:
    result = elenchus("decision", "evaluate", "--simulate", "120", "--seeds", "3", *QUICK, "--json", "--export", "out")
    assert result.code == 0, result.err
    found = result.json
    assert (found["data"], found["simulated"], found["train"] + found["held_out"]) == (
        "120 simulated debates",
        True,
        120,
    )
    names = [row["name"] for row in found["rows"]]
    assert names[:3] == ["genetic", "logistic", "plain mean"]
    assert [name for name in names if "paper" in name] == names[3:]
    assert len(names) == 7
    for row in found["rows"]:
        assert len(row["runs"]) == 3
        assert row["held_out"]["low"] <= row["held_out"]["mean"] <= row["held_out"]["high"]
    assert "ogistic regression" in found["verdict"]
    assert "genetic, seed 3 of 3" in result.err
    table = (elenchus.folder / "out" / "runs.csv").read_text().splitlines()
    assert len(table) == 1 + 7 * 3
    assert all(line.startswith("120 simulated debates,") for line in table[1:])
    assert json.loads((elenchus.folder / "out" / "report.json").read_text()) == found
    shown = elenchus("decision", "evaluate", "--simulate", "120", "--seeds", "3", *QUICK)
    assert "SIMULATED" in shown.out
    assert found["verdict"] in shown.out


def test_trained_weights_decide_a_detection_and_say_where_they_are_from(elenchus: Program) -> None:
    (elenchus.folder / "sunk.yaml").write_text(SCRIPT)
    (elenchus.folder / "note.txt").write_text(NOTE)
    trained = elenchus("decision", "train", "--simulate", "100", "--learner", "logistic", "--export", "out", "--json")
    assert trained.code == 0, trained.err
    weights = trained.json["rows"][0]["best"]["weights"]
    result = elenchus(
        "detect", "note.txt", "--model", "scripted:sunk.yaml", "--weights", "out/weights-logistic.yaml", "--json"
    )
    assert result.code == 0, result.err
    assert len(result.json["matches"]) == 1
    used = result.json["decision"]["weights"]
    assert used["values"] == weights
    assert "of 100 simulated debates by logistic" in used["source"]


def test_debates_come_from_a_file_and_given_weights_are_measured_too(elenchus: Program) -> None:
    write_debates(elenchus.folder / "d.jsonl", simulate(60, 1))
    (elenchus.folder / "own.json").write_text("[1, 0, 0, 0, 0, 0]")
    result = elenchus(
        "decision", "evaluate", "--data", "d.jsonl", "--seeds", "2", *QUICK, "--weights", "own.json", "--json"
    )
    assert result.code == 0, result.err
    assert result.json["rows"][-1]["best"]["weights"] == [1, 0, 0, 0, 0, 0]


def test_what_cannot_be_learnt_from_is_refused_in_one_sentence(elenchus: Program) -> None:
    (elenchus.folder / "bad.jsonl").write_text('{"first": 1}\n')
    write_debates(elenchus.folder / "d.jsonl", simulate(20, 1))
    for arguments, told in (
        ((), "--data FILE, or --simulate N"),
        (("--data", "d.jsonl", "--simulate", "50"), "--data FILE, or --simulate N"),
        (("--simulate", "3"), "--simulate must be between"),
        (("--simulate", "50", "--seeds", "0"), "--seeds must be between"),
        (("--data", "none.jsonl"), "cannot be read"),
        (("--data", "bad.jsonl"), "line 1: "),
        (("--data", "d.jsonl", "--learner", "guessing"), "There is no learner"),
        (("--data", "d.jsonl", "--learner", "genetic", "--weights", "none.yaml"), "cannot be read"),
    ):
        assert told in refused(elenchus("decision", "evaluate", *arguments, "--json"))


@pytest.mark.skipif(find_spec("torch") is not None, reason="torch is installed here")
def test_without_torch_its_learner_says_what_to_install_and_the_others_run(elenchus: Program) -> None:
    assert "pip install 'elenchus[train]'" in refused(elenchus("decision", "train", "--simulate", "50", "--json"))
    result = elenchus("decision", "evaluate", "--simulate", "50", "--seeds", "1", "--json")
    assert result.code == 0, result.err
    assert "dqn-genetic is left out: it needs torch" in result.err


def test_ctrl_c_ends_a_training_at_once(elenchus: Program) -> None:
    process = elenchus.start("decision", "train", "--simulate", "5000", "--learner", "genetic", "--seeds", "100")
    assert process.stderr is not None
    assert "genetic, seed 1 of 100" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert out == ""


def test_detections_of_labelled_texts_become_data(elenchus: Program) -> None:
    about_known_text(elenchus, "sunk-cost-fallacy")
    assert "No finished detection" in refused(elenchus("decision", "record", "d.jsonl", "--json"))
    assert "--label goes with" in refused(elenchus("decision", "record", "d.jsonl", "--label", "reactance", "--json"))
    assert elenchus("detect", "note.txt", "--model", "scripted:sunk.yaml").code == 0
    result = elenchus("decision", "record", "d.jsonl", "--json")
    assert result.code == 0, result.err
    assert (result.json["sessions"], result.json["debates"], result.json["without_right_side"]) == (1, 1, 0)
    (debate,) = read_debates(elenchus.folder / "d.jsonl")
    assert (debate.first, debate.right, debate.origin) == ("sunk-cost-fallacy", "first", "recorded")
    assert "about one text" in refused(elenchus("decision", "evaluate", "--data", "d.jsonl", *QUICK, "--json"))


def test_what_was_recorded_and_imported_is_learnt_from_and_becomes_weights(elenchus: Program) -> None:
    for bias in QUOTES:
        about_known_text(elenchus, bias)
        assert elenchus("detect", "note.txt", "--model", "scripted:sunk.yaml").code == 0
    assert elenchus("decision", "record", "d.jsonl").code == 0
    recorded = read_debates(elenchus.folder / "d.jsonl")
    assert {(debate.right, debate.origin) for debate in recorded} == {("first", "recorded"), ("second", "recorded")}
    elsewhere = recorded[0].model_copy(update={"origin": "imported", "group": "theirs"})
    write_debates(elenchus.folder / "all.jsonl", (*recorded, elsewhere))
    learnt = elenchus(
        "decision", "train", "--data", "all.jsonl", "--learner", "genetic", "--seeds", "2", "--export", "out", "--json"
    )
    assert learnt.code == 0, learnt.err
    assert (learnt.json["data"], learnt.json["simulated"]) == ("2 recorded and 1 imported debates", False)
    weights = weights_of(str(elenchus.folder / "out" / "weights-genetic.yaml"))
    assert list(weights.values) == learnt.json["rows"][0]["best"]["weights"]
    assert "of 2 recorded and 1 imported debates by genetic" in weights.source
