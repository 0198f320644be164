"""A rubric is data: one more criterion in its file is asked for, counted, shown and explained everywhere."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from pydantic import BaseModel

from elenchus.debate_engine.protocols.judging.protocol import prompts
from elenchus.debate_engine.protocols.judging.rubric import PREFERENCE, RULING, Rubric
from elenchus.debate_engine.protocols.judging.schemas import Preference, Ruling
from tests.service.cli.program import ROOT, Program

PACKAGES = ("bot", "config", "debate_engine", "detectors", "service", "storage")
MORE = """        Criterion("civility", "is it fair to the other side?", "how fair this side is", "whether it is fair"),
"""


def grown(folder: Path) -> Path:
    """The program with one line more in its rubric of rulings; the folder to import it from."""
    for package in PACKAGES:
        leave = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, folder / "elenchus" / package, ignore=leave)
    shutil.copy(ROOT / "src" / "elenchus" / "__init__.py", folder / "elenchus")
    rubric = folder / "elenchus" / "debate_engine" / "protocols" / "judging" / "rubric.py"
    text = rubric.read_text(encoding="utf-8")
    before = '        Criterion(\n            "validity",'
    assert before in text
    rubric.write_text(text.replace(before, MORE + before, 1), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_one_more_criterion_in_one_file_is_in_prompts_answers_tables_and_codebook(tmp_path: Path) -> None:
    env = {"PYTHONPATH": str(grown(tmp_path / "lib"))}
    seats = ("--pro", "scripted:demo", "--con", "scripted:demo", "--judge", "scripted:demo", "--topics", "1")
    out = tmp_path / "out"
    done = Program(tmp_path / "home", tmp_path)("debate", "Tea", *seats, "--max-rounds", "1", "--export", out, env=env)
    assert done.code == 0, done.err
    events = [json.loads(line) for line in (out / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    asked = [e for e in events if e["kind"] == "step_done" and "-claims/topic/" in e["step"]]
    assert asked
    for event in asked:
        assert "civility of each side, from 1 (very weak) to 10" in json.dumps(event["inputs"])
        assert {"a_civility", "b_civility"} <= event["result"]["value"].keys()
    rows = list(csv.DictReader(io.StringIO((out / "scores.csv").read_text(encoding="utf-8"))))
    given = [row for row in rows if (row["source"], row["criterion"]) == ("judge", "civility")]
    assert len(given) == 2 * len(asked)
    assert all(row["value"] for row in given)
    assert "| judge | civility | how fair this side is |" in (out / "scores-codebook.md").read_text(encoding="utf-8")
    assert "| judge-1 | civility |" in (out / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("schema", "rubric", "places", "choice"),
    [(Ruling, RULING, ("a", "b"), "winner"), (Preference, PREFERENCE, ("first", "second"), "preferred")],
)
def test_reasons_come_before_scores_and_these_before_the_choice(
    schema: type[BaseModel], rubric: Rubric, places: tuple[str, str], choice: str
) -> None:
    scores = [f"{place}_{criterion.name}" for place in places for criterion in rubric.criteria]
    assert list(schema.model_fields) == ["rationale", *scores, choice]


def test_people_and_models_are_told_of_every_criterion() -> None:
    known = dict.fromkeys(prompts.ruling.variables, "x") | {"rubric": RULING, "question": False}
    rendered = prompts.ruling.render(**known)
    assert rendered.person
    for criterion in RULING.criteria:
        assert (
            f"{criterion.name} of each side, from 1 (very weak) to 10 (very strong): {criterion.asks}" in rendered.task
        )
        assert f"{criterion.name}, {criterion.person}" in rendered.person
