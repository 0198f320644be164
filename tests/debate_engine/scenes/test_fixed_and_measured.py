"""Fixed lines and measures in the canonical form: read, written, and what makes no sense named by line."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.faults import FaultyScene
from elenchus.debate_engine.scenes.measures import Choice, Number
from elenchus.debate_engine.scenes.values import paragraphs

PRICED = """---
scene: 1
title: "A price"
bias: "anchoring-effect"
outcome: "price >= 240 and side = \\"A\\""
---

# Purpose

# Background

# Roles

## Ada (subject)
## Ben (confederate)

# Rules

1. **unicast** Ben → Ada: a number
   says: "{Ada}, more or less than 480?"
2. **unicast** Ada → Ben: the price
   measure: price, side
   says: "I say {price}, side {side}."
3. **unicast** Ben → Ada: thanks
   - says: “So {price} it is.”

# Measures

price: {kind: number, unit: euros, low: 0, ask: "How much?"}
side: {kind: choice, options: [A, B]}

# Observation

A high price.

# Debrief

It was a number.
"""


def test_fixed_lines_and_measures_are_read_and_written() -> None:
    scene, findings = canonical.check(PRICED)
    assert findings == ()
    assert [rule.says for rule in scene.rules] == [
        "{Ada}, more or less than 480?", "I say {price}, side {side}.", "So {price} it is.",
    ]  # fmt: skip
    assert scene.rules[1].measures == ("price", "side")
    assert scene.measures == (
        Number(name="price", unit="euros", low=0, ask="How much?"), Choice(name="side", options=("A", "B")),
    )  # fmt: skip
    assert canonical.read(canonical.write(scene)) == scene


@given(st.text(max_size=80))
def test_any_words_can_be_fixed(words: str) -> None:
    said = paragraphs(words).replace("{", "{{").replace("}", "}}")
    scene = canonical.read(PRICED)
    fixed = scene.model_copy(update={"rules": (scene.rules[0].model_copy(update={"says": said}), *scene.rules[1:])})
    assert canonical.read(canonical.write(fixed)) == fixed


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ('"{Ada}, more', '"{Eva}, more', 20, "{Eva} is nothing that can be filled in here: there is Ada, Ben"),
        ('"{Ada}, more', '"{price}, more', 20, "{price} is nothing that can be filled in here"),
        ('"{Ada}, more', '"{Ada, more', 20, "a single { opens or closes nothing"),
        ("measure: price, side", "measure: prize, side", 22, "it measures prize, which no measure is called"),
        ("measure: price, side", "measure: price, price", 22, "it measures price, which has been measured already"),
        ("   measure: price, side\n", "", 22, "the words of Ada, a subject, are fixed"),
        ("2. **unicast** Ada → Ben", "2. **unicast** Ben → Ada", 21, "Ben is no subject, and is measured"),
        ("measure: price, side", "measure: price", 30, "no rule measures side"),
        ("measure: price, side", "measure: price\n   measure: side", 23, "this rule has a second line `measure:`"),
        ('   says: "{Ada}', '   says: "Well."\n   says: "{Ada}', 21, "this rule has a second line `says:`"),
        ("kind: number", "kind: colour", 29, "the measure price"),
        ("low: 0", "low: zero", 29, "the measure price: low: “zero” is not a number"),
        ("low: 0", "low: 9, high: 3", 29, "price: a range goes from a number to a greater one"),
        ("options: [A, B]", "options: [A]", 30, "the measure side: options: "),
        ("side: {kind: choice, options: [A, B]}", "side", 30, "the measures cannot be read"),
        ("side: {kind: choice, options: [A, B]}", "side: 3", 30, "the measure side"),
        ("price >= 240", "prize >= 240", 5, "speaks of prize, which the scene does not have"),
        ("price >= 240", "price >>", 5, "cannot be read"),
    ],
)
def test_what_makes_no_sense_is_named_with_its_line(old: str, new: str, line: int, what: str) -> None:
    assert old in PRICED
    with pytest.raises(FaultyScene) as caught:
        canonical.read(PRICED.replace(old, new, 1))
    ((at, told),) = [(finding.line, finding.what) for finding in caught.value.findings]
    assert (at, what) == (line, what if what in told else told), "the cause alone, on its line"
