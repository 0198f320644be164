"""How far a long piece of work is, and how long it still takes: in words, and for a grid of runs in bars."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from elenchus.debate_engine.errors import UnknownSession
from elenchus.debate_engine.events import StepDone
from elenchus.debate_engine.tasks import cancelled
from elenchus.service.cli.output import CommandOutput

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress, TaskID

    from elenchus.debate_engine.log import EventLog
    from elenchus.debate_engine.protocols.rulegen.study.grid import Cell, Grid, GridRun
    from elenchus.debate_engine.protocols.rulegen.study.grid_runner import OnRun, PlannedRun
    from elenchus.debate_engine.run_ends import Run

R = TypeVar("R", bound="PlannedRun")

TENTHS = 10
FEWEST = 10
"""Pieces from which it is told how fast it goes of late: several come at once."""
SHORTEST = 3.0
"""Seconds below which nobody need be told."""


@dataclass
class Remaining:
    """`pieces` of about the same size, at the most, from now on. Seconds."""

    pieces: int
    clock: Callable[[], float] = time.monotonic
    _began: float = field(init=False)
    _told: int = 0
    _marks: list[tuple[float, int]] = field(init=False)

    def __post_init__(self) -> None:
        self._began = self.clock()
        self._marks = [(self._began, 0)]

    def seconds(self, done: int) -> float | None:
        """How long the rest takes when it goes on as so far, or as of late where that is slower: what was kept comes
        at once at the beginning. None before the first piece, and after the last.
        """
        if not 0 < done < self.pieces:
            return None
        now = self.clock()
        if done - self._marks[-1][1] >= max(self.pieces / TENTHS, FEWEST):
            self._marks = [self._marks[-1], (now, done)]
        since, before = self._marks[0]
        return max((now - self._began) / done, (now - since) / (done - before)) * (self.pieces - done)

    def news(self, done: int) -> str:
        """A sentence at each further tenth of the work, "" in between and where little is left."""
        tenth = done * TENTHS // self.pieces if self.pieces else 0
        left = self.seconds(done)
        if tenth <= self._told or left is None or left < SHORTEST:
            return ""
        self._told = tenth
        return f"{tenth * TENTHS}% done, about {in_words(left)} left"


def in_words(seconds: float) -> str:
    """A time as people say it: 40 s, 12 min, 3 h."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 3 * 3600 else f"{round(seconds / 3600)} h"


def lines(pieces: int, named: Callable[[R], str], out: CommandOutput) -> OnRun[R]:
    """A line for each session that is over (`named`: "run 3 of 12"), and now and then how long the rest takes."""
    remaining, over = Remaining(pieces), 0

    def on_run(one: R, run: Run | None) -> None:
        nonlocal over
        if run is None:
            return
        over += 1
        why = f": {run.reason}" if run.reason and run.state != "finished" else ""
        out.tell(f"{named(one)} is {run.state}{why}")
        if news := remaining.news(over):
            out.tell(news)

    return on_run


# ── a grid ───────────────────────────────────────────────────────────────────────────────────────────────────────

LOOK = 1.0
"""Seconds between two looks at what was answered."""
_LEAST_BAR = 8


@asynccontextmanager
async def shown(
    grid: Grid, missing: Sequence[GridRun], log: EventLog, out: CommandOutput
) -> AsyncIterator[OnRun[GridRun]]:
    """Inside, what is told of runs is shown; these are missing."""
    if not out.errors.is_terminal or out.json:
        count = len(grid.cells) * grid.n
        yield lines(len(missing), lambda one: f"run {one.number} of {count} ({said_of(one.cell)})", out)
        return
    bars = Bars(log, Remaining(len(missing)))
    with bars.on(out.errors, grid, missing) as bars.progress:
        looking = asyncio.create_task(bars.look())
        try:
            yield bars.on_run
        finally:
            await cancelled(looking)


def said_of(cell: Cell) -> str:
    """A cell in words."""
    return " · ".join(part for part in (cell.subject, cell.style, cell.condition) if part)


def told_apart(cells: Sequence[Cell]) -> dict[Cell, str]:
    """Each cell in the words that not all have in common."""
    parts = [(cell.subject, cell.style, cell.condition) for cell in cells]
    differs = [len(set(column)) > 1 for column in zip(*parts, strict=True)]
    told = [" · ".join(part for part, new in zip(row, differs, strict=True) if part and new) for row in parts]
    return {cell: words or said_of(cell) for cell, words in zip(cells, told, strict=True)}


@dataclass
class Bars:
    """A bar for each cell. `remaining` counts runs, `answers` what models have answered in those that began here."""

    log: EventLog
    remaining: Remaining
    progress: Progress | None = None
    answers: int = 0
    over: int = 0
    _tasks: dict[Cell, TaskID] = field(default_factory=dict)
    _running: set[str] = field(default_factory=set)
    _seen: dict[str, int] = field(default_factory=dict)
    _began: float = field(default_factory=time.monotonic)

    def on(self, console: Console, grid: Grid, missing: Sequence[GridRun]) -> Progress:
        """The bars on this console."""
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.text import Text

        from elenchus.service.cli.live.status import shortened

        bars = self

        class WithStanding(Progress):
            def get_renderables(self) -> Iterable[RenderableType]:
                yield from super().get_renderables()
                yield Text(bars.standing(), style="dim")

        names = told_apart(grid.cells)
        counted = f"{grid.n}/{grid.n}"
        longest = min(max(map(len, names.values())), console.width - len(counted) - _LEAST_BAR - 2)
        columns = (TextColumn("{task.description}"), MofNCompleteColumn(),
                   BarColumn(min(40, console.width - len(counted) - longest - 2)))  # fmt: skip
        progress = WithStanding(*columns, console=console)
        left = Counter(run.cell for run in missing)
        self._tasks = {
            cell: progress.add_task(shortened(name, longest), total=grid.n, completed=grid.n - left[cell])
            for cell, name in names.items()
        }
        return progress

    def on_run(self, one: GridRun, run: Run | None) -> None:
        """A run begins, or has ended."""
        if run is None:
            self._running.add(one.session)
            self._seen[one.session] = 0
        else:
            self._running.remove(one.session)
        ended = run is not None and run.state in ("finished", "stopped")
        self.over += ended
        assert self.progress is not None, "runs are told of while the bars are shown"
        self.progress.update(self._tasks[one.cell], advance=int(ended))

    def standing(self) -> str:
        """How long it takes already, what was answered, and how long it still takes."""
        left = self.remaining.seconds(self.over)
        more = f"about {in_words(left)} left" if left is not None else "" if self.over else "no run is over yet"
        so_far = in_words(time.monotonic() - self._began)
        parts = [f"{len(self._running)} running", f"{so_far} so far", f"{self.answers:,} answers", more]
        return " · ".join(filter(None, parts))

    async def look(self) -> None:
        """Count, again and again, what was answered in the runs that have begun."""
        while True:
            await asyncio.sleep(LOOK)
            for session, seen in list(self._seen.items()):
                running = session in self._running
                with suppress(UnknownSession):  # it is only just being made
                    for r in await self.log.read(session, after=seen):
                        self._seen[session] = r.seq
                        self.answers += len(r.event.calls) if isinstance(r.event, StepDone) else 0
                if not running:
                    del self._seen[session]
