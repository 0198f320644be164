"""The page: nothing simulated beside a figure of the paper's, each figure with its gates, and what is not shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.reports.canvas import Picture
from elenchus.debate_engine.reports.document import Report, markdown_of
from elenchus.debate_engine.reports.html import html_of
from elenchus.detectors.alignment.ablation import Ablation, Point
from elenchus.detectors.alignment.bbq.results import Measured
from elenchus.detectors.alignment.lineage import SCRIPT
from elenchus.detectors.alignment.report.page import page
from elenchus.detectors.alignment.report.paper import BBQ, METHODS, NOT_SHOWN
from elenchus.detectors.alignment.report.run_contents import RunContents, found_in
from elenchus.detectors.alignment.rubric.answers import Answer
from elenchus.detectors.alignment.rubric.figures import rated_report
from elenchus.detectors.alignment.rubric.rating import Rating
from elenchus.detectors.evaluation.intervals import Estimate
from tests.detectors.alignment.bbq.made_items import items
from tests.detectors.alignment.bbq.test_comparison import ITEMS, measured
from tests.detectors.alignment.test_export import verdict


def section(report: Report, name: str) -> str:
    (found,) = (one for one in report.sections if one.id == name)
    return "\n".join(map(str, found.blocks))


def test_a_sample_or_a_script_never_stands_in_the_papers_table() -> None:
    sample = measured("rldf", 1, 0.7, published=False)
    script = measured("sft", 1, 0.7, scripted=True, published=True)
    report, _ = page(RunContents(measured=[sample, script]), "today")
    table_1 = section(report, "bbq")
    assert "Nothing of ours stands in this table" in table_1
    assert "ours" not in table_1.replace("of ours", "")
    assert "| rldf (x) |" in section(report, "sample")
    assert "sft (a script)" in section(report, "sample")
    assert report.notices, "the plumbing alone"


def test_what_a_script_taught_never_stands_in_the_papers_table_though_it_was_asked_bbq_itself() -> None:
    """Its own answers to BBQ's own questions, and what they come from was simulated."""
    taught, default = measured("rldf", 1, 0.7, published=True, taught=True), measured("default", 1, 0.5, published=True)
    report, _ = page(RunContents(measured=[taught, default]), "today")
    assert "rldf" not in "".join(
        line for line in section(report, "bbq").splitlines() if "ours" in line or "(x)" in line
    )
    assert "| rldf (x) |" in section(report, "sample")
    sft = measured("sft", 1, 0.7, published=True, taught=True)
    less, _ = page(RunContents(measured=[sft, taught, default]), "today")
    assert not any("default less sft" in line for line in less.summary), "nor does a difference to it"
    assert any(
        line.startswith("rldf less sft, 80 questions that are not BBQ's, or simulated:") for line in less.summary
    )
    (row,) = (line for line in section(less, "bbq").splitlines() if line.startswith("| default (x)"))
    assert row.split(" | ")[3] == "–"
    alone, _ = page(RunContents(measured=[taught]), "today")
    assert "only a script, or what it taught, was asked BBQ's own questions" in section(alone, "bbq")


def test_ratings_of_what_a_script_has_answered_or_taught_say_so() -> None:
    answers = [
        Answer(
            id=f"{name}-{n}", name=name, model=model, bias="age", about="x", topic=f"topic {n}", sample=1, text="words"
        )
        for name, model in (("default", "local:x"), ("sft", "scripted:t.yaml"))
        for n in range(2)
    ]
    by = {rater: [Rating(id=one.id, ce=1, ls=2, bs=3) for one in answers] for rater in ("one", "other")}
    report = rated_report(answers, by, people=True, gates={}, simulated={"sft": SCRIPT})
    told = section(page(RunContents(rated=[report]), "today")[0], "rated")
    assert "| sft (a script) | all |" in told
    assert "| default | all |" in told


def test_bbq_itself_stands_beside_the_paper_with_intervals_and_less_sft() -> None:
    runs = [measured(name, seed, 0.7, published=True) for name in ("sft", "rldf") for seed in (1, 2, 3)]
    report, _ = page(RunContents(measured=runs, judges=[verdict(passed=True)]), "today")
    table_1 = section(report, "bbq")
    assert "| ours: x | – | – |" in table_1
    assert table_1.count(" to ") > 2
    assert all(f"{row['rldf']:.3f}" in table_1 for row in BBQ.values())
    assert not report.notices
    assert any("rldf less sft" in line for line in report.summary)
    assert "The judge scripted:x passes the judge gate." in " ".join(report.summary)


def test_methods_that_no_rule_without_understanding_is_worse_than_are_named_before_all_differences() -> None:
    low, lower, high = measured("sft", 1, 0.6), measured("rldf", 1, 0.5), measured("default", 1, 1.0)
    (short,) = {one.document["baselines"]["short_context"]["overall"] for one in (low, lower, high)}
    report, _ = page(RunContents(measured=[low, lower, high]), "today")
    told = f"No better than unknown in short contexts and a coin in long ones ({short:.3f}): sft, rldf (80 questions)."
    assert report.summary[1] == told
    report, _ = page(RunContents(measured=[high]), "today")
    assert not any("No better" in line for line in report.summary)


def test_how_often_unknown_is_chosen_where_the_text_does_tell_stands_beside_the_accuracy() -> None:
    one = measured("rldf", 1, 0.7, published=True)
    share = one.document["unknown"]["disambiguated"]
    report, _ = page(RunContents(measured=[one]), "today")
    lines = section(report, "bbq").splitlines()
    place = next(n for n, line in enumerate(lines) if "unknown (dis.)" in line)
    head, row = lines[place], lines[place + 2]
    cells = dict(zip(head.split("|"), row.split("|"), strict=True))
    assert cells[" unknown (dis.) "].strip().startswith(f"{share:.3f}")


def test_what_was_asked_bbq_itself_after_a_scripts_teaching_is_not_said_to_have_been_asked_other_questions() -> None:
    report, _ = page(RunContents(measured=[measured("rldf", 1, 0.7, published=True, taught=True)]), "today")
    told = "Measured: 0 methods beside the paper's, 1 apart from them (other questions, a script, or what it taught)."
    assert report.summary[0] == told


def test_each_set_of_bbqs_questions_has_a_row_of_its_own_in_the_papers_table() -> None:
    both = (measured("sft", 1, 0.9, published=True), measured("sft", 1, 0.2, ITEMS[:40], published=True))
    report, _ = page(RunContents(measured=[*both]), "today")
    rows = [line for line in section(report, "bbq").splitlines() if line.startswith("| ours")]
    assert [f"{one.document['overall']:.3f}" in row for one, row in zip(both, rows, strict=True)] == [True, True]
    assert ["Age, 80 questions" in rows[0], "Age, 40 questions" in rows[1]] == [True, True]


def test_what_was_asked_a_category_at_a_time_may_stand_as_one_set_on_the_page() -> None:
    whole = tuple(items("Age", "Nationality", questions=10))
    parts = [
        measured(name, 1, right, tuple(one for one in whole if one.category == category), published=True)
        for name, right in (("sft", 0.5), ("rldf", 0.9))
        for category in ("Age", "Nationality")
    ]
    found = RunContents(measured=[*parts, measured("sft", 1, 0.7, published=False)])
    report, _ = page(found, "today", together=True)
    table_1 = section(report, "bbq")
    assert len([line for line in table_1.splitlines() if line.startswith("| ours")]) == 1
    assert "Ours are over Age, Nationality, 80 questions." in table_1
    assert any("rldf less sft" in line for line in report.summary)
    assert "| sft (x) |" in section(report, "sample"), "what is not BBQ stays apart"
    apart, _ = page(found, "today")
    assert len([line for line in section(apart, "bbq").splitlines() if line.startswith("| ours")]) == 2
    assert section(apart, "baselines") == section(report, "baselines")


def test_what_is_not_shown_is_said_in_words_and_without_a_gate_so_is_that() -> None:
    report, _ = page(RunContents(measured=[measured("sft", 1, 0.5)]), "today")
    told = markdown_of(report)
    assert "No gate was run" in told
    for words in ("no interval", ".500", ".005 to .021", "runs the other way"):
        assert words in section(report, "not-shown")
    assert len(NOT_SHOWN) == 5


def test_the_papers_differences_are_those_of_its_table() -> None:
    assert [round(row["rldf"] - row["sft"], 3) for row in BBQ.values()] == [0.005, 0.021, 0.017, 0.014]
    assert max(row["default"] for row in BBQ.values()) < 0.5
    assert all(list(row) == list(METHODS) for row in BBQ.values())


def test_what_others_named_has_no_effect_on_the_page() -> None:
    name = "\x1b[31m<script>alert(1)</script>](x) | *y*"
    judge = verdict(passed=True, labelled=name).model_copy(update={"judge": name})
    gate = {"passed": False, "conditions": [{"why": name, "wanted": name, "passed": False}]}
    training = {"settings": {"stage": "reward"}, "gate": gate, "state": name, "examples": name}
    found = RunContents(
        measured=[measured(name, 1, 0.5)], judges=[judge], trainings={name: training},
        curves={name: Picture("curves-x", b"", b"", f"The course of {name}")},
    )  # fmt: skip
    report, _ = page(found, "today")
    told = markdown_of(report)
    assert told.count("alert(1)") > 8
    assert "<script" not in told.replace("\\<script", "")
    assert "\x1b" not in told
    assert "The numbers are in log.jsonl of the training." in html_of(
        report, {"curves-x": Picture("curves-x", b"", b"", "x")}
    )
    written = html_of(report, {})
    assert "<script>alert" not in written
    assert "\x1b" not in written


def ablation(**more: Any) -> Ablation:
    point = Point(value=10, figures={"accuracy": Estimate(value=0.6)}, n=8, gates="judge FAILED or not run")
    return Ablation(axis="pairs", points=(point,), scripted=False, trained=True, **more)


def test_an_ablation_of_trained_models_names_its_gates_and_calls_nothing_bbq_that_is_not(tmp_path: Path) -> None:
    sample, _ = page(RunContents(ablations=[(ablation(), None)]), "today")
    told = section(sample, "ablations")
    assert "| pairs | gates | accuracy, not BBQ | n |" in told
    assert "trained models, asked other questions than BBQ's" in told
    assert "| 10 | judge FAILED or not run | 0.600 | 8 |" in told
    published, _ = page(RunContents(ablations=[(ablation(published=True), None)]), "today")
    assert "| pairs | gates | BBQ accuracy | n |" in section(published, "ablations")


def test_beside_an_ablation_its_values_are_not_thrown_together_and_trainings_called_alike_are_told_apart(
    tmp_path: Path,
) -> None:
    for name, right in (("pairs-10", 0.4), ("pairs-20", 0.8)):
        for file, text in (
            ("results/rldf-1.json", measured("rldf", 1, right).model_dump_json()),
            ("sft-1/run.json", json.dumps({"settings": {"stage": "sft"}})),
        ):
            (tmp_path / name / file).parent.mkdir(parents=True)
            (tmp_path / name / file).write_text(text)
    both = found_in([tmp_path])
    assert list(both.trainings) == ["sft-1", "pairs-20-sft-1"]
    report, _ = page(both, "today")
    assert any("1 measurings are there twice" in line for line in report.summary)
    (tmp_path / "ablation.json").write_text(ablation().model_copy(update={"points": POINTS}).model_dump_json())
    of = found_in([tmp_path])
    assert (len(of.ablations), of.measured, of.trainings) == (1, [], {})


POINTS = tuple(Point(value=value, figures={"accuracy": Estimate(value=0.6)}, n=8) for value in (10, 20))


def test_folders_are_searched_and_what_is_none_of_ours_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "sft-1.json").write_text(measured("sft", 1, 0.5).model_dump_json())
    (tmp_path / "gate.json").write_text(verdict(passed=False).model_dump_json())
    (tmp_path / "other.json").write_text("{]")
    (tmp_path / "list.json").write_text(json.dumps([1]))
    (tmp_path / "kind.json").write_text(json.dumps({"kind": "rldf-bbq"}))
    found = found_in([tmp_path])
    assert (len(found.measured), len(found.judges)) == (1, 1)
    with pytest.raises(UsageError, match="There is nothing at"):
        found_in([tmp_path / "nowhere"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="nothing was measured there yet"):
        found_in([tmp_path / "empty"])


SUMS = {"a": [[1, 1, 1, 0, 0]] * 2}
BARE: dict[str, Any] = {
    "kind": "rldf-bbq", "name": "sft", "model": "x", "seed": 1, "published": True, "scripted": False, "items": "q",
    "sums": SUMS, "document": {"n": 1, "by_category": {}, "baselines": {}, "controls": {}},
}  # fmt: skip
MALFORMED: dict[str, dict[str, Any]] = {
    "settings that are a list": {"settings": [1], "gate": "x"},
    "a session's export": {"protocol": "rldf-gate", "state": "finished", "settings": {"judge": "scripted:x"}},
    "data that are none": {"settings": {"stage": "sft", "data": None}},
    "conditions that are none": {"settings": {"stage": "reward"}, "gate": {"conditions": [{"passed": "yes"}]}},
    "a number of conditions": {"settings": {"stage": "reward"}, "gate": {"conditions": 5}},
    "figures that are missing": {**BARE, "document": {}},
    "sums of another kind": {**BARE, "sums": {"a": [[1], [1]]}},
    "an ablation without a value": {"kind": "rldf-ablation", "axis": "roles", "points": [], "scripted": False},
}


@pytest.mark.parametrize("document", MALFORMED.values(), ids=MALFORMED.keys())
def test_a_file_that_looks_like_one_of_ours_and_is_none_is_passed_over(
    tmp_path: Path, document: dict[str, Any]
) -> None:
    (tmp_path / "run.json").write_text(json.dumps(document))
    with pytest.raises(UsageError, match="nothing was measured there yet"):
        page(found_in([tmp_path]), "today")


def test_what_is_taken_for_a_measuring_is_one() -> None:
    """So that the test above passes over what is wrong in it, and nothing else."""
    assert Measured.model_validate(BARE).sums["a"][0] == (1, 1, 1, 0, 0)


def test_a_judge_of_which_a_file_holds_no_condition_fails_its_gate(tmp_path: Path) -> None:
    (tmp_path / "gate.json").write_text(json.dumps({**verdict(passed=True).model_dump(mode="json"), "conditions": []}))
    report, _ = page(found_in([tmp_path]), "today")
    assert "The judge scripted:x fails the judge gate." in report.summary


def test_a_gate_that_was_run_again_with_the_same_end_is_told_once(tmp_path: Path) -> None:
    first = verdict(passed=False)
    later = first.model_copy(update={"created": first.created.replace(year=2027)})
    for name, one in (("a", first), ("b", later), ("c", verdict(passed=True))):
        (tmp_path / f"{name}.json").write_text(one.model_dump_json())
    assert [one.passed for one in found_in([tmp_path]).judges] == [False, True]
