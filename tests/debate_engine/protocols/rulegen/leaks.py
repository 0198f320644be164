"""Looks through everything that the roles of a scene were asked for what none of them may know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig
from elenchus.debate_engine.scenes.scene import Role


def hidden_from(role: Role, cfg: SceneConfig) -> Iterator[str]:
    """The texts that a role's prompts must not hold: what the scene is about, and what others are and are to do."""
    scene = cfg.scene
    yield from (scene.purpose, scene.background, scene.observation, scene.debrief, scene.bias, scene.title)
    if cfg.target:
        yield from (cfg.target.name, cfg.target.definition, *cfg.target.elements)
    for other in scene.roles:
        if other.name != role.name:
            yield from (other.background, other.task, other.style)


def leaks(cfg: SceneConfig, asks: Iterable[Ask]) -> list[tuple[str, str]]:
    """Step and text of everything hidden that stands in a role's prompt after all."""
    roles = {role.name: role for role in cfg.scene.roles}
    return [
        (ask.step, text)
        for ask in asks
        if ask.seat in roles
        for text in hidden_from(roles[ask.seat], cfg)
        if text and text.casefold() in f"{ask.role}\n{ask.text}".casefold()
    ]
