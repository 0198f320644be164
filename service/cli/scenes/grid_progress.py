"""How far a grid is: a live table on a terminal, a line for each run elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from service.cli.eta import Remaining
from service.cli.output import Out

if TYPE_CHECKING:
    from debate_engine.protocols.rulegen.study.design import Cell, Grid, GridRun
    from debate_engine.protocols.rulegen.study.running import OnRun
    from debate_engine.runner import Run


@contextmanager
def shown(grid: Grid, missing: int, out: Out) -> Iterator[OnRun]:
    """Inside, what is told of runs is shown; so many are missing."""
    if out.errors.is_terminal and not out.json:
        with _bars(grid, out) as on_run:
            yield on_run
    else:
        yield _lines(grid, missing, out)


def said_of(cell: Cell) -> str:
    """A cell in words."""
    return " · ".join(part for part in (cell.subject, cell.style, cell.condition) if part)


def _lines(grid: Grid, missing: int, out: Out) -> OnRun:
    over: Counter[str] = Counter()
    count, remaining = len(grid.cells) * grid.n, Remaining(missing)

    def on_run(one: GridRun, run: Run | None) -> None:
        if run is not None:
            over["all"] += 1
            why = f": {run.reason}" if run.reason and run.state != "finished" else ""
            out.tell(f"run {one.number} of {count} ({said_of(one.cell)}) is {run.state}{why}")
            if news := remaining.news(over["all"]):
                out.tell(news)

    return on_run


@contextmanager
def _bars(grid: Grid, out: Out) -> Iterator[OnRun]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.text import Text

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
               TextColumn("{task.fields[now]}"))  # fmt: skip
    with Progress(*columns, console=out.errors) as progress:
        bars = {cell: progress.add_task(Text(said_of(cell)).plain, total=grid.n, now="") for cell in grid.cells}
        running: Counter[Cell] = Counter()

        def on_run(one: GridRun, run: Run | None) -> None:
            running[one.cell] += 1 if run is None else -1
            now = f"{running[one.cell]} running" if running[one.cell] else ""
            over = 1 if run is not None and run.state in ("finished", "stopped") else 0
            progress.update(bars[one.cell], advance=over, now=now)

        yield on_run
