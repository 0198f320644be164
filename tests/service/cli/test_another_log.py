"""The program over a log that somebody else wrote: here the one of `tests/storage`, a file a session."""

from __future__ import annotations

from pathlib import Path

from elenchus.debate_engine.events import Recorded, SessionFinished, SessionStarted
from tests.service.cli.program import Program

ANOTHER = {"ELENCHUS_SESSIONS_LOG": "tests.storage.json_lines_log:open_log"}
DEBATE = ("debate", "Is tea better?", "--model", "scripted:demo", "--topics", "1", "--max-rounds", "1")


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


def test_a_log_that_is_not_to_be_had_is_named_with_its_setting(elenchus: Program) -> None:
    for wrong in ("tests.storage.no_such_log:open_log", "tests.storage.json_lines_log:no_such_function", "nonsense!"):
        result = elenchus("sessions", "list", env={"ELENCHUS_SESSIONS_LOG": wrong})
        assert result.code == 2
        assert "ELENCHUS_SESSIONS_LOG cannot be used" in result.err
        assert "Traceback" not in result.err
