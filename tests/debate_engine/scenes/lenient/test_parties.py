"""Who speaks to whom where a script says it plainly: arrows, `X tells Y`, speech that calls somebody by name."""

from __future__ import annotations

import pytest

from tests.debate_engine.scenes.lenient.readings import parties_told, with_rules


def parties(rule: str, mode: str = "Unicast") -> str:
    (read,) = with_rules(f"1. ({mode}, joking) {rule}").rules
    return parties_told(read)


@pytest.mark.parametrize("arrow", ["→", "->", "=>", "⇒", "—>"])
@pytest.mark.parametrize("ben", ["Ben", "the Confederate", "Confederate (Ben)"])
def test_names_on_both_sides_of_an_arrow_are_plain(arrow: str, ben: str) -> None:
    assert parties(f"{ben} {arrow} Ada: milk is for cats") == "Ben > Ada"
    assert parties(f"{ben} {arrow} Ada and Cleo: milk is for cats", "Multicast") == "Ben > Ada,Cleo"
    assert parties(f"{ben} {arrow} all: milk is for cats", "Broadcast") == "Ben > Ada,Cleo"


@pytest.mark.parametrize("verb", ["tells", "asks", "reminds", "urges", "instructs", "invites", "warns", "challenges"])
def test_whom_a_verb_of_telling_has_for_its_object_is_spoken_to(verb: str) -> None:
    assert parties(f"Ben {verb} Ada about the tea that Cleo chose.") == "Ben > Ada"
    assert parties(f"The Moderator politely {verb} both participants.", "Multicast") == "Cleo > Ada,Ben"
    assert parties(f"After a look at Ada, Ben {verb} Cleo.") == "Ben > Cleo"


@pytest.mark.parametrize("said", ["explains the tea to", "shares a thought with", "jokes about milk with"])
def test_to_whom_and_with_whom_something_is_said_is_plain(said: str) -> None:
    assert parties(f"Ben {said} Ada.") == "Ben > Ada"
    assert parties(f"Ben {said} the Subject and the Moderator.", "Multicast") == "Ben > Ada,Cleo"


@pytest.mark.parametrize(
    "quote", ["Ben, do you agree with Ada?", "Do you agree with Ada, Ben?", "Thank you, Ada. Ben, do you agree?"]
)
def test_who_is_called_by_name_in_a_speech_is_spoken_to(quote: str) -> None:
    assert parties(f'Cleo asks: "{quote}"') == "Cleo > Ben"
    assert parties(f'Cleo: "{quote}"') == "Cleo > Ben"


@pytest.mark.parametrize(
    "rule",
    [
        "Ada is asked by Cleo to choose.",
        "She names a tea to Cleo.",
        "Ada and Ben discuss the tea.",
        "Ben explains the tea.",
        "Cleo greets Ben and asks Ada for her name.",
        "Ada declines → Ben insists.",
    ],
)
def test_what_is_not_plain_is_marked_with_a_line_and_what_to_do(rule: str) -> None:
    reading = with_rules(f"1. (Unicast, joking) {rule}")
    (read,) = reading.rules
    assert not read.clear
    told = [(found.line, found.remedy) for found in reading.findings if found.what in read.notes]
    assert told == [(read.line, "look at this rule, and say who speaks to whom")] * len(read.notes)
    assert read.notes
