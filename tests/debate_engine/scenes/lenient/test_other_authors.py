"""Labels, kinds and surroundings that scripts of other authors had."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.scenes.lenient.reader import read_script
from tests.debate_engine.scenes.lenient.readings import ROLES, whole, with_rules

UNUSUAL = [
    ("<Unicast, joking> {}", "unicast JOK"),
    ("(joking) {}", "unicast JOK"),
    ("{} (joking)", "unicast JOK"),
    ("Unicast: {} (joking)", "unicast JOK"),
]


@pytest.mark.parametrize("form, expected", UNUSUAL)
def test_an_unusual_label_is_read_and_taken_off(form: str, expected: str) -> None:
    (rule,) = with_rules(f"1. {form.format('Ben jokes with Ada about the tea.')}").rules
    assert f"{rule.rule.mode} {rule.rule.purpose}" == expected
    assert (rule.rule.initiator, rule.rule.receivers, rule.clear) == ("Ben", ("Ada",), True)
    assert rule.rule.content == "Ben jokes with Ada about the tea."


@pytest.mark.parametrize("label", ["Public", "To everyone", "One-to-all", "Private message", "One-to-one"])
def test_what_a_mode_is_called_elsewhere_is_not_known_and_the_rule_is_not_clear(label: str) -> None:
    (rule,) = with_rules(f"1. {label} (joking): Ben praises the tea to Ada.").rules
    assert not rule.clear
    assert rule.notes[0].startswith("it states no mode: taken for")


def test_a_bracket_that_is_no_label_stays_in_the_rule() -> None:
    (rule,) = with_rules("1. (Unicast, joking) Ben jokes with Ada (about the second cup).").rules
    assert rule.rule.content == "Ben jokes with Ada (about the second cup)."


def test_a_sentence_of_three_words_is_a_rule_and_a_heading_of_three_is_none() -> None:
    course = "1. Cleo welcomes everyone.\n2. Round two: building\n3. Ben contradicts Ada.\n"
    course += "4. Same as before.\n5. Cleo asks Ada for a vote.\n"
    reading = with_rules(f"{course}")
    assert [rule.line for rule in reading.rules] == [16, 18, 20]


@pytest.mark.parametrize(
    "leave", ["Let me know if you need changes!", "Feel free to adapt it.", "Would you like more?"]
)
def test_a_last_paragraph_that_takes_leave_is_no_observation(leave: str) -> None:
    rules = "# Rules\n1. (Unicast) Ben jokes with Ada.\n"
    script = f"{ROLES}{rules}# Observation\nCount the cups.\n\nThis scene is short. {leave}\n"
    assert read_script(script).observation == "Count the cups."
    kept = script.replace(leave, "Two judges count.")
    assert read_script(kept).observation == "Count the cups.\nThis scene is short. Two judges count."


def test_a_looser_heading_in_bold_may_have_its_text_beside_it() -> None:
    reading = read_script(f"**Goal of the scene:** To see who follows.\n\n**Scenario:** A tea shop.\n\n{ROLES}")
    assert (reading.purpose, reading.background) == ("To see who follows.", "A tea shop.")


@pytest.mark.parametrize("background", ["Scenario", "Situation", "Story", "Setup", "Cover story", "Context"])
@pytest.mark.parametrize("observation", ["Evaluation", "Analysis", "Detection", "Results", "How We Observe the Bias"])
def test_a_heading_without_any_mark_is_one_where_it_is_due(background: str, observation: str) -> None:
    reading = read_script(
        f"Purpose\nTo see who follows.\n\n{background}\nA tea shop in town.\n\n{ROLES}Rules\n"
        f"1. (Unicast) Ben jokes with Ada.\n\n{observation}\nCount the cups.\n"
    )
    assert (reading.purpose, reading.background) == ("To see who follows.", "A tea shop in town.")
    assert (reading.observation, len(reading.rules)) == ("Count the cups.", 1)


def cast(*people: tuple[str, str, str, str]) -> dict[str, str]:
    blocks = [f"Name: {n}\nIdentity: {i}\nBackground: {b}\nTask: {t}" for n, i, b, t in people]
    reading = whole("\n".join(blocks), "1. (Broadcast, joking) Piet explains the tasting.")
    return {role.name: role.kind for role in reading.roles}


SUBJECT = ("Ines", "Subject", "Likes tea.", "Rates three drinks.")
PLANT = ("Kofi", "Confederate", "Follows the script.", "Praises drink B.")
HOST = ("Piet", "Moderator", "Runs the session.", "Asks for the ratings.")
REVEALED = [
    "In truth an actress.",
    "Works for the researchers.",
    "A confederate of the researchers.",
    "Instructed by the experimenter.",
    "Trained by the experimenters to recommend B.",
]


@pytest.mark.parametrize("revealed", REVEALED)
@pytest.mark.parametrize("identity", ["Participant", "Another participant", "Volunteer", "Participant B", "Colleague"])
def test_the_background_tells_who_only_passes_for_a_participant(revealed: str, identity: str) -> None:
    plant = ("Kofi", identity, revealed, "Praises drink B.")
    found = cast(("Ines", "Participant", "Answered a notice.", "Rates drinks."), plant, HOST)
    assert found == {"Ines": "subject", "Kofi": "confederate", "Piet": "moderator"}
