"""A program that is killed while a mind reads or debates loses nothing, and nothing is taken in twice."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.debate_engine.protocols.cognition.profiles import GRETA_AS_JSON
from tests.service.cli.program import Program

pytestmark = pytest.mark.slow

SLOW = {
    "latency": 0.3,
    "rules": [
        {
            "prompt": "cognition/distil",
            "json": {
                "knowledge": [
                    {"subject": "The council", "predicate": "orders", "object": "two ferries", "thought": "",
                     "score": 5},
                ]
            },
        },
        {"prompt": "cognition/talk", "text": "I would rather go fishing."},
    ],
}  # fmt: skip


@pytest.fixture
def greta(elenchus: Program) -> Program:
    """A mind whose model takes its time."""
    (elenchus.folder / "x.yaml").write_text(yaml.safe_dump(SLOW))
    (elenchus.folder / "greta.yaml").write_text(yaml.safe_dump(GRETA_AS_JSON))
    (elenchus.folder / "ferry.txt").write_text("The council orders two ferries.")
    made = elenchus("mind", "create", "greta", "--person", "invented", "--profile", "greta.yaml", "--model",
                        "scripted:x.yaml")  # fmt: skip
    assert made.code == 0, made.err
    return elenchus


def killed(program: Program, kind: str, holding: str, *arguments: str | Path) -> str:
    """Run a command until this is in the log, and kill it: the session."""
    started = program.start(*arguments)
    session = program.wait_for(kind, holding)
    started.kill()
    started.communicate()
    return session


def closed(program: Program, beginning: str) -> list[str]:
    steps = [event["step"] for event in program.events("step_done")]
    return [step for step in steps if step.startswith(beginning) and step.endswith("/closed")]


def test_what_it_was_reading_is_read_once_with_the_next_thing(greta: Program) -> None:
    killed(greta, "fed", "", "mind", "feed", "greta", "ferry.txt")
    assert closed(greta, "feed/") == []
    said = greta("mind", "ask", "greta", "Well?", "--json")
    assert said.code == 0, said.err
    assert len(greta.events("fed")) == len(closed(greta, "feed/")) == 1


def test_fed_the_same_again_it_reads_once_what_waited_and_says_so(greta: Program) -> None:
    killed(greta, "fed", "", "mind", "feed", "greta", "ferry.txt")
    again = greta("mind", "feed", "greta", "ferry.txt")
    assert again.code == 0, again.err
    assert "greta reads ferry.txt, which waited already …" in again.err
    assert len(greta.events("fed")) == len(closed(greta, "feed/")) == 1


def test_a_folder_and_a_survey_that_broke_off_are_gone_on_with_by_the_same_words(greta: Program) -> None:
    (greta.folder / "articles").mkdir()
    for n in (1, 2, 3):
        (greta.folder / "articles" / f"{n}.txt").write_text(f"The council orders {n} ferries.")
    (greta.folder / "opinions.txt").write_text("Ferries should be free.\n")
    made = ("mind", "create", "ida", "--person", "myself", "--profile", "greta.yaml", "--model", "scripted:x.yaml")
    assert greta(*made, "--opinions", "opinions.txt").code == 0
    feed = ("mind", "feed", "ida", "articles", "--survey", "--unread")
    killed(greta, "surveyed", "", *feed)
    assert (len(closed(greta, "feed/")), closed(greta, "survey/")) == (1, [])
    again = greta(*feed, "--json")
    assert again.code == 0, again.err
    assert [one["read_before"] for one in again.json["read"]] == [1, None, None]
    assert [one["survey"]["iteration"] for one in again.json["read"]] == [1, 2, 3]
    assert len(greta.events("fed")) == len(closed(greta, "feed/")) == 3
    assert len(greta.events("surveyed")) == len(closed(greta, "survey/")) == 3


def test_a_debate_that_died_is_remembered_once(greta: Program) -> None:
    others = ("--con", "scripted:demo", "--judge", "scripted:demo", "--crit", "scripted:demo")
    debate = ("debate", "Ferries should be free", "--pro", "mind:greta", *others, "--topics", "1", "--max-rounds", "0")
    session = killed(greta, "said", "opening", *debate)
    assert greta.events("attended") == []
    resumed = greta("sessions", "resume", session)
    assert resumed.code == 0, resumed.err
    assert greta("sessions", "resume", session).code == 0
    assert greta("mind", "ask", "greta", "How was it?").code == 0
    (attended,) = greta.events("attended")
    assert attended["session"] == session
    assert len(closed(greta, "attended/")) == 1
