"""A session that waits for a person elsewhere says for whom, and how they answer."""

from __future__ import annotations

import io
from datetime import UTC, datetime

from rich.console import Console

from elenchus.debate_engine.events import Event, Recorded, Seat, SessionPaused, SessionStarted, TurnAnswered, TurnOpened
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.cli.live.status import at_work
from elenchus.service.cli.show.terminal_view import MODERATOR, TerminalView
from tests.service.cli.program import PATIENCE, Program
from tests.service.cli.test_debate import MOTION

WHEN = datetime(2026, 11, 21, tzinfo=UTC)
HOW = "elenchus sessions answer s --seat "


def asked(seat: str) -> TurnOpened:
    ask = Ask(step=f"opening/{seat}", seat=seat, prompt_id="p", prompt_hash="h", role="", material=(), task="Speak.")
    return TurnOpened(step=ask.step, seat=seat, asked=ask.model_dump(mode="json"))


def scene(*events: Event, here: frozenset[str] = frozenset()) -> TerminalView:
    seats = tuple(Seat(name=name, spec=f"human:{name}") for name in ("pro", "con"))
    first = SessionStarted(protocol="socrasynth", title="t", config={}, seats=seats, seed=1, version="0")
    made = TerminalView("s", here, SessionView("s"))
    made.take_all(Recorded(seq=n, at=WHEN, event=event) for n, event in enumerate((first, *events), 1))
    return made


def foot(of: TerminalView) -> str:
    console = Console(record=True, width=120, file=io.StringIO())
    console.print(at_work(of, 0, 116, 5))
    return console.export_text()


def test_the_foot_names_every_seat_that_is_waited_for_until_it_has_answered() -> None:
    assert HOW not in foot(scene())
    both = foot(scene(asked("con"), asked("Anna B")))
    assert f"waiting for con, where a person sits; to answer: {HOW}con" in both
    assert f"{HOW}'Anna B'" in both
    answered = TurnAnswered(step="opening/con", seat="con", by="a", answer="Yes.")
    assert HOW not in foot(scene(asked("con"), answered))


def test_nobody_is_told_so_while_it_is_paused_on_a_seat_or_where_the_moderator_is_asked_here() -> None:
    assert HOW not in foot(scene(asked("con"), SessionPaused(why="moderator", reason="tea")))
    assert HOW not in foot(scene(asked("con"), here=frozenset({"pro"})))
    assert HOW not in foot(scene(asked(MODERATOR)))


def test_where_no_terminal_is_it_stands_on_standard_error_once(elenchus: Program) -> None:
    seats = ("--pro", "human:anna", "--con", "scripted:demo", "--judge", "scripted:demo")
    (elenchus.folder / "agenda.md").write_text("- rest vs. practice: evenings\n")
    with elenchus.start("debate", MOTION, *seats, "--agenda", "agenda.md", "--json") as process:
        session = elenchus.wait_for("turn_opened")
        assert elenchus("sessions", "answer", session, "--text", "My opening.").code == 0
        elenchus.wait_for("turn_opened", '"round/1/pro"')
        assert elenchus("sessions", "stop", session, "enough").code == 0
        _, err = process.communicate(timeout=PATIENCE)
    assert err.count(f"to answer: elenchus sessions answer {session} --seat pro") == 2  # the opening, and the round
