"""What a grid will ask at the most: one run of each cell, played dry, times the repeats."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.protocols.rulegen.study.grid import Grid, scene_of, seats_of
from elenchus.debate_engine.scenes.design import Design
from elenchus.debate_engine.scenes.versions import design_of
from elenchus.service.lab.batches import Estimate, need_of, rehearsed, width_of
from elenchus.service.lab.grid import first_of_each_cell, started_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.protocols.rulegen.study.grid import Cell

_COUNTED = ("calls", "input_tokens", "output_tokens", "reasoning_tokens")
_PRICED = ("usd", "reasoning_usd")


async def planned(grid: Grid, settings: Settings, registry: Registry, at_once: int | None = None) -> Estimate:
    """Rehearse one run of each cell, off the event loop. `at_once`: see `side_by_side_of`."""
    first = {run.cell: (started_of(grid, run), grid.n) for run in first_of_each_cell(grid)}
    width = side_by_side_of(grid, settings, registry, at_once)
    whole, cells = await rehearsed(first, settings, registry, grid.price, width)
    document = {
        **{name: value for name, value in whole.items() if name not in ("by_seat", "longest_chain")},
        "runs": len(cells) * grid.n,
        "side_by_side": width,
        "others": others_in(grid),
        "by_cell": [_row(grid, cell, one) for cell, one in cells.items()],
        "of_people": [turns for one in cells.values() for turns in one["of_people"]],
        "power": await asyncio.to_thread(power_of, grid),
    }
    return Estimate(document, need_of(cells.values()), width)


def power_of(grid: Grid) -> list[str]:
    """What the planned number of subjects can find, and what this grid can, in a sentence each. Slow the first time."""
    from elenchus.debate_engine.protocols.rulegen.study.planning import beforehand

    plan, outcome = grid.whole.plan, grid.whole.outcome
    design = design_of(grid.whole) if grid.whole.factors else Design.between(list(grid.scenes))
    if any(is_human(spec) for spec in grid.subjects):  # one person after another, each in one version
        return beforehand(plan, outcome, design, 0)
    return beforehand(plan, outcome, design.only(grid.conditions), grid.n * len(grid.styles), len(grid.subjects))


def side_by_side_of(grid: Grid, settings: Settings, registry: Registry, at_once: int | None = None) -> int:
    """How many runs go side by side (see `batches.width_of`)."""
    return width_of([seat.spec for seat in seats_in(grid)], len(grid.cells) * grid.n, settings, registry, at_once)


def seats_in(grid: Grid) -> list[Seat]:
    """Every seat of every cell."""
    return [seat for cell in grid.cells for seat in seats_of(scene_of(grid, cell), cell.subject, grid.cast, grid.price)]


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
