"""What is wrong with what a scene varies: its factors and their levels, and the rules that depend on them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import prod

from elenchus.debate_engine.scenes import factors
from elenchus.debate_engine.scenes.faults import Fault, Place, entry, listed
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.versions import DELIVERY

_FACTORS = entry("factors")


def of_the_factors(scene: Scene) -> Iterator[Fault]:
    """Each factor has levels and a name of its own, and they make no more versions than can be played."""
    for factor in scene.factors:
        levels = [level.name for level in factor.levels]
        if len(levels) < 2 or len(set(levels)) < len(levels) or "" in levels:
            yield Fault(_FACTORS, f"the factor {factor.name} has no two levels", "give it two or more, each once")
    names = [factor.name for factor in scene.factors]
    taken = [*names, *(measure.name for measure in scene.measures)]
    if twice := next((name for name in names if taken.count(name) > 1), ""):
        yield Fault(_FACTORS, f"{twice} is the name of two factors, or of a measure too", "rename one of them")
    within = prod(len(factor.levels) for factor in scene.factors if factor.within)
    orders = 1 if within == 1 else within if within % 2 == 0 else 2 * within
    arms = prod(len(factor.levels) for factor in scene.factors if not factor.within)
    if (count := arms * orders) > (most := factors.MOST_VERSIONS):
        yield Fault(_FACTORS, f"the factors make {count} versions", f"leave at most {most} of them")


def of_what_depends_on_factors(scene: Scene) -> Iterator[Fault]:
    """When a rule is played is said by a factor that there is, at levels that it has."""
    for index, rule in enumerate(scene.rules):
        try:
            factors.check(rule.when, scene.factors)
        except factors.UnreadableWhen as error:
            remedy = "name a factor of the front matter and one of its levels"
            yield Fault(Place("rule", index, "when"), str(error), remedy)


def of_what_varies_within(scene: Scene) -> Iterator[Fault]:
    """What varies within subjects: the rules that are played for each level say so, and no other depends on it."""
    within = [factor.name for factor in scene.factors if factor.within]
    for index, rule in enumerate(scene.rules):
        named = [name.strip() for name in rule.each.split(",") if name.strip()]
        if named and sorted(named) != sorted(within):
            what = f"it is played for each {rule.each}, and {listed(within)} varies within subjects"
            remedy = f"write `each: {', '.join(within)}`" if within else "take it out"
            yield Fault(Place("rule", index, "each"), what, remedy)
        text = f"{rule.content} {rule.message} {rule.says}"
        depends = [name for name in within if re.search(rf"\b{name}\b", rule.when) or f"{{{name}}}" in text]
        if depends and not named:
            what = f"it depends on {depends[0]}, of which each subject meets all levels"
            yield Fault(Place("rule", index), what, f"write `each: {', '.join(within)}` below it")
    if within and not any(rule.each for rule in scene.rules):
        what = f"no rule is played for each {within[0]}"
        yield Fault(entry("within"), what, f"write `each: {within[0]}` below some")


def unused_factors(scene: Scene) -> Iterator[Fault]:
    """Some rule or text depends on each factor."""
    told = " ".join([*(f"{role.background} {role.task}" for role in scene.roles), *(one.ask for one in scene.measures)])
    told += " ".join(f"{block.show} {block.answer.ask}" for block in scene.trials)
    told += " ".join(f"{rule.content} {rule.message} {rule.says}" for rule in scene.rules)
    conditions = " ".join(rule.when for rule in scene.rules)
    for factor in scene.factors:
        levels = [level.name for level in factor.levels]
        in_texts = re.search(rf"{{ *{factor.name} *}}", told) or _in_items(scene, levels)
        if factor.name != DELIVERY and not re.search(rf"\b{factor.name}\b", conditions) and not in_texts:
            remedy = f"write `when: {factor.name} = …` below a rule, or {{{factor.name}}} into a text"
            yield Fault(_FACTORS, f"nothing depends on the factor {factor.name}", remedy)


def _in_items(scene: Scene, levels: Sequence[str]) -> bool:
    """Whether an item of some trials has a text for each of these levels."""
    by_level = (value for block in scene.trials for item in block.items for value in item.by_level)
    return any(set(value) == set(levels) for value in by_level)
