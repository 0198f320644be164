"""People in seats and at the controls, from this terminal and from another."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.service.cli.program import Program
from tests.service.cli.test_debate import MOTION, SHORT, refused
from tests.service.cli.test_sessions import slow

AGENDA = "- rest vs. practice: evenings\n"
HUMAN = ("--pro", "human", "--con", "scripted:demo", "--judge", "scripted:demo", "--agenda", "agenda.md", "--max-rounds", "1")


@pytest.fixture
def debating(elenchus: Program) -> Program:
    (elenchus.folder / "agenda.md").write_text(AGENDA)
    return elenchus


def events(elenchus: Program, session: str, kind: str) -> list[dict[str, Any]]:
    """The session's events of a kind."""
    folder = elenchus.folder / "events"
    assert elenchus("sessions", "export", session, "--export", folder).code == 0
    lines = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    return [line for line in lines if line["kind"] == kind]


def test_a_person_debates_from_a_pipe_and_sees_no_scores_before_the_end(debating: Program) -> None:
    answers = "My first words.\nSecond line.\n.\nI refute it.\n.\nmaybe\nyes\nmore\nMy closing.\n.\n1\nWe agree.\n\n"
    result = debating("debate", MOTION, *HUMAN, stdin=answers)
    assert result.code == 0, result.err
    assert "[pro, opening, heat 0.90]\nMy first words.\nSecond line." in result.out
    assert "one of yes, no, please" in result.out
    assert "[con, opening, heat 0.90]" in result.out
    before_the_end = result.out[: result.out.index("[joint proposal]")]
    assert "gamma" not in before_the_end
    assert "weakest" not in before_the_end
    assert "scripted:" not in before_the_end


def test_a_turn_left_open_survives_a_restart_and_can_be_answered_before_it(debating: Program) -> None:
    with debating.start("debate", MOTION, *HUMAN, "--json") as process:
        waiting = debating.wait_for('"seat": "pro"', "sessions", "list", "--json").json
        session = debating.wait_for("running", "sessions", "list", "--json").json[0]["id"]
        debating.wait_for('"open_turns": [\n    {', "sessions", "show", session, "--json")
        process.kill()
    assert waiting is not None
    answered = debating("sessions", "answer", session, stdin="My words from elsewhere.\n.\n")
    assert answered.code == 0, answered.err
    resumed = debating("sessions", "resume", session, stdin="/pass\n" * 6)
    assert resumed.code == 0, resumed.err
    assert "My words from elsewhere." in resumed.out
    assert len([e for e in events(debating, session, "turn_opened") if e["step"] == "opening/pro"]) == 1


def test_an_answer_of_the_wrong_form_is_refused_and_the_right_one_taken(debating: Program) -> None:
    with debating.start("debate", MOTION, *SHORT, "--approve-agenda", "--agenda", "agenda.md", "--json") as process:
        session = debating.wait_for("running", "sessions", "list", "--json").json[0]["id"]
        debating.wait_for('"seat": "moderator"', "sessions", "show", session, "--json")
        assert "nothing to answer for con" in refused(debating("sessions", "answer", session, "--seat", "con", "--json"))
        wrong = debating("sessions", "answer", session, "--text", '{"keep": "all"}', "--json")
        assert "must be array" in refused(wrong)
        right = debating("sessions", "answer", session, "--text", '{"keep": [1]}', "--by", "Anna", "--json")
        assert right.json["sent"]["by"] == "Anna"
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert json.loads(out)["state"] == "finished"


def test_a_turn_can_be_passed_from_elsewhere(debating: Program) -> None:
    with debating.start("debate", MOTION, *HUMAN, "--json") as process:
        session = debating.wait_for("running", "sessions", "list", "--json").json[0]["id"]
        debating.wait_for('"seat": "pro"', "sessions", "show", session, "--json")
        assert debating("sessions", "answer", session, "--pass", "ill", "--json").json["sent"]["declined"] == "ill"
        process.terminate()
        process.communicate(timeout=60)


# ── controls ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_control_reaches_a_running_debate_from_a_second_terminal(elenchus: Program) -> None:
    with elenchus.start("debate", MOTION, *slow("0.5"), "--json") as process:
        session = elenchus.wait_for('"running"', "sessions", "list", "--json").json[0]["id"]
        paused = elenchus("sessions", "pause", session, "--reason", "tea", "--json")
        assert paused.json["sent"]["kind"] == "pause"
        assert "paused" in elenchus.wait_for('"paused"', "sessions", "list", "--json").out
        for control in (
            ("heat", "0.55"), ("guide", "Name a study.", "--to", "pro"), ("ask", "con", "Who pays?"),
            ("deepen", "con"), ("round",), ("budget", "--tokens", "800000"), ("vote", "pro", "--by", "Anna"),
        ):  # fmt: skip
            name, *rest = control
            done = elenchus("sessions", name, session, *rest, "--json")
            assert done.code == 0, done.err
            assert done.json["id"] == session
        resumed = elenchus("sessions", "resume", session, "--json")
        assert "asked to go on" in resumed.json["effect"]
        out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    document = json.loads(out)
    assert document["rounds"][0]["heat"] == pytest.approx(0.55)
    assert len(document["rounds"]) == 2
    assert document["audience"]["only_before"]["pro"] == 1
    said = [(e["speaker"], e["to"], e["text"]) for e in events(elenchus, session, "said")]
    assert ("moderator", ["pro"], "Name a study.") in said
    assert ("moderator", ["con"], "Who pays?") in said


def test_a_debate_is_brought_to_its_closings_or_stopped_from_a_second_terminal(elenchus: Program) -> None:
    slowly = [part.replace("1", "9") if part == "1" else part for part in slow("0.4")]
    with elenchus.start("debate", MOTION, *slowly, "--json") as process:
        session = elenchus.wait_for('"running"', "sessions", "list", "--json").json[0]["id"]
        assert elenchus("sessions", "close", session).code == 0
        stopped = elenchus("sessions", "stop", session, "time is up", "--json")
        assert stopped.code == 0
        out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    assert json.loads(out)["state"] == "stopped"
    assert json.loads(out)["reason"] == "time is up"
    assert "nothing can be changed" in refused(elenchus("sessions", "heat", session, "0.5", "--json"))


def test_a_session_that_nobody_runs_is_stopped_by_the_command_itself(elenchus: Program) -> None:
    session = elenchus("debate", MOTION, *SHORT, "--budget-tokens", "10", "--json").json["id"]
    assert elenchus("sessions", "stop", session, "--json").json["effect"] == "stopped"
    resumed = elenchus("sessions", "resume", session, "--json")
    assert (resumed.code, resumed.json["state"]) == (0, "stopped")


@pytest.mark.parametrize(
    ("control", "says"),
    [
        (("heat", "x", "2"), "between 0 and 1"),
        (("guide", "x", " "), "text is empty"),
        (("guide", "x", "hi", "--to", "them"), "no side"),
        (("ask", "x", "crowd", "Why?"), "no side"),
        (("budget", "x"), "--tokens N"),
        (("vote", "x", "maybe"), "pro, con or undecided"),
        (("pause", "x"), "No session"),
    ],
)
def test_a_control_that_makes_no_sense_is_refused(elenchus: Program, control: tuple[str, ...], says: str) -> None:
    assert says in refused(elenchus("sessions", *control, "--json"))


def test_the_room_is_won_by_the_side_that_moved_more_votes(elenchus: Program) -> None:
    session = elenchus("debate", MOTION, *SHORT, "--json").json["id"]
    for when, side in (("before", "con"), ("after", "pro")):
        voted = elenchus("sessions", "vote", session, side, "--when", when, "--by", "Anna", "--json")
        assert voted.code == 0
    assert voted.json["audience"]["winner"] == "pro"
