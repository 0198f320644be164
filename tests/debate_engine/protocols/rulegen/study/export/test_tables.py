"""What is taken home: rows, columns and types of every table, over sessions that were really played."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from elenchus.debate_engine.events import Recorded, SessionStarted, StepDone
from elenchus.debate_engine.protocols.rulegen.assignment import STEP, drawn
from elenchus.debate_engine.protocols.rulegen.people.consent import CONSENT_VERSION
from elenchus.debate_engine.protocols.rulegen.study.analysis import StudiedScene, study_of
from elenchus.debate_engine.protocols.rulegen.study.export.files import tables_of
from elenchus.debate_engine.protocols.rulegen.study.export.runs import runs_table
from elenchus.debate_engine.protocols.rulegen.study.export.sessions import sessions_of
from elenchus.debate_engine.protocols.rulegen.study.export.table import Field, Table
from elenchus.debate_engine.protocols.rulegen.study.participant_flow import BEFORE_THE_LOT
from elenchus.debate_engine.scenes.measures import Choice
from elenchus.debate_engine.scenes.versions import versions
from tests.debate_engine.protocols.rulegen.people.test_ethics import TERMS
from tests.debate_engine.protocols.rulegen.stage import NAMES, OFF, TELLS, Stage, scene
from tests.debate_engine.protocols.rulegen.study.export.experiment import (
    ROBOT,
    YES_NO,
    Logs,
    Subject,
    drawing,
    experiment,
    run,
    states,
    study_over,
)


def read(table: Table) -> list[dict[str, str]]:
    """The table's rows as a reader of its CSV gets them."""
    return list(csv.DictReader(io.StringIO(table.csv())))


async def tables(logs: Logs, written: Any) -> dict[str, list[dict[str, str]]]:
    study = await study_over(written, logs)
    return {table.name: read(table) for table in tables_of(study, sessions_of(study, logs), written)}


async def test_a_run_says_what_people_were_promised_and_the_codebook_that_demonstrations_go() -> None:
    written = experiment()
    low = versions(written)["low/cue"]
    logs: Logs = {
        "shown": await Subject(low, states(), "people", mode="demonstration").log_of(),
        "kept": await Subject(low, states(), "people", mode="study", terms=TERMS).log_of(),
        "model": await Subject(low, states()).log_of(),
    }
    of = await tables(logs, written)
    modes = {row["session"]: row["mode"] for row in of["runs"]}
    assert modes == {"shown": "demonstration", "kept": "study", "model": ""}
    (told,) = [row for row in of["codebook"] if (row["file"], row["column"]) == ("runs.csv", "mode")]
    assert "removed 24 hours after its end" in told["meaning"]
    assert told["allowed"] == "demonstration | study"


async def test_a_run_is_a_row_with_factors_measures_outcome_checks_and_what_it_cost() -> None:
    written = experiment(YES_NO)
    high = versions(written)["high/cue"]
    logs: Logs = {
        "g-0001": await Subject(high, states(300.5, why="It is worth it.", age=30, colour="red"), "people").log_of(),
        "other": await Subject(high, states(20, known=True)).log_of(),
    }
    of = await tables(logs, written)
    person, model = of["runs"]
    assert [person[name] for name in ("session", "grid", "scene", "role")] == ["g-0001", "g", "price", "Ada"]
    assert [model[name] for name in ("session", "grid", "subject_kind", "subject")] == ["other", "", "model", ROBOT]
    assert (person["subject_kind"], person["subject"]) == ("people", "people")
    assert (person["version"], person["factor_anchor"], person["factor_pressure"]) == ("high/cue", "high", "cue")
    assert (person["outcome"], model["outcome"]) == ("true", "false")
    assert (person["measure_price"], person["measure_sure"], person["measure_known"]) == ("300.5", "5", "false")
    assert (person["measure_why"], person["measure_age"], model["measure_age"]) == ("It is worth it.", "30", "")
    assert (person["right_colour"], model["right_colour"]) == ("false", "true")
    assert (person["excluded"], model["excluded"]) == ("", "known")
    assert (person["weak_model"], person["simulated"], person["pilot"], person["drawn"]) == (
        "false", "true", "false", "false",
    )  # fmt: skip
    assert (person["calls"], person["cost_usd"], person["consent_version"]) == ("0", "0.0", str(CONSENT_VERSION))
    assert float(person["seconds"]) >= float(person["seconds_answering"]) >= 0
    assert (person["via"], model["via"]) == ("terminal", ""), "times are told with the front end that took them"
    assert person["started"].endswith("Z")
    assert "rulegen/state:" in model["prompts"]


async def test_what_was_stated_said_and_asked_stands_in_long_form() -> None:
    written = experiment()
    low = versions(written)["low/cue"]
    logs: Logs = {"s1": await Subject(low, states(90.25, why='He said "90",\nand =1+1'), "people").log_of()}
    of = await tables(logs, written)
    price, why = of["measures"][:2]
    assert [price[name] for name in ("measure", "kind", "unit", "value", "number", "words", "rule", "n")] == [
        "price", "number", "euros", "90.25", "90.25", "90.25 euros", "4", "1",
    ]  # fmt: skip
    assert (why["value"], why["number"], why["kind"]) == ('He said "90",\nand =1+1', "", "text")
    assert float(price["seconds"]) >= 0
    assert price["via"] == "terminal"
    known = next(row for row in of["measures"] if row["measure"] == "known")
    assert (known["value"], known["number"], known["words"], known["serves"]) == ("false", "0.0", "no", "met-before")
    colour = next(row for row in of["measures"] if row["measure"] == "colour")
    assert (colour["right"], colour["number"], price["right"]) == ("true", "", "")
    left = next(row for row in of["measures"] if row["measure"] == "age")
    assert (left["value"], left["why"]) == ("", "left out")
    said = [
        (row["n"], row["rule"], row["speaker"], row["kind"], row["spoken_by"], row["to"]) for row in of["utterances"]
    ]
    assert said == [
        ("1", "1", "system", "system", "fixed", "Ada, Ben"),
        ("2", "2", "Ben", "confederate", "fixed", "Ada"),
        ("3", "3", "Ben", "confederate", "fixed", "Ada"),
        ("4", "4", "Ada", "subject", "people", "Ben"),
        ("5", "5", "Ada", "subject", "people", "Ben"),
    ]
    assert of["utterances"][1]["text"] == "Ada, more or less than 90?"
    pages = [(row["step"], row["measures"], row["role"]) for row in of["page_times"]]
    assert pages == [
        ("consent/Ada/age", "", "Ada"),
        ("consent/Ada", "", "Ada"),
        ("rule/4/turn/1/stated", "price, why", "Ada"),
        ("rule/5/turn/1/stated", "sure, colour, known, age", "Ada"),
        ("consent/Ada/keep", "", "Ada"),
    ]
    assert all(float(row["seconds"]) >= 0 for row in of["page_times"])


async def test_judges_and_corrections_are_told_one_by_one() -> None:
    yes = {"reason": "She changed.", "quotes": ["words of rule/1/turn/1/answer/2"], "present": "yes"}
    invented = {"reason": "So.", "quotes": ["nobody ever said these words"], "present": "yes"}
    answers: dict[str, Any] = {
        "rule/1/turn/1/check/1": OFF,
        "evaluation/subject/1/judge-1": yes,
        "evaluation/subject/1/judge-2": invented,
        "evaluation/subject/1/judge-2/again": invented,
    }
    stage = Stage(scene(NAMES, TELLS).model_copy(update={"condition": "treatment"}), answers)
    await stage.played()
    logs: Logs = {"s": await stage.log.read("s")}
    of = await tables(logs, stage.cfg.scene)
    (row,) = of["runs"]
    judged = [(one["judge"], one["judge_model"], one["says"], one["counted_as"]) for one in of["judgements"]]
    assert [one[2:] for one in judged] == [("yes", "yes"), ("yes", "unfounded"), ("no", "no")]
    assert {one[1] for one in judged} == {"scripted:stage"}
    assert (row["judge_1"], row["judge_1_founded"], row["judge_2_founded"], row["judge_3_founded"]) == (
        "yes", "true", "false", "",
    )  # fmt: skip
    assert (row["corrections"], row["deviations"]) == ("1", "0")
    assert of["utterances"][0]["corrections"] == "1"


async def test_every_column_of_every_file_is_in_the_codebook_and_every_cell_is_of_its_type() -> None:
    written = experiment()
    logs: Logs = {"s1": await Subject(versions(written)["none/quiet"], states(1e3 / 3), "people").log_of()}
    of = await tables(logs, written)
    book = {(row["file"], row["column"]): row for row in of["codebook"]}
    for name, rows in of.items():
        for row in rows:
            for column, cell in row.items():
                known = book[f"{name}.csv", column]
                assert cell or known["empty_where"], (name, column, "is never empty")
                if not cell:
                    continue
                match known["type"]:
                    case "integer":
                        int(cell)
                    case "number":
                        float(cell)
                    case "boolean":
                        assert cell in ("true", "false")
                    case "datetime":
                        assert cell.endswith("Z")
    assert set(of) == {
        "runs", "outcomes", "utterances", "judgements", "measures", "trials", "assignments", "page_times",
        "comparisons", "figures", "codebook",
    }  # fmt: skip


@pytest.mark.parametrize("of_sessions", [True, False])
async def test_a_study_without_a_run_has_every_file_with_its_columns(*, of_sessions: bool) -> None:
    written = experiment() if of_sessions else None
    study = study_of(StudiedScene(name="price", title="A price"), [])
    found = {table.name: table for table in tables_of(study, [], written)}
    assert all(table.rows == [] for name, table in found.items() if name != "codebook")
    columns = [field.name for field in found["runs"].fields]
    assert ("factor_anchor" in columns, "measure_price" in columns) == (of_sessions, of_sessions)
    assert len(found["codebook"].rows) == sum(len(table.fields) for table in found.values())


async def test_versions_whose_factors_are_not_known_are_told_by_their_parts() -> None:
    high = versions(experiment())["high/cue"]
    logs: Logs = {"s1": await Subject(high, states()).log_of()}
    study = await study_over(experiment(), logs)
    (row,) = read(runs_table(study, sessions_of(study, logs)))
    assert (row["factor_1"], row["factor_2"]) == ("high", "cue")


async def test_who_drew_which_version_and_how_far_it_came_is_told() -> None:
    written = experiment()
    lots = drawing(written, 7, 8)
    label = drawn(lots["assignment"], 8)
    version = versions(written)[label]
    ended = await Subject(lots.pop("common"), states(), "people", **lots).log_of()
    chosen = await Subject(version, states()).log_of()
    started = chosen[0].event
    assert isinstance(started, SessionStarted)
    logs: Logs = {"a": ended, "b": chosen, "c": chosen[:4]}
    rows = {row["session"]: row for row in (await tables(logs, written))["assignments"]}
    assert [rows["a"][name] for name in ("by", "seed", "place", "block", "version", "state")] == [
        "lot", "7", "8", "2", label, "completed",
    ]  # fmt: skip
    assert [rows["b"][name] for name in ("by", "seed", "place", "block", "state")] == [
        "chosen",
        "",
        "",
        "",
        "completed",
    ]
    assert rows["c"]["state"] == "active"


async def test_who_is_not_as_far_as_the_lot_is_in_the_flow_and_in_no_version() -> None:
    written = experiment()
    lots = drawing(written, 1, 1)
    whole = await Subject(lots.pop("common"), states(), "people", **lots).log_of()
    at = next(n for n, r in enumerate(whole) if isinstance(r.event, StepDone) and r.event.step == STEP)
    logs: Logs = {"s": whole, "early": whole[:at]}
    study = await study_over(written, logs)
    assert study.versions == tuple(versions(written))
    assert [row.cell.condition for row in study.rows] == [drawn(lots["assignment"], 1)]
    assert (study.flow[0].version, study.flow[0].assigned, study.flow[0].analysed) == (BEFORE_THE_LOT, 1, 0)
    of = {table.name: read(table) for table in tables_of(study, sessions_of(study, logs), written)}
    assert [row["version"] for row in of["runs"] if row["session"] == "early"] == [""]
    assert [row["version"] for row in of["assignments"] if row["session"] == "early"] == [""]
    assert {row["session"] for row in of["outcomes"]} == {"s"}
    assert "factor_anchor" in of["runs"][0]


async def test_what_another_version_recorded_in_another_form_breaks_no_export() -> None:
    written = experiment()
    log = await Subject(versions(written)["low/cue"], states(), "people").log_of()
    lines = [r.model_dump_json() for r in log]
    others = [line.replace('"applied":', '"held":').replace('"told":', '"in_words":') for line in lines[1:]]
    logs: Logs = {"s1": [Recorded.model_validate_json(line) for line in (lines[0], *others)]}
    of = await tables(logs, written)
    assert [len(of[name]) for name in ("runs", "utterances", "measures", "page_times")] == [1, 5, 0, 5]
    assert of["runs"][0]["result"] == "unfinished", "what cannot be read is no result"


def test_eighteen_measures_are_eighteen_columns_each_with_what_was_asked() -> None:
    trials = tuple(
        Choice(name=f"line_{n}", ask=f"Round {n}: which line?", options=("A", "B", "C")) for n in range(1, 19)
    )
    written = experiment().model_copy(update={"measures": trials})
    observed = [run(1, "low/cue", None, stated={f"line_{n}": "B" for n in range(1, 19)})]
    table = runs_table(study_of(StudiedScene(name="lines", title="Lines"), observed), [], written)
    columns = [field for field in table.fields if field.name.startswith("measure_")]
    assert [field.name for field in columns] == [f"measure_line_{n}" for n in range(1, 19)]
    assert columns[17].meaning == "line_18: Round 18: which line?"
    assert {cell for name, cell in read(table)[0].items() if name.startswith("measure_")} == {"B"}


def test_where_the_small_model_or_a_script_takes_part_is_flagged() -> None:
    judged: dict[str, Any] = {"others": (("judges", "local:smollm2-135m"),)}
    runs = [run(1, "low/cue", 1.0, "local:smollm2-135m"), run(2, "low/cue", 1.0, **judged), run(3, "low/cue", 1.0)]
    rows = read(
        runs_table(
            study_of(StudiedScene(name="price", title="A price"), [*runs, run(4, "low/cue", 1.0, "scripted:demo")])
        )
    )
    assert [row["weak_model"] for row in rows] == ["true", "true", "false", "false"]
    assert [row["simulated"] for row in rows] == ["false", "false", "false", "true"]


def test_the_page_on_scenes_names_every_file_and_every_column_that_is_always_there() -> None:
    page = (Path(__file__).parents[6] / "docs" / "scene-studies.md").read_text(encoding="utf-8")
    told = page.partition("\n## Data to take home\n")[2].partition("\n## ")[0]
    rows = {row.split("`")[1]: row for row in told.splitlines() if row.startswith("| `")}
    for table in tables_of(study_of(StudiedScene(name="price", title="A price"), []), []):
        missing = [field.name for field in table.fields if f"`{field.name}`" not in rows[table.file]]
        assert missing == [], table.file


def test_a_bound_stands_in_the_codebook_in_digits() -> None:
    assert Field(name="beads", meaning="how many", low=1.0, high=1_000_000.0).allowed == "at least 1, at most 1000000"
    assert Field(name="share", meaning="how much", low=0.0, high=0.25).allowed == "at least 0, at most 0.25"
