"""What the lenient reader does not know is marked, with its line, and none of its words are lost."""

from __future__ import annotations

import re

import pytest

from tests.debate_engine.scenes.lenient.readings import with_rules

SAID = "Ben jokes with Ada about the tea."
UNKNOWN = [
    f"`Unicast` `Joking around` {SAID}",
    f"**Unicast** *joking around* {SAID}",
    "**Ben** – *Unicast* – jokes with Ada about the tea.",
    f"Mode of communication: unicast; purpose: joking; {SAID}",
    f"(0–2 min) (Unicast, joking) {SAID}",
    f"[2 min] (Unicast, joking) {SAID}",
    *(f"{label} (joking): {SAID}" for label in ("Private message", "One-to-one", "Public", "To everyone", "To all")),
]


@pytest.mark.parametrize("rule", UNKNOWN)
def test_a_label_that_is_not_known_is_marked_and_its_rule_kept(rule: str) -> None:
    reading = with_rules(f"1. {rule}")
    (read,) = reading.rules
    assert set(re.findall(r"\w+", "jokes with Ada about the tea")) <= set(re.findall(r"\w+", read.rule.content))
    assert read.notes
    assert {(found.line, found.what) for found in reading.findings if found.line == read.line} >= {
        (read.line, note) for note in read.notes
    }


def test_what_stands_behind_fields_within_a_sentence_is_kept() -> None:
    (read,) = with_rules(f"1. Mode: unicast. Purpose: joking. {SAID}").rules
    assert (read.rule.mode, read.rule.purpose, read.rule.initiator, read.rule.receivers) == (
        "unicast",
        "JOK",
        "Ben",
        ("Ada",),
    )
    assert read.rule.content.endswith(SAID)


@pytest.mark.parametrize("sign", ["↔", "<->", "←", "<-", "⇄"])
def test_an_arrow_that_points_back_is_not_clear(sign: str) -> None:
    (read,) = with_rules(f"1. (Unicast) Ben {sign} Ada: the tea").rules
    assert not read.clear


def test_two_arrows_are_not_clear() -> None:
    for rule in ("Ben -> Ada, then Ada -> Ben", "Ben → Ada → Cleo: pass the cup"):
        assert not with_rules(f"1. (Unicast) {rule}").rules[0].clear
