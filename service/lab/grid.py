"""A grid of runs of a scene: what may be said of it, who sits where, and what it will ask of its models."""

from __future__ import annotations

import secrets
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pydantic import Field, model_validator

from elenchus.debate_engine import events
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import mind_in, model_in
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.rulegen.casting import asked, config_for, is_supervised, speaking
from elenchus.debate_engine.protocols.rulegen.study.grid import Grid, GridRun, SeatSpecs, runs_of, scene_of, seats_of
from elenchus.debate_engine.runner import new_id
from elenchus.debate_engine.scenes.library import twin_of
from elenchus.debate_engine.scenes.scene import CONDITIONS, Condition, Scene
from elenchus.debate_engine.scenes.versions import versions
from elenchus.service.lab.batches import run_options_of_one
from elenchus.service.lab.new_sessions import first_event
from elenchus.service.lab.options import RunOptions
from elenchus.service.lab.scene_files import guessed, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import Seat, SessionStarted
    from elenchus.service.lab.seats import Defaults

MOST = 1_000
"""Runs of each cell."""


class GridOptions(RunOptions):
    """A scene played by each subject, style and condition `n` times. Empty: what the scene has, and default models.

    `model` takes every seat that is not named. `others` play all other roles, and the system agent where they are no
    person. At the most `at_once` runs go side by side (None: half as many again as the calls that the models' providers
    take at once).
    """

    scene: str
    subjects: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    n: int = Field(default=1, ge=1, le=MOST, examples=[20])
    confederate: str = ""
    moderator: str = ""
    others: str = ""
    judges: tuple[str, ...] = ()
    model: str = ""
    at_once: int | None = Field(default=None, ge=1, le=1_000, examples=[16])
    pilot: bool = False

    @model_validator(mode="after")
    def _names_each_once(self) -> Self:
        for field in ("subjects", "styles"):
            given = getattr(self, field)
            if len(set(given)) < len(given):
                raise ValueError(f"{{{field}}} names the same twice: name each once, and repeat runs with {{n}}.")
        return self

    @property
    def with_people(self) -> bool:
        """Whether a person takes part."""
        return any(is_human(spec) for spec in (*self.players, *self.judges))

    @property
    def players(self) -> tuple[str, ...]:
        """Who takes part in the scene itself."""
        return (*self.subjects, self.confederate, self.moderator, self.others)


def versions_of(name: str, own: Path) -> tuple[str, dict[Condition, Scene]]:
    """What a scene is called, and its versions by condition: one at each level of its factors, else it and its twin.

    It is a file, one of the person's folder `own`, or one of the library. Raises UsageError, FaultyScene.
    """
    called, scene, folder = named(name, own)
    if scene.factors:
        return called, versions(scene)
    found: dict[Condition, Scene] = {scene.condition or "treatment": scene}
    if scene.twin:
        twin = twin_of(scene, folder)
        if (twin.condition or "control") in found:
            raise UsageError(f"The scene and its twin {scene.twin} are the same condition: correct one of the two.")
        found[twin.condition or "control"] = twin
    return called, {one: found[one] for one in CONDITIONS if one in found}


def whole_of(name: str, own: Path) -> Scene:
    """The scene's whole file, which plans what is compared. Raises UsageError, FaultyScene."""
    return named(name, own)[1]


def grid_of(options: GridOptions, settings: Settings, unnamed: Defaults) -> Grid:
    """The plan of a grid. Raises UsageError where it cannot be played."""
    called, scenes = versions_of(options.scene, settings.own_scenes)
    grid = Grid(
        id=new_id(),
        name=called,
        scenes=scenes,
        experiment=whole_of(options.scene, settings.own_scenes),
        subjects=options.subjects or (unnamed.debater("subject"),),
        styles=options.styles or ("",),
        conditions=conditions_of(options.conditions, scenes),
        cast=cast_of(options, unnamed, list(scenes.values())),
        n=options.n,
        seed=secrets.randbelow(2**31) if options.seed is None else options.seed,
        temperature=options.temperature,
        budget_tokens=options.budget_tokens,
        budget_usd=options.budget_usd,
        price=options.price,
        unpriced_ok=options.unpriced_ok,
        pilot=options.pilot,
        version=version("elenchus"),
        created=events.now(),
    )
    for run in first_of_each_cell(grid):
        started_of(grid, run)
    return grid


def check_minds(options: GridOptions, grid: Grid) -> None:
    """Raises UsageError for a mind in more than one run: it remembers what it was in."""
    minds = any(map(mind_in, (*options.players, *options.judges)))
    if minds and (runs := len(grid.cells) * grid.n) > 1:
        raise UsageError(
            f"A mind remembers what it was in, and that are {runs} runs: play a scene with one once, in one version, "
            f"such as --condition {grid.conditions[0]}."
        )


def first_of_each_cell(grid: Grid) -> list[GridRun]:
    """One run of each cell, in their order. Raises UsageError where a grid has too many."""
    return runs_of(grid)[: len(grid.cells)]


def started_of(grid: Grid, run: GridRun) -> SessionStarted:
    """The first event of a run, without a budget. Raises UsageError where the scene cannot be played so."""
    scene = scene_of(grid, run.cell)
    seats = seats_of(scene, run.cell.subject, grid.cast, grid.price)
    return scene_started(scene, seats, run_options_of_one(grid).model_copy(update={"seed": run.seed}), pilot=grid.pilot)


def study_of_grid(grid: Grid) -> str:
    """What the lots of a grid's subjects are kept under: its versions, whether they are pilots, and whether they are
    models: people are balanced among themselves.
    """
    texts = [f"{name} {scene.model_dump_json()}" for name, scene in grid.scenes.items()]
    models = not any(map(is_human, grid.subjects))
    kind = f"{'-pilot' if grid.pilot else ''}{'-models' if models else ''}"
    return f"{sha256(chr(10).join(texts).encode()).hexdigest()[:16]}{kind}"


def scene_started(
    scene: Scene, seats: Sequence[Seat], options: RunOptions, seed: int | None = None, **settings: Any
) -> SessionStarted:
    """The first event of a scene played once; `settings` are those of `SceneConfig`.

    Raises UsageError where it cannot be played so.
    """
    cfg = config_for(scene, seats, **settings)
    return first_event("rulegen", scene.title, cfg, seats, options, seed)


def cautions(options: GridOptions, grid: Grid, own: Path) -> list[str]:
    """What to know before anything is spent: what was guessed of the scene, and what keeps it from showing anything."""
    scene = next(iter(grid.scenes.values()))
    told = guessed(options.scene, own)
    if not scene.bias:
        told.append("the scene names no bias, so nobody judges: write `bias:` into its front matter")
    silent = [role.name for role in scene.roles if role.kind == "subject" and role.name not in speaking(scene)]
    return [*told, *(f"{name}, a subject, speaks under no rule: there is nothing to observe" for name in silent)]


def cast_of(options: GridOptions, unnamed: Defaults, scenes: Sequence[Scene]) -> SeatSpecs:
    """Who sits beside the subject in any of the scene's versions. The system agent is always a model.

    A scene with an outcome of its own is judged where judges are named: what a judge reads is a second instrument.
    """
    subjects = {role.name for scene in scenes for role in scene.roles if role.kind == "subject"}
    by_models = not options.subjects or not all(map(is_human, options.subjects))
    wanted = any({*asked(scene)} - subjects or is_supervised(scene, subjects if by_models else ()) for scene in scenes)
    others = options.others or (unnamed.debater("others") if wanted else "")
    model = unnamed.debater("system") if is_human(others) else model_in(others)  # of a mind its model
    return SeatSpecs(
        confederate=options.confederate or others,
        moderator=options.moderator or others,
        other=others,
        system=model,
        judges=options.judges or (() if scenes[0].outcome else tuple(unnamed.judges())),
    )


def conditions_of(given: tuple[str, ...], scenes: dict[Condition, Scene]) -> tuple[Condition, ...]:
    """The conditions to play: those asked for, else all there are. Raises UsageError."""
    if unknown := [name for name in given if name not in (*CONDITIONS, *scenes)]:
        raise UsageError(f"{unknown[0]!r} is no condition of the scene: there are {', '.join(scenes)}.")
    if missing := [name for name in given if name not in scenes]:
        raise UsageError(
            f"The scene has no {missing[0]} version: name its twin in the front matter, or choose among "
            f"{', '.join(scenes)}."
        )
    return tuple(one for one in scenes if not given or one in given)
