"""What keeps a scene's experiment from making sense: its factors, measures, fixed lines, outcome and plan."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from math import prod

from elenchus.debate_engine.scenes import contrasts, factors, outcome, templates
from elenchus.debate_engine.scenes.faults import Fault, Place
from elenchus.debate_engine.scenes.scene import Rule, Scene

END = ("outcome", "manipulation", "met-before", "suspicion")
"""In which order a subject is asked at the end: what comes later gives away more."""


def contradictions(scene: Scene) -> Iterator[Fault]:
    """What is wrong with the experiment; none of it may be played."""
    yield from _of_the_factors(scene)
    yield from _of_what_is_measured(scene)
    yield from _of_the_plan(scene)


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
    yield from _of_the_rules_over_measures(scene)
    yield from _of_the_end(scene)


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


def _of_the_rules_over_measures(scene: Scene) -> Iterator[Fault]:
    """The outcome, whom it excludes, and when an answer is right: each reads, and names what there is."""
    known = [one.name for one in (*scene.measures, *scene.factors)]
    rules = [(Place("scene"), "the outcome", scene.outcome, "write a rule over its measures, such as `price >= 240`")]
    remedy = 'write a rule over its measures, such as `known` or `colour != "blue"`'
    rules += [(Place("scene"), "the exclusion", rule, remedy) for rule in scene.plan.exclusions]
    remedy = 'write when an answer is right, such as `colour = "blue"`'
    rules += [(Place("measures"), f"what is right for {one.name}", one.right, remedy) for one in scene.measures]
    for where, what, rule, remedy in rules:
        try:
            outcome.check(rule, known, what) if rule else None
        except outcome.UnreadableRule as error:
            yield Fault(where, str(error), remedy)
    worded = [one for one in scene.measures if one.name == scene.outcome.strip() and one.kind in ("choice", "text")]
    for one in worded:
        remedy = f'write what is counted, such as `{one.name} = "…"`'
        yield Fault(Place("scene"), f"the outcome {one.name} is in words, and neither yes or no nor a number", remedy)


def _of_the_end(scene: Scene) -> Iterator[Fault]:
    """The last questions in their order, and what is asked beside them with its reason."""
    serves = {one.name: one.serves for one in scene.measures}
    told = set(outcome.names_in(scene.outcome)) if scene.outcome and _reads(scene.outcome) else set()
    asked = [(index, name) for index, rule in enumerate(scene.rules) for name in rule.measures]
    ranked = [(index, name, "outcome" if name in told else serves.get(name, "")) for index, name in asked]
    for (_, first, before), (index, then, after) in pairwise(one for one in ranked if one[2] in END):
        if END.index(after) < END.index(before):
            yield Fault(
                Place("rule", index),
                f"{then} ({after}) is asked after {first} ({before}), which gives it away",
                f"ask in this order: {', '.join(END)}",
            )
    for one in scene.measures:
        if one.serves == "demographic" and not (one.optional and one.why):
            remedy = f"write `optional: true` and `why: …` to {one.name}"
            yield Fault(Place("measures"), f"{one.name} asks of the person, without a reason or a way round", remedy)
        if one.serves == "attention" and not one.right:
            remedy = 'write `right: colour = "blue"`'
            yield Fault(Place("measures"), f"nothing says what is right for {one.name}", remedy)


def _reads(rule: str) -> bool:
    try:
        outcome.parsed(rule)
    except outcome.UnreadableRule:
        return False
    return True


def _of_the_plan(scene: Scene) -> Iterator[Fault]:
    """The contrasts compare versions that there are, and the planned number of subjects fills every cell."""
    between = [factor for factor in scene.factors if not factor.within and len(factor.levels) > 1]
    labels = [factors.label(levels) for levels in factors.crossed(between)]
    for contrast in scene.plan.contrasts:
        try:
            contrasts.check(contrast, labels)
        except contrasts.UnreadableContrast as error:
            yield Fault(Place("scene"), str(error), "name a level of each factor, or * for any")
    if scene.plan.n is not None and scene.plan.n < len(labels):
        remedy = f"plan at least {len(labels)}, better {len(labels) * 20}"
        yield Fault(Place("scene"), f"{scene.plan.n} subjects do not fill {len(labels)} versions", remedy)
    if scene.plan.minutes and not 0 < scene.plan.minutes[0] <= scene.plan.minutes[1]:
        yield Fault(Place("scene"), "minutes are no time from … to …", "write `minutes: [5, 8]`")


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
