"""The foot of the live view on narrow terminals: what matters stays in sight."""

from __future__ import annotations

import io

import pytest

from elenchus.debate_engine.events import SessionPaused, SessionResumed
from elenchus.debate_engine.reports.blocks import Rows
from elenchus.service.cli.console import PrintableConsole
from elenchus.service.cli.live.status import key_line, panel, stages
from elenchus.service.cli.show.render import rendered
from elenchus.service.cli.show.terminal_view import TerminalView
from tests.service.cli.test_terminal_view import COURSE, done, numbered

ROUNDS = [
    done("round/2/heat", {"heat": 0.63, "set_by": []}),
    done("round/2/crit/quality", {"gamma": 6.0, "standing": 5.0, "new": []}),
]
WIDTHS = [40, 60, 80, 100, 120]


def debate() -> TerminalView:
    """In its second round, with two scores."""
    terminal = TerminalView("abc2345")
    terminal.take_all(numbered([*COURSE, *ROUNDS]))
    return terminal


def shown(what: object, width: int) -> str:
    file = io.StringIO()
    PrintableConsole(file=file, width=width, color_system=None).print(what)
    return file.getvalue()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_stage_that_runs_and_the_heat_are_always_shown(width: int) -> None:
    terminal = debate()
    foot = shown(panel(terminal, "", key_line(terminal, width - 6), elapsed=1.0, width=width), width)
    assert "▸ round 2/" in foot
    assert " 0.63" in foot
    assert "Γ 6.0" in foot
    assert "…" not in foot


@pytest.mark.parametrize("width", WIDTHS)
def test_a_heat_that_was_set_for_the_next_turn_is_shown(width: int) -> None:
    terminal = debate()
    terminal.moderated.wanted_heat = 0.7
    assert "→ 0.7" in shown(panel(terminal, "", key_line(terminal, width - 6), elapsed=1.0, width=width), width)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_budget_is_shown(width: int) -> None:
    terminal = debate()
    terminal.moderated.most_usd = 0.5
    assert "budget 0% of $0.5000" in shown(
        panel(terminal, "", key_line(terminal, width - 6), elapsed=1.0, width=width), width
    )


def test_stages_ahead_are_left_out_before_those_behind() -> None:
    assert stages(debate(), 80).plain.split("  ")[0] == "✓ agenda"
    assert stages(debate(), 14).plain.startswith("▸ round 2/")


@pytest.mark.parametrize("width", WIDTHS)
def test_every_key_is_named(width: int) -> None:
    line = key_line(debate(), width - 6).plain
    assert [piece.split()[0] for piece in line.split("  ")] == ["p", "+/-", "g", "a", "d", "r", "c", "b", "s", "?"]
    assert len(line) <= width - 6
    if width >= 60:
        assert all(word in line for word in ("p pause", "b budget", "s stop", "? help"))


def test_two_scores_stand_on_one_line() -> None:
    row = ["judge-1", "22", "22", "2 of 2 read", "a tie", "10.5–11.5", "10.5–11.5"]
    head = ("judge", "pro", "con", "", "vote", "pro claims", "con claims")
    table = shown(rendered(Rows("judge", head, [row])), 60)
    assert table.count("10.5–11.5") == 2


def test_a_pause_of_before_is_not_told_again_when_the_session_goes_on() -> None:
    terminal, pause = debate(), SessionPaused(why="interrupt", reason="interrupted: resume it to go on")
    (r,) = numbered([pause], 20)
    assert terminal.take_past(r) == []
    assert terminal.paused
    (r,) = numbered([SessionResumed()], 21)
    assert terminal.take_past(r) == []
    (r,) = numbered([pause], 22)
    assert terminal.take(r), "it is told when it happens"
