"""What is typed at the foot of the live view: it never becomes another command, another amount, or nothing."""

from __future__ import annotations

import sys
import time
from typing import Any

import pytest
from rich.console import Console

from elenchus.debate_engine.events import BudgetRaised, Event, Recorded, StopAsked, TurnAnswered, TurnOpened, now
from elenchus.debate_engine.participant import Ask
from elenchus.service.cli.live.input import KeyInput
from elenchus.service.cli.live.keyboard import KeyParser
from elenchus.service.cli.show.terminal_view import TerminalView
from elenchus.service.cli.turns import OpenTurns
from tests.service.cli.program import Program, Terminal
from tests.service.cli.test_debate import MOTION
from tests.service.cli.test_people import HUMAN

on_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty")


class Foot:
    """The keyboard of a debater (`here`) or of the moderator, and what it sends."""

    def __init__(self, *here: str) -> None:
        self.sent: list[Event] = []
        self.open_turns = OpenTurns(frozenset(here), "ann")
        self.keys = KeyInput(TerminalView("abc", frozenset(here)), self.open_turns, self.sent.append)

    def opens(self, step: str, seat: str = "pro", schema: dict[str, Any] | None = None) -> None:
        ask = Ask(
            step=step, seat=seat, prompt_id="p", prompt_hash="h", role="", material=(), task="Speak.",
            answer_schema=schema,
        )  # fmt: skip
        self.takes(TurnOpened(step=step, seat=seat, asked=ask.model_dump(mode="json"), answer_schema=schema))

    def takes(self, event: Event) -> None:
        self.open_turns.take(Recorded(seq=1, at=now(), event=event))
        self.keys.take_up_turn()

    def types(self, text: str) -> None:
        for key in KeyParser().feed(text.encode()):
            self.keys.press(key)
            self.keys.take_up_turn()


def _shown(foot: Foot) -> str:
    """What is asked at the foot."""
    console = Console(width=200)
    with console.capture() as captured:
        console.print(foot.keys.form(190, 10))
    return captured.get()


@pytest.mark.parametrize("typed", ["$0,50", "$1.000,50", "0,50", "$1,000.50"])
def test_a_decimal_comma_is_no_budget_and_the_person_is_told_how_to_write_it(typed: str) -> None:
    foot = Foot()
    foot.types(f"b{typed}\r")
    assert foot.sent == []
    assert "$1.50 with a decimal point" in _shown(foot)


def test_who_debates_here_is_told_the_budget_that_was_set() -> None:
    foot = Foot("pro")
    foot.types("b$0.50\r")
    assert foot.sent == [BudgetRaised(by="ann", usd=0.5)]
    assert foot.keys.flash == "ann sets the budget to $0.5000"


def test_a_stop_is_asked_for_twice() -> None:
    foot = Foot()
    foot.types("speed\r")
    assert foot.sent == []
    foot.types("n")
    assert foot.sent == []
    foot.types("stime is up\ry")
    assert foot.sent == [StopAsked(by="ann", reason="time is up")]


def test_who_answers_from_elsewhere_has_no_keys_of_the_moderator() -> None:
    foot = Foot("pro")
    foot.keys.terminal.moderates = False
    foot.types("speed\rpb1\r")
    assert foot.sent == []


def test_ctrl_d_on_an_empty_field_of_a_form_leaves_nothing() -> None:
    foot = Foot("pro")
    foot.opens("more", schema={"type": "object", "properties": {"more": {"type": "boolean"}}})
    foot.types("\x04")
    assert not foot.keys.aside
    foot.types("y\r")
    assert [one.answer for one in foot.sent if isinstance(one, TurnAnswered)] == [{"more": True}]


def test_what_is_typed_when_a_turn_was_answered_elsewhere_is_no_command_until_enter() -> None:
    foot = Foot("pro")
    foot.opens("opening/pro")
    foot.types("Half a spee")
    foot.takes(TurnAnswered(step="opening/pro", seat="pro", by="bob", answer="Done."))
    assert "Half a spee" in str(foot.keys.lost)
    foot.types("/pass")
    assert foot.sent == []
    foot.types("\rp")
    assert [one.kind for one in foot.sent] == ["pause"]


def test_a_text_that_is_put_aside_is_there_when_it_is_taken_up_again() -> None:
    foot = Foot("pro")
    foot.opens("opening/pro")
    foot.types("One.\rTwo\x1b")
    foot.types("g\x1b")
    foot.types("t.\x04")
    assert [one.answer for one in foot.sent if isinstance(one, TurnAnswered)] == ["One.\nTwo."]


def test_all_that_was_typed_for_a_turn_is_shown_where_it_was_not_sent() -> None:
    foot = Foot("pro")
    texts: dict[str, Any] = {
        "type": "object",
        "properties": {"first": {"type": "string"}, "second": {"type": "string"}},
    }
    foot.opens("form", schema=texts)
    foot.types("sleep\rre")
    assert "first: sleep\nsecond: re" in str(foot.keys.unsent()[0].text)  # type: ignore[union-attr]


# ── on a terminal ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def debating(elenchus: Program) -> Program:
    (elenchus.folder / "agenda.md").write_text("- rest vs. practice: evenings\n")
    return elenchus


@on_a_terminal
def test_leaving_shows_what_was_typed_and_not_sent(debating: Program) -> None:
    with debating.terminal("debate", MOTION, *HUMAN) as terminal:
        terminal.expect("YOUR TURN: PRO")
        terminal.type("Pupils need rest.\rSo do tea")
        terminal.expect("So do tea")
        terminal.interrupt()
        terminal.expect("not sent, and not kept; you had typed: your words: Pupils need rest. So do tea")
        assert terminal.wait() == 130


@on_a_terminal
def test_leaving_a_view_in_plain_lines_shows_it_too(debating: Program) -> None:
    with debating.terminal("debate", MOTION, *HUMAN, "--json") as terminal:
        terminal.expect("/pass passes)")
        terminal.type("Pupils need rest.\r")
        time.sleep(1)  # until it is read: Ctrl-C has the terminal drop what is not
        terminal.interrupt()
        terminal.expect("not sent, and not kept; you had typed: your words: Pupils need rest.")
        terminal.wait()


@on_a_terminal
def test_a_long_text_pasted_without_brackets_holds_up_nobody(debating: Program) -> None:
    """Ctrl-C is the last of it: the terminal hears it at once, and throws away what was not read."""
    text = "Pupils need rest. " * 600
    with debating.terminal("debate", MOTION, *HUMAN) as terminal:
        terminal.expect("YOUR TURN: PRO")
        began = time.monotonic()
        for n in range(0, len(text), 500):
            terminal.type(text[n : n + 500])
        terminal.type("the end\r.\r")
        terminal.expect("PRO · opening · heat 0.90")
        assert time.monotonic() - began < 10
        terminal.interrupt()
        assert terminal.wait() == 130
    (said,) = [e["text"] for e in debating.events("said") if e["speaker"] == "pro"]
    assert said == text + "the end"


def _answering(program: Program, session: str) -> Terminal:
    return program.terminal("sessions", "answer", session, "--seat", "pro", "--stay")


@on_a_terminal
def test_a_debater_elsewhere_cannot_end_the_debate_by_typing(debating: Program) -> None:
    arguments = [part.replace("human", "human:Anna") for part in HUMAN]
    with debating.terminal("debate", MOTION, *arguments) as running:
        running.expect("p pause")
        session = debating.wait_for("turn_opened", "opening/pro")
        with _answering(debating, session) as anna:
            anna.expect("YOUR TURN: PRO")
            anna.type("\x1b")
            anna.expect("t takes it up again")
            anna.type("speed\r")
            anna.type("?")
            anna.expect("Leave; the turn stays open")
            assert "Stop for good" not in anna.screen
            assert "s stop" not in anna.screen
            anna.interrupt()
            assert anna.wait() == 130
        running.interrupt()
        assert running.wait() == 130
    assert debating.events("stop") == []
