"""Writes a scene that elicits a bias (MindScope's scene generator, figure 3): situation, cast, rules, debrief, checks.

Where the lines stand in the paper, and what differs from it: NOTES.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt, prompts_of
from elenchus.debate_engine.protocols.scene_writing.schemas import (
    CastList,
    Course,
    Ending,
    Lines,
    Move,
    Neutral,
    Problem,
    RevisedScene,
    Situation,
    WritingConfig,
    WrittenScene,
)
from elenchus.debate_engine.protocols.scene_writing.twins import changeable, tempters, tidied, twins_of
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.canonical import write
from elenchus.debate_engine.scenes.checks import giveaways, orders_to_models
from elenchus.debate_engine.scenes.faults import Fault, Place
from elenchus.debate_engine.scenes.review import to_be_reviewed
from elenchus.debate_engine.scenes.scene import PURPOSES, SYSTEM, Role, Rule, Scene
from elenchus.debate_engine.scenes.templates import as_fixed_words
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.words import count_words

WRITER = "writer"
"""The one seat."""

prompts = prompts_of("elenchus.debate_engine.protocols.scene_writing")
T = TypeVar("T", bound=BaseModel)


class Unwritten(Exception):
    """The writer gave no readable answer to a step."""


async def write_scene(s: Session, config: dict[str, Any]) -> dict[str, Any]:
    """Write a scene on the seat `writer`; a dumped `WrittenScene`. `config` is a dumped `WritingConfig`.

    Step keys: `situation`, `cast`, `rules`, `debrief`, `mend`, `lines`, `twin`, `twin/lines`.
    Raises pydantic.ValidationError.
    """
    cfg = WritingConfig.model_validate(config)
    try:
        scene, problems, mended = await written(s, cfg.model_copy(update={"fixed": False}))
    except Unwritten as why:
        return WrittenScene(bias=cfg.bias, unwritten=str(why)).model_dump(mode="json")
    if cfg.fixed:
        scene = await with_lines(s, cfg, scene, "lines")
        problems = problems_of(cfg, scene)
    done = WrittenScene(title=scene.title, bias=cfg.bias, text=write(scene), mended=mended, problems=problems)
    return (await with_twin(s, cfg, scene, done)).model_dump(mode="json")


async def written(s: Session, cfg: WritingConfig) -> tuple[Scene, tuple[Problem, ...], bool]:
    """The scene step by step, shown once to its writer with what is wrong. Raises Unwritten."""
    bias = {name: getattr(cfg, name) for name in ("name", "definition", "elements", "recipe", "language")}
    situation = await ask(s, cfg, "situation", prompts.situation, Situation, **bias, about=cfg.about)
    told = {"title": situation.title, "background": situation.background, "observation": situation.observation}
    cast = await ask(s, cfg, "cast", prompts.cast, CastList, **bias, **told, roles=cfg.roles)
    members = [member.model_dump() for member in cast.roles]
    course = await ask(
        s, cfg, "rules", prompts.rules, Course, **bias, **told, members=members, purposes=PURPOSES.items()
    )
    rules = [rule.model_dump() for rule in course.rules]
    ending = await ask(s, cfg, "debrief", prompts.debrief, Ending, **bias, **told, members=members, rules=rules)
    scene = scene_of(cfg, situation, cast, course, ending)
    problems = problems_of(cfg, scene)
    return await mended(s, cfg, scene, problems) if problems else (scene, problems, False)


async def mended(
    s: Session, cfg: WritingConfig, scene: Scene, problems: tuple[Problem, ...]
) -> tuple[Scene, tuple[Problem, ...], bool]:
    """Show the writer what is wrong, once; the better of the two versions, and what is still wrong with it."""
    given = await s.ask(
        "mend",
        WRITER,
        prompts.mend,
        RevisedScene,
        max_tokens=room_for(cfg, prompts.mend),
        scene=write(scene),
        problems=[problem.model_dump() for problem in problems],
        language=cfg.language,
    )
    if isinstance(given, Declined):
        return scene, problems, False
    second = mended_scene(cfg, given)
    left = problems_of(cfg, second)
    return (second, left, True) if weight(left) <= weight(problems) else (scene, problems, False)


async def with_twin(s: Session, cfg: WritingConfig, scene: Scene, done: WrittenScene) -> WrittenScene:
    """The scene as the treatment, and its neutral twin; the scene alone, with the reason, where none came of it."""
    subjects = scene.subjects
    try:
        neutral = await ask(
            s,
            cfg,
            "twin",
            prompts.twin,
            Neutral,
            name=cfg.name,
            definition=cfg.definition,
            elements=cfg.elements,
            language=cfg.language,
            scene=write(scene),
            tempters=", ".join(role.name for role in tempters(scene)) or "nobody",
            subjects=" and ".join(subjects) or "the subject",
            changeable=", ".join(map(str, changeable(scene))) or "none",
        )
    except Unwritten as why:
        return done.model_copy(update={"untwinned": str(why)})
    if (both := twins_of(scene, neutral, f"{cfg.bias}.md", f"{cfg.bias}-neutral.md")) is None:
        return done.model_copy(update={"untwinned": "no task of a confederate and no rule was exchanged"})
    treatment, control = both
    if cfg.fixed:
        control = await with_lines(s, cfg, control, "twin/lines", unlike=treatment)
    return done.model_copy(
        update={"text": write(treatment), "problems": problems_of(cfg, treatment), "twin": write(control),
                "twin_problems": problems_of(cfg, control)}
    )  # fmt: skip


async def with_lines(s: Session, cfg: WritingConfig, scene: Scene, key: str, unlike: Scene | None = None) -> Scene:
    """The scene with the words of everybody but its subjects; of a twin those alone that its other one lacks.

    The scene as it is where none came of it: `problems_of` says which rules have none. Step key: `key`.
    """
    open_rules = spoken_by_others(scene, unlike)
    subjects = scene.subjects
    told = {"name": cfg.name, "definition": cfg.definition, "language": cfg.language, "scene": write(scene)}
    try:
        given = await ask(s, cfg, key, prompts.lines, Lines, **told, numbers=", ".join(map(str, open_rules)),
                          subjects=" and ".join(subjects) or "the subject")  # fmt: skip
    except Unwritten:
        return scene
    words = {one.rule: one.words for one in given.lines if one.rule in open_rules}
    names = [role.name for role in scene.roles]
    rules = (
        rule.model_copy(update={"says": as_fixed_words(words[n], names)}) if n in words else rule
        for n, rule in enumerate(scene.rules, 1)
    )
    return tidied(scene.model_copy(update={"rules": tuple(rules)}))


def spoken_by_others(scene: Scene, unlike: Scene | None = None) -> list[int]:
    """The numbers (from 1) of the rules under which somebody speaks who is no subject; those alone that `unlike`, whose
    words they have already, says otherwise.
    """
    subjects = {SYSTEM, *scene.subjects}
    others = [n for n, rule in enumerate(scene.rules, 1) if rule.initiator not in subjects]
    return [n for n in others if unlike is None or scene.rules[n - 1].content != unlike.rules[n - 1].content]


async def ask(s: Session, cfg: WritingConfig, key: str, prompt: Prompt, schema: type[T], **variables: Any) -> T:
    """One step of the writer. Raises Unwritten."""
    given = await s.ask(key, WRITER, prompt, schema, max_tokens=room_for(cfg, prompt), **variables)
    if isinstance(given, Declined):
        raise Unwritten(f"the step {key}: {given.reason}")
    return given


def room_for(cfg: WritingConfig, prompt: Prompt) -> int:
    """The longest reply: what the prompt allows, and half of a small context at the most."""
    return min(prompt.max_tokens or 800, cfg.context_tokens // 2)


def weight(problems: tuple[Problem, ...]) -> tuple[int, int]:
    """How bad it is: what keeps it from being a scene first, then all the rest."""
    return sum(problem.grave for problem in problems), len(problems)


# ── from the answers to a scene, and what is wrong with it (pure) ────────────────────────────────────────────────────

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


def mended_scene(cfg: WritingConfig, whole: RevisedScene) -> Scene:
    """The second version."""
    return scene_of(cfg, whole, whole, whole, whole)


def problems_of(cfg: WritingConfig, scene: Scene) -> tuple[Problem, ...]:
    """All that is wrong, by line of the canonical form, as `elenchus scene check` finds it, and what a scene of this
    kind lacks.
    """

    def named(scene: Scene) -> Iterator[Fault]:
        yield from giveaways(scene, cfg.name, *cfg.called)

    looks = (named, orders_to_models, lambda scene: _lacking(cfg, scene))
    _, findings = canonical.check(write(scene), *looks)
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
    unsaid = [n for n in spoken_by_others(scene) if cfg.fixed and not scene.rules[n - 1].says]
    yield from (Fault(Place("rule", n - 1), "its words are not written", "write `says:` below it") for n in unsaid)
    if count_words(scene.background) < _RICH:
        yield Fault(Place("background"), "the background is poor", f"tell the situation in at least {_RICH} words")
