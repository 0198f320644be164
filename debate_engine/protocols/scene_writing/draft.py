"""From what the writer answered to a scene, and what is wrong with it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elenchus.debate_engine.protocols.scene_writing.schemas import (
    CastList,
    Course,
    Ending,
    Mended,
    Move,
    Problem,
    Situation,
    WritingConfig,
)
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.faults import Fault, Place
from elenchus.debate_engine.scenes.giveaways import giveaways, orders_to_models
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
