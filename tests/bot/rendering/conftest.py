"""Logs of whole debates for the tests of rendering, made once."""

from __future__ import annotations

import asyncio

import pytest

from elenchus.debate_engine.events import Event, Guidance, HeatSet, Question, Recorded, Voted
from tests.debate_engine.reports.debates import debated, failing, hostile, hostile_text, started


def _commands(by: str, text: str) -> list[Event]:
    return [
        Guidance(by=by, to=("pro",), text=text),
        Question(by=by, to="con", text=text),
        HeatSet(by=by, heat=0.8),
        *(Voted(by=f"discord:{n}", when="before", side="con") for n in range(3)),
        *(Voted(by=f"discord:{n}", when="after", side="pro") for n in range(2)),
    ]


@pytest.fixture(scope="session")
def debate() -> list[Recorded]:
    """A debate with everything in it."""
    first = started({"pro": "Ada", "con": "Boris"}, compare_qa=True, vote_seconds=0.1)
    return asyncio.run(debated(first, before=_commands("discord:77", "Stay with the figures")))


@pytest.fixture(scope="session")
def with_people() -> list[Recorded]:
    """The same with a member on con's seat."""
    first = started({"pro": "Ada", "con": "Carla"}, {"con": "human:discord:42"}, compare_qa=True)
    return asyncio.run(debated(first, before=_commands("discord:77", "Stay with the figures")))


@pytest.fixture(scope="session")
def open_question() -> list[Recorded]:
    """A debate on an open question."""
    return asyncio.run(debated(started(open_question=True, brief="A cough for two weeks.", max_rounds=3)))


@pytest.fixture(scope="session")
def unread() -> list[Recorded]:
    """A debate in which neither CRIT nor one judge could be read."""
    return asyncio.run(debated(started(), failing("crit", "judge-1")))


@pytest.fixture(scope="session")
def hostile_debate() -> list[Recorded]:
    """A debate in which everybody's every word is an attack on whoever shows it."""
    evil = hostile_text("@everyone <@&1> [x](https://evil.example) discord.gg/x")
    first = started({"pro": evil, "con": f"Clyde {evil}"}, motion=evil[:1_900], compare_qa=True, brief=evil)
    return asyncio.run(debated(first, hostile, before=_commands(evil, evil)))
