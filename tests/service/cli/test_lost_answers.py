"""An answer that is lost all the same: every view of the session says whose it was, to what, and which field failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.cli.program import Program
from tests.service.cli.test_debate import MOTION

SCRIPT = """
rules:
  - prompt: socrasynth/review-agenda
    json: {topics: [{number: 1, verdict: perhaps, pro_concern: "", con_concern: "", scope: ""}]}
  - prompt: socrasynth/merge-topics
    json: {topics: [{pro_concern: rest, con_concern: practice, scope: evenings}, {pro_concern: speed}], mood: good}
  - prompt: crit/validate
    json: {justification: "It bears on the claim, all told.", quotes: [], validity: 11, credibility: 5}
"""
LOST = "no answer that can be used (unreadable after one repair: "
REVIEW = f"con reviews the agenda: {LOST}topics[0].verdict must be one of agree, amend)"
SCORE = f"crit weighs a reason: {LOST}validity must be from 1 to 10)"
CHANGED = "topics[1] lacks con_concern, scope: this entry was left out"


@pytest.fixture
def debate(elenchus: Program) -> tuple[str, ...]:
    (elenchus.folder / "odd.yaml").write_text(SCRIPT)
    seats = [part for seat in ("--pro", "--con", "--judge") for part in (seat, "scripted:odd.yaml")]
    return ("debate", MOTION, *seats, "--topics", "1", "--max-rounds", "1", "--seed", "3")  # pro merges, con reviews


def one_line(text: str) -> str:
    return " ".join(text.split())


def test_the_terminal_the_report_and_the_shown_session_tell_it(
    elenchus: Program, debate: tuple[str, ...], tmp_path: Path
) -> None:
    done = elenchus(*debate, "--export", tmp_path / "out")
    assert done.code == 0, done.err
    (listed,) = elenchus("sessions", "list", "--json").json
    shown = elenchus("sessions", "show", listed["id"])
    report = (tmp_path / "out" / "report.md").read_text().replace("\\", "")
    for text in (done.out, shown.out, report):
        assert REVIEW in one_line(text)
        assert SCORE in one_line(text)
    assert CHANGED in one_line(report)


def test_the_document_has_every_lost_answer_and_every_change(elenchus: Program, debate: tuple[str, ...]) -> None:
    document = elenchus(*debate, "--json").json
    lost = {one["step"]: one for one in document["no_answers"]}
    assert lost["agenda/review"]["seat"] == "con"
    assert "topics[0].verdict" in lost["agenda/review"]["reason"]
    (merge,) = [one for one in document["adjusted"] if one["step"] == "agenda/merge"]
    assert CHANGED in merge["notes"]


def test_the_live_view_tells_it(elenchus: Program, debate: tuple[str, ...]) -> None:
    with elenchus.terminal(*debate) as terminal:
        terminal.expect("con reviews the agenda: no answer that can be used")
        terminal.expect("topics[0].verdict must be one of agree, amend")


def test_a_debate_without_an_agenda_says_why_in_its_last_words(elenchus: Program) -> None:
    (elenchus.folder / "none.yaml").write_text(
        "rules:\n  - prompt: socrasynth/propose-topics\n    json: {topics: [{pro_concern: rest, scope: evenings}]}\n"
    )
    seats = [part for seat in ("--pro", "--con", "--judge") for part in (seat, "scripted:none.yaml")]
    done = elenchus("debate", MOTION, *seats)
    assert done.code != 0
    for side in ("pro", "con"):
        cause = f"{side}'s list of topics could not be read: unreadable after one repair: topics[0] lacks con_concern"
        assert cause in one_line(done.err)
    assert "or begin anew with topics of your own (--agenda FILE)" in one_line(done.err)


def test_to_resume_a_debate_without_an_agenda_asks_both_sides_again(elenchus: Program) -> None:
    script = elenchus.folder / "late.yaml"
    script.write_text("rules: [{prompt: socrasynth/propose-topics, text: I would rather not.}]\n")
    seats = [part for seat in ("--pro", "--con", "--judge") for part in (seat, "scripted:late.yaml")]
    assert elenchus("debate", MOTION, *seats, "--max-rounds", "1", "--topics", "1").code == 3
    (listed,) = elenchus("sessions", "list", "--json").json
    script.write_text("rules: []\n")
    resumed = elenchus("sessions", "resume", listed["id"], "--json")
    assert resumed.code == 0, resumed.err
    assert len(resumed.json["agenda"]) == 1
