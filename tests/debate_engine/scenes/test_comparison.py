"""What two versions of a scene differ in, word by word, and what differs beside the factor."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.comparison import Pair, pairs_of

SCENE = """---
scene: 1
title: "A lamp"
bias: ""
factors: {anchor: {low: "90", high: "480"}, pressure: [cue, quiet]}
---

# Roles

## Robin (subject)

## Ada (confederate)

# Rules

1. **unicast, DES** Ada → Robin: Name a number.
   says: "Somebody said {anchor}, some time ago."
2. **unicast, ADV** Ada → Robin: Press.
   when: pressure = cue
   says: "Please be quick now."
3. **unicast, SDC** Ada → Robin: Chat.
   when: pressure = quiet
   says: "It is nice today."
4. **unicast, FEL** Robin → Ada: Say the price.
   measure: price

# Measures

price: {kind: number, unit: euros, ask: "What is it worth?"}

# Observation

Higher after high.

# Debrief

That was all.
"""
EXTRA = "4. **unicast, FEL** Robin"


def pairs(text: str = SCENE) -> dict[tuple[str, str], Pair]:
    return {(pair.one, pair.other): pair for pair in pairs_of(canonical.read(text))}


def test_each_pair_of_versions_is_compared_word_by_word() -> None:
    found = pairs()
    assert len(found) == 6
    by_anchor = found["low/cue", "high/cue"]
    assert by_anchor.factors == ("anchor",)
    assert by_anchor.apart == (("Ada → Robin (1)", "90,", "480,"),)
    assert found["low/cue", "high/quiet"].factors == ("anchor", "pressure")


def test_versions_in_which_a_factor_changes_one_turn_alone_give_no_warning() -> None:
    assert [pair.warnings for pair in pairs().values()] == [()] * 6


@pytest.mark.parametrize(
    ("old", "new", "pair", "says"),
    [
        ('"It is nice today."', '"It is nice today, is it not, with all this sun."', ("low/cue", "low/quiet"),
         "length: turn 2 has 4 words in the one, 11 in the other"),
        ('"480"', f'"{"480 and " * 30}no more"', ("low/cue", "high/cue"), "length: Robin reads"),
        (EXTRA, f'4. **unicast, SDC** Ada → Robin: More.\n   when: pressure = quiet\n   says: "So."\n5{EXTRA[1:]}',
         ("low/cue", "low/quiet"), "history: the one has 3 turns, the other 4"),
        ("**unicast, SDC** Ada → Robin: Chat.", "**unicast, SDC** Robin → Ada: Chat.", ("low/cue", "low/quiet"),
         "history: they do not speak to the same people"),
        (EXTRA, '4. **unicast, DES** Ada → Robin: Tell.\n   when: pressure = cue\n   says: "One was sold for 300."\n'
         '5. **unicast, SDC** Ada → Robin: Chat.\n   when: pressure = quiet\n   says: "One has to like it."\n6'
         + EXTRA[1:], ("low/cue", "low/quiet"), "evidence: turn 3 tells of things in the one alone; turns 2"),
        (EXTRA, '4. **unicast, SDC** Ada → Robin: Chat.\n   when: pressure = cue\n   says: "It is nice today."\n'
         '5. **unicast, SDC** Ada → Robin: Chat.\n   when: pressure = quiet\n   says: "Please be quick now."\n6'
         + EXTRA[1:], ("low/cue", "low/quiet"), "position: what turn 2 says in the one is turn 3 in the other"),
        (EXTRA, '4. **unicast, SDC** Ada → Robin: Chat.\n   when: pressure = cue\n   says: "The sun is out."\n'
         '5. **unicast, SDC** Ada → Robin: Chat.\n   when: pressure = quiet\n   says: "The rain is here."\n6'
         + EXTRA[1:], ("low/cue", "low/quiet"), "advocacy: turn 2 advises in the one alone; turns 3 differ too"),
    ],
)  # fmt: skip
def test_what_differs_beside_the_factor_is_warned_of(old: str, new: str, pair: tuple[str, str], says: str) -> None:
    if "→ Ada: Chat" in new:
        old, new = (
            'Ada → Robin: Chat.\n   when: pressure = quiet\n   says: "It is nice today."',
            ("Robin → Ada: Chat.\n   when: pressure = quiet"),
        )
    assert old in SCENE
    warnings = pairs(SCENE.replace(old, new))[pair].warnings
    assert any(warning.startswith(says) for warning in warnings), warnings


def test_orders_of_what_is_met_within_subjects_are_a_difference_of_their_own() -> None:
    text = SCENE.replace("pressure: [cue, quiet]}", "pressure: [cue, quiet]}\nwithin: [anchor]")
    text = text.replace('   says: "Somebody', '   each: anchor\n   says: "Somebody')
    found = pairs(text)
    pair = found["cue/low-high", "cue/high-low"]
    assert pair.factors == ("order",)
    assert pair.apart
    assert pair.warnings == (), "that the same stands elsewhere is what an order is"


def test_a_scene_that_varies_nothing_has_no_pairs() -> None:
    text = SCENE.replace('factors: {anchor: {low: "90", high: "480"}, pressure: [cue, quiet]}\n', "")
    text = text.replace("   when: pressure = cue\n", "").replace("   when: pressure = quiet\n", "")
    assert pairs(text.replace("{anchor}", "90")) == {}
