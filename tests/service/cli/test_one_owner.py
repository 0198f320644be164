"""A session is run by one process at a time: who comes second, who is taken over, and who was killed."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import sqlite3

import pytest

from tests.service.cli.program import Program, Started
from tests.service.cli.test_debate import MOTION, refused
from tests.service.cli.test_sessions import slow

pytestmark = pytest.mark.kill


def log_of(elenchus: Program) -> list[dict[str, object]]:
    """All events of the one session in the database."""
    with contextlib.closing(sqlite3.connect(elenchus.home / "elenchus.db")) as connection:
        rows = connection.execute("SELECT kind, body FROM events ORDER BY id").fetchall()
    return [{"kind": kind, **json.loads(body)} for kind, body in rows]


def end_of(process: Started) -> tuple[str, str]:
    return process.communicate(timeout=60)


def test_a_second_runner_is_told_who_holds_the_session_and_the_first_goes_on_unhurt(elenchus: Program) -> None:
    with elenchus.start("debate", MOTION, *slow("0"), "--approve-agenda", "--json") as first:
        session = elenchus.wait_for("turn_opened")
        held = elenchus("sessions", "resume", session, "--json")
        message = refused(held, 5)
        assert f"process {first.pid} on {socket.gethostname()}" in message
        assert held.json["error"]["kind"] == "SessionHeld"
        assert "--take-over" in held.json["error"]["hint"]
        (row,) = elenchus("sessions", "list", "--json").json
        assert f"process {first.pid}" in row["owner"]
        assert elenchus("sessions", "answer", session, "--text", '{"keep": [1]}').code == 0
        out, err = end_of(first)
    assert first.returncode == 0, err
    assert json.loads(out)["state"] == "finished"
    assert len(elenchus.events("owner_started")) == 1
    again = elenchus("sessions", "resume", session, "--json")
    assert (again.code, again.json["state"]) == (0, "finished")
    assert f"{session} is finished" in again.err


@pytest.mark.slow
@pytest.mark.parametrize("awake", ["after the new owner's end", "while the new owner runs"])
def test_an_owner_that_was_taken_over_appends_nothing_more_and_says_so(elenchus: Program, awake: str) -> None:
    """The operating system's lock of a frozen process stays: it is passed over only where a person says so."""
    with elenchus.start("debate", MOTION, *slow("0.2"), "--json") as first:
        session = elenchus.wait_for("step_done", "opening")
        first.send_signal(signal.SIGSTOP)
        assert str(first.pid) in refused(elenchus("sessions", "resume", session, "--json"), 5)
        with elenchus.start("sessions", "resume", session, "--take-over", "--json") as second:
            elenchus.wait_for("owner_started", '"epoch":2')
            if awake == "while the new owner runs":
                first.send_signal(signal.SIGCONT)
            out, err = end_of(second)
        assert second.returncode == 0, err
        assert json.loads(out)["state"] == "finished"
        before = log_of(elenchus)
        first.send_signal(signal.SIGCONT)
        out, err = end_of(first)
    assert first.returncode == 5, (out, err)
    error = json.loads(out)["error"]
    assert error["kind"] == "LostOwnership"
    assert f"Session {session} was taken over" in error["message"]
    assert "Traceback" not in err
    after = log_of(elenchus)
    assert after == before, "not one event came from the old owner"
    assert [event["epoch"] for event in after if event["kind"] == "owner_started"] == [1, 2]
    steps = [event["step"] for event in after if event["kind"] == "step_done"]
    assert len(steps) == len(set(steps)), "and none was done twice"
    assert after[-1]["kind"] == "session_finished"


@pytest.mark.slow
def test_a_living_owner_that_waits_is_asked_to_go_on(elenchus: Program) -> None:
    with elenchus.start("debate", MOTION, *slow("0.3"), "--json") as first:
        session = elenchus.wait_for("step_done")
        assert elenchus("sessions", "pause", session).code == 0
        elenchus.wait_for("session_paused")
        asked = elenchus("sessions", "resume", session, "--json")
        assert asked.code == 0, asked.err
        assert "was asked to go on" in asked.json["effect"]
        out, err = end_of(first)
    assert first.returncode == 0, err
    assert json.loads(out)["state"] == "finished"


def test_a_session_goes_on_right_after_its_process_was_killed_as_often_as_it_is(elenchus: Program) -> None:
    undisturbed = Program(elenchus.home.with_name("quiet"), elenchus.folder)(
        "debate", MOTION, *slow("0"), "--seed", "7", "--json"
    ).json
    with elenchus.start("debate", MOTION, *slow("0.1"), "--seed", "7") as process:
        session = elenchus.wait_for("step_done", "agenda/")
        process.kill()
    for step in ("opening/pro", "round/1/con", "closing/"):
        with elenchus.start("sessions", "resume", session) as process:
            elenchus.wait_for("step_done", f'"step":"{step}')
            process.kill()
    resumed = elenchus("sessions", "resume", session, "--json")
    assert resumed.code == 0, resumed.err
    same = ("agenda", "rounds", "winner", "proposal")
    assert {key: resumed.json[key] for key in same} == {key: undisturbed[key] for key in same}
