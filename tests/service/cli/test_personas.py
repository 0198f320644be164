"""`elenchus personas list|show`, and personas on the seats of `elenchus debate`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from elenchus.config.persona_catalogue import find_persona, load_personas
from elenchus.config.validation import UnusableEntry
from elenchus.service.cli.failures import USAGE, describe
from tests.service.cli.program import Program, Result

Inside = Callable[..., Result]


def test_the_list_names_every_persona(inside: Inside) -> None:
    printed, document = inside("personas", "list").out, inside("personas", "list", "--json").json
    assert [row["id"] for row in document] == [entry.id for entry in load_personas()]
    assert all(entry.name in printed and entry.id in printed for entry in load_personas())


def test_a_persona_is_shown_with_what_a_model_is_told(inside: Inside) -> None:
    referee = find_persona("referee")
    printed = " ".join(inside("personas", "show", "referee").out.split())
    assert referee.line in printed
    assert referee.manner in printed
    assert inside("personas", "show", "referee", "--json").json == referee.model_dump(mode="json")


def test_a_persona_that_there_is_not_is_refused_with_one_like_it(inside: Inside) -> None:
    refused = inside("personas", "show", "refere")
    assert refused.code == 2
    assert "near it referee" in refused.err


def test_a_persona_that_cannot_be_read_is_no_mistake_of_the_programs(tmp_path: Path) -> None:
    (tmp_path / "poet.yaml").write_text("id: poet\n")
    with pytest.raises(UnusableEntry) as caught:
        load_personas(tmp_path)
    said = f"{tmp_path}/poet.yaml: name: Field required; mend the file."
    assert describe(caught.value) == ("UsageError", said, USAGE)


def test_personas_sit_on_the_seats_of_a_debate_and_their_models_are_told_their_manner(
    elenchus: Program, tmp_path: Path
) -> None:
    seats = ("--pro", "engineer@scripted:demo", "--con", "scripted:demo", "--judge", "referee@scripted:demo")
    short = ("--crit", "scripted:demo", "--topics", "1", "--max-rounds", "1", "--export", str(tmp_path / "out"))
    done = elenchus("debate", "Cars out", *seats, *short)
    assert done.code == 0, done.err
    events = [json.loads(line) for line in (tmp_path / "out" / "events.jsonl").read_text().splitlines()]
    titles = {seat["name"]: seat["title"] for seat in events[0]["seats"]}
    assert (titles["pro"], titles["judge-1"]) == ("The engineer (pro)", "The referee (judge-1)")
    opening = next(event for event in events if event["kind"] == "step_done" and event["step"] == "opening/pro")
    assert find_persona("engineer").manner in opening["calls"][0]["sent"][0][1]
