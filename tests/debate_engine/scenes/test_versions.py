"""A scene that varies factors: its versions, what is wrong with them, and what two of them differ in."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.consistency import inconsistencies
from elenchus.debate_engine.scenes.factors import Factor, Level
from elenchus.debate_engine.scenes.faults import FaultyScene
from elenchus.debate_engine.scenes.versions import differences, versions

DOSES = """---
scene: 1
title: "A price"
bias: "anchoring-effect"
outcome: "price >= (190 + anchor) / 2"
factors: {anchor: {low: 90, high: 480}, pressure: [cue, quiet]}
---

# Purpose

# Background

# Roles

## Ada (subject)
## Ben (confederate)
- Task: The number {anchor} has stuck in your head.

# Rules

1. **unicast** Ben → Ada: a number
   says: "{Ada}, more or less than {anchor}?"
2. **unicast** Ben → Ada: presses
   when: pressure = cue
   says: "It would feel strange to end far from {anchor}."
3. **unicast** Ben → Ada: chats
   when: pressure != cue
   says: "Nice weather today, and no hurry at all."
4. **unicast** Ada → Ben: the price
   measure: price

# Measures

price: {kind: number, unit: euros, ask: "How much?"}

# Observation

A high price.

# Debrief

It was {anchor}.
"""


def test_a_scene_has_a_version_at_each_level_of_each_factor() -> None:
    scene, findings = canonical.check(DOSES)
    assert findings == ()
    assert scene.factors == (
        Factor(name="anchor", levels=(Level(name="low", value="90"), Level(name="high", value="480"))),
        Factor(name="pressure", levels=(Level(name="cue"), Level(name="quiet"))),
    )
    assert canonical.read(canonical.write(scene)) == scene
    found = versions(scene)
    assert list(found) == ["low/cue", "low/quiet", "high/cue", "high/quiet"]
    high = found["high/cue"]
    assert [rule.says for rule in high.rules] == [
        "{Ada}, more or less than 480?", "It would feel strange to end far from 480.", "",
    ]  # fmt: skip
    assert high.roles[1].task == "The number 480 has stuck in your head."
    assert (high.condition, high.outcome) == ("high/cue", "price >= (190 + 480) / 2")
    assert found["low/quiet"].rules[1].says == "Nice weather today, and no hurry at all."
    assert not [fault for version in found.values() for fault in inconsistencies(version)]


def test_a_scene_without_factors_is_its_only_version() -> None:
    text = DOSES.replace("factors:", "#").replace("{anchor}", "480").replace("+ anchor", "+ 480")
    scene = canonical.read("\n".join(line for line in text.split("\n") if "when:" not in line))
    assert versions(scene) == {"": scene}


def test_two_versions_differ_in_what_the_factor_says_and_in_nothing_else() -> None:
    found = versions(canonical.read(DOSES))
    assert list(differences(found["low/cue"], found["high/cue"])) == [
        ("role Ben", "90", "480"),
        ("Ben → Ada (1)", "90?", "480?"),
        ("Ben → Ada (2)", "90.", "480."),
    ]
    assert list(differences(found["low/cue"], found["low/cue"])) == []
    apart = list(differences(found["low/cue"], found["low/quiet"]))
    assert {where for where, _, _ in apart} == {"Ben → Ada (2)"}


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("pressure = cue", "pressure = loud", "loud is no level of pressure: there is cue, quiet"),
        ("pressure = cue", "colour = red", "colour is no factor: there is anchor, pressure"),
        ("pressure = cue", "cue", "“cue” names no level of a factor"),
        ("pressure: [cue, quiet]", "pressure: [cue]", "the factor pressure has no two levels"),
        ("pressure: [cue, quiet]", "pressure: [cue, cue]", "the factor pressure has no two levels"),
        ("pressure: [cue, quiet]", "pressure: cue", "the levels of pressure are no list"),
        ("pressure: [cue, quiet]", "pressure: [cue, quiet], room: [hot, cold]", "nothing depends on the factor room"),
        ("pressure: [cue, quiet]", "Pressure!: [cue, quiet]", "cannot be a factor's name"),
        ("{low: 90, high: 480}", "{low: [90], high: 480}", "the levels of anchor are no list"),
        ("factors: {", "within: [room]\nfactors: {", "within names what is no factor"),
        ("{anchor: {low: 90, high: 480}, pressure: [cue, quiet]}", "anchor", "the factors are no list"),
        ("pressure: [cue, quiet]", f"pressure: [cue, {', '.join(f'q{n}' for n in range(15))}]", "make 32 versions"),
        ("price: {kind", "anchor: {kind", "anchor is the name of two factors, or of a measure too"),
        ("   measure: price\n", "   measure: price\n   when: pressure = cue\n", "no rule measures price"),
        ("more or less than {anchor}", "more or less than {anchors}", "{anchors} is nothing"),
    ],
)  # fmt: skip
def test_a_design_that_makes_no_sense_is_refused(old: str, new: str, what: str) -> None:
    assert old in DOSES
    with pytest.raises(FaultyScene) as caught:
        canonical.read(DOSES.replace(old, new, 1))
    assert [finding for finding in caught.value.findings if what in finding.what], caught.value.findings
