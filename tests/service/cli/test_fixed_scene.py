"""A scene of fixed lines at a terminal, in a fresh process without key or model: what a teacher tries first."""

from __future__ import annotations

import re

from tests.service.cli.program import Program

SUBJECT = ("scene", "run", "anchoring", "--subject", "human", "--condition", "treatment")
TYPED = "yes\nMore, I guess.\n.\nHow old is it?\n.\n260\nThe sales and its brakes.\n200\n300\n"


def test_a_person_plays_anchoring_without_a_model_and_sees_the_outcome_in_the_report(elenchus: Program) -> None:
    played = elenchus(*SUBJECT, "--export", "out", stdin=TYPED)
    assert played.code == 0, played.err
    for heard in (
        "No language model reads what you write.",
        "Quick, from the gut, Imani: is the bicycle worth more or less than 480 euros?",
        "You say 260 euros. What would be the lowest price that is still fair, and what the highest?",
        "Vito (the confederate): nobody: these lines were written beforehand, the same for everybody",
    ):
        assert heard in played.out, played.out
    assert elenchus.events("step_done"), "it is in the log"
    assert [call for event in elenchus.events("step_done") for call in event["calls"]] == []
    report = (elenchus.folder / "out" / "report.md").read_text()
    assert "| Imani | price | 260 euros |" in report
    assert re.search(r"- Imani: price \S{1,5} 240: \*\*yes\*\*", report)


def test_what_is_no_number_is_asked_for_again(elenchus: Program) -> None:
    played = elenchus(*SUBJECT, stdin=TYPED.replace("\n260\n", "\ndear\n260\n"))
    assert played.code == 0, played.err
    assert "must be a number" in played.out + played.err
    assert "The fair price is 260 euros." in played.out


def test_models_play_the_subject_of_a_scene_of_fixed_lines_alone(elenchus: Program) -> None:
    run = elenchus("scene", "run", "anchoring", "--subject", "scripted:demo", "--dry-run", "--json").json
    assert {row["seat"] for row in run["others"]} == {"system"}
