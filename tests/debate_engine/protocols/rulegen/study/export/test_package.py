"""The whole folder: a valid data package, which other programs load without surprises and in which nobody is named."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from pathlib import Path
from typing import Any

import frictionless
import pandas  # type: ignore[import-untyped]
import pytest

from elenchus.debate_engine.events import ForgetAsked, Recorded, Redacted, StepDone, Withdrawn
from elenchus.debate_engine.privacy.person_words import REDACTED
from elenchus.debate_engine.protocols.rulegen.study.export.files import study_files
from elenchus.debate_engine.protocols.rulegen.study.export.sessions import sessions_of, withdrawals
from elenchus.debate_engine.protocols.rulegen.study.selection import Selection
from elenchus.debate_engine.protocols.rulegen.study.withdrawal import Removed
from elenchus.debate_engine.reports.files import write_all
from elenchus.debate_engine.scenes.versions import versions
from tests.debate_engine.protocols.rulegen.stage import NAMES, TELLS, Stage, scene
from tests.debate_engine.protocols.rulegen.study.crossover import BETWEEN, MIXED, WITHIN, crossover, subject, subjects
from tests.debate_engine.protocols.rulegen.study.export.experiment import (
    YES_NO,
    Logs,
    Subject,
    experiment,
    states,
    study_over,
)

NASTY = '=HYPERLINK("http://x"), "quoted"\nand a second line; NA\ttab – ¿Qué? 价格 \x1b[31m \\ back'
"""A formula, quotes, a line feed, controls, other scripts, a backslash."""


async def files(logs: Logs, written: Any) -> dict[str, bytes]:
    return study_files(await study_over(written, logs), logs, None, written)


async def some(outcome: str = YES_NO) -> tuple[Any, Logs]:
    written = experiment(outcome)
    low, none = versions(written)["low/cue"], versions(written)["none/quiet"]
    return written, {
        "g-0001": await Subject(low, states(300.5, why=NASTY, age=30), "people").log_of(),
        "g-0002": await Subject(none, states(100, why="NA", colour="red")).log_of(),
        "g-0003": (await Subject(low, states()).log_of())[:5],
    }


async def test_the_folder_is_a_valid_data_package_whose_tables_hold_what_their_fields_say(tmp_path: Path) -> None:
    written, logs = await some()
    write_all(tmp_path, await files(logs, written))
    report = frictionless.Package(str(tmp_path / "datapackage.json")).validate()
    assert report.valid, report.flatten(["title", "note", "rowNumber", "fieldName"])
    package = json.loads((tmp_path / "datapackage.json").read_text())
    there = {path.name for path in tmp_path.iterdir()} - {"datapackage.json"}
    assert {resource["path"] for resource in package["resources"]} == there
    assert package["withdrawals"] == []


async def test_a_cell_that_is_not_of_its_type_makes_the_package_invalid(tmp_path: Path) -> None:
    """The check above would see it."""
    written, logs = await some()
    write_all(tmp_path, await files(logs, written))
    (tmp_path / "runs.csv").write_text((tmp_path / "runs.csv").read_text().replace(",true,", ",perhaps,", 1))
    assert not frictionless.Package(str(tmp_path / "datapackage.json")).validate().valid


@pytest.mark.slow
@pytest.mark.parametrize("shares", [True, False])
async def test_levels_within_subjects_and_interactions_make_a_valid_package(tmp_path: Path, *, shares: bool) -> None:
    runs = [*subjects(3, shares=shares), subject(99, "cue/gain-loss", shares or 70.0, None)]
    study = crossover(runs, WITHIN, BETWEEN, MIXED, outcome="risk > 5" if shares else "risk")
    write_all(tmp_path, study_files(study.model_copy(update={"unit": "euros"}), {}))
    report = frictionless.Package(str(tmp_path / "datapackage.json")).validate()
    assert report.valid, report.flatten(["type", "note"])


async def test_an_empty_study_is_a_valid_package_too(tmp_path: Path) -> None:
    write_all(tmp_path, await files({}, experiment()))
    report = frictionless.Package(str(tmp_path / "datapackage.json")).validate()
    assert report.valid, report.flatten(["title", "note"])


async def test_words_come_back_as_they_were_and_no_spreadsheet_calculates_them() -> None:
    written, logs = await some()
    made = await files(logs, written)
    rows = list(csv.DictReader(io.StringIO(made["runs.csv"].decode())))
    assert rows[0]["measure_why"] == f"'{NASTY}".replace("\x1b", "")
    for name, content in made.items():
        if name.endswith(".csv"):
            for row in csv.reader(io.StringIO(content.decode())):
                assert not any(cell[:1] in "=+@" for cell in row if cell), name
    again = pandas.read_csv(io.BytesIO(made["runs.csv"]), dtype="string", keep_default_na=False, na_values=[""])
    assert again["measure_why"][0] == rows[0]["measure_why"]
    assert again["measure_why"][1] == "NA", "a text that says NA is not missing"


async def test_nobody_is_named_in_any_file() -> None:
    written, logs = await some()
    named = [json.dumps(r.line()) for r in logs["g-0001"]]
    assert any('"human:bo"' in line for line in named)
    for name, content in (await files(logs, written)).items():
        assert b"human:bo" not in content, name
        assert b'"by": "bo"' not in content, name


# ── who withdraws ────────────────────────────────────────────────────────────────────────────────────────────────────


def withdrawn(log: Any, *events: Any) -> list[Recorded]:
    return [*log, *(Recorded(seq=len(log) + n, at=log[-1].at, event=event) for n, event in enumerate(events, 1))]


async def test_of_who_withdrew_there_is_the_day_and_nothing_else() -> None:
    written, logs = await some()
    day = f"{logs['g-0001'][-1].at:%Y-%m-%d}"
    logs["g-0001"] = withdrawn(logs["g-0001"], Withdrawn(by="bo", seat="Ada"))
    made = await files(logs, written)
    assert json.loads(made["datapackage.json"])["withdrawals"] == [{"session": "g-0001", "date": day}]
    assert "events-g-0001.jsonl" not in made
    for name, content in made.items():
        if name != "datapackage.json":
            assert b"g-0001" not in content, name
            assert b"300.5" not in content, name
            assert b"HYPERLINK" not in content, name


@pytest.mark.parametrize(
    "event",
    [
        Withdrawn(by="bo", seat="Ada"),
        Redacted(seat="Ada", strings=3),
        ForgetAsked(by="bo", seat="Ada"),
        ForgetAsked(by="bo", seat="bo"),
        StepDone(step="ended", input_hash="i", result={"why": "not kept", "seat": "Ada"}),
    ],
)
async def test_who_withdrew_or_was_forgotten_counts_as_gone_also_after_the_end(event: Any) -> None:
    written, logs = await some()
    logs["g-0001"] = withdrawn(logs["g-0001"], event)
    assert [one["session"] for one in withdrawals(logs)] == ["g-0001"]
    study = await study_over(written, logs)
    assert "g-0001" not in {one.session for one in sessions_of(study, logs)}
    (gone,) = [one for one in study.observed if one.session == "g-0001"]
    assert (gone.result, gone.why, gone.stated, gone.outcome) == ("ended early", "withdrawn", {}, None)


@pytest.mark.parametrize("why", ["no consent", "screened"])
async def test_who_did_not_begin_took_nothing_back_though_the_name_is_gone(why: str) -> None:
    _, logs = await some()
    early = StepDone(step="ended", input_hash="i", result={"why": why, "seat": "Ada"})
    logs["g-0001"] = withdrawn(logs["g-0001"], early, Redacted(seat="Ada", strings=1))
    assert withdrawals(logs) == []


async def test_sessions_that_are_removed_for_it_stand_in_the_same_list() -> None:
    written, logs = await some()
    logs["g-0001"] = withdrawn(logs["g-0001"], Withdrawn(by="bo", seat="Ada"))
    made = study_files(await study_over(written, logs), logs, None, written, Removed({"b-0001": "2026-02-03"}))
    listed = json.loads(made["datapackage.json"])["withdrawals"]
    assert [one["session"] for one in listed] == ["b-0001", "g-0001"]
    assert listed[0]["date"] == "2026-02-03"
    assert "2 people withdrew" in made["methods.md"].decode()


async def test_a_name_that_was_forgotten_takes_every_subject_along_whose_name_is_gone() -> None:
    """The log does not say whose words they were."""
    _, logs = await some()
    log = [r.model_dump_json().replace("human:bo", "human") for r in logs["g-0001"]]
    gone = [Recorded.model_validate_json(line) for line in log]
    logs["g-0001"] = withdrawn(gone, Redacted(seat=REDACTED, strings=3))
    assert len(withdrawals(logs)) == 1
    logs["g-0001"] = withdrawn(gone, Redacted(seat=REDACTED, strings=0, name_only=True))
    assert withdrawals(logs) == []


async def test_words_of_somebody_else_that_were_forgotten_are_left_out_and_the_subject_stays() -> None:
    stage = Stage(scene(NAMES, TELLS).model_copy(update={"condition": "treatment"}))
    await stage.played()
    told = "words of rule/2/turn/1/answer/1"
    lines = [r.model_dump_json() for r in await stage.log.read("s")]
    assert any(told in line for line in lines), lines[-1]
    log = [Recorded.model_validate_json(line.replace(told, f"well, {REDACTED}")) for line in lines]
    logs: Logs = {"s": withdrawn(log, Redacted(seat="Ben", strings=1))}
    made = await files(logs, stage.cfg.scene)
    rows = list(csv.DictReader(io.StringIO(made["utterances.csv"].decode())))
    assert [(row["speaker"], row["text"] != "", row["redacted"]) for row in rows] == [
        ("Ada", True, "false"), ("Ben", False, "true"),
    ]  # fmt: skip
    assert len(list(csv.DictReader(io.StringIO(made["runs.csv"].decode())))) == 1


async def test_the_choice_of_sessions_by_time_and_version_holds_for_withdrawals_too() -> None:
    written, logs = await some()
    logs["g-0001"] = withdrawn(logs["g-0001"], Withdrawn(by="bo", seat="Ada"))
    study = await study_over(written, logs, Selection(conditions=("none/*",)))
    assert [one.session for one in study.observed] == ["g-0002"]
    assert study.only == "versions: none/*"


@pytest.mark.parametrize("who", ["Ada", "bo"])
async def test_a_person_who_is_forgotten_after_the_end_by_seat_or_by_name_is_gone_from_everything(who: str) -> None:
    """By the real rewriting of the log."""
    written = experiment()
    told = states(300.5, why="Because my uncle once sold one like it.")
    subject = Subject(versions(written)["low/cue"], told, "people")
    await subject.run()
    await subject.runner().forget("s", who)
    logs: Logs = {"s": await subject.log.read("s")}
    assert [one["session"] for one in withdrawals(logs)] == ["s"]
    for name, content in (await files(logs, written)).items():
        assert b"300.5" not in content, name
        assert b"my uncle" not in content, name


async def test_a_person_who_withdraws_in_the_middle_is_gone_from_everything() -> None:
    written = experiment()
    subject = Subject(versions(written)["low/cue"], states(300.5), "people")
    answered = subject.people["Ada"]
    opened = asyncio.Event()

    def withdraws(ask: Any) -> Any:
        if "sure" in (ask.answer_schema or {}).get("properties", {}):
            opened.set()
            return {"sure": "I would rather not"}  # no answer of the form: the page stays open
        return answered(ask)

    subject.people["Ada"] = withdraws
    playing = asyncio.create_task(subject.run())
    await asyncio.wait_for(opened.wait(), 20)
    await subject.log.send("s", Withdrawn(by="bo", seat="Ada"))
    await playing
    logs: Logs = {"s": await subject.log.read("s")}
    assert [one["session"] for one in withdrawals(logs)] == ["s"]
    for name, content in (await files(logs, written)).items():
        assert b"300.5" not in content, name
