"""The live view on a real terminal (a pty): what is shown, keys, people's turns, Ctrl-C."""

from __future__ import annotations

import sys
import termios
from collections.abc import Iterator

import pytest

from tests.service.cli.program import Program, Terminal
from tests.service.cli.test_debate import MOTION, SHORT
from tests.service.cli.test_people import HUMAN

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty")

SLOW = "scripted:demo?latency=0.4"
SLOWLY = ("--pro", SLOW, "--con", SLOW, "--judge", SLOW, "--topics", "1", "--max-rounds", "1")


@pytest.fixture
def debating(elenchus: Program) -> Program:
    (elenchus.folder / "agenda.md").write_text("- rest vs. practice: evenings\n")
    return elenchus


def mode(terminal: Terminal) -> list[object]:
    return [part for n, part in enumerate(termios.tcgetattr(terminal.slave)) if n in (0, 1, 3)]


@pytest.fixture
def held(debating: Program) -> Iterator[Terminal]:
    """A debate on a terminal that waits for its moderator's word on the agenda, put aside."""
    arguments = ("debate", MOTION, *SHORT, "--approve-agenda", "--agenda", "agenda.md")
    with debating.terminal(*arguments) as terminal:
        terminal.expect("YOUR TURN: MODERATOR")
        terminal.expect("numbers with spaces between them")
        terminal.type("\x1b")
        terminal.expect("t takes it up again")
        yield terminal


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 120])
def test_a_debate_is_shown_live_to_its_verdict(elenchus: Program, columns: int) -> None:
    with elenchus.terminal("debate", MOTION, *SLOWLY, columns=columns) as terminal:
        for shown in (
            f"╭─ {MOTION}", "p pause", "PRO opens", "CON · opening · heat 0.90", "heat ━", " tokens · $0",
            "PRO · round 1 · heat 0.75", "quality after round 1", "the rounds are over",
            "judge-1 rules on a topic", "JOINT PROPOSAL", "score: gamma", "VERDICT",
        ):  # fmt: skip
            terminal.expect(shown)
        assert terminal.wait() == 0
        assert mode(terminal) == [part for n, part in enumerate(terminal.mode_before) if n in (0, 1, 3)]


def test_every_key_sends_its_command(held: Terminal, debating: Program) -> None:
    for keys, shown in (
        ("?", "A question to one side"), ("?", "g guide"), ("p", "PAUSED"), ("+", "heat of the next turn to 0.95"),
        ("-", "heat of the next turn to 0.90"), ("-", "heat of the next turn to 0.85"), ("g", "b both"),
        ("b", "Guidance to both"), ("Name a study.\r", "guides pro and con: Name a study."), ("a", "A question to"),
        ("c", "Question to con"), ("Who pays?\r", "asks con: Who pays?"), ("d", "Deepen the weakest reason of"),
        ("p", "asks pro to deepen"), ("r", "wants one more round"), ("b", "New budget"),
        ("many\r", "many is no amount"), ("900000\r", "budget to 900,000 tokens"), ("p", "the session goes on"),
        ("t", "numbers with spaces"), ("1\r", "PRO · opening · heat 0.85"), ("", "VERDICT"),
    ):  # fmt: skip
        held.type(keys)
        held.expect(shown)
    assert held.wait() == 0
    kinds = {"pause", "resume", "heat", "guidance", "question", "deepen", "round", "budget"}
    assert {kind for kind in kinds if debating.events(kind)} == kinds


def test_c_calls_for_the_closings_and_s_stops_with_a_reason(held: Terminal) -> None:
    held.type("c")
    held.expect("calls for the closings")
    held.type("s")
    held.expect("Stop for good, because")
    held.type("time is up\r")
    held.expect("Stop for good? Nobody can go on with it then.")
    held.type("y")
    held.expect("STOPPED: time is up")
    assert held.wait() == 0


@pytest.mark.slow
def test_ctrl_c_pauses_and_prints_the_command_that_resumes(elenchus: Program) -> None:
    with elenchus.terminal("debate", MOTION, *SLOWLY) as terminal:
        terminal.expect("PRO opens")
        terminal.interrupt()
        terminal.interrupt()
        assert terminal.wait() == 130
        session = elenchus.wait_for("session_paused")
        assert f"elenchus sessions resume {session}" in terminal.screen
        assert mode(terminal) == [part for n, part in enumerate(terminal.mode_before) if n in (0, 1, 3)]
    with elenchus.terminal("sessions", "resume", session) as terminal:
        terminal.expect("AGENDA")
        terminal.expect("VERDICT")
        assert terminal.wait() == 0


def test_a_session_that_waits_for_money_is_not_left_while_a_person_can_raise_the_budget(elenchus: Program) -> None:
    with elenchus.terminal("debate", MOTION, *SHORT, "--budget-tokens", "3000") as terminal:
        terminal.expect("PAUSED the budget")
        terminal.type("b")
        terminal.expect("New budget")
        terminal.type("900,000\r")
        terminal.expect("VERDICT")
        assert terminal.wait() == 0


def test_leaving_a_session_that_waits_for_money_ends_with_the_code_of_the_budget(elenchus: Program) -> None:
    with elenchus.terminal("debate", MOTION, *SHORT, "--budget-tokens", "3000") as terminal:
        terminal.expect("PAUSED the budget")
        terminal.interrupt()
        assert terminal.wait() == 4
        assert "elenchus sessions budget" in terminal.screen


def test_a_person_debates_at_the_terminal_and_sees_only_what_a_debater_may(debating: Program) -> None:
    with debating.terminal("debate", MOTION, *HUMAN) as terminal:
        terminal.expect("YOUR TURN: PRO")
        terminal.expect("a line with only . or Ctrl-D ends it")
        terminal.type("\x1b[200~Pupils need\rrest.\x1b[201~\r.\r")
        terminal.expect("PRO · opening · heat 0.90")
        terminal.expect("CON · opening · heat 0.90")
        terminal.expect("YOUR TURN: PRO")
        terminal.type("They do.\x04")
        terminal.expect("more (yes / no)")
        terminal.type("perhaps\r")
        terminal.expect("this must be one of Yes, No")
        terminal.type("y\r")
        terminal.expect("what the new point in a few words")
        terminal.type("sleep\r")
        terminal.expect("YOUR TURN: PRO")
        terminal.type("/pass\x04")
        terminal.expect("PRO · closing")
        assert "Γ" not in terminal.screen
        _, started, shown = terminal.screen.partition("session ")  # before the start whoever starts it is told who sits
        assert started
        assert "scripted:demo" not in shown.replace(" ".join(HUMAN), "")
        terminal.interrupt()
        terminal.wait()
    said = [e["text"] for e in debating.events("said") if e["speaker"] == "pro"]
    assert said[:2] == ["Pupils need\nrest.", "They do."]


def test_on_a_narrow_terminal_no_word_at_the_foot_is_cut(debating: Program) -> None:
    """A word cut off would be the end of its line: `… passes  Esc─╯`, `… closing  verdi  abc2345  0:01`."""
    with debating.terminal("debate", MOTION, *HUMAN, columns=60) as terminal:
        terminal.expect("YOUR TURN: PRO")
        terminal.expect("a lone . ends it /pass passes Esc puts it aside ─")
        assert "closing" in terminal.screen
        assert "verdi" not in terminal.screen
        terminal.interrupt()
        terminal.wait()


def test_a_person_somewhere_else_answers_at_a_terminal_of_its_own(debating: Program) -> None:
    arguments = [part.replace("human", "human:Anna") for part in HUMAN]
    with debating.terminal("debate", MOTION, *arguments) as running:
        running.expect("p pause")
        session = debating.wait_for("turn_opened", "opening/pro")
        with debating.terminal("sessions", "answer", session, "--seat", "pro") as anna:
            anna.expect("YOUR TURN: PRO")
            anna.type("Anna speaks.\r.\r")
            assert anna.wait() == 0
        running.expect("Anna speaks.")
        with debating.terminal("sessions", "answer", session, "--seat", "pro", "--stay") as anna:
            anna.expect("CON · opening")
            anna.expect("YOUR TURN: PRO")
            anna.type("Anna refutes.\x04")
            anna.expect("CON · round 1")
            anna.expect("more (yes / no)")
            assert "Γ" not in anna.screen
            anna.interrupt()
            assert anna.wait() == 130
        running.interrupt()
        assert running.wait() == 130


def test_control_characters_of_a_model_do_not_reach_the_terminal(elenchus: Program) -> None:
    (elenchus.folder / "evil.yaml").write_text(
        'rules: [{prompt: "socrasynth/opening", text: "Look \\e]0;owned\\a here"}]\n'
    )
    evil = [part.replace("scripted:demo", "scripted:evil.yaml") for part in SHORT]
    with elenchus.terminal("debate", MOTION, *evil) as terminal:
        terminal.expect("VERDICT")
        assert terminal.wait() == 0
        assert "\x1b]0;" not in terminal.screen
