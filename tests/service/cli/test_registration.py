"""What is registered before the first run, and a design of six versions from its plan to its report: the program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.service.cli.program import Program

JAR = """\
---
scene: 1
title: "The jar"
bias: "anchoring-effect"
outcome: "estimate"
factors: {"anchor": {"low": "120", "high": "4,800", "none": "thank you"}, "pressure": ["cue", "quiet"]}
contrasts: [{compare: "high/* - low/*", expect: greater}, {compare: "*/cue - */quiet", expect: same, margin: 200}]
n: 60
stop: "after sixty subjects"
literature: [{citation: "Somebody (1999)", arms: "high - low", metric: d, size: 0.9, n: 100, same: paradigm}]
---

# Background

A school fair.

# Roles

## Noor (subject)
- Background: You are at the school fair. At one stall stands a jar full of glass beads.
- Task: Guess how many beads are in the jar.

## Vito (confederate)
- Background: You have been at the raffle next door.
- Task: Tell of your ticket, in the words of your lines.

# Rules

1. **broadcast, PAS** Vito → all: Tell of the ticket.
   says: "My ticket says “{anchor}”."
2. **unicast, ADV** Vito → Noor: Want a quick answer.
   when: pressure = cue
   says: "Come on, quickly."
3. **unicast, FEL** Noor → Vito: Say how many beads are in the jar.
   measure: estimate
   says: "I say {estimate}."

# Measures

estimate: {kind: number, unit: beads, low: 0, high: 100000, ask: "How many beads are in the jar?"}

# Observation

The bias is present if the guess lies close to the number.

# Debrief

This was about numbers that come before a guess.
"""


@pytest.fixture
def jar(tmp_path: Path) -> Path:
    """A scene of 3 × 2 versions with a plan."""
    path = tmp_path / "jar.md"
    path.write_text(JAR, encoding="utf-8")
    return path


def test_a_study_is_registered_in_a_file_that_is_never_overwritten(
    elenchus: Program, jar: Path, tmp_path: Path
) -> None:
    file = tmp_path / "mine.json"
    made = elenchus("scene", "register", jar, "--to", file)
    assert made.code == 0, made.err
    document = json.loads(file.read_text(encoding="utf-8"))
    assert (document["n"], document["stop"], document["outcome"]) == (60, "after sixty subjects", "estimate")
    assert [hypothesis["expect"] for hypothesis in document["hypotheses"]] == ["greater", "same"]
    assert document["sha256"][:12] in made.out
    assert "the first is greater" in file.with_suffix(".md").read_text(encoding="utf-8")
    before = file.read_bytes()
    again = elenchus("scene", "register", jar, "--to", file)
    assert (again.code, file.read_bytes()) == (2, before)
    assert "a registration is never overwritten" in again.err


def test_a_dry_run_says_what_the_planned_number_and_what_the_number_asked_for_can_find(
    elenchus: Program, jar: Path
) -> None:
    run = ("scene", "run", jar, "--subject", "scripted:demo", "--others", "scripted:demo", "-n", "5", "--dry-run")
    planned, asked = elenchus(*run, "--json").json["power"]
    assert planned.startswith("As planned, 60 subjects (10 a version) find with a power of 0.8")
    assert asked.startswith("As asked for, 30 runs (5 a version) find with a power of 0.8")
    assert planned in elenchus(*run).out
    person = elenchus("scene", "run", jar, "--subject", "human", "--others", "scripted:demo", "--dry-run", "--json")
    assert person.json["power"] == [planned], "people come one by one"


def test_a_design_of_six_versions_is_registered_played_and_reported_with_its_departures(
    elenchus: Program, jar: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run = ("scene", "run", jar, "--subject", "scripted:demo", "--others", "scripted:demo", "-n", "2", "--seed", "5")
    result = elenchus(*run, "--export", out, "--json")
    assert result.code == 0, result.err
    registered = json.loads((out / "registration.json").read_text(encoding="utf-8"))
    assert registered["runs"]["each"] == 2
    assert registered["written"] < min(one["started"] for one in json.loads((out / "run.json").read_text())["runs"])
    assert result.json["departures"] == []
    assert [row["cell"]["condition"] for row in result.json["rows"]] == registered["versions"]
    told = (out / "report.md").read_text(encoding="utf-8")
    assert "it was done as registered" in told
    assert "high/\\* − low/\\*, within 2" in told
    assert "Somebody (1999)" in told
    before = (out / "registration.json").read_bytes()
    again = elenchus(*run, "--export", out)
    assert "is there already and stays" in again.err
    assert (out / "registration.json").read_bytes() == before
    all_of_it = elenchus("scene", "results", jar, "--registered", out, "--json").json
    assert all_of_it["departures"] == ["12 runs were planned; 24 began, 24 finished."]
    of_grid = elenchus("scene", "results", jar, "--grid", registered["runs"]["grid"], "--json").json
    assert (of_grid["registered"][:4], of_grid["departures"]) == ("2026", [])


def test_what_was_registered_is_kept_and_every_later_count_is_compared_with_it(
    elenchus: Program, jar: Path, tmp_path: Path
) -> None:
    assert elenchus("scene", "register", jar, "--to", tmp_path / "mine.json").code == 0
    run = ("scene", "run", jar, "--subject", "scripted:demo", "--others", "scripted:demo", "-n", "1", "--json")
    told = "60 subjects were planned; 6 runs by models took part."
    assert told in elenchus(*run).json["departures"]
    assert told in elenchus("scene", "results", jar, "--json").json["departures"]
    out = tmp_path / "out"
    assert elenchus("scene", "results", jar, "--export", out).code == 0
    assert told in (out / "report.md").read_text(encoding="utf-8")
    assert f"Departures from the registration: {told}" in (out / "methods.md").read_text(encoding="utf-8")


def test_a_registration_that_was_kept_afterwards_is_said_to_be_late(
    elenchus: Program, jar: Path, tmp_path: Path
) -> None:
    run = ("scene", "run", jar, "--subject", "scripted:demo", "--others", "scripted:demo", "-n", "1", "--json")
    assert elenchus(*run).json["departures"] == [], "the grid's own"
    elenchus("scene", "register", jar, "--to", tmp_path / "mine.json")
    (late, *_) = elenchus("scene", "results", jar, "--json").json["departures"]
    assert "before the registration was written" in late


def test_a_registration_with_a_date_of_its_own_that_nothing_here_has_kept_is_said_to_prove_nothing(
    elenchus: Program, tmp_path: Path
) -> None:
    run = ("scene", "run", "anchoring", "--condition", "none/quiet", "--subject", "human")
    played = elenchus(*run, stdin="yes\nyes\nlower\n900\n0\nno\nGuessing.\nyes\n")
    assert played.code == 0, played.err
    elsewhere, written = Program(tmp_path / "elsewhere", elenchus.folder), tmp_path / "mine.json"
    assert elsewhere("scene", "register", "anchoring", "--to", written).code == 0
    backdated = json.loads(written.read_text(encoding="utf-8")) | {"written": "2020-01-01T00:00:00Z"}
    written.write_text(json.dumps(backdated), encoding="utf-8")
    out = tmp_path / "out"
    told = elenchus("scene", "results", "anchoring", "--registered", written, "--export", out, "--json")
    assert told.code == 0, told.err
    assert "was not kept here" in told.json["departures"][0]
    assert "was not kept here" in (out / "methods.md").read_text(encoding="utf-8")


def test_what_is_no_registration_is_refused(elenchus: Program, jar: Path, tmp_path: Path) -> None:
    (tmp_path / "no.json").write_text("{}", encoding="utf-8")
    for file in (tmp_path / "no.json", tmp_path / "missing.json"):
        refused = elenchus("scene", "results", jar, "--registered", file)
        assert refused.code == 2
        assert "registration" in refused.err
