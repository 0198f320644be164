"""What docs/detection.md says of detection's numbers is what the program and its notes have."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from elenchus import detectors
from elenchus.detectors.decision.data import read_debates
from elenchus.detectors.decision.weights import CRITERIA, built_in
from elenchus.detectors.matches import STAGES

PAGE = (Path(__file__).parents[2] / "docs" / "detection.md").read_text(encoding="utf-8")
DETECTORS = Path(detectors.__file__).parent


def rows_of(text: str) -> list[list[str]]:
    """All rows of all tables of a page, cell by cell, without marks."""
    lines = re.findall(r"^\| (.*) \|$", text, flags=re.MULTILINE)
    return [[cell.strip("*` ") for cell in line.split("|")] for line in lines]


def test_the_words_of_each_stage_are_those_that_a_side_has() -> None:
    told = re.findall(r"(introduction|argument|refutation|summary) \((\d+)", PAGE)
    assert {stage: int(words) for stage, words in told} == dict(STAGES)


def test_the_weights_are_those_that_come_along_in_the_order_of_the_criteria() -> None:
    rows = rows_of(PAGE)
    head = next(place for place, row in enumerate(rows) if row[1:] == list(CRITERIA))
    shown = {row[0].split("`")[0]: row[1:] for row in rows[head + 2 : head + 6]}
    learned = {name: weights.values for name, weights in built_in().items() if name != "mean"}
    assert {name: tuple(float(cell.replace("−", "-")) for cell in row) for name, row in shown.items()} == learned


def test_the_agreement_of_the_second_readers_is_the_recorded_one() -> None:
    review = yaml.safe_load((DETECTORS / "evaluation" / "second_review.yaml").read_text(encoding="utf-8"))
    readings = (review, review["second_reading"])
    labels = [label for reading in readings for label in reading["labels"]]
    agreeing = [one for one in labels if one["label"] == (one["text"] if one["twin"] == "biased" else "none")]
    both = readings[1]["figures"]["both_readings"]
    assert len({(one["text"], one["twin"]) for one in labels}) == len(labels) == both["texts"] == 146
    assert len(agreeing) == both["agreeing"] == sum(r["figures"]["exact_agreement"]["agreeing"] for r in readings)
    assert f"agreed with the writers on\nall {len(agreeing)} (exact agreement 1.00" in PAGE
    assert both["exact_95"][0] == round(0.025 ** (1 / 146), 3), "Clopper and Pearson's lower end where all agree"
    assert f"Clopper–Pearson 95 %: {both['exact_95'][0]}" in PAGE


def test_the_line_of_data_that_is_shown_is_one_that_is_read(tmp_path: Path) -> None:
    shown = PAGE.partition("```json\n")[2].partition("```")[0]
    (tmp_path / "d.jsonl").write_text(" ".join(shown.splitlines()), encoding="utf-8")
    (debate,) = read_debates(tmp_path / "d.jsonl")
    assert (debate.origin, len(debate.cards_of("first")), len(debate.cards_of("second"))) == ("imported", 1, 0)


def test_the_figures_of_the_learners_are_those_of_the_notes() -> None:
    notes = rows_of((DETECTORS / "decision" / "NOTES.md").read_text(encoding="utf-8"))
    simulated = [row[1:3] for row in notes if re.fullmatch(r"[\d.]+ \([\d.–]+\)", row[-1])]
    assert len(simulated) == 7
    here = [row[1:3] for row in rows_of(PAGE)]
    assert [row for row in simulated if row not in here] == []
