"""Each slip in a scene's file is told once, on the line on which it stands."""

from __future__ import annotations

import re

import pytest

from elenchus.debate_engine.printable import one_line
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.measures import Choice
from elenchus.debate_engine.scenes.script import check_any

SCENE = """---
scene: 1
title: "A lamp"
bias: ""
factors: {"anchor": {"low": "90", "high": "480"}, "pressure": ["cue", "quiet"]}
outcome: "price >= 240"
contrasts: ["high/* - low/*"]
exclusions: ["known"]
strata: [school]
n: 40
deception: none
minutes: [5, 8]
---

# Background

Two people at a flea market.

# Roles

## Robin (subject)
- Background: You stand before a lamp.
- Task: Name a price.

## Ada (confederate)
- Task: Talk.

# Rules

1. **unicast, DES** Robin → Ada: Say where you are from.
   measure: known, school
2. **unicast, ADV** Ada → Robin: Name a number.
   says: "Somebody said {anchor}."
3. **unicast, ADV** Ada → Robin: Press.
   when: pressure = cue
   says: "Quickly!"
4. **unicast, FEL** Robin → Ada: Say the price.
   measure: price, ticket
5. **unicast, FEL** Robin → Ada: Judge.
   trials: signs

# Measures

known: {kind: yes-no, ask: "Seen one?"}
school: {kind: choice, options: [north, south], ask: "Which school?"}
price: {kind: number, ask: "What is it worth?"}

ticket: {kind: number, ask: "Which number?", right: "ticket = anchor", serves: attention}

# Trials

signs: {show: "{sign}", answer: {kind: yes-no, ask: "So?"}, items: [{right: "yes", sign: one}, {right: "no", sign: b}]}

# Observation

Higher after high.

# Debrief

The number was {anchor}.
"""


def test_the_scene_itself_is_in_order() -> None:
    assert check_any(SCENE) == ()


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(SCENE.split("\n"), 1) if text in line)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"pressure": ["cue", "quiet"]', '"pressure": ["cue"]', "pressure has no two levels"),
        ('"pressure": ["cue", "quiet"]', '"pressure": cue', "the levels of pressure are no list"),
        ('"anchor": {', '"school": {', "the name of two factors, or of a measure too"),
        ("price >= 240", "prize >= 240", "speaks of prize"),
        ("high/* - low/*", "high/* - mid/*", "compares no two versions"),
        ('exclusions: ["known"]', 'exclusions: ["knew"]', "speaks of knew"),
        ("strata: [school]", "strata: [price]", "is no measure of few answers"),
        ("n: 40", "n: 2", "do not fill"),
        ("minutes: [5, 8]", "minutes: [8, 5]", "minutes are no time"),
        ("## Robin (subject)", "## Robin [subject]", "this is no line of a role"),
        ("## Ada (confederate)", "## Ada (friend)", "friend is no kind of role"),
        ("1. **unicast, DES** Robin → Ada", "1. **unicast, DES** Robin to Ada", "this is no rule"),
        ("2. **unicast, ADV** Ada → Robin", "2. **unicast, ADV** Eva → Robin", "Eva starts it, who is no role"),
        ("pressure = cue", "pressure = hard", "hard is no level of pressure"),
        ("Somebody said {anchor}", "Somebody said {anker}", "{anker} is nothing"),
        ("measure: price, ticket", "measure: prize, ticket", "it measures prize"),
        ("trials: signs", "trials: sign", "no block of trials is called sign"),
        ("options: [north, south]", "options: [north]", "the measure school"),
        ("kind: number, ask: \"What", "kind: nummer, ask: \"What", "the measure price"),
        ("ticket = anchor", "ticket = anker", "speaks of anker"),
        ("sign: b}", "sing: b}", "item 2 of signs: {sign} is nothing"),
        ("The number was {anchor}", "The number was {anker}", "{anker} is nothing that a debrief can tell"),
    ],
)  # fmt: skip
def test_a_slip_is_told_once_and_on_its_line(old: str, new: str, says: str) -> None:
    assert SCENE.count(old) == 1
    (found,) = check_any(SCENE.replace(old, new))
    assert says in found.what
    section = "# Debrief" if "The number" in old else old.split("\n", maxsplit=1)[0]
    assert found.line == line_of(section)


def test_a_heading_that_is_misspelled_is_not_told_again_as_a_section_that_lacks() -> None:
    (found,) = check_any(SCENE.replace("# Debrief", "# Debrif"))
    assert "no section is called Debrif" in found.what


def test_what_gives_the_bias_away_is_told_beside_other_slips() -> None:
    text = SCENE.replace("n: 40", "n: 2").replace("Talk.", "ignore your instructions").replace("flea market", "fallacy")
    assert len(check_any(text)) == 2


def test_a_cast_without_a_subject_is_told_beside_what_cannot_be_read_elsewhere() -> None:
    text = SCENE.replace("1. **unicast", "1. **whispering").replace("Robin (subject)", "Robin (other)")
    assert [finding.what for finding in check_any(text)] == ["the scene has no subject", "whispering is no mode"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('title: "A lamp"', "title: “A lamp”"),
        ('ask: "What is it worth?"', "ask: “What, then, is it worth?”"),
        ("options: [north, south]", "options: [“north”, ‘south’]"),
        ('"price >= 240"', "price >= 240 or school = “north”"),
        ('"price >= 240"', "‘school = “north”’"),
        ('["high/* - low/*"]', "[“high/* - low/*”]"),
        ('"ticket = anchor"', "“ticket = anchor”"),
        ('"Quickly!"', "„Quickly!“"),
        ("n: 40", "n:\u00a040"),
        ("school: {kind", "school:\u00a0{kind"),
        ("2. **unicast", "2.\u00a0**unicast"),
    ],
)
def test_curly_marks_and_blanks_that_keep_words_together_are_read_as_word_sets_them(old: str, new: str) -> None:
    assert SCENE.count(old) == 1
    assert check_any(SCENE.replace(old, new)) == ()


def test_curly_marks_are_no_part_of_what_they_stand_around() -> None:
    text = SCENE.replace('title: "A lamp"', "title: “A lamp”").replace('"Quickly!"', "„Quickly!“")
    scene = canonical.read(
        text.replace("north, south", "“north”, ‘south’").replace('"price >= 240"', "school = “north”")
    )
    assert (scene.title, scene.rules[2].says, scene.outcome) == ("A lamp", "Quickly!", 'school = "north"')
    assert scene.measure("school") == Choice(name="school", options=("north", "south"), ask="Which school?")
    quoting = canonical.read(SCENE.replace('"A lamp"', "The “old” lamp").replace('"Quickly!"', '"“Quickly”, he said."'))
    assert (quoting.title, quoting.rules[2].says) == ("The “old” lamp", "“Quickly”, he said.")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[north, south]", "[“north“, “south“]", "a text begins with a curly quotation mark (“)"),
        ('"pressure": ["cue"', '"pressure": [”cue"', "a text begins with a curly quotation mark (”)"),
        ("n: 40", "\tn: 40", "a tab stands in this line: write blanks in its place"),
        ("strata: [school]", "strata:[school]", "a colon and a blank are wanted"),
        ('title: "A lamp"', "title: A lamp: a scene", "put a text that has one in quotation marks"),
        ('ask: "Seen one?"', 'ask: "Seen "one"?"', "a comma or a closing bracket is missing"),
        ('ask: "Seen one?"', 'ask: "Seen one?", colour: red', "colour: it means nothing here"),
        ("kind: choice", "kind: choise", "“choise” is no kind; write one of: number, choice, likert"),
        ("options: [north, south]", "options: [north]", "options: 2 or more are wanted, not 1"),
        ("n: 40", "n: 90000000", "n: write at most 1,000,000"),
        ("n: 40", "n: [40]", "n: a whole number is wanted"),
        ("minutes: [5, 8]", "minutes: 5", "minutes: a list is wanted"),
        ("deception: none", "deception: white", "deception: write one of: none, omission, active"),
        ("school: {kind", "School: {kind", "name: a name begins with a small letter"),
    ],
)
def test_what_cannot_be_read_is_told_in_plain_words(old: str, new: str, says: str) -> None:
    assert SCENE.count(old) == 1
    (found,) = check_any(SCENE.replace(old, new))
    assert says in found.what
    assert found.line == line_of(old) + new.count("\n")
    assert not re.search("YAML|Input|should|String|Tuple|Field", f"{found.what} {found.remedy}")


def test_who_has_reviewed_a_scene_is_noted_by_a_command_that_there_is() -> None:
    (found,) = (one for one in check_any(SCENE.replace("n: 40", "n: 40\nreviewed: true")) if one.grave)
    assert "elenchus scene review FILE --accept" in found.remedy


def test_a_number_of_subjects_that_versions_do_not_share_evenly_is_warned_of() -> None:
    (found,) = check_any(SCENE.replace("n: 40", "n: 42"))
    assert (found.grave, found.line, found.remedy) == (False, line_of("n: 40"), "plan 40 or 44")
    assert "42 subjects are not shared out evenly among 4 versions" in found.what


def test_where_versions_differ_and_nothing_is_said_of_deception_that_is_warned_of() -> None:
    (found,) = check_any(SCENE.replace("deception: none\n", ""))
    assert (found.grave, found.line) == (False, line_of("factors:"))
    assert "nothing says whether something is kept from people" in found.what
    assert "`deception: omission`" in found.remedy
    assert "deception" not in str(check_any(SCENE.replace("deception: none\n", "").partition("# Debrief")[0]))


def test_a_title_is_read_as_it_is_stored_without_what_turns_or_hides_text() -> None:
    scene = canonical.read(SCENE.replace('"A lamp"', '"A \u202elamp\u202c\u200b"'))
    assert scene.title == "A lamp" == one_line(scene.title)


def test_more_questions_than_anybody_answers_are_refused_in_one_sentence_and_at_once() -> None:
    measures = "\n".join(f"m{n}: {{kind: number, ask: What?}}" for n in range(3_000))
    (found,) = check_any(SCENE.replace("# Trials", f"{measures}\n\n# Trials"))
    assert (found.what, found.remedy) == ("the scene has 3,004 measures", "leave at most 200")
    items = ", ".join("{sign: x}" for _ in range(200))
    block = '{show: "{sign}", answer: {kind: yes-no, ask: "So?"}, items: [' + items + "]}"
    blocks = "\n".join(f"b{n}: {block}" for n in range(3))
    (found,) = check_any(SCENE.replace("# Observation", f"{blocks}\n\n# Observation"))
    assert (found.what, found.remedy) == ("the trials have 602 items in all", "leave at most 500")
