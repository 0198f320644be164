"""A grid of runs of a scene: what may be said of it, who sits where, and what it will ask of its models."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.metadata import version
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pydantic import Field, model_validator

from elenchus.debate_engine import events
from elenchus.debate_engine.dry_run.estimate import pace_of, places, plan_document
from elenchus.debate_engine.dry_run.plan import side_by_side
from elenchus.debate_engine.dry_run.simulation import plan_of
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.rulegen.casting import asked, config_of, speaking
from elenchus.debate_engine.protocols.rulegen.study.grid import Grid, GridRun, SeatSpecs, runs_of, scene_of, seats_of
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import RunLimit
from elenchus.debate_engine.runner import new_id
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.library import twin_of
from elenchus.debate_engine.scenes.scene import CONDITIONS, Condition, Scene
from elenchus.debate_engine.scenes.versions import design_of, versions
from elenchus.service.lab.new_sessions import first_event
from elenchus.service.lab.options import RunOptions
from elenchus.service.lab.scene_files import guessed, named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from elenchus.config.settings import Settings
    from elenchus.debate_engine.dry_run.plan import Pace
    from elenchus.debate_engine.events import Seat, SessionStarted
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.protocols.rulegen.study.grid import Cell
    from elenchus.service.lab.seats import Defaults

MOST = 1_000
"""Runs of each cell."""


class GridOptions(RunOptions):
    """A scene played by each subject, style and condition `n` times. Empty: what the scene has, and default models.

    `model` takes every seat that is not named. `others` play all other roles, and the system agent where they are no
    person. At the most `at_once` runs go side by side (None: a quarter more than the calls that the models' providers
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
        cast=cast_of(options, unnamed, next(iter(scenes.values()))),
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


def first_of_each_cell(grid: Grid) -> list[GridRun]:
    """One run of each cell, in their order. Raises UsageError where a grid has too many."""
    return runs_of(grid)[: len(grid.cells)]


def started_of(grid: Grid, run: GridRun) -> SessionStarted:
    """The first event of a run, without a budget. Raises UsageError where the scene cannot be played so."""
    scene = scene_of(grid, run.cell)
    seats = seats_of(scene, run.cell.subject, grid.cast, grid.price)
    alone = {"seed": run.seed, "budget_tokens": None, "budget_usd": None}
    return scene_started(scene, seats, run_options_of(grid).model_copy(update=alone), pilot=grid.pilot)


def run_options_of(grid: Grid) -> RunOptions:
    """What the grid was told for all its runs together."""
    return RunOptions.model_validate({name: getattr(grid, name) for name in RunOptions.model_fields})


def study_of_grid(grid: Grid) -> str:
    """What the lots of a grid's people are kept under: its versions, and whether they are pilots."""
    texts = [f"{name} {scene.model_dump_json()}" for name, scene in grid.scenes.items()]
    return f"{sha256(chr(10).join(texts).encode()).hexdigest()[:16]}{'-pilot' if grid.pilot else ''}"


def scene_started(
    scene: Scene, seats: Sequence[Seat], options: RunOptions, seed: int | None = None, **settings: Any
) -> SessionStarted:
    """The first event of a scene played once; `settings` are those of `SceneConfig`.

    Raises UsageError where it cannot be played so.
    """
    cfg = config_of(scene, seats, **settings)
    return first_event("rulegen", scene.title, cfg, seats, options, seed)


def cautions(options: GridOptions, grid: Grid, own: Path) -> list[str]:
    """What to know before anything is spent: what was guessed of the scene, and what keeps it from showing anything."""
    scene = next(iter(grid.scenes.values()))
    told = guessed(options.scene, own)
    if not scene.bias:
        told.append("the scene names no bias, so nobody judges: write `bias:` into its front matter")
    silent = [role.name for role in scene.roles if role.kind == "subject" and role.name not in speaking(scene)]
    return [*told, *(f"{name}, a subject, speaks under no rule: there is nothing to observe" for name in silent)]


def cast_of(options: GridOptions, unnamed: Defaults, scene: Scene) -> SeatSpecs:
    """Who sits beside the subject. The system agent is always a model.

    A scene with an outcome of its own is judged where judges are named: what a judge reads is a second instrument.
    """
    kinds = {role.name: role.kind for role in scene.roles}
    is_played = any(kinds[name] != "subject" for name in asked(scene))
    models = is_played or not all(is_human(spec) for spec in options.subjects) or not options.subjects
    others = options.others or (unnamed.debater("others") if models else "")
    model = unnamed.debater("system") if is_human(others) else others
    return SeatSpecs(
        confederate=options.confederate or others,
        moderator=options.moderator or others,
        other=others,
        system=model,
        judges=options.judges or (() if scene.outcome else tuple(unnamed.judges())),
    )


def conditions_of(given: tuple[str, ...], scenes: dict[Condition, Scene]) -> tuple[Condition, ...]:
    """The conditions to play: those asked for, else all there are. Raises UsageError."""
    if unknown := [name for name in given if name not in (*CONDITIONS, *scenes)]:
        raise UsageError(f"{unknown[0]!r} is no condition: give --condition {','.join(scenes)}.")
    if missing := [name for name in given if name not in scenes]:
        raise UsageError(
            f"The scene has no {missing[0]} version: name its twin in the front matter, or give --condition "
            f"{','.join(scenes)}."
        )
    return tuple(one for one in scenes if not given or one in given)


# ── what it will ask, at the most: one run of each cell, played dry, times the repeats ─────────────────────────────

_MARGIN = 1.25
"""On what a run may use, as tokens are estimated and an attempt may be repeated."""

_COUNTED = ("calls", "input_tokens", "output_tokens", "reasoning_tokens")
_PRICED = ("usd", "reasoning_usd")


@dataclass(frozen=True, slots=True)
class Estimate:
    """The document of `--dry-run`, what one run may use at the most, and how many go side by side."""

    document: dict[str, Any]
    need: RunLimit
    side_by_side: int

    @property
    def need_document(self) -> dict[str, Any]:
        """The need as it is kept."""
        return asdict(self.need)


async def planned(grid: Grid, settings: Settings, registry: Registry, at_once: int | None = None) -> Estimate:
    """Rehearse one run of each cell; off the event loop. `at_once`: see `side_by_side_of`."""

    def paced(spec: str) -> Pace:
        return pace_of(settings, registry, spec)

    firsts = first_of_each_cell(grid)
    plans = {run.cell: await asyncio.to_thread(plan_of, started_of(grid, run), paced) for run in firsts}
    width = side_by_side_of(grid, settings, registry, at_once)
    whole = plan_document(side_by_side([(plan, grid.n) for plan in plans.values()], paced, width), registry, grid.price)
    cells = {cell: plan_document(plan, registry, grid.price) for cell, plan in plans.items()}
    document = {
        **{name: value for name, value in whole.items() if name not in ("by_seat", "longest_chain")},
        "runs": len(cells) * grid.n,
        "side_by_side": width,
        "others": others_in(grid),
        "by_cell": [_row(grid, cell, one) for cell, one in cells.items()],
        "of_people": [turns for one in cells.values() for turns in one["of_people"]],
        "power": await asyncio.to_thread(power_of, grid),
    }
    return Estimate(document, need_of(list(cells.values())), width)


def power_of(grid: Grid) -> list[str]:
    """What the planned number of subjects can find, and what this grid can, in a sentence each. Slow the first time."""
    from elenchus.debate_engine.protocols.rulegen.study.planning import beforehand

    plan, outcome = grid.whole.plan, grid.whole.outcome
    design = design_of(grid.whole) if grid.whole.factors else Design.between(list(grid.scenes))
    if any(is_human(spec) for spec in grid.subjects):  # one person after another, each in one version
        return beforehand(plan, outcome, design, 0)
    return beforehand(plan, outcome, design.only(grid.conditions), grid.n * len(grid.styles), len(grid.subjects))


def side_by_side_of(grid: Grid, settings: Settings, registry: Registry, at_once: int | None = None) -> int:
    """How many runs go side by side: so many, or a quarter more than the calls that the grid's providers take at once.

    A run writes down and reads between its calls; meanwhile another one's call has the place.
    """
    if at_once is None:
        specs = {seat.spec for seat in seats_in(grid) if not is_human(seat.spec)}
        calls = places(settings, registry, specs)
        at_once = calls + calls // 4
    return min(at_once, len(grid.cells) * grid.n)


def seats_in(grid: Grid) -> list[Seat]:
    """Every seat of every cell."""
    return [seat for cell in grid.cells for seat in seats_of(scene_of(grid, cell), cell.subject, grid.cast, grid.price)]


def need_of(cells: Sequence[Mapping[str, Any]]) -> RunLimit:
    """What a run of the dearest cell may use: all hidden reasoning too, as each call is held to its own most.

    Dollars are those of the models whose price is known.
    """
    tokens = max(cell["input_tokens"] + cell["output_tokens"] + cell["reasoning_tokens"] for cell in cells)
    usd = max(sum((row["usd"] or 0.0) + (row["reasoning_usd"] or 0.0) for row in cell["by_seat"]) for cell in cells)
    return RunLimit(ceil(tokens * _MARGIN), usd * _MARGIN)


def others_in(grid: Grid) -> list[dict[str, str]]:
    """Who takes the seats beside the subject. Where people play nobody is shown to be the confederate."""
    scenes = [grid.scenes[condition] for condition in grid.conditions]
    seats = {seat.name: seat.spec for scene in scenes for seat in seats_of(scene, grid.subjects[0], grid.cast)}
    kinds = {role.name: role.kind for scene in scenes for role in scene.roles}
    people = any(is_human(spec) for spec in seats.values())
    return [
        {"seat": name, "kind": "" if people else kinds.get(name, ""), "model": spec}
        for name, spec in seats.items()
        if kinds.get(name) != "subject"
    ]


def _row(grid: Grid, cell: Cell, document: Mapping[str, Any]) -> dict[str, Any]:
    """A cell with what one run of it takes."""
    kept = {key: document[key] for key in (*_COUNTED, *_PRICED, "minutes", "longest_chain")}
    return {**cell.model_dump(), "runs": grid.n, **kept}
