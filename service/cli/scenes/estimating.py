"""What a grid will ask of its models, at the most: one rehearsed run of each cell, times the repeats."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from debate_engine.protocols.rulegen.study.running import AT_ONCE, Need
from service.cli.output import Out

if TYPE_CHECKING:
    from config.settings import Settings
    from debate_engine.llm.registry import Registry
    from debate_engine.protocols.rulegen.study.design import Cell, Grid

_MARGIN = 1.25
"""On what a run may use, as tokens are estimated and an attempt may be repeated."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The document of `--dry-run`, and what one run may use at the most."""

    document: dict[str, Any]
    need: Need

    @property
    def need_document(self) -> dict[str, Any]:
        """The need as it is kept."""
        return asdict(self.need)


async def planned(grid: Grid, settings: Settings, registry: Registry) -> Estimate:
    """Rehearse one run of each cell; off the event loop."""
    from debate_engine.estimate import ASSUMED

    cells = [await _cell(grid, cell, settings, registry) for cell in grid.cells]
    prices = [cell["usd"] for cell in cells]
    tokens = max(cell["input_tokens"] + cell["output_tokens"] for cell in cells)
    width = min(AT_ONCE, len(cells) * grid.n, *(cell.pop("at_once") for cell in cells))
    document = {
        "dry_run": True,
        "runs": len(cells) * grid.n,
        "calls": grid.n * sum(cell["calls"] for cell in cells),
        "input_tokens": grid.n * sum(cell["input_tokens"] for cell in cells),
        "output_tokens": grid.n * sum(cell["output_tokens"] for cell in cells),
        "usd": None if None in prices else round(grid.n * sum(prices), 6),
        "minutes": round(grid.n * sum(cell["minutes"] for cell in cells) / width, 2),
        "side_by_side": width,
        "assumed": ASSUMED,
        "by_cell": cells,
    }
    known = [price for price in prices if price is not None]
    return Estimate(document, Need(ceil(tokens * _MARGIN), max(known, default=0.0) * _MARGIN))


async def _cell(grid: Grid, cell: Cell, settings: Settings, registry: Registry) -> dict[str, Any]:
    """One run of a cell."""
    from debate_engine.estimate import pace_of, plan_document, price
    from debate_engine.human import is_human
    from debate_engine.protocols.rulegen.casting import config_of
    from debate_engine.protocols.rulegen.plan import plan
    from debate_engine.protocols.rulegen.study.design import scene_of, seats_of

    scene = scene_of(grid, cell)
    seats = seats_of(scene, cell.subject, grid.cast)

    def paced(spec: str) -> Any:
        return pace_of(settings, registry, spec)

    made = await asyncio.to_thread(plan, config_of(scene, seats), seats, paced)
    document = plan_document(made, lambda calls: price(registry, calls))
    kept = {key: document[key] for key in ("calls", "input_tokens", "output_tokens", "usd", "minutes", "longest_chain")}
    at_once = min(paced(spec).at_once for spec in {seat.spec for seat in seats if not is_human(seat.spec)})
    return {**cell.model_dump(), "runs": grid.n, **kept, "at_once": at_once}


def tell_estimate(estimate: Estimate, out: Out) -> None:
    """The plan as a document, or as a table and a sentence."""
    document = estimate.document
    out.document(document)
    if out.json:
        return
    from rich.table import Table

    from service.cli.planning import dollars

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for column in ("subject", "style", "condition", "runs", "calls a run", "tokens a run", "money a run"):
        table.add_column(column)
    for cell in document["by_cell"]:
        tokens = f"{cell['input_tokens'] + cell['output_tokens']:,}"
        table.add_row(
            cell["subject"], cell["style"], cell["condition"], str(cell["runs"]), str(cell["calls"]), tokens,
            dollars(cell["usd"]),
        )  # fmt: skip
    out.show(table)
    out.line(
        f"\n{document['runs']} runs: {document['calls']:,} calls, {document['input_tokens']:,} tokens in, "
        f"{document['output_tokens']:,} out, {dollars(document['usd'])}, "
        f"about {max(1, round(document['minutes']))} min ({document['side_by_side']} runs side by side)"
    )
    out.line(document["assumed"])
