"""What keeps a scene's experiment from making sense: its factors, measures, fixed lines, outcome and plan."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import prod

from elenchus.debate_engine.scenes import debriefs, factors, outcome, templates, trials, versions
from elenchus.debate_engine.scenes.faults import Fault, Place
from elenchus.debate_engine.scenes.measures import Measure, stated
from elenchus.debate_engine.scenes.plan_faults import of_the_plan
from elenchus.debate_engine.scenes.rule_faults import of_the_rules_over_measures
from elenchus.debate_engine.scenes.scene import Rule, Scene
from elenchus.debate_engine.scenes.versions import DELIVERY

END = ("outcome", "manipulation", "met-before", "suspicion")
"""In which order a subject is asked at the end: what comes later gives away more."""


def contradictions(scene: Scene) -> Iterator[Fault]:
    """What is wrong with the experiment; none of it may be played."""
    yield from _of_the_factors(scene)
    yield from _of_what_varies_within(scene)
    yield from _of_what_is_measured(scene)
    yield from of_the_plan(scene)
    yield from debriefs.faults(scene)


def _of_the_factors(scene: Scene) -> Iterator[Fault]:
    """What is varied: each factor has levels, some rule or text depends on it, and what rules depend on is there."""
    names = [factor.name for factor in scene.factors]
    told = " ".join([*(f"{role.background} {role.task}" for role in scene.roles), *(one.ask for one in scene.measures)])
    told += " ".join(f"{block.show} {block.answer.ask}" for block in scene.trials)
    told += " ".join(f"{rule.content} {rule.message} {rule.says}" for rule in scene.rules)
    conditions = " ".join(rule.when for rule in scene.rules)
    for factor in scene.factors:
        levels = [level.name for level in factor.levels]
        if len(levels) < 2 or len(set(levels)) < len(levels) or "" in levels:
            yield Fault(Place("scene"), f"the factor {factor.name} has no two levels", "give it two or more, each once")
        in_texts = re.search(rf"{{ *{factor.name} *}}", told) or _in_items(scene, levels)
        if factor.name != DELIVERY and not re.search(rf"\b{factor.name}\b", conditions) and not in_texts:
            remedy = f"write `when: {factor.name} = …` below a rule, or {{{factor.name}}} into a text"
            yield Fault(Place("scene"), f"nothing depends on the factor {factor.name}", remedy)
    taken = [*names, *(measure.name for measure in scene.measures)]
    if twice := [name for n, name in enumerate(taken) if name in taken[:n] and name in names]:
        yield Fault(Place("scene"), f"{twice[0]} is the name of two factors, or of a measure too", "rename one of them")
    within = prod(len(factor.levels) for factor in scene.factors if factor.within)
    orders = 1 if within == 1 else within if within % 2 == 0 else 2 * within
    arms = prod(len(factor.levels) for factor in scene.factors if not factor.within)
    if (count := arms * orders) > (most := factors.MOST_VERSIONS):
        yield Fault(Place("scene"), f"the factors make {count} versions", f"leave at most {most} of them")
    for index, rule in enumerate(scene.rules):
        try:
            factors.check(rule.when, scene.factors)
        except factors.UnreadableWhen as error:
            yield Fault(Place("rule", index), str(error), "name a factor of the front matter and one of its levels")


def _in_items(scene: Scene, levels: Sequence[str]) -> bool:
    """Whether an item of some trials has a text for each of these levels."""
    by_level = (value for block in scene.trials for item in block.items for value in item.by_level)
    return any(set(value) == set(levels) for value in by_level)


def _of_what_varies_within(scene: Scene) -> Iterator[Fault]:
    """What varies within subjects: the rules that are played for each level say so, and no other depends on it."""
    within = [factor.name for factor in scene.factors if factor.within]
    for index, rule in enumerate(scene.rules):
        named = [name.strip() for name in rule.each.split(",") if name.strip()]
        if named and sorted(named) != sorted(within):
            what = f"it is played for each {rule.each}, and {_list(within)} varies within subjects"
            yield Fault(Place("rule", index), what, f"write `each: {', '.join(within)}`" if within else "take it out")
        text = f"{rule.content} {rule.message} {rule.says}"
        depends = [name for name in within if re.search(rf"\b{name}\b", rule.when) or f"{{{name}}}" in text]
        if depends and not named:
            what = f"it depends on {depends[0]}, of which each subject meets all levels"
            yield Fault(Place("rule", index), what, f"write `each: {', '.join(within)}` below it")
    if within and not any(rule.each for rule in scene.rules):
        yield Fault(Place("scene"), f"no rule is played for each {within[0]}", f"write `each: {within[0]}` below some")


def _of_what_is_measured(scene: Scene) -> Iterator[Fault]:
    """What is measured, fixed and counted, in each version; each fault once, at the rules of the scene."""
    names = [one.name for one in (*scene.measures, *scene.trials)]
    if twice := [name for n, name in enumerate(names) if name in names[:n]]:
        yield Fault(Place("measures"), f"there are two measures named {twice[0]}", "give each a name of its own")
    subjects = [role.name for role in scene.roles if role.kind == "subject"]
    for index, rule in enumerate(scene.rules):
        where = Place("rule", index)
        if (rule.measures or rule.trials) and rule.initiator not in subjects:
            yield Fault(where, f"{rule.initiator} is no subject, and is measured", f"let {_list(subjects)} start it")
        if rule.measures and rule.trials:
            yield Fault(where, "it measures and has trials", "make two rules of it")
        if unknown := [name for name in rule.measures if name not in names]:
            yield Fault(where, f"it measures {unknown[0]}, which no measure is called", f"take one of: {_list(names)}")
        if rule.trials and rule.trials not in {block.name for block in scene.trials}:
            known = _list(block.name for block in scene.trials)
            yield Fault(where, f"no block of trials is called {rule.trials}", f"take one of: {known}")
    yield from _in_every_version(scene)
    yield from _of_the_trials(scene)
    yield from _of_the_pictures(scene)
    yield from _of_the_end(scene)
    yield from _of_rules(scene)


def _in_every_version(scene: Scene) -> Iterator[Fault]:
    """Each measure is stated once in a version, and fixed words name what is there by then."""
    found: dict[Fault, None] = {}
    try:
        for levels, met in list(versions.places(scene).values())[: factors.MOST_VERSIONS]:
            for fault in _of_a_version(scene, versions.played_rules(scene, levels, met)):
                found[fault] = None
    except (factors.UnreadableWhen, KeyError):
        return  # told of as a fault of the rule
    yield from found


def _of_rules(scene: Scene) -> Iterator[Fault]:
    try:
        yield from of_the_rules_over_measures(scene)
    except (factors.UnreadableWhen, KeyError):
        return  # told of as a fault of the rule


def _of_a_version(scene: Scene, played: Sequence[tuple[int, Rule]]) -> Iterator[Fault]:
    stated: list[str] = []
    for index, rule in played:
        where, names = Place("rule", index), [*rule.measures, *([rule.trials] if rule.trials else [])]
        if twice := [name for n, name in enumerate(names) if name in stated or name in names[:n]]:
            remedy = "measure each once, or write `each:` with what varies within subjects"
            yield Fault(where, f"it measures {twice[0]}, which has been measured already", remedy)
        stated += names
        yield from _of_fixed_words(scene, rule, where, stated)
    names = [one.name for one in (*scene.measures, *scene.trials)]
    unasked = [name for name in names if name not in stated and not any(one.startswith(f"{name}_") for one in stated)]
    if unasked:
        yield Fault(Place("measures"), f"no rule measures {unasked[0]}", f"write `measure: {unasked[0]}` below one")


def _of_the_trials(scene: Scene) -> Iterator[Fault]:
    """The places in a block's texts are filled in every item, at every level."""
    for block in scene.trials:
        known = {trials.ROUND, *(factor.name for factor in scene.factors)}
        for number, item in enumerate(block.items, 1):
            for text in (block.show, block.answer.ask):
                try:
                    templates.check(text, {*known, *item.values})
                except templates.UnknownPlace as error:
                    yield Fault(Place("trials"), f"item {number} of {block.name}: {error}", "write the value beside it")
            levels = [{level.name for level in factor.levels} for factor in scene.factors]
            if any(set(value) not in levels for value in item.by_level):
                remedy = "give it a text for each level of one factor"
                yield Fault(Place("trials"), f"item {number} of {block.name} has no text for some level", remedy)


def _of_the_pictures(scene: Scene) -> Iterator[Fault]:
    """What shows a picture names one that there is, and each is shown by something."""
    names, shown = [one.name for one in scene.pictures], set[str]()
    for index, rule in enumerate(scene.rules):
        shown |= {rule.picture} - {""}
        if rule.picture and rule.mode != "self-receiving":
            remedy = "name it below a message of the system, or in an item of trials"
            yield Fault(Place("rule", index), "a picture stands below a rule in which somebody speaks", remedy)
        if rule.picture and rule.picture not in names:
            yield Fault(Place("rule", index), *_no_picture(rule.picture, names))
    for block in scene.trials:
        for number, item in enumerate(block.items, 1):
            wanted = {item.picture} if isinstance(item.picture, str) else {*item.picture.values()}
            shown |= wanted - {""}
            for name in sorted(wanted - {"", *names}):
                what, remedy = _no_picture(name, names)
                yield Fault(Place("trials"), f"item {number} of {block.name}: {what}", remedy)
    for index, name in enumerate(names):
        if name not in shown:
            remedy = f'write `"picture": "{name}"` into an item, or `picture: {name}` below a message of the system'
            yield Fault(Place("picture", index), f"nothing shows the picture {name}", f"{remedy}; or take it out")


def _no_picture(name: str, names: Sequence[str]) -> tuple[str, str]:
    remedy = f"take one of: {_list(names)}" if names else f"say what {name} is under # Pictures"
    return f"no picture is called {name}", remedy


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
        if one.example is not None and not _fits(one):
            remedy = "write an answer that the form accepts, or take it out"
            yield Fault(Place("measures"), f"the example of {one.name} is no answer to it", remedy)
        if one.serves == "attention" and not one.right:
            remedy = 'write `right: colour = "blue"`'
            yield Fault(Place("measures"), f"nothing says what is right for {one.name}", remedy)


def _fits(measure: Measure) -> bool:
    """Whether the measure's example is an answer to it."""
    try:
        stated(measure, measure.example)
    except ValueError:
        return False
    return True


def _reads(rule: str) -> bool:
    try:
        outcome.parsed(rule)
    except outcome.UnreadableRule:
        return False
    return True


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
