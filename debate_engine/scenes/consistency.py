"""What makes a scene contradict itself, and what must still be written before it is played.

It is looked for in stages: each takes for granted what those before it have looked for. So one slip is told of once,
and not again as all that follows from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from elenchus.debate_engine.scenes import debriefs
from elenchus.debate_engine.scenes.factor_faults import (
    of_the_factors,
    of_what_depends_on_factors,
    of_what_varies_within,
    unused_factors,
)
from elenchus.debate_engine.scenes.faults import Fault, Place
from elenchus.debate_engine.scenes.measure_faults import (
    measured_once,
    of_the_end,
    of_the_measures,
    of_what_rules_measure,
)
from elenchus.debate_engine.scenes.plan_faults import of_the_plan
from elenchus.debate_engine.scenes.rule_faults import of_the_rules_over_measures
from elenchus.debate_engine.scenes.scene import EVERYBODY, SYSTEM, Rule, Scene
from elenchus.debate_engine.scenes.shown_faults import (
    of_fixed_words,
    of_the_pictures,
    of_the_trials,
    places_in_fixed_words,
    unused_pictures,
)

MAX_RULES = 200
"""A scene with more rules is taken for a mistake: played by a person it would last for hours."""

MAX_ROLES = 20

ONLY_DESCRIBED = "the system's message is only described"
"""What is wrong with a self-receiving rule that has no message."""


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


def of_the_cast(scene: Scene) -> Iterator[Fault]:
    """Roles have names of their own, and one is a subject."""
    names = [role.name.casefold() for role in scene.roles]
    if not scene.subjects:
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


def is_a_name(name: str) -> bool:
    """Tell whether a role may be called so in the canonical form."""
    reserved = name.casefold() in (SYSTEM, EVERYBODY)
    return bool(name) and len(name) <= 60 and not reserved and not any(mark in name for mark in (*",:()→#*", "->"))


def _of_the_rules(scene: Scene) -> Iterator[Fault]:
    if not scene.rules:
        yield Fault(Place("rules"), "the scene has no rules", "write at least one rule under its heading for rules")
    if len(scene.rules) > MAX_RULES:
        yield Fault(
            Place("rules"), f"the scene has {len(scene.rules)} rules", f"leave at most {MAX_RULES}, or split the scene"
        )
    for index, rule in enumerate(scene.rules):
        yield from (Fault(Place("rule", index), what, remedy) for what, remedy in _of_a_rule(scene, rule))


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


STAGES: tuple[tuple[Callable[[Scene], Iterator[Fault]], ...], ...] = (
    (of_the_cast, _of_the_rules, of_the_factors, of_the_measures),
    (of_what_depends_on_factors, of_what_varies_within, of_what_rules_measure, of_fixed_words,
     of_the_trials, of_the_pictures),
    (measured_once,),
    (places_in_fixed_words, of_the_rules_over_measures),
    (of_the_end, of_the_plan, debriefs.faults, unused_factors, unused_pictures),
)  # fmt: skip
"""Parts by themselves; what rules and items name; what is measured; what is worked out of it; the scene as a whole."""


def inconsistencies(scene: Scene) -> Iterator[Fault]:
    """What makes the scene contradict itself; none of it may be read as a scene: what the first stage finds
    that finds any.
    """
    stages = ([fault for look in stage for fault in look(scene)] for stage in STAGES)
    yield from next(filter(None, stages), ())
