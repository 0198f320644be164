"""What a grid will ask of its models, at the most: one rehearsed run of each cell, times the repeats."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from rich.text import Text

from elenchus.debate_engine.estimate import pace_of, places, plan_document
from elenchus.debate_engine.human import is_human
from elenchus.debate_engine.protocols.rulegen.casting import config_of
from elenchus.debate_engine.protocols.rulegen.plan import plan
from elenchus.debate_engine.protocols.rulegen.study.design import Cell, Grid, scene_of, seats_of
from elenchus.debate_engine.protocols.rulegen.study.running import Need
from elenchus.debate_engine.rehearsal import Pace, PaceOf, Plan, side_by_side
from elenchus.service.cli.output import Out
from elenchus.service.cli.planning import costing, dollars, lasting, tell_assumed, tell_turns
from elenchus.service.cli.tables import WordTable

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import Seat
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.service.lab.default_models import Unnamed

_MARGIN = 1.25
"""On what a run may use, as tokens are estimated and an attempt may be repeated."""


_CELL_HEADINGS = ("subject", "style", "condition", "runs", "calls a run", "tokens a run", "money a run")
_COUNTED = ("calls", "input_tokens", "output_tokens", "reasoning_tokens")
_PRICED = ("usd", "reasoning_usd")


@dataclass(frozen=True, slots=True)
class Estimate:
    """The document of `--dry-run`, what one run may use at the most, and how many go side by side."""

    document: dict[str, Any]
    need: Need
    side_by_side: int

    @property
    def need_document(self) -> dict[str, Any]:
        """The need as it is kept."""
        return asdict(self.need)


async def estimated(grid: Grid, settings: Settings, registry: Registry, at_once: int | None = None) -> Estimate:
    """Rehearse one run of each cell; off the event loop. `at_once`: see `side_by_side_of`."""

    def paced(spec: str) -> Pace:
        return pace_of(settings, registry, spec)

    plans = {cell: await asyncio.to_thread(_plan, grid, cell, paced) for cell in grid.cells}
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
    }
    return Estimate(document, need_of(list(cells.values())), width)


def side_by_side_of(grid: Grid, settings: Settings, registry: Registry, at_once: int | None = None) -> int:
    """How many runs go side by side: so many, or as many calls as all providers of the grid take at once."""
    if at_once is None:
        specs = {seat.spec for seat in seats_in(grid) if not is_human(seat.spec)}
        at_once = places(settings, registry, specs)
    return min(at_once, len(grid.cells) * grid.n)


def seats_in(grid: Grid) -> list[Seat]:
    """Every seat of every cell."""
    return [seat for cell in grid.cells for seat in seats_of(scene_of(grid, cell), cell.subject, grid.cast, grid.price)]


def need_of(cells: Sequence[Mapping[str, Any]]) -> Need:
    """What a run of the dearest cell may use: all hidden reasoning too, as each call is held to its own most.

    Dollars are those of the models whose price is known.
    """
    tokens = max(cell["input_tokens"] + cell["output_tokens"] + cell["reasoning_tokens"] for cell in cells)
    usd = max(sum((row["usd"] or 0.0) + (row["reasoning_usd"] or 0.0) for row in cell["by_seat"]) for cell in cells)
    return Need(ceil(tokens * _MARGIN), usd * _MARGIN)


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


def _plan(grid: Grid, cell: Cell, paced: PaceOf) -> Plan:
    """One run of a cell, rehearsed."""
    scene = scene_of(grid, cell)
    seats = seats_of(scene, cell.subject, grid.cast)
    return plan(config_of(scene, seats), seats, paced)


def _row(grid: Grid, cell: Cell, document: Mapping[str, Any]) -> dict[str, Any]:
    """A cell with what one run of it takes."""
    kept = {key: document[key] for key in (*_COUNTED, *_PRICED, "minutes", "longest_chain")}
    return {**cell.model_dump(), "runs": grid.n, **kept}


def tell_estimate(estimate: Estimate, unnamed: Unnamed, out: Out) -> None:
    """The plan as a document, or as tables and a sentence."""
    document = estimate.document
    out.document({**document, "defaults": unnamed.document()})
    for line in unnamed.told():
        out.tell(line)
    if out.json:
        return

    seats = [(other["seat"], other["kind"], other["model"]) for other in document["others"]]
    out.show(_table(("beside the subject", "", "model"), seats))
    out.line("")
    out.show(_table(_CELL_HEADINGS, [_cell_row(cell) for cell in document["by_cell"]]))
    tell_turns(document["of_people"], out)
    runs = f"{document['runs']} run{'' if document['runs'] == 1 else 's'}"
    out.line(
        f"\n{runs}: {document['calls']:,} calls, {document['input_tokens']:,} tokens in, "
        f"{document['output_tokens']:,} out, {costing(document)}, "
        f"about {lasting(document['minutes'])} ({document['side_by_side']} side by side)"
    )
    tell_assumed(document, out)


def _cell_row(cell: Mapping[str, Any]) -> tuple[str, ...]:
    tokens = f"{cell['input_tokens'] + cell['output_tokens']:,}"
    counts = (str(cell["runs"]), str(cell["calls"]), tokens)
    return cell["subject"], cell["style"], cell["condition"], *counts, dollars(cell["usd"])


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> WordTable:
    table = WordTable()
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*map(Text, row))
    return table
