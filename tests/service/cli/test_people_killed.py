"""The key while a scene is played: who is killed (SIGKILL) amid their answers, or refused, does not stay in it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.service.cli.program import Program, Terminal

pytestmark = [pytest.mark.kill, pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty")]

SCENE = ("scene", "run", "bandwagon", "--subject", "human", "--condition", "vega/quiet")
RUN = (*SCENE, "--participant-id", "5f3a-prolific")
AGREES = ("yes\r", "yes\r")


def key_of(elenchus: Program) -> bytes:
    return b"".join(path.read_bytes() for path in Path(elenchus.home).glob("people.db*"))


def agree(terminal: Terminal, answers: Sequence[str]) -> None:
    for asked, typed in zip(("Are you at least 18 years old?", "Do you agree to take part?"), answers, strict=False):
        terminal.expect(asked)
        terminal.expect("(yes / no)")
        terminal.type(typed)


def killed(elenchus: Program, answers: Sequence[str] = (), until: Callable[[], object] = lambda: None) -> str:
    """A run that is killed once these answers are given; its session."""
    with elenchus.terminal(*RUN) as terminal:
        agree(terminal, answers)
        terminal.expect("YOUR TURN: ROBIN" if answers else "A QUESTION TO YOU")
        if answers:
            terminal.type("/withdraw\r")
        until()
        terminal.process.send_signal(signal.SIGKILL)
        terminal.process.wait()
    session = elenchus.wait_for("session_started")
    assert b"5f3a-prolific" in key_of(elenchus), "the session is not over"
    return session


@pytest.mark.parametrize("typed", ["no\n", "yes\nno\n", "yes\nyes\n/withdraw\n"])
def test_an_id_leaves_the_key_also_where_the_run_was_killed_before_the_first_answer(
    elenchus: Program, typed: str
) -> None:
    session = killed(elenchus)
    done = elenchus("sessions", "resume", session, stdin=typed)
    assert done.code == 0, done.err
    assert b"5f3a-prolific" not in key_of(elenchus)


def test_an_id_leaves_the_key_also_where_the_run_was_killed_amid_the_withdrawal(elenchus: Program) -> None:
    session = killed(elenchus, AGREES, lambda: elenchus.wait_for("withdraw"))
    assert elenchus("sessions", "resume", session).code == 0
    assert b"5f3a-prolific" not in key_of(elenchus)


def test_who_goes_on_after_a_kill_is_the_same_person_in_the_key_and_leaves_it_with_their_code(
    elenchus: Program,
) -> None:
    session = killed(elenchus)
    typed = "yes\nyes\nVega\n8\nmost took Vega\nno\nAbout lamps.\nyes\n"
    done = elenchus("sessions", "resume", session, stdin=typed)
    assert done.code == 0, done.err
    assert b"5f3a-prolific" in key_of(elenchus)
    assert len({event["by"] for event in elenchus.events("turn_answered")}) == 1
    _, _, code = done.err.partition("shown once: ")
    assert elenchus("scene", "withdraw", code.split()[0]).code == 0
    assert b"5f3a-prolific" not in key_of(elenchus)


@pytest.mark.parametrize("text", ['{"agreed": "yes"}', "yes"])
def test_nobody_answers_for_who_sits_at_another_terminal_and_leaves_no_name_by_trying(
    elenchus: Program, text: str
) -> None:
    with elenchus.terminal(*RUN) as terminal:
        terminal.expect("A QUESTION TO YOU")
        session = elenchus.wait_for("turn_opened")
        refused = elenchus("sessions", "answer", session, "--text", text, "--by", "bob")
        assert refused.code == 2
        assert b"bob" not in key_of(elenchus)
        assert elenchus.events("turn_answered") == []
        agree(terminal, ("no\r",))
        terminal.expect("press Enter")
        terminal.type("\r")
        assert terminal.wait() == 0
    assert [name for name in (b"bob", b"5f3a-prolific") if name in key_of(elenchus)] == []
