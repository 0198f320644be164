"""What a teacher does the evening before, in a fresh process without key or model: check, rehearse, read the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from elenchus.debate_engine.scenes.library import BUILT_IN
from tests.service.cli.program import Program

ANCHORING = str(BUILT_IN / "anchoring.md")

TEA = """---
scene: 1
title: "The tea"
bias: ""
condition: "{}"
twin: "{}"
outcome: "green"
---

# Roles

## Ada (subject)

## Ben (confederate)

# Rules

1. **unicast, PAS** Ben → Ada: Tell of last week.
   says: "{}"
2. **unicast, FEL** Ada → Ben: Choose.
   measure: green

# Measures

green: {{kind: yes-no, ask: "Do you take the green one?"}}

# Observation

The green one is taken.

# Debrief

That was all.
"""


def test_a_rehearsal_from_a_cold_start_plays_every_version_and_leaves_nothing_behind(elenchus: Program) -> None:
    played = elenchus.from_a_shell("scene", "rehearse", "anchoring")
    assert played.code == 0, played.err
    for shown in (
        "Noor is told beforehand: ### What will happen",
        "Noor is told of the part: You are Noor. You are at the school fair.",
        "Just for fun, Noor: is the right number of beads higher or lower than the 4,800 on my ticket?",
        "answered: estimate: 2000",
        "Your ticket said “120”, and your guess was: 2,000 beads.",
        "Vito (confederate) hears and says: 4–7, 9–10, 16",
        "18. Noor is asked afterwards: ### Now that you know",
        "Every rule plays, and every outcome can come out otherwise.",
    ):
        assert shown in played.out, played.out
    assert elenchus("sessions", "list", "--json").json == []


def test_a_rehearsal_of_one_version_is_a_document_too(elenchus: Program) -> None:
    found = elenchus("scene", "rehearse", "anchoring", "--condition", "high/quiet", "--json").json
    assert {play["version"] for play in found["plays"]} == {"high/quiet"}
    assert [play["outcomes"][0]["value"] for play in found["plays"]] == [2000, 1_000_000]
    assert found["problems"] == []
    assert 5 <= found["minutes"]["high/quiet"] <= 7


def test_a_version_that_there_is_not_is_refused_with_those_there_are(elenchus: Program) -> None:
    refused = elenchus("scene", "rehearse", "anchoring", "--condition", "huge")
    assert refused.code == 2
    assert "There is no version 'huge'; the versions are none/pressed, none/quiet, low/pressed" in refused.err


def test_twins_are_rehearsed_beside_one_another(elenchus: Program) -> None:
    own = elenchus.home / "scenes"
    own.mkdir(parents=True)
    own.joinpath("tea.md").write_text(
        TEA.format("treatment", "tea-neutral.md", "Everybody took the green one."), "utf-8"
    )
    own.joinpath("tea-neutral.md").write_text(TEA.format("control", "tea.md", "It is a fine day today."), "utf-8")
    found = elenchus("scene", "rehearse", "tea", "--json").json
    assert {play["version"] for play in found["plays"]} == {"treatment", "control"}


def test_the_page_for_teachers_is_shown_and_is_no_scene(elenchus: Program) -> None:
    page = elenchus("scene", "teach", "anchoring")
    assert page.out.startswith("# The jar at the fair: for the teacher")
    assert "people of 18 years and more; with younger ones name who allowed it" in page.err
    lonely = elenchus.folder / "lonely.md"
    lonely.write_text(Path(ANCHORING).read_text("utf-8"), "utf-8")
    none = elenchus("scene", "teach", str(lonely))
    assert none.code == 2
    assert "There is no page for teachers to lonely; it would stand beside it as lonely-teacher.md." in none.err


def test_in_ones_own_folder_a_page_for_teachers_is_no_scene_and_belongs_to_one(elenchus: Program) -> None:
    own = elenchus.home / "scenes"
    own.mkdir(parents=True)
    for file in BUILT_IN.glob("anchoring*.md"):
        own.joinpath(file.name.replace("anchoring", "jar")).write_text(file.read_text("utf-8"), "utf-8")
    listed = [row["name"] for row in elenchus("scene", "list", "--json").json]
    assert "jar" in listed
    assert "jar-teacher" not in listed
    assert elenchus("scene", "teach", "jar", "--json").json["page"].startswith("# The jar at the fair: for the teacher")


def test_a_check_tells_the_versions_apart_word_by_word_and_warns(elenchus: Program) -> None:
    checked = elenchus("scene", "check", ANCHORING)
    assert checked.code == 0
    assert "low/quiet | high/quiet (they differ in anchor)" in checked.out
    assert "Vito → Noor, Greta (1): “120”. | “4,800”." in checked.out
    assert "warning" not in checked.out
    wordy = elenchus.folder / "wordy.md"
    text = Path(ANCHORING).read_text("utf-8").replace("It is a nice fair this year.", "It is nice.")
    wordy.write_text(text, "utf-8")
    warned = elenchus("scene", "check", str(wordy))
    assert "  warning: beside pressure, length: turn" in warned.out
    pairs = elenchus("scene", "check", str(wordy), "--json").json["versions"]
    assert len(pairs) == 15
    assert any(pair["warnings"] for pair in pairs)


CONSENT = """\
contact: grace@example.org
responsible: Grace Hopper, Institute of Judgement
purpose: We want to learn how people guess.
retention_days: 30
age:
"""


def read_by_people(shown: str) -> str:
    """From the consent to the question for it, however it is broken into lines."""
    words = " ".join(shown.split())
    return words[words.index("What will happen") : words.index("Do you agree to take part?")]


@pytest.mark.parametrize("options", [(), ("--ethics-approval", "our head"), ("--mode", "study", "--consent", "c.yaml")])
def test_the_consent_of_a_rehearsal_is_the_one_that_people_read_with_the_same_options(
    elenchus: Program, options: tuple[str, ...]
) -> None:
    (elenchus.folder / "c.yaml").write_text(CONSENT)
    version = ("anchoring", "--condition", "high/quiet", *options)
    rehearsed = elenchus("scene", "rehearse", *version)
    assert rehearsed.code == 0, rehearsed.err
    run = elenchus("scene", "run", *version, "--subject", "human", stdin="yes\nno\n")
    assert read_by_people(rehearsed.out) == read_by_people(run.out)
    assert "Afterwards you get a code" in read_by_people(run.out)
    assert [word for word in options[1::2] if word == "our head" and word not in read_by_people(run.out)] == []
