"""The neutral twin of a scene that was written: what may differ in it, and both scenes from what was answered. Pure."""

from __future__ import annotations

from elenchus.debate_engine.protocols.scene_writing.schemas import Neutral
from elenchus.debate_engine.scenes.scene import Role, Rule, Scene


def tempters(scene: Scene) -> tuple[Role, ...]:
    """The roles whose tasks may elicit the bias."""
    return tuple(role for role in scene.roles if role.kind == "confederate")


def changeable(scene: Scene) -> tuple[int, ...]:
    """The numbers (from 1) of the rules that may differ in a twin: what the confederates say, and nothing else."""
    names = {role.name for role in tempters(scene)}
    return tuple(number for number, rule in enumerate(scene.rules, 1) if rule.initiator in names)


def twins_of(scene: Scene, neutral: Neutral, file: str, twin_file: str) -> tuple[Scene, Scene] | None:
    """Both conditions, each naming the other's file; None where nothing of what tempts is exchanged.

    Only a confederate's task and its rules are exchanged, whatever else was answered: what the system tells is the same
    in both, word for word.
    """
    roles = tuple(_neutral_role(role, neutral) for role in scene.roles)
    rules = tuple(_neutral_rule(number, rule, neutral, changeable(scene)) for number, rule in enumerate(scene.rules, 1))
    places = [f"role {role.name}" for role, new in zip(scene.roles, roles, strict=True) if role != new]
    said = [f"rule {n}" for n, (rule, new) in enumerate(zip(scene.rules, rules, strict=True), 1) if rule != new]
    if not places or not said:
        return None
    differs = f"{', '.join((*places, *said))}: {neutral.differs}"
    treatment = scene.model_copy(update={"condition": "treatment", "twin": twin_file, "differs": differs})
    control = {"condition": "control", "twin": file, "differs": differs, "roles": roles, "rules": rules}
    return tidied(treatment), tidied(scene.model_copy(update={**control, "debrief": neutral.debrief}))


def tidied(scene: Scene) -> Scene:
    """The scene with its texts put in order, as they are when it is read."""
    return Scene.model_validate_json(scene.model_dump_json())


def _neutral_role(role: Role, neutral: Neutral) -> Role:
    new = next((one.task for one in neutral.tasks if one.name.casefold() == role.name.casefold()), "")
    return role.model_copy(update={"task": new}) if new.strip() and role.kind == "confederate" else role


def _neutral_rule(number: int, rule: Rule, neutral: Neutral, free: tuple[int, ...]) -> Rule:
    new = next((one.text for one in neutral.rules if one.rule == number), "")
    return rule.model_copy(update={"content": new, "says": ""}) if new.strip() and number in free else rule
