"""Answers to open turns and votes of the audience: what is made of them, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from elenchus.debate_engine import events as ev
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Event, Recorded, now
from elenchus.debate_engine.llm.schema import json_schema_of
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.socrasynth.schemas import FurtherArguments
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab import participation
from tests.debate_engine.reports.debates import debated, started


def session(*events: Event, vote_seconds: float | None = None) -> SessionView:
    """A debate in which this happened."""
    first = started()
    first = first.model_copy(update={"config": {**first.config, "vote_seconds": vote_seconds}})
    return SessionView.of("demo", [Recorded(seq=n, at=now(), event=e) for n, e in enumerate([first, *events], 1)])


def asked(seat: str, step: str, schema: dict[str, Any] | None = None) -> ev.TurnOpened:
    ask = Ask(step=step, seat=seat, prompt_id="p", prompt_hash="h", role="", material=(), task="", answer_schema=schema)
    return ev.TurnOpened(step=step, seat=seat, asked=ask.model_dump(mode="json"), answer_schema=schema, due=None)


def test_the_turn_that_waited_longest_is_answered() -> None:
    view = session(asked("con", "opening/con"), asked("pro", "opening/pro"))
    assert participation.open_turn(view).seat == "con"
    answer = participation.answer(participation.open_turn(view, "pro"), "anna", " I say. ")
    assert answer == ev.TurnAnswered(step="opening/pro", seat="pro", by="anna", answer="I say.", via="program")
    with pytest.raises(UsageError, match="nothing to answer for judge-1 in session demo: turns of con, pro wait"):
        participation.open_turn(view, "judge-1")


def test_what_is_not_of_the_asked_form_is_refused_with_the_form() -> None:
    turn = participation.open_turn(session(asked("con", "more", json_schema_of(FurtherArguments))))
    assert participation.answer(turn, "anna", {"more": False, "what": ""}).answer == {"more": False, "what": ""}
    with pytest.raises(UsageError, match=r'give \{"more": true or false, "what": "…"\}'):
        participation.answer(turn, "anna", "yes")
    assert participation.no_answer(turn, "anna").declined == "passed"


OPENED = ev.StepDone(step="vote/before/opened", input_hash="", result="2026-01-01T00:00:00+00:00")
CLOSED = ev.VoteClosed(by="x", when="before")


def test_a_vote_that_the_debate_asks_for_counts_while_it_is_open() -> None:
    assert participation.vote(session(OPENED, vote_seconds=60), "anna", "con").when == "before"
    assert participation.close_vote(session(OPENED, vote_seconds=60), "x", "before") == CLOSED
    for view in (session(vote_seconds=60), session(OPENED, CLOSED, vote_seconds=60)):
        with pytest.raises(UsageError, match="vote is closed"):
            participation.vote(view, "anna", "con")
        with pytest.raises(UsageError, match="vote is closed"):
            participation.close_vote(view, "x", "before")
    with pytest.raises(UsageError, match="not open yet"):
        participation.vote(session(OPENED, vote_seconds=60), "anna", "con", "after")
    with pytest.raises(UsageError, match="not open yet"):
        participation.close_vote(session(OPENED, vote_seconds=60), "x", "after")


async def test_where_no_vote_is_asked_for_the_course_of_the_debate_says_which_counts() -> None:
    assert participation.vote(session(), "anna", "undecided").when == "before"
    held = SessionView.of("demo", await debated())
    assert participation.vote(held, "anna", "pro").when == "after"
    with pytest.raises(UsageError, match="has been held"):
        participation.vote(held, "anna", "pro", "before")
