"""Logs of whole debates, made once: the real protocol over a log in memory."""

from __future__ import annotations

import asyncio

import pytest

from elenchus.debate_engine.events import (
    BudgetRaised,
    DeepenAsked,
    Event,
    Guidance,
    HeatSet,
    Question,
    Recorded,
    Voted,
)
from tests.debate_engine.reports.debates import debated, hostile, hostile_text, started


@pytest.fixture(scope="session")
def debate() -> list[Recorded]:
    """A debate with everything in it: commands, votes, failures, shortened prompts, a comparison."""
    commands: list[Event] = [
        Guidance(by="Mo", to=("pro",), text="Stay with the figures"),
        Question(by="Mo", to="con", text="Who pays?"),
        HeatSet(by="Mo", heat=0.8),
        DeepenAsked(by="Mo", to="con"),
        BudgetRaised(by="Mo", usd=3.0),
        *(Voted(by=f"v{n}", when="before", side="con") for n in range(3)),
        *(Voted(by=f"v{n}", when="after", side="pro") for n in range(2)),
        Voted(by="v2", when="after", side="con"),
    ]
    first = started({"pro": "Ada", "con": "Boris"}, compare_qa=True)
    return asyncio.run(debated(first, before=commands, shaky=7))


@pytest.fixture(scope="session")
def open_question() -> list[Recorded]:
    """A debate on an open question in which con concedes."""
    return asyncio.run(debated(started(open_question=True, brief="A cough for two weeks.", max_rounds=3)))


@pytest.fixture(scope="session")
def hostile_debate() -> list[Recorded]:
    """A debate in which everybody's every word is an attack on whoever shows it."""
    evil = hostile_text("x")
    titles = {"pro": evil, "con": evil, "judge-1": evil}
    commands: list[Event] = [Guidance(by=evil, to=("pro",), text=evil), Voted(by=evil, when="before", side="pro")]
    first = started(titles, {"con": f"openai:{evil}"}, motion=evil, compare_qa=True, brief=evil)
    return asyncio.run(debated(first, hostile, before=commands, shaky=5))
