"""Pictures in a scene's file: read and written back as they stand, chosen by version, refused with line and remedy."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.protocols.scene_writing.schemas import RevisedScene
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.faults import FaultyScene
from elenchus.debate_engine.scenes.pictures import LONGEST_ALT
from elenchus.debate_engine.scenes.script import check_any, read_any
from elenchus.debate_engine.scenes.versions import differences, versions

SCENE = """---
scene: 1
title: "Cards"
bias: "bandwagon-effect"
outcome: "cards_errors"
factors: {others: [wrong, right]}
contrasts: ["wrong - right"]
---

# Roles

## Mika (subject)

## Sunna (moderator)

# Rules

1. **self-receiving, SYS** system → Mika: the table
   > This is the table at which you sit.
   picture: table
2. **unicast, DES** Mika → Sunna: Choose.
   trials: cards

# Trials

cards: {"show": "Before you: {before}", "answer": {"kind": "choice", "ask": "Which?", "options": ["1", "2"]}, "items": [
  {"right": "2", "picture": "first", "before": "2, 2"},
  {"right": "1", "picture": {"wrong": "first", "right": "second"}, "before": {"wrong": "2, 2", "right": "1, 1"}}]}

# Pictures

table: {"file": "table.png", "alt": "A table with five chairs."}
first: {"file": "cards/first.jpg", "alt": "A short line and a long one."}
second: {"file": "second.webp", "alt": "A long line and a short one."}

# Observation

Count the errors.

# Debrief

That was all.
"""


def test_pictures_are_read_and_written_back_as_they_stand() -> None:
    scene = canonical.read(SCENE)
    assert [(one.name, one.file, one.alt) for one in scene.pictures][:1] == [
        ("table", "table.png", "A table with five chairs.")
    ]
    assert scene.rules[0].picture == "table"
    assert canonical.read(canonical.write(scene)) == scene


def test_a_version_shows_the_picture_of_its_level_and_what_differs_is_told() -> None:
    played = versions(canonical.read(SCENE))
    assert [item.picture for item in played["wrong"].block("cards").items] == ["first", "first"]
    assert [item.picture for item in played["right"].block("cards").items] == ["first", "second"]
    apart = [(one, other) for _, one, other in differences(played["wrong"], played["right"])]
    assert ("first", "second") in apart


def test_a_scene_without_pictures_is_dumped_as_before() -> None:
    bare = SCENE.replace("   picture: table\n", "").replace(', "picture": "first"', "").split("# Pictures")
    scene = canonical.read(
        bare[0].replace(', "picture": {"wrong": "first", "right": "second"}', "") + "# Obs" + bare[1].split("# Obs")[1]
    )
    assert "picture" not in scene.model_dump_json()


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        (', "alt": "A table with five chairs."', "", 32, "it has no alt text; say in words what is on it"),
        ('"A table with five chairs."', '"  "', 32, "it has no alt text"),
        ('"A table with five chairs."', f'"{"a" * 1_001}"', 32, f"leave at most {LONGEST_ALT:,}".replace(",", "")),
        ('"table.png"', '"table.svg"', 32, "save it as PNG"),
        ('"table.png"', '"table.txt"', 32, "is no picture by its name"),
        ('"table.png"', '"../table.png"', 32, "is not in the scene's folder"),
        ('"table.png"', '"/etc/table.png"', 32, "is not in the scene's folder"),
        ('"table.png"', '"C:table.png"', 32, "is not in the scene's folder"),
        ('"table.png"', r'"a\\table.png"', 32, "is not in the scene's folder"),
        ('"table.png"', '""', 32, "is no picture by its name"),
        ("table: {", "Table: {", 32, "the picture Table: name"),
        ("   picture: table", "   picture: chair", 20, "no picture is called chair; take one of: table, first, second"),
        ("   picture: table\n", "", 31, "nothing shows the picture table"),
        ('{"wrong": "first", "right": "second"}', '{"wrong": "first", "left": "second"}', 26, "no text for some level"),
        ('"picture": "first"', '"picture": "last"', 26, "item 1 of cards: no picture is called last"),
        ("   trials: cards", "   trials: cards\n   picture: table", 23, "a rule in which somebody speaks"),
    ],
)
def test_what_is_wrong_with_a_picture_is_told_on_its_line_with_what_mends_it(
    old: str, new: str, line: int, says: str
) -> None:
    assert old in SCENE
    with pytest.raises(FaultyScene) as raised:
        canonical.read(SCENE.replace(old, new, 1))
    found = [finding for finding in raised.value.findings if says in str(finding)]
    assert [finding.line for finding in found] == [line], raised.value.findings
    assert found[0].remedy


def test_an_alt_text_may_not_name_what_the_scene_is_about() -> None:
    text = SCENE.replace("A table with five chairs.", "A table for the bandwagon effect.")
    assert any("the alt text of table names the bias" in str(finding) for finding in check_any(text))


LENIENT = """Roles:
- Ada (Subject): chooses a tea.
- Cleo (Moderator): leads through the tasting.

Rules:
1. [Broadcast][ADV] Cleo shows everybody two cups. ![Two cups](cups.png)
2. [Unicast][FEL] Ada tells Cleo which one she takes, as in `tea.JPG`.
3. [Unicast][FEL] Ada tells Cleo that the picture was nice.
"""


def test_a_picture_in_a_script_of_another_form_is_told_with_its_line_and_remedy_and_shown_to_nobody() -> None:
    reading = read_any(LENIENT)
    found = [finding for finding in reading.findings if "a picture stands here" in finding.what]
    assert [finding.line for finding in found] == [6, 7]
    assert "under # Pictures" in found[0].remedy
    assert reading.scene().pictures == ()
    assert all(not rule.picture for rule in reading.scene().rules)


def test_who_writes_a_scene_by_a_model_is_given_none() -> None:
    told = str(RevisedScene.model_json_schema())
    assert "rules" in told.casefold()
    assert "picture" not in told
