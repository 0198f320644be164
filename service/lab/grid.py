"""From the options of `elenchus scene run` to a grid: everything is checked before anything is spent."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from elenchus.debate_engine import events
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.human import is_human
from elenchus.debate_engine.protocols.rulegen.casting import speaking
from elenchus.debate_engine.protocols.rulegen.study.design import Cast, Grid, runs_of, started_of
from elenchus.debate_engine.runner import new_id
from elenchus.debate_engine.scenes.library import twin_of
from elenchus.debate_engine.scenes.scene import CONDITIONS, Condition, Scene
from elenchus.service.cli import checks
from elenchus.service.cli.output import clean
from elenchus.service.cli.scenes.files import guessed, named

if TYPE_CHECKING:
    from elenchus.config.models import Price
    from elenchus.config.settings import Settings
    from elenchus.service.lab.default_models import Unnamed

MOST = 1_000
"""Runs of each cell."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options of one `elenchus scene run`, as they were typed."""

    scene: str
    subjects: tuple[str, ...]
    styles: tuple[str, ...]
    conditions: tuple[str, ...]
    n: int
    temperature: float | None
    confederate: str
    moderator: str
    others: str
    judges: tuple[str, ...]
    seed: int | None
    budget_tokens: int | None
    budget_usd: float | None
    price: Price | None = None
    unpriced_ok: bool = False
    model: str = ""
    at_once: int | None = None
    pilot: bool = False

    @property
    def with_people(self) -> bool:
        """Whether a person takes part."""
        return any(is_human(spec) for spec in (*self.players, *self.judges))

    @property
    def players(self) -> tuple[str, ...]:
        """Who takes part in the scene itself."""
        return (*self.subjects, self.confederate, self.moderator, self.others)


def versions_of(name: str, own: Path) -> tuple[str, dict[Condition, Scene]]:
    """What a scene is called, and its versions by condition: it, and its twin where it has one.

    It is a file, one of the person's folder `own`, or one of the library. Raises UsageError, FaultyScene.
    """
    called, scene, folder = named(name, own)
    versions: dict[Condition, Scene] = {scene.condition or "treatment": scene}
    if scene.twin:
        twin = twin_of(scene, folder)
        if (twin.condition or "control") in versions:
            raise UsageError(f"The scene and its twin {scene.twin} are the same condition: correct one of the two.")
        versions[twin.condition or "control"] = twin
    return called, {one: versions[one] for one in CONDITIONS if one in versions}


def grid_of(wanted: Wanted, settings: Settings, unnamed: Unnamed, version: str) -> Grid:
    """The plan of a grid. Raises UsageError where it cannot be played."""
    checks.run_options(temperature=wanted.temperature, seed=wanted.seed)
    checks.within(wanted.n, 1, MOST, "-n", "20")
    checks.at_once(wanted.at_once)
    called, scenes = versions_of(wanted.scene, settings.own_scenes)
    grid = Grid(
        id=new_id(),
        name=called,
        scenes=scenes,
        subjects=wanted.subjects or (unnamed.debater("subject"),),
        styles=tuple(clean(style) for style in wanted.styles) or ("",),
        conditions=conditions_of(wanted.conditions, scenes),
        cast=cast_of(wanted, unnamed),
        n=wanted.n,
        seed=secrets.randbelow(2**31) if wanted.seed is None else wanted.seed,
        temperature=wanted.temperature,
        budget_tokens=wanted.budget_tokens,
        budget_usd=wanted.budget_usd,
        price=wanted.price,
        unpriced_ok=wanted.unpriced_ok,
        pilot=wanted.pilot,
        version=version,
        created=events.now(),
    )
    _refuse_twice("--subject", grid.subjects)
    _refuse_twice("--style", grid.styles)
    for run in runs_of(grid)[: len(grid.cells)]:
        started_of(grid, run, version)
    return grid


def cautions(wanted: Wanted, grid: Grid, own: Path) -> list[str]:
    """What to know before anything is spent: what was guessed of the scene, and what keeps it from showing anything."""
    scene = next(iter(grid.scenes.values()))
    told = guessed(wanted.scene, own)
    if not scene.bias:
        told.append("the scene names no bias, so nobody judges: write `bias:` into its front matter")
    silent = [role.name for role in scene.roles if role.kind == "subject" and role.name not in speaking(scene)]
    return [*told, *(f"{name}, a subject, speaks under no rule: there is nothing to observe" for name in silent)]


def cast_of(wanted: Wanted, unnamed: Unnamed) -> Cast:
    """Who sits beside the subject. The system agent is always a model."""
    others = wanted.others or unnamed.debater("others")
    model = unnamed.debater("system") if is_human(others) else others
    return Cast(
        confederate=wanted.confederate or others,
        moderator=wanted.moderator or others,
        other=others,
        system=model,
        judges=wanted.judges or tuple(unnamed.judges()),
    )


def conditions_of(given: tuple[str, ...], scenes: dict[Condition, Scene]) -> tuple[Condition, ...]:
    """The conditions to play: those asked for, else all there are. Raises UsageError."""
    if unknown := [name for name in given if name not in CONDITIONS]:
        raise UsageError(f"{unknown[0]!r} is no condition: give --condition {','.join(CONDITIONS)}.")
    if missing := [name for name in given if name not in scenes]:
        raise UsageError(
            f"The scene has no {missing[0]} version: name its twin in the front matter, or give --condition "
            f"{','.join(scenes)}."
        )
    return tuple(one for one in scenes if not given or one in given)


def _refuse_twice(option: str, given: tuple[str, ...]) -> None:
    if len(set(given)) < len(given):
        raise UsageError(f"{option} names the same twice: name each once, and repeat runs with -n.")
