"""Scenes on a real terminal (a pty): a grid's progress, and a person who plays from the agreement to the debriefing."""

from __future__ import annotations

import sys

import pytest

from elenchus.service.cli.live.keyboard import CLEARED
from elenchus.service.cli.live.status import OTHERS
from tests.service.cli.program import PATIENCE, Program
from tests.twins import LUNCH, ROOM

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty")

SLOW = "scripted:demo?latency=0.1"
MODELS = ("--others", SLOW, "--judge", "scripted:demo")


@pytest.mark.slow
def test_a_grid_shows_how_far_each_of_its_cells_is(elenchus: Program) -> None:
    arguments = ("scene", "run", ROOM, "--subject", "scripted:demo", *MODELS, "-n", "2")
    with elenchus.terminal(*arguments) as terminal:
        for shown in ("treatment", "0/2", "running", "2/2", "how often the bias is seen"):
            terminal.expect(shown)
        assert terminal.wait() == 0
    told = elenchus(*arguments, "--condition", "control").err
    assert "run 1 of 2 (scripted:demo · control) is finished" in told
    assert "run 2 of 2 (scripted:demo · control) is finished" in told


@pytest.mark.slow
def test_a_person_knows_who_it_is_and_what_is_waited_for_until_the_debriefing(elenchus: Program) -> None:
    arguments = ("scene", "run", ROOM, "--subject", "human", *MODELS, "--condition", "treatment")
    with elenchus.terminal(*arguments) as terminal:
        terminal.expect("Do you agree to take part?")
        terminal.expect("(yes / no)")
        terminal.type("yes\r")
        for shown in ("ZOE · who you are", "You are Zoe.", "Your task: Choose the room", OTHERS, "SYSTEM · to Zoe"):
            terminal.expect(shown)
        for number in range(3):
            terminal.expect("YOUR TURN: ZOE")
            terminal.type(f"These are words number {number}.\r.\r")
            terminal.expect(f"These are words number {number}.")
        for shown in ("SYSTEM · to Zoe (debrief)", "Ken was a confederate", "Ken (the confederate): a language model"):
            terminal.expect(shown)
        terminal.expect("press Enter when you have read this")
        terminal.type("\r")
        assert terminal.wait() == 0
    assert "tokens" not in terminal.screen


def test_a_person_plays_a_scene_that_comes_along_by_its_forms(elenchus: Program) -> None:
    with elenchus.terminal("scene", "run", "bandwagon", "--subject", "human", "--condition", "vega/quiet") as terminal:
        for asked, typed in (("Are you at least 18 years old?", "yes\r"), ("Do you agree to take part?", "yes\r")):
            terminal.expect(asked)
            terminal.expect("(yes / no)")
            terminal.type(typed)
        for shown in ("ROBIN · who you are", "eleven took Vega", "YOUR TURN: ROBIN", "Which lamp do you take?"):
            terminal.expect(shown)
        terminal.type("Vega\r8\r")
        for shown in ("Vega, please.", "What had the others taken?"):
            terminal.expect(shown)
        terminal.type("most took Vega\rno\rAbout lamps.\r")
        for shown in ("SYSTEM · to Robin (debrief)", "You took: Vega.", "May what you said be kept"):
            terminal.expect(shown)
        terminal.expect("(yes / no)")
        terminal.type("yes\r")
        terminal.expect("press Enter when you have read this and kept your codes")
        assert CLEARED not in terminal.screen
        terminal.type("\r")
        assert terminal.wait() == 0
    _, _, left = terminal.screen.rpartition(CLEARED)
    assert "is finished" in left, "what whoever runs it needs"
    assert "adults" in left, "a warning for whoever runs it"
    assert [word for word in ("Vega", "shown once", "debrief", "recruited", "look at it") if word in left] == []
    beside = terminal.screen.replace(left, "")
    assert "ethics" not in beside
    assert [name for name in ("lamp  ", "sure  ", "Your direction", "agreed  ") if name in beside] == []


def test_who_plays_at_another_terminal_is_shown_their_codes_there_and_whoever_looks_later_is_not(
    elenchus: Program,
) -> None:
    run = elenchus.start("scene", "run", "bandwagon", "--subject", "human:anna", "--condition", "vega/quiet")
    session = elenchus.wait_for("turn_opened")
    with elenchus.terminal("sessions", "answer", session, "--stay") as anna:
        for asked in ("Are you at least 18 years old?", "Do you agree to take part?"):
            anna.expect(asked)
            anna.expect("(yes / no)")
            anna.type("yes\r")
        for asked, typed in (
            ("Which lamp do you take?", "Vega\r8\r"),
            ("What had the others", "most took Vega\rno\rAh.\r"),
        ):
            anna.expect(asked)
            anna.type(typed)
        anna.expect("May what you said be kept")
        anna.expect("(yes / no)")
        anna.type("yes\r")
        anna.expect("it is shown once: ")
        anna.expect("press Enter when you have read this")
        anna.type("\r")
        assert anna.wait() == 0
    run.communicate(timeout=PATIENCE)
    with elenchus.terminal("sessions", "answer", session, "--stay") as later:
        assert later.wait() == 0
    assert [word for word in ("shown once", "recruited") if word in later.screen] == []


def test_a_number_typed_into_the_form_of_a_scene_is_told_back(elenchus: Program) -> None:
    run = ("scene", "run", "anchoring", "--subject", "human", "--condition", "high/quiet")
    with elenchus.terminal(*run) as terminal:
        for asked in ("Are you at least 18 years old?", "Do you agree to take part?"):
            terminal.expect(asked)
            terminal.expect("(yes / no)")
            terminal.type("yes\r")
        terminal.expect("(higher / lower)")
        terminal.type("lower\r")
        terminal.expect("How many beads are in the jar? (one whole number")
        terminal.type("ca. 200\r")
        terminal.expect("this must be a whole number, in digits alone, such as 250")
        terminal.type("1.200\r")
        terminal.expect("read as: 1")
        terminal.expect("Which number stood on Vito's ticket?")
    (guess,) = [event["answer"] for event in elenchus.events("turn_answered") if "estimate" in str(event["answer"])]
    assert guess == {"estimate": 1200}


@pytest.mark.slow
def test_lists_and_results_of_scenes_break_no_id_and_no_word_on_a_narrow_terminal(elenchus: Program) -> None:
    demo = ("--subject", "scripted:demo", "--others", "scripted:demo", "--judge", "scripted:demo")
    elenchus("scene", "run", LUNCH, *demo, "--style", "conservative", "--export", "out")
    elenchus("scene", "run", "comfort-zone", "--subject", "scripted:demo")
    sessions = [row["id"] for row in elenchus("sessions", "list", "--json").json]
    for command, whole in (
        (("sessions", "list"), [*sessions, "finished"]),
        (("scene", "list"), ["comfort-zone", "comfort-zone-effect", "versions", "minutes"]),
        (("scene", "results", LUNCH), ["conservative", "treatment", "frequency", "difference", "1 of 1"]),
        (("scene", "results", "comfort-zone"), ["scripted:demo", "short/keep", "analysed", "difference"]),
    ):
        with elenchus.terminal(*command, columns=80) as terminal:
            assert terminal.wait() == 0
        assert [word for word in whole if word not in terminal.screen] == []


def test_an_export_says_what_to_open(elenchus: Program) -> None:
    models = ("--others", "scripted:demo", "--judge", "scripted:demo")
    grid = elenchus("scene", "run", ROOM, "--subject", "scripted:demo", *models, "--export", "grid")
    assert "to read: grid/report.md" in grid.err
    essay = elenchus.folder / "essay.md"
    essay.write_text("Homework takes away sleep. Therefore it should go.")
    scored = elenchus("crit", essay, "--model", "scripted:demo", "--export", "out")
    assert "to read: out/report.html" in scored.err
    assert (elenchus.folder / "out" / "report.html").exists()
