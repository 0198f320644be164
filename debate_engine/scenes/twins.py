"""Whether two scenes are twins: one scene, whose confederates tempt in the treatment and are neutral in the control.

Nothing else may differ, or nobody could tell what made the difference. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator

from elenchus.debate_engine.scenes.faults import Fault, Place
from elenchus.debate_engine.scenes.scene import Scene

_SAME = "give both the same words: whatever elicits the bias is for a confederate to bring in"


def unlike(scene: Scene, twin: Scene) -> Iterator[Fault]:
    """Where the scene differs from its twin in what is no confederate's, or does not differ at all."""
    if (scene.condition or "treatment") == (twin.condition or "treatment"):
        yield Fault(Place("scene"), f"it and its twin {scene.twin} are the same condition", "make one the control")
    if [(role.name, role.kind) for role in scene.roles] != [(role.name, role.kind) for role in twin.roles]:
        yield Fault(Place("roles"), f"its twin {scene.twin} has other roles", "give both the same names and kinds")
    elif len(scene.rules) != len(twin.rules):
        yield Fault(Place("rules"), f"its twin {scene.twin} has {len(twin.rules)} rules", "give both as many")
    elif (scene.roles, scene.rules) == (twin.roles, twin.rules):
        yield Fault(Place("scene"), f"its twin {scene.twin} says the same", "make the twin's confederate neutral")
    else:
        yield from _in_place(scene, twin)
    if scene.observation != twin.observation:
        yield Fault(Place("observation"), "its twin is observed in another way", "observe both in the same way")


def _in_place(scene: Scene, twin: Scene) -> Iterator[Fault]:
    confederates = {role.name for role in scene.roles if role.kind == "confederate"}
    for index, (role, other) in enumerate(zip(scene.roles, twin.roles, strict=True)):
        if role != other and role.name not in confederates:
            yield Fault(Place("role", index), f"{role.name}, no confederate, is told something else in the twin", _SAME)
    for index, (rule, opposite) in enumerate(zip(scene.rules, twin.rules, strict=True)):
        if rule != opposite and not {rule.initiator, opposite.initiator} <= confederates:
            yield Fault(Place("rule", index), "no confederate starts it, and the twin has another one", _SAME)
