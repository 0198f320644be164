"""The scenes that come with the program: each reads without a finding, keeps its secret, and has a neutral twin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from elenchus.config.catalogue import find_bias
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.rulegen.moves import is_conditional, moves_of
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.library import BUILT_IN, find_scene, load_scenes, scene_meant, twin_of
from elenchus.debate_engine.scenes.scene import Rule, Scene

SCENES = load_scenes()
TREATMENTS = [name for name, scene in SCENES.items() if scene.condition == "treatment"]
BIASES = {
    "bandwagon-effect", "belief-bias", "anchoring-effect", "comfort-zone-effect", "sunk-cost-fallacy",
    "endowment-effect", "framing-effect", "planning-fallacy", "unit-bias", "order-bias", "hindsight-bias",
    "decoy-effect",
}  # fmt: skip

RESEARCH = """bias biased experiment experimental study studied measure measured observe observed observation elicit
    condition control confederate subject treatment participant psychology manipulate influence persuade sway pressure
    hypothesis secretly pretend deceive fallacy effect"""
"""Words that would tell a role that it is watched, or what it is there for."""

EVERYDAY = """find whether their there these those which where while about other others than that what with from more
    after before against does could would should because itself towards although rather between better really accounts
    allow counts makes leads looks seems comes"""
"""Words of a purpose that say nothing of it."""


def stems(text: str) -> Iterator[str]:
    for word in re.findall(r"[^\W\d_]+", text.casefold()):
        yield re.sub(r"(?<=\w{3})(?:ing|ed|es|s|ly)$", "", word)


def told(scene: Scene) -> str:
    """All that reaches any role: who it is, what it is to do and say, and what the system tells."""
    roles = [f"{role.name} {role.background} {role.task} {role.style}" for role in scene.roles]
    return "\n".join([*roles, *(f"{rule.content}\n{rule.message}" for rule in scene.rules)])


def test_there_are_twelve_scenes_with_a_twin_each() -> None:
    assert {SCENES[name].bias for name in TREATMENTS} == BIASES
    assert set(SCENES) == {*TREATMENTS, *(f"{name}-neutral" for name in TREATMENTS)}
    assert len(SCENES) == 24


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_reads_without_a_finding_and_is_written_back_as_it_stands(name: str) -> None:
    text = (BUILT_IN / f"{name}.md").read_text(encoding="utf-8")
    scene, findings = canonical.check(text)
    assert findings == ()
    assert scene == SCENES[name]
    assert canonical.write(scene) == text
    assert canonical.read(canonical.write(scene)) == scene


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_has_all_that_a_session_with_people_needs(name: str) -> None:
    scene = SCENES[name]
    assert [role.kind for role in scene.roles] == ["subject", "confederate", "moderator"]
    assert all(role.background and role.task for role in scene.roles)
    assert find_bias(scene.bias).id == scene.bias
    assert all((scene.title, scene.purpose, scene.background, scene.observation, scene.debrief))


@pytest.mark.parametrize("name", SCENES)
def test_a_person_plays_a_scene_in_few_turns_of_their_own(name: str) -> None:
    scene = SCENES[name]
    subject = scene.roles[0].name
    turns = [rule for rule in scene.rules if rule.initiator == subject]
    assert 6 <= len(scene.rules) <= 14
    assert 3 <= len(turns) <= 4
    assert len(told(scene).split()) < 1000


@pytest.mark.parametrize("name", SCENES)
def test_every_rule_is_one_turn_without_a_condition(name: str) -> None:
    rules = [rule for rule in SCENES[name].rules if rule.mode != "self-receiving"]
    assert [rule for rule in rules if is_conditional(rule) or len(moves_of(rule)) > 1] == []
    assert all(rule.purpose for rule in SCENES[name].rules)


@pytest.mark.parametrize("name", SCENES)
def test_a_system_message_is_no_description_of_one(name: str) -> None:
    for rule in SCENES[name].rules:
        assert (rule.mode == "self-receiving") == bool(rule.message)
        if rule.mode == "self-receiving":  # who is asked about a message has seen it
            assert {role.name for role in SCENES[name].roles if role.kind != "confederate"} <= set(rule.receivers)
        assert not re.search(r"\b(?:receives?|is told|gets a message)\b", rule.message)


@pytest.mark.parametrize("name", SCENES)
def test_nothing_that_a_role_is_told_gives_away_the_bias_or_the_purpose(name: str) -> None:
    scene = SCENES[name]
    bias = find_bias(scene.bias)
    words = set(stems(" ".join(bias.called()))) | set(stems(RESEARCH))
    words |= {stem for stem in stems(scene.purpose) if len(stem) > 3} - set(stems(EVERYDAY))
    words -= set(stems("it all and of one in"))
    assert sorted(words & set(stems(told(scene)))) == []


@pytest.mark.parametrize("name", SCENES)
def test_nothing_that_a_role_is_told_repeats_the_observation_or_the_debrief(name: str) -> None:
    scene = SCENES[name]
    heard = " ".join(stems(told(scene)))
    for text in (scene.observation, scene.debrief):
        words = list(stems(text))
        runs = (" ".join(words[at : at + 9]) for at in range(len(words) - 8))
        assert [run for run in runs if run in heard] == []


@pytest.mark.parametrize("name", TREATMENTS)
def test_twins_differ_in_nothing_but_what_they_name(name: str) -> None:
    scene = SCENES[name]
    twin = twin_of(scene)
    assert twin == SCENES[f"{name}-neutral"]
    assert (twin.condition, twin_of(twin)) == ("control", scene)
    same = {"title", "bias", "purpose", "background", "observation", "differs"}
    assert scene.model_dump(include=same) == twin.model_dump(include=same)
    assert scene.differs.partition(":")[0].split(", ") == list(differing(scene, twin))


@pytest.mark.parametrize("name", TREATMENTS)
def test_a_twin_is_the_same_scene_with_a_neutral_confederate(name: str) -> None:
    scene = SCENES[name]
    twin = twin_of(scene)
    (confederate,) = [role.name for role in scene.roles if role.kind == "confederate"]
    own = [f"rule {n}" for n, rule in enumerate(scene.rules, 1) if rule.initiator == confederate]
    assert set(differing(scene, twin)) <= {f"role {confederate}", *own}
    assert {f"role {confederate}", own[0]} <= set(differing(scene, twin)), "from its first words on it is neutral"


def differing(scene: Scene, twin: Scene) -> Iterator[str]:
    for one, other in zip(scene.roles, twin.roles, strict=True):
        assert (one.name, one.kind, one.style) == (other.name, other.kind, other.style)
        if one != other:
            yield f"role {one.name}"
    for number, (rule, neutral) in enumerate(zip(scene.rules, twin.rules, strict=True), 1):
        assert shape(rule) == shape(neutral)
        if rule != neutral:
            yield f"rule {number}"


def shape(rule: Rule) -> tuple[object, ...]:
    return rule.mode, rule.purpose, rule.initiator, rule.receivers


@pytest.mark.parametrize("name", TREATMENTS)
def test_a_subject_speaks_under_the_same_rules_in_both_conditions(name: str) -> None:
    scene = SCENES[name]
    twin = twin_of(scene)
    subject = scene.roles[0]
    own = [rule for rule in scene.rules if rule.initiator == subject.name]
    assert own == [rule for rule in twin.rules if rule.initiator == subject.name]
    assert subject.task == twin.roles[0].task


@pytest.mark.parametrize("name", SCENES)
def test_a_debrief_tells_all_that_a_person_may_want_to_know(name: str) -> None:
    scene = SCENES[name]
    bias = find_bias(scene.bias)
    confederate, moderator = (role.name for role in scene.roles[1:])
    assert bias.name.casefold() in scene.debrief.casefold()
    for said in (f"{confederate} was a confederate" if scene.condition == "treatment" else "quiet version",
                 f"{confederate} had been asked", f"{moderator} was the moderator", "What the judges saw",
                 "never a person. Thank you"):  # fmt: skip
        assert said in scene.debrief
    for empty in ("you may ask", "ask whatever", "may have been played"):  # the program ends, and says who played whom
        assert empty not in scene.debrief
    assert len(scene.debrief) < 1900  # one message in Discord


# ── finding ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_scene_is_found_by_its_name_in_any_case() -> None:
    assert find_scene("Sunk-Cost") == SCENES["sunk-cost"]


@pytest.mark.parametrize("name, hint", [("bandwagn", "near it: bandwagon"), ("../models", "scene list"), ("", "list")])
def test_an_unknown_scene_is_refused_with_those_near_it(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        find_scene(name)


def test_a_missing_twin_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="names no twin"):
        twin_of(Scene())
    with pytest.raises(UsageError, match=r"calm\.md cannot be read .*: put the file beside"):
        twin_of(Scene(twin="calm.md"), tmp_path)


def test_pages_for_teachers_are_no_scenes(tmp_path: Path) -> None:
    (tmp_path / "unit.md").write_text((BUILT_IN / "unit.md").read_text("utf-8"), "utf-8")
    (tmp_path / "unit-teacher.md").write_text("# Nuts: for the teacher\n", "utf-8")
    assert [*load_scenes(tmp_path)] == ["unit"]
    with pytest.raises(UsageError, match="no scene 'unit-teacher'"):
        find_scene("unit-teacher", tmp_path)
    assert scene_meant("unit teacher", tmp_path) == "unit teacher"
