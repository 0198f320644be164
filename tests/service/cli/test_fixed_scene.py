"""A scene of fixed lines at a terminal, in a fresh process without key or model: what a teacher tries first."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable

import pytest

from elenchus.debate_engine.scenes.library import BUILT_IN, find_scene, scene_files
from elenchus.debate_engine.scenes.versions import versions
from tests.service.cli.program import Program, Result

SUBJECT = ("scene", "run", "anchoring", "--subject", "human", "--condition", "low/quiet")
AGREED, KEPT = "yes\nyes\n", "yes\n"
"""The age and the agreement; and what is asked once all is told."""

TYPED = f"{AGREED}lower\n/ask How high is the jar?\n1500\n120\nno\nAbout guessing.\n{KEPT}"


def test_a_person_plays_anchoring_without_a_model_and_sees_the_outcome_in_the_report(elenchus: Program) -> None:
    played = elenchus(*SUBJECT, "--export", "out", stdin=TYPED)
    assert played.code == 0, played.err
    for heard in (
        "No language model reads what you write.",
        "Just for fun, Noor: is the right number of beads higher or lower than the 120 on my ticket?",
        "Everything there is to know stands on the card. I may not help with the counting.",
        "Your ticket said “120”, and your guess was: 1,500 beads.",
        "Vito (the confederate): nobody: these lines were written beforehand, the same for everybody",
    ):
        assert heard in played.out, played.out
    assert elenchus.events("step_done"), "it is in the log"
    assert [call for event in elenchus.events("step_done") for call in event["calls"]] == []
    report = (elenchus.folder / "out" / "report.md").read_text()
    assert "| Noor | estimate | 1,500 beads |" in report
    assert "- The version “low/quiet” was played.\n" in report
    assert "- Noor: estimate: **1,500**" in report
    assert "- Noor stated ticket: 120.\n- Noor stated known: no.\n- Noor stated aim: About guessing.\n" in report


def test_a_model_that_plays_before_a_human_judge_takes_no_place_among_people(elenchus: Program) -> None:
    anchoring = ("scene", "run", "anchoring", "--subject")
    for subject in (("human",), ("scripted:demo", "--judge", "human"), ("human", "--judge", "human:anna")):
        elenchus(*anchoring, *subject, stdin="no\n" * 4)
    person, model, other = (event["config"]["assignment"]["study"] for event in elenchus.events("session_started"))
    assert person == other
    assert model != person


def test_a_number_with_thousands_is_read_and_told_back(elenchus: Program) -> None:
    played = elenchus(*SUBJECT, stdin=TYPED.replace("\n1500\n", "\n1.500\n"))
    assert re.search(r"^read as: 1[.,]?500$", played.err, flags=re.MULTILINE), played.err
    assert "your guess was: 1,500 beads." in played.out


SAID = {
    "en": ("You are", "No language model reads what you write."),
    "de": ("Sie sind", "Was Sie schreiben, liest kein Sprachmodell."),
}
"""What the program says around a scene, in its language."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [path.stem for path in scene_files(BUILT_IN)])
def test_every_scene_is_begun_by_its_name_alone_and_asks_no_model(
    elenchus: Program, inside: Callable[..., Result], name: str
) -> None:
    begun = elenchus("scene", "run", name, "--subject", "human", stdin=AGREED)
    assert begun.out.startswith("/ask and a question"), begun.err
    parts = [role for one in versions(find_scene(name)).values() for role in one.roles if role.kind == "subject"]
    you, no_model = SAID[find_scene(name).language]
    told = {f"[{one.name}, who you are]\n  {you} {one.name}. {one.background}\n" for one in parts}
    assert len([text for text in told if text in begun.out]) == 1
    assert no_model in begun.out
    planned = inside("scene", "run", name, "--subject", "human", "--dry-run", "--json").json
    assert (planned["calls"], planned["usd"]) == (0, 0)


def test_what_is_no_number_is_asked_for_again(elenchus: Program) -> None:
    played = elenchus(*SUBJECT, stdin=TYPED.replace("\n1500\n", "\nmany\n1500\n"))
    assert played.code == 0, played.err
    assert "must be a whole number" in played.out + played.err
    assert "I say 1,500 beads." in played.out


def test_models_play_the_subject_of_a_scene_of_fixed_lines_alone(elenchus: Program) -> None:
    model = ("scene", "run", "anchoring", "--subject", "scripted:demo", "--condition", "low/quiet")
    run = elenchus(*model, "--dry-run", "--json").json
    assert run["others"] == [], "there is nothing that a system agent could look at"
    assert elenchus(*model, "--dry-run").out.startswith("nobody sits beside the subject: all other lines are written")
    played = elenchus(*model, "--export", "out")
    assert played.code == 0, played.err
    assert "Weak model" not in played.out, "the small model has no part in it"
    (row,) = csv.DictReader((elenchus.folder / "out" / "runs.csv").read_text().splitlines())
    assert (row["weak_model"], row["simulated"], row["others"]) == ("false", "true", "")


DELIVERED = """---
scene: 1
title: "The tasting"
bias: ""
factors: {"delivery": ["fixed", "model"]}
outcome: "price"
contrasts: ["fixed - model"]
n: 40
---

# Roles

## Ada (subject)
- Background: You stand before two teas.
- Task: Say what the green one is worth.

## Ben (confederate)
- Background: You have tasted them.
- Task: Tell what you paid.

## Cy (other)
- Background: You listen.

# Rules

1. **unicast, PAS** Ben → Ada: Tell what you paid.
   says: "I paid 12 for it."
2. **unicast, FEL** Ada → Ben: Name a price.
   measure: price

# Measures

price: {kind: number, unit: euros, low: 0, high: 90, ask: "What is it worth?"}

# Observation

See whether the price is near 12.

# Debrief

This was about a number. You said {price}.
"""


def test_a_person_may_be_drawn_to_the_version_whose_words_are_a_models(elenchus: Program) -> None:
    (elenchus.folder / "tea.md").write_text(DELIVERED)
    run = ("scene", "run", "tea.md", "--subject", "human", "--others", "scripted:demo")
    planned = elenchus(*run, "--dry-run", "--json").json
    assert planned["calls"] > 0, "what the dearest version takes"
    assert {row["seat"] for row in planned["others"]} == {"Ben", "system"}, "Cy says nothing"
    unnamed = elenchus(*run[:-2], "--dry-run", "--json").json
    assert {row["model"] for row in unnamed["others"]} == {"local:smollm2-135m"}
    for version, calls in (("fixed", False), ("model", True)):
        played = elenchus(*run, "--condition", version, stdin="yes\n30\n")
        assert played.code == 0, played.err
        assert "You said 30 euros." in played.out
        asked = [call for event in elenchus.events("step_done") for call in event["calls"]]
        assert bool(asked) == calls


def test_who_plays_is_told_the_part_of_the_version_that_is_drawn(elenchus: Program) -> None:
    typed = f"{AGREED}At school.\n7\n0\nno\nAbout money.\n{KEPT}"
    played = elenchus("scene", "run", "sunk-cost", "--subject", "human", "--export", "out", stdin=typed)
    assert played.code == 0, played.err
    ticket = re.search(r"You have a ticket, (.+) two weeks ago", played.out)
    assert ticket
    assert f"Your ticket was {ticket[1]}; others had theirs otherwise" in played.out
    (drawn,) = [one["result"]["version"] for one in elenchus.events("step_done") if one["step"] == "assignment"]
    assert f"- The version “{drawn}” was played.\n" in (elenchus.folder / "out" / "report.md").read_text()
