"""From what the writer answered to a scene, what is wrong with it, and its neutral twin. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elenchus.debate_engine.protocols.scene_writing.schemas import (
    CastList,
    Course,
    Ending,
    Mended,
    Move,
    Neutral,
    Problem,
    Situation,
    WritingConfig,
)
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.checks import giveaways, orders_to_models
from elenchus.debate_engine.scenes.faults import Fault, Place
from elenchus.debate_engine.scenes.review import to_be_reviewed
from elenchus.debate_engine.scenes.scene import SYSTEM, Role, Rule, Scene
from elenchus.debate_engine.words import count_words

_RICH = 50
"""Words of a background below which it is called poor; the writer is asked for 80 to 150."""


def scene_of(cfg: WritingConfig, situation: Situation, cast: CastList, course: Course, ending: Ending) -> Scene:
    """The parts put together. What a mode itself says (who sends, who all are) is filled in, nothing else."""
    names = tuple(member.name for member in cast.roles)
    scene = Scene(
        title=situation.title,
        bias=cfg.bias,
        purpose=situation.purpose,
        background=situation.background,
        roles=tuple(Role(**member.model_dump()) for member in cast.roles),
        rules=tuple(_rule(move, names) for move in course.rules),
        observation=situation.observation,
        debrief=ending.debrief,
    )
    return to_be_reviewed(scene, cfg.writer)


def mended_scene(cfg: WritingConfig, whole: Mended) -> Scene:
    """The second version."""
    return scene_of(cfg, whole, whole, whole, whole)


def problems_of(cfg: WritingConfig, scene: Scene) -> tuple[Problem, ...]:
    """All that is wrong, by line of the canonical form, as `elenchus scene check` finds it, and what a scene of this
    kind lacks.
    """

    def named(scene: Scene) -> Iterator[Fault]:
        yield from giveaways(scene, cfg.name, *cfg.called)

    looks = (named, orders_to_models, lambda scene: _lacking(cfg, scene))
    _, findings = canonical.check(canonical.write(scene), *looks)
    found = (Problem(line=f.line, what=f.what, remedy=f.remedy, grave=f.grave) for f in findings)
    return tuple(dict.fromkeys(found))


def _rule(move: Move, names: Sequence[str]) -> Rule:
    system = move.mode == "self-receiving"
    everybody = tuple(name for name in names if name != " ".join(move.initiator.split()))
    return Rule(
        mode=move.mode,
        purpose="SYS" if system else move.purpose,
        initiator=SYSTEM if system else move.initiator,
        receivers=everybody if move.mode == "broadcast" else tuple(move.receivers),
        content=move.content,
        message=move.message if system else "",
    )


def _lacking(cfg: WritingConfig, scene: Scene) -> Iterator[Fault]:
    """What the paper's generator asks of a scene and this one does not have."""
    if len(scene.roles) != cfg.roles:
        yield Fault(
            Place("roles"), f"there are {len(scene.roles)} roles instead of {cfg.roles}", "write as many as asked"
        )
    for kind in ("confederate", "moderator"):
        if all(role.kind != kind for role in scene.roles):
            yield Fault(Place("roles"), f"there is no {kind}", f"give one role the kind {kind}")
    for index, role in enumerate(scene.roles):
        if not (role.background and role.task):
            yield Fault(Place("role", index), f"{role.name} has no background or no task", "write both")
        if role.kind == "subject" and all(rule.initiator != role.name for rule in scene.rules):
            yield Fault(
                Place("role", index), f"{role.name} never speaks, so nothing can be observed", "let it start rules"
            )
    if count_words(scene.background) < _RICH:
        yield Fault(Place("background"), "the background is poor", f"tell the situation in at least {_RICH} words")


# ── the neutral twin ─────────────────────────────────────────────────────────────────────────────────────────────────


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
    return _checked(treatment), _checked(scene.model_copy(update={**control, "debrief": neutral.debrief}))


def _checked(scene: Scene) -> Scene:
    """The scene with its texts put in order, as they are when it is read."""
    return Scene.model_validate_json(scene.model_dump_json())


def _neutral_role(role: Role, neutral: Neutral) -> Role:
    new = next((one.task for one in neutral.tasks if one.name.casefold() == role.name.casefold()), "")
    return role.model_copy(update={"task": new}) if new.strip() and role.kind == "confederate" else role


def _neutral_rule(number: int, rule: Rule, neutral: Neutral, free: tuple[int, ...]) -> Rule:
    new = next((one.text for one in neutral.rules if one.rule == number), "")
    return rule.model_copy(update={"content": new}) if new.strip() and number in free else rule
