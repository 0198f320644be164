"""What people in scenes are promised, at a terminal, in fresh processes: modes, codes, withdrawal, a study's terms."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from pathlib import Path

import pytest

from tests.service.cli.program import Program
from tests.twins import BICYCLE

RUN = ("scene", "run", BICYCLE, "--subject", "human", "--condition", "treatment")
STUDY = """\
contact: grace@example.org
responsible: Grace Hopper, Institute of Judgement
purpose: We want to learn how people arrive at a price.
retention_days: 30
age:
"""
TYPED = "yes\nZanzibar quince, I guess.\n.\nHow old is it?\n.\n261.75\nThe sales and its brakes.\n200\n300\n"
CODE = re.compile(r"shown once: (\S+)")
COMPLETION = re.compile(r"recruited you \(([a-z ]+)\): (\S+)")


def on_disk(home: Path) -> bytes:
    return b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())


def study(elenchus: Program) -> tuple[str, ...]:
    (elenchus.folder / "consent.yaml").write_text(STUDY)
    return ("--mode", "study", "--consent", "consent.yaml")


def config(elenchus: Program) -> dict[str, object]:
    (started,) = elenchus.events("session_started")
    return dict(started["config"])


def test_a_session_with_a_person_is_a_demonstration_unless_it_is_said_otherwise(elenchus: Program) -> None:
    played = elenchus(*RUN, stdin=TYPED)
    assert played.code == 0, played.err
    assert "This is a demonstration: a day after" in played.out
    assert config(elenchus)["mode"] == "demonstration"
    swept = elenchus("scene", "sweep", "--json").json
    assert swept == {"removed": 0}, "not yet"


def test_a_study_says_its_terms_and_a_code_takes_it_all_back_once(elenchus: Program) -> None:
    played = elenchus(*RUN, *study(elenchus), "--participant-id", "5f3a-prolific", stdin=TYPED)
    assert played.code == 0, played.err
    for told in ("grace@example.org", "Institute of Judgement", "30 days after", "14 days"):
        assert told in played.out, told
    code, completion = CODE.search(played.err), COMPLETION.search(played.err)
    assert code
    assert completion
    assert completion[1] == "complete"
    home = Path(elenchus.home)
    logged = b"".join(path.read_bytes() for path in home.glob("elenchus.db*") if path.is_file())
    assert b"5f3a-prolific" not in logged
    assert b"5f3a-prolific" in (home / "people.db").read_bytes()
    assert (code[1].encode() in logged, completion[2].encode() in logged) == (False, False)
    assert b"261.75" in logged
    assert elenchus("scene", "results", BICYCLE, "--export", "out").code == 0
    assert b"anzibar" in on_disk(elenchus.folder / "out")
    wrong = elenchus("scene", "withdraw", "aaaa-bbbb-cccc-dddd")
    assert wrong.code == 2
    assert "not known" in wrong.err
    assert elenchus("scene", "withdraw", code[1]).code == 0
    assert [needle for needle in (b"261.75", b"anzibar", b"5f3a-prolific") if needle in on_disk(home)] == []
    assert elenchus("scene", "withdraw", code[1]).code == 2, "a second time there is nothing to withdraw"
    results = elenchus("scene", "results", BICYCLE, "--json", "--export", "out").json
    (gone,) = results["withdrawn"]
    assert set(gone) == {"session", "date"}
    exported = on_disk(elenchus.folder / "out")
    assert [needle for needle in (b"261.75", b"anzibar") if needle in exported] == [], "exported anew into that folder"
    package = json.loads((elenchus.folder / "out" / "datapackage.json").read_text())
    assert package["withdrawals"] == [gone]
    assert "1 person withdrew" in (elenchus.folder / "out" / "methods.md").read_text()
    assert elenchus("scene", "code", completion[2], "--json").json == {"ending": "complete"}


@pytest.mark.parametrize("played", [RUN, ("scene", "run", "unit", "--subject", "scripted:demo?latency=0.2")])
def test_what_is_over_its_time_goes_when_a_session_is_next_played(elenchus: Program, played: tuple[str, ...]) -> None:
    assert elenchus(*RUN, stdin=TYPED).code == 0
    home = Path(elenchus.home)
    with contextlib.closing(sqlite3.connect(home / "elenchus.db")) as database, database:
        database.execute("UPDATE events SET at = strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now', '-25 hours')")
    assert b"anzibar" in on_disk(home)
    again = elenchus(*played, stdin=TYPED.replace("Zanzibar", "Cydonian").replace("261.75", "90"))
    assert again.code == 0, again.err
    assert b"anzibar" not in on_disk(home)


def test_whoever_resumes_a_scene_that_is_over_is_shown_no_code_of_it(elenchus: Program) -> None:
    played = elenchus(*RUN, *study(elenchus), stdin=TYPED)
    code, completion = CODE.search(played.err), COMPLETION.search(played.err)
    assert code
    assert completion
    (session,) = elenchus("sessions", "list", "--json").json
    for options in ((), ("--json",)):
        again = elenchus("sessions", "resume", session["id"], *options)
        assert again.code == 0, again.err
        assert not CODE.search(again.err + again.out)
        assert completion[2] not in again.err + again.out
    assert elenchus("scene", "withdraw", code[1]).code == 0, "the code of who played it is as good as before"


@pytest.mark.slow
def test_what_is_taken_back_is_nowhere_also_where_the_words_were_examined_beside_the_library(elenchus: Program) -> None:
    pytest.importorskip("chromadb", reason="the extra `detect` is not installed")
    played = elenchus(*RUN, stdin=TYPED)
    code = CODE.search(played.err)
    session = re.search(r"session ([a-z0-9]+)", played.err)
    assert code
    assert session
    looked = elenchus("detect", "--session", session[1], "--model", "scripted:demo", "--screen", "embeddings")
    assert looked.code == 0, looked.err
    home = Path(elenchus.home)
    assert b"anzibar quince" in on_disk(home)
    assert list((home / "library").rglob("*.sqlite3")), "the library of biases is there, by meaning"
    listed = elenchus("sessions", "list", "--json").json
    detection = next(one["id"] for one in listed if one["id"] != session[1])
    assert elenchus("scene", "withdraw", code[1]).code == 0
    assert elenchus("sessions", "list", "--json").json == [], "who examined the words has nothing left of them either"
    left = (b"261.75", b"anzibar", b"sales and its", detection.encode())
    assert [needle for needle in left if needle in on_disk(home)] == []
    told = elenchus("scene", "results", BICYCLE)
    assert "nothing is kept of any session" in told.out
    assert "and 1 taken back" in told.err


def test_who_withdraws_in_the_middle_leaves_the_key_file_and_is_promised_no_code(elenchus: Program) -> None:
    typed = "yes\nZanzibar quince, I guess.\n.\n/withdraw\ny\n"
    played = elenchus(*RUN, *study(elenchus), "--participant-id", "5f3a-prolific", stdin=typed)
    assert played.code == 0, played.err
    completion = COMPLETION.search(played.err)
    assert completion
    assert completion[1] == "withdrew"
    held = on_disk(Path(elenchus.home))
    assert [needle for needle in (b"anzibar", b"5f3a-prolific") if needle in held] == []
    debriefing = played.out[played.out.index("(debrief)") :]
    assert "take back" not in debriefing, "it is taken back already"


def test_who_says_no_gets_a_code_of_that_and_leaves_no_name(elenchus: Program) -> None:
    played = elenchus(*RUN, *study(elenchus), "--participant-id", "anna-7", stdin="no\n")
    assert played.code == 0, played.err
    completion = COMPLETION.search(played.err)
    assert completion
    assert completion[1] == "screened"
    assert not CODE.search(played.err), "there is nothing to take back"
    assert {event["by"] for event in elenchus.events("turn_answered")} == {"[redacted]"}
    assert b"anna-7" not in on_disk(Path(elenchus.home)), "nor has the key file"


@pytest.mark.parametrize("typed", ["no\n", "/pass\n", "yes\nZanzibar quince, I guess.\n.\n/withdraw\n"])
def test_whoever_runs_a_scene_sees_that_it_ended_early_but_not_who_said_no_or_stopped(
    elenchus: Program, typed: str
) -> None:
    assert elenchus(*RUN, stdin=typed).code == 0
    (session,) = elenchus("sessions", "list", "--json").json
    shown = elenchus("sessions", "show", session["id"])
    assert "it ended early: nothing of it counts" in shown.out
    told = [line for line in shown.out.splitlines() if line.startswith("-") or "(ending)" in line or "debrief" in line]
    assert [line for line in told if "Imani" in line] == []
    document = elenchus("sessions", "show", session["id"], "--json").json
    assert (document["ended"], document["ended_by"], document["no_answers"]) == ("early", "", [])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--mode", "study"), "needs a consent of its own"),
        (("--mode", "often"), "no mode"),
        (("--consent", "consent.yaml"), "for a study"),
        (("--participant-id", "x" * 300), "at most 200"),
        (("--mode", "study", "--consent", "missing.yaml"), "missing.yaml"),
        (("--mode", "study", "--consent", "short.yaml"), "retention_days is missing"),
        (("--mode", "study", "--consent", "odd.yaml"), "colour means nothing here"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_asked(
    elenchus: Program, options: tuple[str, ...], told: str
) -> None:
    study(elenchus)
    (elenchus.folder / "short.yaml").write_text(STUDY.replace("retention_days: 30\n", ""))
    (elenchus.folder / "odd.yaml").write_text(STUDY + "colour: blue\n")
    refused = elenchus(*RUN, *options, stdin=TYPED)
    assert refused.code == 2
    assert told in refused.err
    assert elenchus.events("session_started") == []


def test_promises_are_for_people(elenchus: Program) -> None:
    refused = elenchus("scene", "run", BICYCLE, "--subject", "scripted:demo", "--mode", "study")
    assert refused.code == 2
    assert "are for people" in refused.err


def test_markdown_with_front_matter_is_a_consent_too(elenchus: Program) -> None:
    (elenchus.folder / "consent.md").write_text(f"---\n{STUDY}---\n\nYou may bring a friend.\n")
    played = elenchus(*RUN, "--mode", "study", "--consent", "consent.md", stdin=TYPED)
    assert played.code == 0, played.err
    assert "You may bring a friend." in played.out


def test_a_scene_that_leaves_something_unsaid_is_for_adults_unless_somebody_allowed_it(elenchus: Program) -> None:
    bare = re.sub(r"^(condition|twin|differs): .*\n", "", Path(BICYCLE).read_text("utf-8"), flags=re.MULTILINE)
    text = bare.replace("scene: 1\n", "scene: 1\ndeception: omission\nage: 14\n", 1)
    (elenchus.folder / "hidden.md").write_text(text)
    run = ("scene", "run", "hidden.md", "--subject", "human")
    asked = elenchus(*run, stdin="no\n")
    assert "at least 18 years old" in asked.out
    assert "so it is for adults" in asked.err
    allowed = elenchus(*run, "--ethics-approval", "the head of our school", stdin="no\n")
    assert "at least 14 years old" in allowed.out
    assert "for adults" not in allowed.err


def test_a_data_sheet_says_who_sees_what_and_how_long(elenchus: Program) -> None:
    study(elenchus)
    sheet = elenchus("scene", "datasheet", BICYCLE, "--mode", "study", "--consent", "consent.yaml", "--json").json
    rows = {row["what"]: row for row in sheet["rows"]}
    assert "30 days" in next(row for what, row in rows.items() if what.startswith("what the person states"))["how long"]
    assert "price" in str(rows)
    assert "counts" in rows["who declined, stopped or withdrew"]["who sees it"]
    shown = elenchus("scene", "datasheet", BICYCLE)
    assert "24 hours" in shown.out


@pytest.mark.parametrize(("answer", "kept"), [("yes", True), ("no", False)])
def test_who_was_misled_is_asked_once_more_and_without_a_yes_nothing_is_left(
    elenchus: Program, answer: str, kept: bool
) -> None:
    shown = elenchus("scene", "show", BICYCLE).out
    bare = re.sub(r"^(condition|twin|differs): .*\n", "", shown, flags=re.MULTILINE)
    (elenchus.folder / "hidden.md").write_text(bare.replace("scene: 1\n", "scene: 1\ndeception: active\n", 1))
    typed = f"yes\n{TYPED}{answer}\n"  # the age first
    played = elenchus("scene", "run", "hidden.md", "--subject", "human", "--export", "out", stdin=typed)
    assert played.code == 0, played.err
    for told in ("at least 18 years old", "people may be misled", "Some of what you were told was not so"):
        assert told in played.out, told
    for asked in ("Are you at least 18 years old?", "May what you said be kept"):
        assert asked in played.out, asked
    assert (b"261.75" in on_disk(Path(elenchus.home))) == kept
    assert (elenchus.folder / "out" / "report.md").exists() == kept
    if not kept:
        gone = {"version": "", "ended": "not kept", "outcome": "", "sessions": 1}
        assert elenchus("scene", "results", "hidden.md", "--json").json["removed"] == [gone]
        assert "nothing of it is kept" in played.err
        assert not CODE.search(played.err), "there is nothing left to take back"
        assert "(complete)" in played.err, "who recruited them is told that they were there"
