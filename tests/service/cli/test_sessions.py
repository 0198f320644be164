"""Stored sessions: listed, shown, exported, imported, deleted, forgotten, saved from a damaged database."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
from pathlib import Path

import pytest

from elenchus.config.settings import Settings
from elenchus.service.app import open_app
from elenchus.service.lab.person_records import CONSENTS, DRAFTS, key_of
from tests.service.cli.program import PATIENCE, Program
from tests.service.cli.test_debate import DEMO, MOTION, SHORT, refused


@pytest.fixture
def finished(elenchus: Program) -> str:
    """The id of a finished debate."""
    return str(elenchus("debate", MOTION, *SHORT, "--json").json["id"])


def test_sessions_are_listed_newest_first_and_found_by_the_beginning_of_their_id(
    elenchus: Program, finished: str
) -> None:
    newer = elenchus("debate", "Should marks end?", *SHORT, "--budget-tokens", "10", "--json").json["id"]
    rows = elenchus("sessions", "list", "--json").json
    assert [(row["id"], row["title"], row["protocol"], row["state"]) for row in rows] == [
        (newer, "Should marks end?", "socrasynth", "paused"),
        (finished, MOTION, "socrasynth", "finished"),
    ]
    told = [line.split("\t") for line in elenchus("sessions", "list").out.splitlines()]
    assert [(columns[0], columns[-1]) for columns in told] == [(newer, "Should marks end?"), (finished, MOTION)]
    shown = elenchus("sessions", "show", finished[:6], "--json")
    assert shown.json["id"] == finished
    assert "No session's id begins" in refused(elenchus("sessions", "show", "zzz", "--json"))
    elenchus("sessions", "import", _export(elenchus, finished), "--id", f"{finished[:6]}-copy")
    assert "2 sessions begin with" in refused(elenchus("sessions", "show", finished[:5], "--json"))
    assert elenchus("sessions", "show", finished, "--json").json["id"] == finished


def _export(elenchus: Program, session: str) -> Path:
    folder = elenchus.folder / "exported"
    assert elenchus("sessions", "export", session, "--export", folder).code == 0
    return folder


def test_showing_a_session_gives_the_document_of_its_debate(elenchus: Program, finished: str) -> None:
    document = elenchus("sessions", "show", finished, "--json").json
    assert document["state"] == "finished"
    assert document["winner"]
    plain = elenchus("sessions", "show", finished)
    assert "[verdict]" in plain.out
    assert MOTION in plain.out


def test_resuming_a_finished_session_says_so_and_exits_0(elenchus: Program, finished: str) -> None:
    result = elenchus("sessions", "resume", finished, "--json")
    assert result.code == 0
    assert result.json["state"] == "finished"
    assert "is finished" in result.err


def test_an_exported_session_comes_back_the_same(elenchus: Program, finished: str) -> None:
    folder = _export(elenchus, finished)
    before = elenchus("sessions", "show", finished, "--json").json
    assert "already a session" in refused(elenchus("sessions", "import", folder, "--json"))
    assert elenchus("sessions", "delete", finished, "--json").json == {"id": finished, "deleted": True}
    assert elenchus("sessions", "list", "--json").json == []
    assert elenchus("sessions", "import", folder / "events.jsonl", "--json").json["id"] == finished
    assert elenchus("sessions", "show", finished, "--json").json == before


def test_nothing_is_deleted_where_nobody_can_be_asked_and_nobody_said_yes(elenchus: Program, finished: str) -> None:
    result = elenchus("sessions", "delete", finished)
    assert result.code == 2
    assert "say --yes" in result.err
    assert elenchus("sessions", "show", finished).code == 0
    assert elenchus("sessions", "delete", finished, "--yes").code == 0
    assert elenchus("sessions", "show", finished).code == 2


def test_a_deleted_session_leaves_no_agreement_and_no_half_filled_form_of_its_people(
    elenchus: Program, finished: str
) -> None:
    async def kept(*sessions: str) -> list[str]:
        """Keep records for these sessions; the keys of all that there are."""
        async with open_app(Settings(home=elenchus.home)) as app:
            for session in sessions:
                await app.store.put(CONSENTS, key_of("discord:7", session), {})
                await app.store.put(DRAFTS, key_of("discord:7", session, "opening/pro"), {})
            return [*await app.store.all(CONSENTS), *await app.store.all(DRAFTS)]

    assert len(asyncio.run(kept(finished, "another"))) == 4
    assert elenchus("sessions", "delete", finished, "--yes").code == 0
    assert asyncio.run(kept()) == ["another:discord:7", "another:discord:7:opening/pro"]


def test_a_file_that_is_no_export_is_refused_with_its_line(elenchus: Program) -> None:
    (elenchus.folder / "bad.jsonl").write_text('{"seq": 1}\n')
    assert "Line 1" in refused(elenchus("sessions", "import", "bad.jsonl", "--json"))
    assert "The file none cannot be read" in refused(elenchus("sessions", "import", "none", "--json"))


@pytest.mark.slow
def test_a_session_whose_process_was_killed_is_interrupted_and_can_be_resumed_at_once(elenchus: Program) -> None:
    with elenchus.start("debate", MOTION, *slow("0.2")) as process:
        elenchus.wait_for("step_done", "agenda/propose/pro")
        process.kill()
    (row,) = elenchus("sessions", "list", "--json").json
    assert (row["state"], row["owner"]) == ("interrupted", None)
    resumed = elenchus("sessions", "resume", row["id"], "--json")
    assert resumed.code == 0, resumed.err
    assert resumed.json["state"] == "finished"


def slow(latency: str) -> tuple[str, ...]:
    """The options of a short debate whose models take their time."""
    spec = f"scripted:demo?latency={latency}"
    return ("--pro", spec, "--con", spec, "--judge", spec, "--topics", "1", "--max-rounds", "1")


@pytest.mark.slow
def test_a_second_runner_is_told_who_holds_the_session_and_may_take_it_over_from_a_frozen_one(
    elenchus: Program,
) -> None:
    with elenchus.start("debate", MOTION, *slow("0.25")) as process:
        session = elenchus.wait_for("step_done")
        process.send_signal(signal.SIGSTOP)
        try:
            held = elenchus("sessions", "resume", session, "--json")
            assert str(process.pid) in refused(held, 5)
            taken = elenchus("sessions", "resume", session, "--take-over", "--json")
            assert taken.code == 0, taken.err
        finally:
            process.send_signal(signal.SIGCONT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 5, (out, err)
    assert "taken over" in err


def test_a_signal_to_end_pauses_like_ctrl_c(elenchus: Program) -> None:
    with elenchus.start("debate", MOTION, *slow("0.5"), "--json") as process:
        session = elenchus.wait_for("step_done")
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert json.loads(out)["state"] == "paused"
    assert f"elenchus sessions resume {session}" in err


def test_words_of_a_person_are_forgotten_everywhere(elenchus: Program) -> None:
    secret = "The heron by the mill told me so in confidence"
    (elenchus.folder / "agenda.md").write_text("- rest vs. practice\n")
    session = elenchus(
        "debate", MOTION, *SHORT[2:], "--pro", "human", "--agenda", "agenda.md", "--json",
        stdin=f"{secret}.\n.\n" + "/pass\n" * 5,
    ).json["id"]  # fmt: skip
    assert secret in "".join(_texts(elenchus.home))
    assert "No person sits on 'con'" in refused(elenchus("sessions", "forget", session, "con", "--json"))
    unasked = elenchus("sessions", "forget", session, "pro")
    assert (unasked.code, "nobody can be asked" in unasked.err) == (2, True)
    assert secret in "".join(_texts(elenchus.home)), "what cannot be undone is not done unasked"
    forgotten = elenchus("sessions", "forget", session, "pro", "--yes", "--json")
    assert forgotten.json["strings"] > 3
    assert secret not in "".join(_texts(elenchus.home))
    assert elenchus("sessions", "show", session, "--json").code == 0
    exported = _export(elenchus, session)
    assert "[redacted]" in (exported / "events.jsonl").read_text()
    assert secret not in "".join(_texts(exported))


def test_who_voted_or_moderated_is_forgotten_by_name(elenchus: Program) -> None:
    session = elenchus("debate", MOTION, *SHORT, "--json").json["id"]
    assert "annabella" in refused(elenchus("sessions", "forget", session, "annabella", "--json"))
    assert elenchus("sessions", "vote", session, "pro", "--by", "annabella").code == 0
    assert "annabella" in "".join(_texts(elenchus.home))
    assert elenchus("sessions", "forget", session, "annabella", "--by", "me", "--yes").code == 0
    assert "annabella" not in "".join(_texts(elenchus.home))


@pytest.mark.slow
@pytest.mark.parametrize("lost", [slice(0, 1), slice(5, 8), "answers"], ids=["beginning", "middle", "the answers"])
def test_words_of_a_person_are_forgotten_in_a_session_of_which_a_part_is_lost(
    elenchus: Program, tmp_path: Path, lost: slice | str
) -> None:
    secret = "The heron by the mill told me so in confidence"
    (elenchus.folder / "agenda.md").write_text("- rest vs. practice\n")
    session = elenchus(
        "debate", MOTION, *SHORT[2:], "--pro", "human", "--agenda", "agenda.md", "--json",
        stdin=f"{secret}.\n.\n" + "/pass\n" * 5,
    ).json["id"]  # fmt: skip
    export = _export(elenchus, session)
    lines = (export / "events.jsonl").read_text().splitlines(keepends=True)
    if isinstance(lost, slice):
        del lines[lost]
    else:  # all that says whose the words are
        kept = [json.loads(line) for line in lines]
        own = ("turn_answered", "said", "step_done")
        lines = [
            line
            for line, e in zip(lines, kept, strict=True)
            if e["kind"] not in own or (e.get("seat") != "pro" and not e.get("step", "").startswith("opening/pro"))
        ]
    (export / "events.jsonl").write_text("".join(lines))
    elenchus("sessions", "delete", session, "--yes")
    assert elenchus("sessions", "import", export, "--id", "part", "--json").json["state"] == "rescued"
    assert secret in "".join(_texts(elenchus.home))
    forgotten = elenchus("sessions", "forget", "part", "pro", "--json")
    assert forgotten.code == 0, forgotten.err
    assert "Traceback" not in forgotten.err
    assert forgotten.json["strings"] > 3
    assert secret not in "".join(_texts(elenchus.home))
    again = _export(elenchus, "part")
    assert secret not in "".join(_texts(again))
    assert elenchus("sessions", "show", "part", "--json").json["state"] == "rescued"
    assert "No person sits on 'crit'" in refused(elenchus("sessions", "forget", "part", "crit", "--json"))


def _texts(folder: Path) -> list[str]:
    return [path.read_bytes().decode("utf-8", "replace") for path in folder.rglob("*") if path.is_file()]


# ── a damaged database ───────────────────────────────────────────────────────────────────────────────────────────


def test_of_a_damaged_database_is_said_what_can_be_saved_and_export_saves_it(elenchus: Program, finished: str) -> None:
    whole = len((_export(elenchus, finished) / "events.jsonl").read_text().splitlines())
    database = elenchus.home / "elenchus.db"
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    data = bytearray(database.read_bytes())
    data[:100] = os.urandom(100)
    database.write_bytes(data)
    message = refused(elenchus("sessions", "list", "--json"), 5)
    assert str(database) in message
    assert "export" in message
    saved = elenchus("sessions", "export", finished[:4], "--export", "saved", "--json")
    assert saved.code == 0, saved.err
    assert f"{whole} events were saved" in saved.json["damage"]
    assert len((elenchus.folder / "saved" / "events.jsonl").read_text().splitlines()) == whole
    doctor = elenchus("doctor", "--json").json
    assert doctor["database"]["state"] == "damaged"


def test_a_file_that_is_no_database_is_refused_with_its_name(elenchus: Program) -> None:
    elenchus.home.mkdir()
    (elenchus.home / "elenchus.db").write_text("Dear diary, " * 1000)
    assert "elenchus.db" in refused(elenchus("sessions", "list", "--json"), 5)
    assert "elenchus.db" in refused(elenchus("debate", MOTION, *DEMO, "--json"), 5)


def test_what_was_rescued_with_gaps_can_be_imported_shown_and_exported_but_not_gone_on_with(
    elenchus: Program, tmp_path: Path
) -> None:
    running = elenchus.start("debate", MOTION, *slow("0.05"))
    session = elenchus.wait_for("said", "opening/")
    running.kill()
    running.communicate(timeout=PATIENCE)
    export = _export(elenchus, session)
    lines = (export / "events.jsonl").read_text().splitlines(keepends=True)
    for name, kept in (("middle", lines[:5] + lines[8:]), ("beginning", lines[1:])):
        (export / "events.jsonl").write_text("".join(kept))
        imported = elenchus("sessions", "import", export, "--id", name, "--json")
        assert imported.json["state"] == "rescued"
        assert "lost" in imported.err
        assert {row["id"]: row["state"] for row in elenchus("sessions", "list", "--json").json}[name] == "rescued"
        shown = elenchus("sessions", "show", name)
        assert shown.code == 0
        assert "rescued" in shown.out
        assert "resume" not in shown.out
        assert elenchus("sessions", "show", name, "--json").json["state"] == "rescued"
        assert elenchus("sessions", "export", name, "--export", tmp_path / name).code == 0
        assert "of the log could not be read" in (tmp_path / name / "report.md").read_text()
        assert "was rescued from a damaged log" in refused(elenchus("sessions", "resume", name, "--json"))
        assert "is rescued: nothing can be changed" in refused(elenchus("sessions", "pause", name, "--json"))
        again = elenchus("sessions", "import", tmp_path / name, "--id", f"{name}-again", "--json")
        assert again.json["state"] == "rescued", "its own export says what is lost"
        assert elenchus("sessions", "delete", name, "--yes").code == 0


def test_what_can_be_saved_of_a_damaged_database_can_be_imported_elsewhere(
    elenchus: Program, finished: str, tmp_path: Path
) -> None:
    with sqlite3.connect(elenchus.home / "elenchus.db") as connection:
        connection.execute("DELETE FROM events WHERE seq BETWEEN 10 AND 12")
    connection.close()
    assert elenchus("sessions", "show", finished).code == 5
    assert elenchus("sessions", "export", finished, "--export", tmp_path / "saved").code == 0
    other = Program(tmp_path / "another", elenchus.folder)
    assert other("sessions", "import", tmp_path / "saved", "--json").json == {
        "id": finished, "title": MOTION, "protocol": "socrasynth", "state": "rescued",
    }  # fmt: skip
    assert other("sessions", "show", finished).code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "run", ["[" * 100_000, '{"session": "../../evil"}', '{"session": "/etc/evil"}', '{"session": ".."}',
            '{"session": "a\\\\b"}', '{"session": {"a": []}}', '{"session": "\\u202ex"}',
            '{"session": "x; id >PWNED #"}', '{"session": "--help"}', '{"session": NaN}', "\0"],
)  # fmt: skip
def test_a_forged_run_json_gives_no_path_and_no_traceback(elenchus: Program, finished: str, run: str) -> None:
    export = _export(elenchus, finished)
    (export / "run.json").write_text(run)
    elenchus("sessions", "delete", finished, "--yes")
    result = elenchus("sessions", "import", export, "--json")
    assert "Traceback" not in result.err
    if result.code == 0:
        assert result.json["id"].isalnum()
    else:
        assert "A session's id has" in refused(result)
    assert elenchus("sessions", "import", export, "--id", "good").code == 0
    assert "is no path" in refused(elenchus("sessions", "import", export, "--id", "../x", "--json"))


@pytest.mark.slow
@pytest.mark.parametrize("epoch", [2**63 - 1, 2**63, 10**30, 0, -1])
def test_a_forged_epoch_is_refused(elenchus: Program, finished: str, epoch: int) -> None:
    events = _export(elenchus, finished) / "events.jsonl"
    events.write_text(events.read_text().replace('"epoch": 1,', f'"epoch": {epoch},', 1))
    assert "has an epoch that no owner" in refused(elenchus("sessions", "import", events, "--id", "new", "--json"))
