"""The versions of a scene that varies factors: the scene at one level of each, and what two of them differ in. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from elenchus.debate_engine.scenes.factors import Factor, Levels, crossed, holds, label
from elenchus.debate_engine.scenes.scene import Rule, Scene


def versions(scene: Scene) -> dict[str, Scene]:
    """Each version by its label, in the order of the levels; the scene itself under "" where it varies nothing.

    Raises UnreadableWhen for a rule's condition that names what there is not.
    """
    if not scene.factors:
        return {scene.condition or "": scene}
    return {label(levels): at(scene, levels) for levels in crossed(scene.factors)}


def at(scene: Scene, levels: Levels) -> Scene:
    """The scene as it is played at these levels: rules that are for others left out, places of factors filled."""
    values = {factor.name: _value(factor, dict(levels)) for factor in scene.factors}
    rules = [rule for rule in scene.rules if holds(rule.when, dict(levels))]
    roles = (
        role.model_copy(update={"background": put(role.background, values), "task": put(role.task, values)})
        for role in scene.roles
    )
    measures = (
        one.model_copy(update={"ask": put(one.ask, values), "right": in_rule(one.right, values)})
        for one in scene.measures
    )
    exclusions = tuple(in_rule(rule, values) for rule in scene.plan.exclusions)
    return scene.model_copy(
        update={
            "condition": label(levels),
            "factors": (),
            "roles": tuple(roles),
            "rules": tuple(_rule(rule, values) for rule in rules),
            "measures": tuple(measures),
            "outcome": in_rule(scene.outcome, values),
            "plan": scene.plan.model_copy(update={"exclusions": exclusions, "contrasts": (), "n": None}),
            "answers": tuple(put(text, values) for text in scene.answers),
            "debrief": put(scene.debrief, values),
        }
    )


def _value(factor: Factor, levels: Mapping[str, str]) -> str:
    level = next(one for one in factor.levels if one.name == levels[factor.name])
    return level.value or level.name


def _rule(rule: Rule, values: Mapping[str, str]) -> Rule:
    filled = {name: put(getattr(rule, name), values) for name in ("content", "message", "says")}
    return rule.model_copy(update={**filled, "when": ""})


def put(text: str, values: Mapping[str, str]) -> str:
    """The text with the places of factors filled; all other braces stay as they are."""
    return re.sub(r"\{ *(\w+) *\}", lambda place: values.get(place[1], place[0]), text)


def in_rule(rule: str, values: Mapping[str, str]) -> str:
    """A rule over measures with the values of factors in the place of their names: numbers as such, others as texts."""

    def written(name: re.Match[str]) -> str:
        value = values.get(name[0])
        if value is None:
            return name[0]
        plain = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", value)
        return plain if re.fullmatch(r"-?\d+(?:\.\d+)?", plain) else f'"{value}"'

    parts = re.split(r"(\"[^\"]*\"|'[^']*')", rule)
    return "".join(part if n % 2 else re.sub(r"\b[a-z_]\w*\b", written, part) for n, part in enumerate(parts))


def differences(one: Scene, other: Scene) -> Iterator[tuple[str, str, str]]:
    """What two versions differ in, word by word: where, the words of the one, the words of the other."""
    texts, others = dict(_texts(one)), dict(_texts(other))
    for where in dict.fromkeys([*texts, *others]):
        if texts.get(where) != others.get(where):
            yield from _words_apart(where, texts.get(where, ""), others.get(where, ""))


def _words_apart(where: str, text: str, other: str) -> Iterator[tuple[str, str, str]]:
    a, b = text.split(), other.split()
    for kind, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind != "equal":
            yield where, " ".join(a[i:j]), " ".join(b[k:m])


def _texts(scene: Scene) -> Iterator[tuple[str, str]]:
    """Everything that somebody who plays is told or says, by place; a rule by who speaks to whom, counted."""
    for role in scene.roles:
        yield f"role {role.name}", f"{role.background} {role.task} {role.style}"
    counted: dict[str, int] = {}
    for rule in scene.rules:
        who = f"{rule.initiator} → {', '.join(rule.receivers)}"
        counted[who] = counted.get(who, 0) + 1
        yield f"{who} ({counted[who]})", f"{rule.mode} {rule.content} {rule.message} {rule.says}"
    for measure in scene.measures:
        yield f"measure {measure.name}", measure.ask
