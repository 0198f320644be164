"""Which posts lose their buttons, and when."""

from __future__ import annotations

from elenchus.bot.rendering.prompts import Prompts
from elenchus.debate_engine import events as ev
from elenchus.debate_engine.events import Event, Recorded, now


def over(*events: Event) -> list[list[int]]:
    prompts = Prompts()
    return [prompts.take(Recorded(seq=n, at=now(), event=event)) for n, event in enumerate(events, 1)]


def opened(step: str = "opening/con", seat: str = "con") -> ev.TurnOpened:
    return ev.TurnOpened(step=step, seat=seat, asked={})


def answered(step: str = "opening/con") -> ev.TurnAnswered:
    return ev.TurnAnswered(step=step, seat="con", by="x", answer="y")


def done(step: str) -> ev.StepDone:
    return ev.StepDone(step=step, input_hash="")


def test_an_answered_turn_loses_the_buttons_of_its_call_and_its_reminder() -> None:
    reminded = ev.TurnReminded(step="opening/con", seat="con", due=now())
    assert over(opened(), reminded, answered()) == [[], [], [1, 2]]


def test_a_rejected_answer_leaves_the_new_call_alone_until_the_next_answer() -> None:
    rejected = ev.AnswerRejected(step="opening/con", answer_seq=2, reason="x")
    assert over(opened(), answered(), rejected, answered()) == [[], [1], [], [3]]


def test_a_turn_that_nobody_answered_loses_them_when_its_step_is_done() -> None:
    assert over(opened(), done("opening/con")) == [[], [1]]


def test_who_leaves_the_seat_takes_the_buttons_of_that_seat_alone() -> None:
    assert over(opened(), opened("opening/pro", "pro"), ev.SeatLeft(by="x", seat="con")) == [[], [], [1]]


def test_a_closed_vote_loses_them_and_the_other_vote_does_not() -> None:
    closed = ev.VoteClosed(by="x", when="before")
    assert over(done("vote/before/opened"), closed, done("vote/after/opened"), closed) == [[], [1], [], []]


def test_a_stopped_debate_leaves_nothing_to_press() -> None:
    assert over(opened(), done("vote/before/opened"), ev.SessionStopped(reason="x")) == [[], [], [1, 2]]
