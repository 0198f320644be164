"""The versions of a scene that varies factors, and what two of them differ in. Pure.

A version is the scene at one level of each factor between subjects, and, where factors vary within subjects, in one
order of their levels: the rules marked `each` are played once for each, and what is stated there has the level in its
name, `price_gain`. The order is the last part of the version's name: `low/gain-loss`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import chain, groupby, takewhile
from typing import Any

from elenchus.debate_engine.scenes.design import Design, orders_of
from elenchus.debate_engine.scenes.factors import Factor, Levels, crossed, holds, label
from elenchus.debate_engine.scenes.measures import Measure
from elenchus.debate_engine.scenes.scene import Rule, Scene
from elenchus.debate_engine.scenes.trials import Trials, at_levels

DELIVERY, MODEL = "delivery", "model"
"""The factor of who finds the confederates' words, and its level at which a model does: `delivery: [fixed, model]`."""


def versions(scene: Scene) -> dict[str, Scene]:
    """Each version by its label, in the order of the levels; the scene itself under "" where it varies nothing.

    Raises UnreadableWhen for a rule's condition that names what there is not.
    """
    if not scene.factors:
        return {scene.condition or "": scene}
    return {name: at(scene, levels, met) for name, (levels, met) in places(scene).items()}


def places(scene: Scene) -> dict[str, tuple[Levels, tuple[Levels, ...]]]:
    """By the name of each version: its levels between subjects, and what is met within, in its order."""
    arms, met = arms_of(scene), crossed(factor for factor in scene.factors if factor.within)
    found: dict[str, tuple[Levels, tuple[Levels, ...]]] = {}
    for levels in arms:
        for order in orders_of(met):
            found[name_of(levels, order)] = (levels, order)
    return found


def name_of(levels: Levels, order: tuple[Levels, ...]) -> str:
    """A version's name: its levels, and where several are met within subjects their order, as in `low/gain-loss`."""
    return "/".join([*(level for _, level in levels), *(["-".join(map(suffix, order))] if len(order) > 1 else [])])


def arms_of(scene: Scene) -> tuple[Levels, ...]:
    """The combinations of the factors between subjects."""
    return crossed(factor for factor in scene.factors if not factor.within)


def first_difference(versions: Iterable[Scene]) -> int:
    """The index of the first rule at which versions differ; 0 where roles already do. Pure."""
    scenes = list(versions)
    if any(scene.roles != scenes[0].roles for scene in scenes):
        return 0
    asked = [_asked_by_rule(scene) for scene in scenes]
    return next((n for n, same in enumerate(zip(*asked, strict=False)) if any(one != same[0] for one in same)),
                min(map(len, asked)))  # fmt: skip


def asked_alike(versions: Sequence[Scene]) -> frozenset[str]:
    """What is measured before anything differs, with the items of trials up to the first that does."""
    common = first_difference(versions)
    rules = versions[0].rules[:common]
    found = {name for rule in rules for name in rule.measures}
    whole = {rule.trials for rule in rules if rule.trials}
    found |= {one.name for block in versions[0].trials if block.name in whole for one in block.measures}
    parting = {one.rules[common].trials if common < len(one.rules) else "" for one in versions}
    blocks = [block for one in versions for block in one.trials if parting == {block.name}]
    if all((one.show, one.answer, one.order) == (blocks[0].show, blocks[0].answer, "as written") for one in blocks):
        alike = takewhile(
            lambda items: all(item == items[0] for item in items), zip(*(one.items for one in blocks), strict=False)
        )
        found |= {blocks[0].measure(number).name for number, _ in enumerate(alike, 1)}
    return frozenset(found)


def _asked_by_rule(scene: Scene) -> list[Any]:
    """Each rule with what is measured there, in full."""
    measures = {one.name: one for one in (*scene.measures, *scene.trials)}
    return [(rule, [measures.get(name) for name in (*rule.measures, rule.trials)]) for rule in scene.rules]


def design_of(scene: Scene) -> Design:
    """The cells of the whole file, and what a subject of each version meets of them."""
    if not scene.factors:
        return Design.between(tuple(versions(scene)))
    names = [factor.name for factor in scene.factors]

    def cell(levels: Levels, met: Levels) -> str:
        return label(tuple(sorted((*levels, *met), key=lambda one: names.index(one[0]))))

    return Design(
        cells=tuple(map(label, crossed(scene.factors))),
        factors=tuple(names),
        within=tuple(factor.within for factor in scene.factors),
        met={
            version: tuple((suffix(one) if len(order) > 1 else "", cell(levels, one)) for one in order)
            for version, (levels, order) in places(scene).items()
        },
    )


def at(scene: Scene, levels: Levels, met: tuple[Levels, ...] = ()) -> Scene:
    """The scene as it is played at these levels, what is `met` within subjects in this order."""
    values = _values(scene, levels)
    roles = (
        role.model_copy(update={"background": put(role.background, values), "task": put(role.task, values)})
        for role in scene.roles
    )
    exclusions = tuple(in_rule(rule, values) for rule in scene.plan.exclusions)
    rules, trials = tuple(rule for _, rule in played_rules(scene, levels, met)), tuple(_trials(scene, levels, met))
    seen = {*(rule.picture for rule in rules), *(str(item.picture) for block in trials for item in block.items)}
    return scene.model_copy(
        update={
            "condition": name_of(levels, met),
            "factors": (),
            "levels": levels,
            "met": tuple(map(suffix, met)) if len(met) > 1 else (),
            "roles": tuple(roles),
            "rules": rules,
            "measures": tuple(_measures(scene, levels, met)),
            "trials": trials,
            "pictures": tuple(picture for picture in scene.pictures if picture.name in seen),
            "outcome": in_rule(scene.outcome, values),
            "plan": scene.plan.model_copy(update={"exclusions": exclusions, "contrasts": (), "n": None}),
            "answers": tuple(put(text, values) for text in scene.answers),
            "debrief": put(scene.debrief, values),
        }
    )


def suffix(levels: Levels) -> str:
    """What the levels that are met within subjects are called in the names of measures: `gain`, `no_cue`."""
    return "_".join(re.sub(r"\W+", "_", level.casefold()) for _, level in levels)


def played_rules(scene: Scene, levels: Levels, met: tuple[Levels, ...] = ()) -> list[tuple[int, Rule]]:
    """The rules of a version, each with its index in the scene; those marked `each` once for each of what is met."""
    inside = _stated_inside(scene)
    found: list[tuple[int, Rule]] = []
    for repeated, group in groupby(enumerate(scene.rules), key=lambda one: bool(one[1].each)):
        rules = [*group]
        for within in met if repeated and met else ((),):
            all_levels = (*levels, *within)
            values = _values(scene, all_levels)
            kept = ((index, rule) for index, rule in rules if holds(rule.when, dict(all_levels)))
            names = {name: f"{name}_{suffix(within)}" for name in inside} if within else {}
            free = scene.confederates if dict(levels).get(DELIVERY) == MODEL else ()
            found += [(index, _rule(rule, values, names, fixed=rule.initiator not in free)) for index, rule in kept]
    return found


def _stated_inside(scene: Scene) -> frozenset[str]:
    """What is stated within the rules that are played for each level: its names get the level."""
    inside = (rule for rule in scene.rules if rule.each)
    return frozenset(chain.from_iterable((*rule.measures, *([rule.trials] if rule.trials else [])) for rule in inside))


def _measures(scene: Scene, levels: Levels, met: tuple[Levels, ...]) -> Iterator[Measure]:
    inside = _stated_inside(scene)
    for one in scene.measures:
        for within in met if one.name in inside and met else ((),):
            values = _values(scene, (*levels, *within))
            name = f"{one.name}_{suffix(within)}" if within else one.name
            asked = {"name": name, "ask": put(one.ask, values), "right": in_rule(one.right, values)}
            yield one.model_copy(update=asked)


def _trials(scene: Scene, levels: Levels, met: tuple[Levels, ...]) -> Iterator[Trials]:
    inside = _stated_inside(scene)
    for block in scene.trials:
        for within in met if block.name in inside and met else ((),):
            everything = (*levels, *within)
            values = _values(scene, everything)
            played = at_levels(block, dict(everything), lambda text, values=values: put(text, values))  # type: ignore[misc]
            yield played.model_copy(update={"name": f"{block.name}_{suffix(within)}"}) if within else played


def _values(scene: Scene, levels: Levels) -> dict[str, str]:
    """What stands for the factors in texts at these levels."""
    at_level = dict(levels)
    return {factor.name: _value(factor, at_level) for factor in scene.factors if factor.name in at_level}


def _value(factor: Factor, levels: Mapping[str, str]) -> str:
    level = next(one for one in factor.levels if one.name == levels[factor.name])
    return level.value or level.name


def _rule(rule: Rule, values: Mapping[str, str], names: Mapping[str, str], *, fixed: bool) -> Rule:
    places = {**values, **{name: f"{{{new}}}" for name, new in names.items()}}
    filled = {name: put(getattr(rule, name), places) for name in ("content", "message", "says")}
    filled |= {} if fixed else {"says": ""}
    stated = tuple(names.get(name, name) for name in rule.measures)
    trials = names.get(rule.trials, rule.trials)
    return rule.model_copy(update={**filled, "measures": stated, "trials": trials, "when": "", "each": ""})


def put(text: str, values: Mapping[str, str]) -> str:
    """The text with the places of factors filled; all other braces stay as they are."""
    return re.sub(r"\{ *(\w+) *\}", lambda place: values.get(place[1], place[0]), text)


def in_rule(rule: str, values: Mapping[str, str]) -> str:
    """A rule over measures with the values of factors in the place of their names: numbers as such, others as texts."""

    def written(name: re.Match[str]) -> str:
        value = values.get(name[0])
        return name[0] if value is None else _number_in(value) or f'"{value}"'

    parts = re.split(r"(\"[^\"]*\"|'[^']*')", rule)
    return "".join(part if n % 2 else re.sub(r"\b[a-z_]\w*\b", written, part) for n, part in enumerate(parts))


def value_in_rules(text: str) -> float | str:
    """The value of a factor as rules over measures have it."""
    plain = _number_in(text)
    return float(plain) if plain else text


def _number_in(text: str) -> str:
    """The number that a text is, without commas between thousands; "" for another text."""
    plain = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    return plain if re.fullmatch(r"-?\d+(?:\.\d+)?", plain) else ""


def common_to(found: Mapping[str, Scene]) -> Scene:
    """What the versions have in common, for as long as none is drawn: the first, and of the debrief the common words.

    One version alone is itself.
    """
    first, *others = found.values()
    if not others:
        return first
    debrief = first.debrief.split(" ")
    for other in others:
        kept = SequenceMatcher(None, debrief, other.debrief.split(" "), autojunk=False).get_opcodes()
        parts = (debrief[i:j] if kind == "equal" else ["…"] for kind, i, j, _, _ in kept)
        debrief = list(chain.from_iterable(parts))
    return first.model_copy(update={"debrief": " ".join(debrief), "condition": None, "levels": (), "met": ()})


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
        told = f"{rule.content} {_seen(scene, rule.picture)}{rule.message} {rule.says}"
        yield f"{who} ({counted[who]})", f"{rule.mode} {told}"
    for measure in scene.measures:
        yield f"measure {measure.name}", measure.ask
    for block in scene.trials:
        yield f"trials {block.name}", f"{block.show} {block.answer.ask}"
        for number, item in enumerate(block.items, 1):
            values = " ".join(map(str, item.values.values()))
            yield f"trials {block.name} ({number})", f"{_seen(scene, str(item.picture))}{values}"


def _seen(scene: Scene, name: str) -> str:
    """A picture as what differs is told: its name in the file and its words."""
    picture = scene.picture(name)
    return f"{picture.name} {picture.alt} " if picture else ""
