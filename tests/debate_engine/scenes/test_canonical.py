"""The canonical form: what is written is read back, and what is wrong is named with line and remedy."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from elenchus.debate_engine.printable import one_line
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.consistency import inconsistencies, is_a_name
from elenchus.debate_engine.scenes.faults import FaultyScene
from elenchus.debate_engine.scenes.scene import CONDITIONS, KINDS, PURPOSES, SYSTEM, Mode, Role, Rule, Scene
from elenchus.debate_engine.scenes.script import read_any

EXAMPLE = """---
scene: 1
title: "Tea"
bias: "bandwagon-effect"
---

# Purpose

See who follows.

# Roles

## Ada (subject)
- Background: likes tea
- Task: choose
## Ben (confederate)
- Task: praise the green one

# Rules

1. **self-receiving, SYS** system → Ada: the list
   > Green, black.
2. **unicast, JOK** Ben → Ada: a joke
3. **broadcast** Ada -> all: her choice

# Observation

Is it green?

# Debrief

Ben was asked to say so.
"""

texts = st.text(max_size=60) | st.sampled_from(
    ["# Roles", "\\# x", "---", "> q", "a\n\n# b\n \\\\c", "1. **unicast** A → B: c"]
)
names = st.text(min_size=1, max_size=12).map(one_line).filter(is_a_name)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    cast = draw(st.lists(names, min_size=2, max_size=5, unique_by=str.casefold))
    roles = [
        Role(name=name, kind=draw(st.sampled_from(KINDS)), background=draw(texts), task=draw(texts), style=draw(texts))
        for name in cast
    ]
    roles[0] = roles[0].model_copy(update={"kind": "subject"})
    rules = draw(st.lists(rule_of(cast), min_size=1, max_size=6))
    long = [draw(texts) for _ in range(6)]
    return Scene(
        title=long[0], bias=long[1], purpose=long[2], background=long[3], roles=tuple(roles), rules=tuple(rules),
        observation=long[4], debrief=long[5], condition=draw(st.none() | st.sampled_from(CONDITIONS)),
        twin=draw(st.sampled_from(["", "calm.md", "no: twin #1.md"])), differs=draw(texts),
        written_by=draw(st.sampled_from(["", "openai:x"])), reviewed=draw(st.just("false") | texts),
    )  # fmt: skip


@st.composite
def rule_of(draw: st.DrawFn, cast: list[str]) -> Rule:
    mode: Mode = draw(st.sampled_from(["unicast", "broadcast", "multicast", "self-receiving"]))
    initiator = SYSTEM if mode == "self-receiving" else draw(st.sampled_from(cast))
    others = [name for name in cast if name != initiator]
    some = draw(st.lists(st.sampled_from(others), min_size=1, max_size=len(others), unique=True))
    receivers = {"unicast": some[:1], "broadcast": others}.get(mode, some)
    message = draw(texts) if mode == "self-receiving" else ""
    purpose = draw(st.none() | st.sampled_from(list(PURPOSES)))
    return Rule(
        mode=mode,
        purpose=purpose,
        initiator=initiator,
        receivers=tuple(receivers),
        content=draw(texts),
        message=message,
    )


@settings(max_examples=200)
@given(scenes())
def test_a_scene_that_is_written_is_read_back(scene: Scene) -> None:
    assert list(inconsistencies(scene)) == []
    assert canonical.read(canonical.write(scene)) == scene


@settings(max_examples=50)
@given(scenes())
def test_writing_again_changes_nothing(scene: Scene) -> None:
    text = canonical.write(scene)
    assert canonical.write(canonical.read(text)) == text


def test_the_example_is_read_and_ready_to_be_played() -> None:
    scene, findings = canonical.check(EXAMPLE)
    assert findings == ()
    assert [role.kind for role in scene.roles] == ["subject", "confederate"]
    assert scene.rules[0].message == "Green, black."
    assert scene.rules[2].receivers == ("Ben",)
    assert canonical.read(EXAMPLE.replace("\n", "\r\n")) == scene


def test_a_canonical_text_gives_a_reading_with_the_lines_of_its_rules() -> None:
    reading = read_any(EXAMPLE)
    assert [(read.line, read.clear, read.rule.initiator) for read in reading.rules] == [
        (21, True, "system"),
        (23, True, "Ben"),
        (24, True, "Ada"),
    ]


@pytest.mark.parametrize(
    "old, new, line, what",
    [
        ("scene: 1", "scene: 2", 2, "version is 2"),
        ("---\nscene", "scene", 1, "front matter is missing"),
        ('title: "Tea"', "title: [", 3, "a comma or a closing bracket is missing"),
        ('title: "Tea"', 'colour: "Tea"', 3, "'colour'"),
        ('title: "Tea"', "condition: placebo", 3, "'placebo' is no condition"),
        ('title: "Tea"', "condition: [control]", 3, "condition is no text"),
        ('title: "Tea"', "twin: ../tea.md", 3, "not in the same folder"),
        ("# Purpose", "# Purpos", 7, "no section is called Purpos"),
        ("# Rules", "# Roles", 19, "Roles stands here again"),
        ("(subject)", "(boss)", 13, "boss is no kind"),
        ("## Ben", "## Ada", 16, "two roles named Ada"),
        ("- Task: choose", "likes milk", 15, "no line of a role"),
        ("Ben → Ada:", "Ben → Zoe:", 23, "Zoe receives it"),
        ("Ben → Ada:", "Zoe → Ada:", 23, "Zoe starts it"),
        ("Ben → Ada:", "Ben → Ben:", 23, "speaks to Ben"),
        ("unicast, JOK", "yell, JOK", 23, "yell is no mode"),
        ("unicast, JOK", "unicast, FUN", 23, "FUN is no purpose"),
        ("2. **unicast, JOK** Ben → Ada: a joke", "Ben jokes", 23, "this is no rule"),
        ("a joke", "a joke\n   > quoted", 24, "only the system's messages"),
        ("(subject)", "(other)", 11, "no subject"),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_a_remedy(old: str, new: str, line: int, what: str) -> None:
    assert old in EXAMPLE
    with pytest.raises(FaultyScene) as caught:
        canonical.read(EXAMPLE.replace(old, new, 1))
    finding = next(finding for finding in caught.value.findings if what in finding.what)
    assert finding.line == line
    assert finding.remedy


def test_what_is_left_open_is_named_and_keeps_nobody_from_reading() -> None:
    text = EXAMPLE.replace("   > Green, black.\n", "").replace("Ben was asked to say so.", "")
    scene, findings = canonical.check(text)
    assert canonical.read(text) == scene
    assert [(finding.line, finding.grave) for finding in findings] == [(21, False), (29, False)]
