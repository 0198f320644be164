"""People in seats and at the controls, from this terminal and from another."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.service.cli.program import ELENCHUS, PATIENCE, ROOT, Program, Result, Started, environment
from tests.service.cli.test_debate import MOTION, SHORT, refused

AGENDA = "- rest vs. practice: evenings\n"
HUMAN = (
    "--pro",
    "human",
    "--con",
    "scripted:demo",
    "--judge",
    "scripted:demo",
    "--agenda",
    "agenda.md",
    "--max-rounds",
    "1",
)


@pytest.fixture
def debating(elenchus: Program) -> Program:
    (elenchus.folder / "agenda.md").write_text(AGENDA)
    return elenchus


def test_a_person_debates_from_a_pipe_and_sees_no_scores_before_the_end(debating: Program) -> None:
    speeches = "My first words.\nSecond line.\n.\nI refute it.\n.\nmaybe\nyes\nmore\nMy closing.\n.\n"
    answers = speeches + "We agree.\n/pass\n/pass\n"
    result = debating("debate", MOTION, *HUMAN, stdin=answers)
    assert result.code == 0, result.err
    assert "[pro, opening, heat 0.90]\n  My first words.\n  Second line." in result.out
    assert "this must be one of Yes, No" in result.out
    assert "[con, opening, heat 0.90]" in result.out
    before_the_end = result.out[: result.out.index("[joint proposal]")]
    assert "gamma" not in before_the_end
    assert "weakest" not in before_the_end
    assert "scripted:" not in before_the_end


def test_a_person_whose_input_has_ended_passes_and_is_told_so(debating: Program) -> None:
    result = debating("debate", MOTION, *HUMAN, stdin="My first words.\n.\nI refute")
    assert result.code == 0, result.err
    assert "[pro, opening, heat 0.90]\n  My first words." in result.out
    assert "[pro, round 1, heat 0.75]\n  I refute" in result.out
    passed = [event for event in debating.events("turn_answered") if event["declined"]]
    assert {event["declined"] for event in passed} == {"the input has ended"}
    assert "closing/pro" in [event["step"] for event in passed]
    assert result.err.count("the input has ended, so pro passes") == len(passed)


def test_who_gives_nothing_through_a_pipe_passes_every_turn_and_half_a_form_is_no_answer(debating: Program) -> None:
    result = debating("debate", MOTION, *HUMAN, stdin="")
    assert result.code == 0, result.err
    models = ("--pro", "scripted:demo", "--con", "scripted:demo", "--judge", "human")
    judged = debating("debate", MOTION, *models, *HUMAN[6:], stdin="Pro showed more.\n12\n")
    assert judged.code == 0, judged.err
    assert "0 of 2 read" in judged.out
    assert "[verdict] Undecided" in judged.out


def test_who_ends_the_input_while_answering_elsewhere_leaves_and_the_turn_stays_open(moderated: Moderated) -> None:
    elenchus, session, process = moderated
    with elenchus.terminal("sessions", "answer", session, "--json") as anna:
        anna.expect("your turn: moderator")
        anna.type("\x04")
        anna.expect("the turn stays open")
        assert anna.wait() == 130
    approve(elenchus, session)
    assert ended(process)["state"] == "finished"


def test_a_person_judges_from_a_file_and_an_unreadable_score_is_asked_again(debating: Program) -> None:
    ruling = "Pro showed more.\n12\n8\n7\n5\n6\nA\n"
    (debating.folder / "rulings.txt").write_text(f"{ruling}{ruling}")
    models = ("--pro", "scripted:demo", "--con", "scripted:demo", "--judge", "human")
    with (debating.folder / "rulings.txt").open() as file:
        done = subprocess.run(
            [*ELENCHUS, "debate", MOTION, *models, "--agenda", "agenda.md", "--max-rounds", "1"],
            stdin=file, capture_output=True, text=True, cwd=debating.folder, timeout=PATIENCE, check=False,
            env=environment(debating.home, {"PYTHONPATH": str(ROOT)}),
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("this must be from 1 to 10") == 2
    assert "[judge] judge-1: pro 15, con 11, 2 of 2 read" in done.stdout
    assert "[verdict] The side for the motion" in done.stdout
    before_the_end = done.stdout[: done.stdout.index("[joint proposal]")]
    assert "gamma" not in before_the_end
    assert "scripted:" not in before_the_end


def test_a_turn_left_open_survives_a_restart_and_can_be_answered_before_it(debating: Program) -> None:
    with debating.start("debate", MOTION, *HUMAN, "--json") as process:
        session = debating.wait_for("turn_opened", "opening/pro")
        process.kill()
    answered = debating("sessions", "answer", session, stdin="My words from elsewhere.\n.\n")
    assert answered.code == 0, answered.err
    resumed = debating("sessions", "resume", session, stdin="/pass\n" * 6)
    assert resumed.code == 0, resumed.err
    assert "My words from elsewhere." in resumed.out
    assert len([e for e in debating.events("turn_opened") if e["step"] == "opening/pro"]) == 1


def test_an_answer_of_the_wrong_form_is_refused_and_the_right_one_taken(moderated: Moderated) -> None:
    elenchus, session, process = moderated
    assert "nothing to answer for con" in refused(elenchus("sessions", "answer", session, "--seat", "con", "--json"))
    wrong = elenchus("sessions", "answer", session, "--text", '{"keep": "all"}', "--json")
    assert "must be of type array" in refused(wrong)
    right = elenchus("sessions", "answer", session, "--text", '{"keep": [1]}', "--by", "Anna", "--json")
    assert right.json["sent"]["by"] == "Anna"
    assert ended(process)["state"] == "finished"


def test_a_turn_can_be_passed_from_elsewhere(moderated: Moderated) -> None:
    elenchus, session, process = moderated
    passed = elenchus("sessions", "answer", session, "--pass", "as you like", "--json")
    assert passed.json["sent"]["declined"] == "as you like"
    assert ended(process)["state"] == "finished"


# ── controls, while a debate waits for its moderator's word on the agenda ────────────────────────────────────────

Moderated = tuple[Program, str, Started]


@pytest.fixture
def moderated(debating: Program) -> Iterator[Moderated]:
    """A running debate that waits for its agenda to be approved."""
    with debating.start("debate", MOTION, *SHORT, "--approve-agenda", "--agenda", "agenda.md", "--json") as process:
        yield debating, debating.wait_for("turn_opened", "agenda/approve"), process
        process.kill()


def ended(process: Started) -> Any:
    """The document of a debate that comes to its end by itself."""
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    return json.loads(out)


def approve(elenchus: Program, session: str) -> None:
    assert elenchus("sessions", "answer", session, "--text", '{"keep": [1]}').code == 0


def test_every_control_reaches_a_running_debate_from_a_second_terminal(moderated: Moderated) -> None:
    elenchus, session, process = moderated
    paused = elenchus("sessions", "pause", session, "--reason", "tea", "--json")
    assert paused.json["sent"]["kind"] == "pause"
    elenchus.wait_for("session_paused", "tea")
    for control in (
        ("heat", "0.55"), ("guide", "Name a study.", "--to", "pro"), ("ask", "con", "Who pays?"), ("deepen", "con"),
        ("round",), ("budget", "--tokens", "800000"), ("vote", "pro", "--by", "Anna"),
    ):  # fmt: skip
        name, *rest = control
        done = elenchus("sessions", name, session, *rest, "--json")
        assert done.code == 0, done.err
        assert done.json["id"] == session
    approve(elenchus, session)
    resumed = elenchus("sessions", "resume", session, "--json")
    assert "asked to go on" in resumed.json["effect"]
    document = ended(process)
    said = [(e["speaker"], e["to"], e["text"]) for e in elenchus.events("said")]
    assert ("moderator", ["pro"], "Name a study.") in said
    assert ("moderator", ["con"], "Who pays?") in said
    assert [e["result"]["heat"] for e in elenchus.events("step_done") if e["step"] == "opening/heat"] == [0.55]
    assert len(document["rounds"]) == 2  # the cap is 1
    assert document["audience"]["only_before"]["pro"] == 1


def test_a_debate_is_brought_to_its_closings_from_a_second_terminal(moderated: Moderated) -> None:
    elenchus, session, process = moderated
    assert elenchus("sessions", "close", session).code == 0
    approve(elenchus, session)
    document = ended(process)
    assert document["rounds"] == []
    assert "closings" in document["ended"]


def test_a_debate_is_stopped_from_a_second_terminal(moderated: Moderated) -> None:
    elenchus, session, process = moderated
    assert elenchus("sessions", "stop", session, "time is up", "--json").code == 0
    document = ended(process)
    assert (document["state"], document["reason"]) == ("stopped", "time is up")
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
def test_a_control_that_makes_no_sense_is_refused(
    inside: Callable[..., Result], control: tuple[str, ...], says: str
) -> None:
    assert says in refused(inside("sessions", *control, "--json"))


def test_the_room_is_won_by_the_side_that_moved_more_votes_and_a_vote_counts_as_of_when_it_is_cast(
    moderated: Moderated,
) -> None:
    elenchus, session, process = moderated
    vote = "sessions", "vote", session
    early = elenchus(*vote, "pro", "--when", "after", "--by", "Anna", "--json")
    assert "No vote is open" in refused(early)
    assert elenchus(*vote, "con", "--when", "before", "--by", "Anna").code == 0
    approve(elenchus, session)
    assert ended(process)["state"] == "finished"
    late = elenchus(*vote, "pro", "--when", "before", "--by", "Ben", "--json")
    assert "a vote counts as one after it" in refused(late), "the debate has been held and judged"
    voted = elenchus(*vote, "pro", "--by", "Anna", "--json")
    assert voted.json["audience"]["winner"] == "pro"
