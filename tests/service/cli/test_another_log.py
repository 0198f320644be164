"""The program over a log that somebody else wrote: here the one of `tests/storage`, a file a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from elenchus.debate_engine.events import Recorded, SessionFinished, SessionStarted
from tests.service.cli.program import Program

ANOTHER = {"ELENCHUS_SESSIONS_LOG": "tests.storage.json_lines_log:open_log"}
DEBATE = ("debate", "Is tea better?", "--model", "scripted:demo", "--topics", "1", "--max-rounds", "1")


@pytest.mark.slow
def test_a_debate_is_held_shown_exported_and_deleted_in_another_log(elenchus: Program, tmp_path: Path) -> None:
    held = elenchus(*DEBATE, env=ANOTHER)
    assert held.code == 0, held.err
    (file,) = elenchus.home.glob("*.jsonl")
    events = [Recorded.model_validate_json(line).event for line in file.read_text().splitlines()[1:]]
    assert isinstance(events[0], SessionStarted)
    assert isinstance(events[-1], SessionFinished)

    (listed,) = elenchus("sessions", "list", "--json", env=ANOTHER).json
    assert (listed["id"], listed["state"], listed["title"]) == (file.stem, "finished", "Is tea better?")
    assert elenchus("sessions", "list", "--json").json == [], "nothing is in the database"
    assert "Is tea better?" in elenchus("sessions", "show", file.stem, env=ANOTHER).out
    exported = elenchus("sessions", "export", file.stem, "--export", str(tmp_path / "out"), env=ANOTHER)
    assert exported.code == 0, exported.err
    assert elenchus("sessions", "delete", file.stem, "--yes", env=ANOTHER).code == 0
    assert not file.exists()


ODD = "tests.service.cli.odd_logs"
NO_LOGS = {
    "tests.storage.no_such_log:open_log": "No module named 'tests.storage.no_such_log'",
    "tests.storage.json_lines_log:no_such_function": "has no attribute 'no_such_function'",
    "nonsense!": "invalid format: 'nonsense!'",
    ODD: f"{ODD} is a module",
    f"{ODD}:CONSTANT": "CONSTANT is of type int",
    f"{ODD}:Log": "Log is a class",
    f"{ODD}:without_async": "without_async is no async function",
    f"{ODD}:giving_nothing": "giving_nothing gave None, which lacks create, sessions, info",
    f"{ODD}:with_two": "with_two cannot be called with a folder alone: missing a required argument: 'more'",
    f"{ODD}:without": "without cannot be called with a folder alone: too many positional arguments",
    f"{ODD}:failing": "failing raised RuntimeError: boom",
}


@pytest.mark.parametrize("name", NO_LOGS)
def test_what_is_no_function_that_opens_a_log_is_refused_in_one_sentence(elenchus: Program, name: str) -> None:
    result = elenchus("sessions", "list", env={"ELENCHUS_SESSIONS_LOG": name})
    assert result.code == 2
    said = " ".join(result.err.split())
    assert "ELENCHUS_SESSIONS_LOG cannot be used (" in said
    assert NO_LOGS[name] in said
    assert said.endswith("PACKAGE.MODULE:FUNCTION, or unset it.")
    assert "Traceback" not in result.err


def test_what_the_function_says_of_its_store_is_told(elenchus: Program) -> None:
    result = elenchus("sessions", "list", env={"ELENCHUS_SESSIONS_LOG": f"{ODD}:damaged"})
    assert result.code == 5
    assert "The medium is wet: dry it." in result.err


def test_the_doctor_names_the_log_in_use_and_counts_its_sessions(elenchus: Program) -> None:
    assert elenchus("doctor", "--json").json["log"] == {"function": "", "sessions": {}, "problem": ""}
    assert elenchus(*DEBATE, env=ANOTHER).code == 0
    found = elenchus("doctor", "--json", env=ANOTHER).json
    name = ANOTHER["ELENCHUS_SESSIONS_LOG"]
    assert found["log"] == {"function": name, "sessions": {"finished": 1}, "problem": ""}
    assert found["database"]["sessions"] == {}
    assert "sessions: 1 finished" in elenchus("doctor", env=ANOTHER).out
    wrong = elenchus("doctor", "--json", env={"ELENCHUS_SESSIONS_LOG": "json"}).json
    assert "json is a module" in wrong["log"]["problem"]
