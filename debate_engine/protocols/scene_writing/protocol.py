"""Writes a scene that elicits a bias (MindScope's scene generator, figure 3): situation, cast, rules, debrief, checks.

Where the lines stand in the paper, and what differs from it: NOTES.md.
"""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import Prompt, prompts_of
from elenchus.debate_engine.protocols.scene_writing.draft import (
    changeable,
    mended_scene,
    problems_of,
    scene_of,
    tempters,
    twins_of,
)
from elenchus.debate_engine.protocols.scene_writing.schemas import (
    CastList,
    Course,
    Ending,
    Mended,
    Neutral,
    Problem,
    Situation,
    WritingConfig,
    Written,
)
from elenchus.debate_engine.scenes.canonical import write
from elenchus.debate_engine.scenes.scene import PURPOSES, Scene
from elenchus.debate_engine.session import Session

WRITER = "writer"
"""The one seat."""

prompts = prompts_of("elenchus.debate_engine.protocols.scene_writing")
T = TypeVar("T", bound=BaseModel)


class Unwritten(Exception):
    """The writer gave no readable answer to a step."""


async def write_scene(s: Session, config: dict[str, Any]) -> dict[str, Any]:
    """Write a scene on the seat `writer`; a dumped `Written`. `config` is a dumped `WritingConfig`.

    Step keys: `situation`, `cast`, `rules`, `debrief`, `mend`, `twin`. Raises pydantic.ValidationError.
    """
    cfg = WritingConfig.model_validate(config)
    try:
        scene, problems, mended = await written(s, cfg)
    except Unwritten as why:
        return Written(bias=cfg.bias, unwritten=str(why)).model_dump(mode="json")
    done = Written(title=scene.title, bias=cfg.bias, text=write(scene), mended=mended, problems=problems)
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
        Mended,
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


async def with_twin(s: Session, cfg: WritingConfig, scene: Scene, done: Written) -> Written:
    """The scene as the treatment, and its neutral twin; the scene alone, with the reason, where none came of it."""
    subjects = [role.name for role in scene.roles if role.kind == "subject"]
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
    return done.model_copy(
        update={"text": write(treatment), "problems": problems_of(cfg, treatment), "twin": write(control),
                "twin_problems": problems_of(cfg, control)}
    )  # fmt: skip


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
