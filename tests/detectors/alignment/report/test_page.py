"""The page: nothing simulated beside a figure of the paper's, each figure with its gates, and what is not shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.reports.canvas import Picture
from elenchus.debate_engine.reports.document import Report, markdown_of
from elenchus.debate_engine.reports.html import html_of
from elenchus.detectors.alignment.report.page import page
from elenchus.detectors.alignment.report.paper import BBQ, METHODS, NOT_SHOWN
from elenchus.detectors.alignment.report.run_contents import RunContents, found_in
from tests.detectors.alignment.bbq.test_comparison import measured
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
    written = html_of(report, {})
    assert "<script>alert" not in written
    assert "\x1b" not in written


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
