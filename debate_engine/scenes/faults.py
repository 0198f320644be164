"""What keeps a scene from making sense or from being played, whatever text it was read from.

A fault names its place in the scene; who knows the text turns the place into a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Literal

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.scenes import factors, outcome, templates
from elenchus.debate_engine.scenes.scene import EVERYBODY, SYSTEM, Rule, Scene

MAX_RULES = 200
"""A scene with more rules is taken for a mistake: played by a person it would last for hours."""

MAX_ROLES = 20

ONLY_DESCRIBED = "the system's message is only described"
"""What is wrong with a self-receiving rule that has no message."""


@dataclass(frozen=True)
class Place:
    """A part of a scene: its `index`-th role or rule (from 0), or one of its texts by name."""

    part: Literal["scene", "background", "roles", "rules", "role", "rule", "measures", "debrief", "observation"]
    index: int = 0


@dataclass(frozen=True)
class Fault:
    """What is wrong where, and what mends it."""

    place: Place
    what: str
    remedy: str


def inconsistencies(scene: Scene) -> Iterator[Fault]:
    """What makes the scene contradict itself; none of it may be read as a scene."""
    yield from _of_the_cast(scene)
    if not scene.rules:
        yield Fault(Place("rules"), "the scene has no rules", "write at least one rule under its heading for rules")
    if len(scene.rules) > MAX_RULES:
        yield Fault(
            Place("rules"), f"the scene has {len(scene.rules)} rules", f"leave at most {MAX_RULES}, or split the scene"
        )
    for index, rule in enumerate(scene.rules):
        yield from (Fault(Place("rule", index), what, remedy) for what, remedy in _of_a_rule(scene, rule))
    yield from _of_the_factors(scene)
    yield from _of_what_is_measured(scene)


def left_open(scene: Scene) -> Iterator[Fault]:
    """What must still be written before the scene is played."""
    for index, rule in enumerate(scene.rules):
        if rule.mode == "self-receiving" and not rule.message:
            yield Fault(
                Place("rule", index),
                ONLY_DESCRIBED,
                "write its very words below the rule, each line after `> `",
            )
        elif rule.mode != "self-receiving" and not rule.content:
            yield Fault(Place("rule", index), "the rule says nothing of its content", "write it after the colon")
    if not scene.observation:
        yield Fault(
            Place("observation"), "nothing says what is observed", "write how the bias shows itself under # Observation"
        )
    if not scene.debrief:
        yield Fault(
            Place("debrief"),
            "there is no debrief, so no person can take part",
            "write under # Debrief what people are told afterwards",
        )


def _of_the_cast(scene: Scene) -> Iterator[Fault]:
    names = [role.name.casefold() for role in scene.roles]
    if not any(role.kind == "subject" for role in scene.roles):
        yield Fault(Place("roles"), "the scene has no subject", "give one role the kind subject")
    if len(names) > MAX_ROLES:
        yield Fault(Place("roles"), f"the scene has {len(names)} roles", f"leave at most {MAX_ROLES}")
    for index, role in enumerate(scene.roles):
        where = Place("role", index)
        if names[index] in names[:index]:
            yield Fault(where, f"there are two roles named {role.name}", "give each a name of its own")
        elif not role.name:
            yield Fault(where, "a role has no name", "give it one")
        elif not is_a_name(role.name):
            yield Fault(where, f"{role.name} cannot be a name", "use a short name without , : ( ) or an arrow")


def _of_the_factors(scene: Scene) -> Iterator[Fault]:
    """What is varied: each factor has levels, some rule or text depends on it, and what rules depend on is there."""
    names = [factor.name for factor in scene.factors]
    told = " ".join([*(f"{role.background} {role.task}" for role in scene.roles), *(one.ask for one in scene.measures)])
    told += " ".join(f"{rule.content} {rule.message} {rule.says}" for rule in scene.rules)
    conditions = " ".join(rule.when for rule in scene.rules)
    for factor in scene.factors:
        levels = [level.name for level in factor.levels]
        if len(levels) < 2 or len(set(levels)) < len(levels) or "" in levels:
            yield Fault(Place("scene"), f"the factor {factor.name} has no two levels", "give it two or more, each once")
        if not re.search(rf"\b{factor.name}\b", conditions) and not re.search(rf"{{ *{factor.name} *}}", told):
            remedy = f"write `when: {factor.name} = …` below a rule, or {{{factor.name}}} into a text"
            yield Fault(Place("scene"), f"nothing depends on the factor {factor.name}", remedy)
    taken = [*names, *(measure.name for measure in scene.measures)]
    if twice := [name for n, name in enumerate(taken) if name in taken[:n] and name in names]:
        yield Fault(Place("scene"), f"{twice[0]} is the name of two factors, or of a measure too", "rename one of them")
    if (count := prod(len(factor.levels) for factor in scene.factors)) > factors.MOST_VERSIONS:
        most = factors.MOST_VERSIONS
        yield Fault(Place("scene"), f"the factors make {count} versions", f"leave at most {most} of them")
    for index, rule in enumerate(scene.rules):
        try:
            factors.check(rule.when, scene.factors)
        except factors.UnreadableWhen as error:
            yield Fault(Place("rule", index), str(error), "name a factor of the front matter and one of its levels")


def _of_what_is_measured(scene: Scene) -> Iterator[Fault]:
    """The faults of the measures in each version, each once, at the rules of the scene."""
    if not scene.factors:
        yield from _of_the_measures(scene)
        return
    found: dict[Fault, None] = {}
    try:
        for levels in factors.crossed(scene.factors)[: factors.MOST_VERSIONS]:
            played = [n for n, rule in enumerate(scene.rules) if factors.holds(rule.when, dict(levels))]
            for fault in _of_the_measures(scene.model_copy(update={"rules": tuple(scene.rules[n] for n in played)})):
                place = Place("rule", played[fault.place.index]) if fault.place.part == "rule" else fault.place
                found[replace(fault, place=place)] = None
    except (factors.UnreadableWhen, KeyError):
        return  # told of as a fault of the rule
    yield from found


def _of_the_measures(scene: Scene) -> Iterator[Fault]:
    """What is measured, fixed and counted: each name known, each measure stated once and by a subject."""
    subjects = [role.name for role in scene.roles if role.kind == "subject"]
    names = [measure.name for measure in scene.measures]
    if twice := [name for n, name in enumerate(names) if name in names[:n]]:
        yield Fault(Place("measures"), f"there are two measures named {twice[0]}", "give each a name of its own")
    stated: list[str] = []
    for index, rule in enumerate(scene.rules):
        where = Place("rule", index)
        for name in rule.measures:
            if rule.measures.count(name) > 1 or name in stated:
                yield Fault(where, f"it measures {name}, which has been measured already", "measure each once")
            elif name not in names:
                yield Fault(where, f"it measures {name}, which no measure is called", f"take one of: {_list(names)}")
        if rule.measures and rule.initiator not in subjects:
            yield Fault(where, f"{rule.initiator} is no subject, and is measured", f"let {_list(subjects)} start it")
        stated += rule.measures
        yield from _of_fixed_words(scene, rule, where, stated)
    if unasked := [name for name in names if name not in stated]:
        yield Fault(Place("measures"), f"no rule measures {unasked[0]}", f"write `measure: {unasked[0]}` below one")
    yield from _of_the_outcome(scene)


def _of_fixed_words(scene: Scene, rule: Rule, where: Place, stated: list[str]) -> Iterator[Fault]:
    if not rule.says:
        return
    if rule.mode == "self-receiving":
        yield Fault(where, "the system's words stand behind `says:`", "write them below the rule, each line after `> `")
    subjects = [role.name for role in scene.roles if role.kind == "subject"]
    if rule.initiator in subjects and not rule.measures:
        yield Fault(where, f"the words of {rule.initiator}, a subject, are fixed", "leave them to the subject")
    try:
        templates.check(rule.says, _fillable(scene, stated))
    except templates.UnknownPlace as error:
        yield Fault(where, str(error), "name a role, a factor, or a measure that was stated before")


def _fillable(scene: Scene, stated: Iterable[str]) -> list[str]:
    """What a fixed line may name."""
    return [*(role.name for role in scene.roles), *(factor.name for factor in scene.factors), *stated]


def _of_the_outcome(scene: Scene) -> Iterator[Fault]:
    if scene.outcome:
        try:
            outcome.check(scene.outcome, [one.name for one in (*scene.measures, *scene.factors)])
        except outcome.UnreadableRule as error:
            yield Fault(Place("scene"), str(error), "write a rule over its measures, such as `price >= 240`")


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def is_a_name(name: str) -> bool:
    """Tell whether a role may be called so in the canonical form."""
    reserved = name.casefold() in (SYSTEM, EVERYBODY)
    return bool(name) and len(name) <= 60 and not reserved and not any(mark in name for mark in (*",:()→#*", "->"))


def _of_a_rule(scene: Scene, rule: Rule) -> Iterator[tuple[str, str]]:
    names = [role.name for role in scene.roles]
    declared = ", ".join(names) or "none"
    if rule.mode == "self-receiving" and rule.initiator != SYSTEM:
        yield f"a self-receiving rule starts with {rule.initiator}", f"let {SYSTEM} start it"
    if rule.mode != "self-receiving" and rule.initiator not in names:
        yield f"{rule.initiator or 'nobody'} starts it, who is no role", f"take one of: {declared}"
    for name in rule.receivers:
        if name not in names:
            yield f"{name} receives it, who is no role", f"take one of: {declared}"
    if not rule.receivers:
        yield "nobody receives it", f"name one of: {declared}"
    elif rule.initiator in rule.receivers:
        yield f"{rule.initiator} speaks to {rule.initiator}", "leave the initiator out of the receivers"
    if len(set(rule.receivers)) < len(rule.receivers):
        yield "a receiver is named twice", "name each once"
    if rule.mode == "unicast" and len(rule.receivers) > 1:
        yield f"a unicast goes to {len(rule.receivers)} roles", "name one receiver, or make it a multicast"
    if rule.mode == "broadcast" and set(rule.receivers) != set(scene.others(rule.initiator)):
        yield "a broadcast does not go to all others", f"write {EVERYBODY} as its receivers, or make it a multicast"


@dataclass(frozen=True, order=True)
class Finding:
    """One thing found on a line, counted from 1. A `grave` one keeps the scene from being used."""

    line: int
    what: str
    remedy: str
    grave: bool = True

    def __str__(self) -> str:
        """As one line for a person."""
        return f"line {self.line}: {self.what}; {self.remedy}"


def warning(line: int, what: str, remedy: str) -> Finding:
    """A finding that keeps no scene from being used."""
    return Finding(line, what, remedy, grave=False)


class FaultyScene(UsageError):
    """The text is no usable scene. `findings` says where and what to do; the message names the first grave one."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        grave = [finding for finding in findings if finding.grave]
        more = len(grave) - 1
        super().__init__(f"The scene cannot be used: {grave[0]}" + (f" (and {more} more)" if more else "") + ".")
        self.findings = findings
