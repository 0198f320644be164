"""The grids of runs that this service plays: begun here, paused when it stops, gone on with when it starts again."""

from __future__ import annotations

import asyncio
import logging
import random
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from elenchus.debate_engine.errors import ElenchusError, UsageError
from elenchus.debate_engine.protocols.rulegen.study.grid import runs_of
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import OVER, GridProgress, GridRunner
from elenchus.debate_engine.runner import Runner
from elenchus.debate_engine.tasks import cancelled
from elenchus.service.lab.grid import started_of
from elenchus.service.lab.grid_estimate import seats_in
from elenchus.service.lab.kept_grids import KeptGrid, as_kept, keep
from elenchus.service.lab.registration import GRIDS
from elenchus.service.web.problems import Conflict, NotThere
from elenchus.service.web.session_runs import ADOPT_EVERY

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.rulegen.study.grid import GridRun
    from elenchus.debate_engine.run_ends import Run
    from elenchus.service.app import App
    from elenchus.service.lab.grid_session import CheckedGrid

_log = logging.getLogger(__name__)

NAMESPACE = "served-grids"
"""In the store: the grids of this service, with how many runs go side by side, and whether a moderator paused them."""

LEAVE_ON = frozenset({"budget", "provider"})
"""A run that pauses for this is left: the others go on, and whoever resumes the grid tries it again."""

GridState = Literal["running", "paused", "waiting", "finished"]
"""`paused` by a moderator, or as the service stops; `waiting`: some runs could not go on, and nothing runs."""


@dataclass(slots=True)
class GridAtWork:
    """How far a grid is: so many of its runs are over; `reasons` say why others could not go on."""

    runs: int
    ended: int = 0
    reasons: list[str] = field(default_factory=list)
    out_of_budget: bool = False


@dataclass
class GridTasks:
    """Plays grids in tasks of this process. Their sessions are sessions like others."""

    app: App
    stopping: bool = False
    _runner: Runner = field(init=False)
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _known: dict[str, GridAtWork] = field(default_factory=dict)
    _played_here: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._runner = replace(self.app.runner, leave_on=LEAVE_ON)

    async def start(self, checked: CheckedGrid) -> None:
        """Keep the grid, with what is registered of it, and play it. Raises StorageError."""
        kept = checked.kept
        await keep(self.app.store, kept)
        await self.app.store.put(NAMESPACE, kept.grid.id, {"at_once": checked.at_once, "paused": False})
        self._play(kept, checked.at_once)

    async def ids(self) -> list[str]:
        """All grids of this service, the newest first."""
        kept = await self.app.store.all(GRIDS)
        own = [id_ for id_ in await self.app.store.all(NAMESPACE) if id_ in kept]
        return sorted(own, key=lambda id_: str(kept[id_]["grid"]["created"]), reverse=True)

    async def is_there(self, grid: str) -> bool:
        """Whether there is such a grid of this service."""
        return await self.app.store.get(NAMESPACE, grid) is not None

    async def kept(self, grid: str) -> KeptGrid:
        """The grid. Raises NotThere."""
        document = await self.app.store.get(GRIDS, grid) if await self.is_there(grid) else None
        if document is None:
            raise NotThere("There is no such grid here.")
        return await asyncio.to_thread(as_kept, document)

    async def at_work(self, kept: KeptGrid) -> tuple[GridState, GridAtWork]:
        """How far it is."""
        grid = kept.grid.id
        if grid in self._tasks and (mine := self._known.get(grid)):
            return "running", mine
        known, elsewhere = await self._by_log(kept)
        if before := self._known.get(grid):
            known = replace(known, reasons=before.reasons, out_of_budget=before.out_of_budget)
        self._known[grid] = known
        if known.ended == known.runs:
            return "finished", known
        if elsewhere:
            return "running", known
        document = await self.app.store.get(NAMESPACE, grid) or {}
        return ("paused" if document.get("paused") or self.stopping else "waiting"), known

    async def pause(self, grid: str) -> None:
        """Pause all its sessions, wherever it is played; it goes on when somebody resumes it. Raises Conflict where it
        does not run.
        """
        task = self._tasks.get(grid)
        if task is None and (await self.at_work(await self.kept(grid)))[0] != "running":
            raise Conflict("This grid does not run now.")
        document = await self.app.store.get(NAMESPACE, grid) or {}
        await self.app.store.put(NAMESPACE, grid, {**document, "paused": True})
        if task is not None:
            await cancelled(task)

    async def adopt(self) -> None:
        """Until it is cancelled: pause what was paused by another process of the service, and go on with what one left
        that ended or was killed.
        """
        while True:
            await asyncio.sleep(ADOPT_EVERY * random.uniform(0.7, 1.3))  # not all processes at once
            with suppress(ElenchusError):
                for grid, document in (await self.app.store.all(NAMESPACE)).items():
                    if document.get("paused") and (task := self._tasks.get(grid)):
                        task.cancel()
                await self.resume_all(left_alone=True)

    async def resume(self, kept: KeptGrid) -> None:
        """Play what is missing. Raises Conflict where it runs, or nothing is missing."""
        state, _ = await self.at_work(kept)
        if state in ("running", "finished"):
            raise Conflict("This grid runs already." if state == "running" else "All runs of this grid are over.")
        document = await self.app.store.get(NAMESPACE, kept.grid.id) or {}
        await keep(self.app.store, kept)
        await self.app.store.put(NAMESPACE, kept.grid.id, {**document, "paused": False})
        self._play(kept, int(document.get("at_once", 1)))

    async def resume_all(self, *, left_alone: bool = False) -> None:
        """Go on with what was played when the service ended, however it ended. Raises StorageError.

        `left_alone`: only with what was not played here before, as what could not go on would not now, either.
        """
        for grid, document in (await self.app.store.all(NAMESPACE)).items():
            if document.get("paused") or grid in self._tasks or (left_alone and grid in self._played_here):
                continue
            try:
                kept = await self.kept(grid)
                if (await self.at_work(kept))[0] == "waiting":
                    self._play(kept, int(document["at_once"]))
            except (ElenchusError, NotThere, ValueError) as error:  # one that cannot be read hurts no other
                _log.error("the grid %s cannot go on: %s", grid, error)

    async def aclose(self) -> None:
        """Pause what runs: it goes on when the service starts again."""
        self.stopping = True
        await cancelled(*self._tasks.values())

    # ── at work ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _by_log(self, kept: KeptGrid) -> tuple[GridAtWork, bool]:
        """How far it is, and whether some process runs a session of it."""
        infos, runs = {info.id: info for info in await self.app.log.sessions()}, runs_of(kept.grid)
        found = [info for run in runs if (info := infos.get(run.session))]
        return GridAtWork(len(runs), sum(info.state in OVER for info in found)), any(info.owner for info in found)

    def _play(self, kept: KeptGrid, at_once: int) -> None:
        grid = kept.grid.id
        if self.stopping or grid in self._tasks:
            return
        self._played_here.add(grid)
        task = asyncio.create_task(self._played(kept, at_once), name=f"grid {grid}")
        self._tasks[grid] = task
        task.add_done_callback(lambda _: self._tasks.pop(grid, None))

    async def _played(self, kept: KeptGrid, at_once: int) -> None:
        grid = kept.grid
        at_work, _ = await self._by_log(kept)
        self._known[grid.id] = at_work
        self.app.registry.expect(seat.spec for seat in seats_in(grid))

        def noted(_: GridRun, run: Run | None) -> None:
            at_work.ended += run is not None and run.state in OVER

        runner = GridRunner(self.app.log, self._runner, grid, kept.need, noted, started_of, at_once)
        try:
            _left(at_work, await runner.run())
        except* ElenchusError as errors:
            at_work.reasons = [str(error) for error in errors.exceptions]
            _log.error("the grid %s cannot go on: %s", grid.id, "; ".join(at_work.reasons))
        except* Exception as errors:  # noqa: BLE001 - a mistake of ours ends this grid, and is told
            at_work.reasons = ["Something went wrong on the server: its log says what."]
            _log.error("the grid %s cannot go on", grid.id, exc_info=errors)


def _left(at_work: GridAtWork, progress: GridProgress[GridRun]) -> None:
    """What could not go on, and why."""
    at_work.out_of_budget = progress.out_of_budget
    at_work.reasons = list(dict.fromkeys(run.reason for _, run in progress.waiting))
    if progress.out_of_budget:
        at_work.reasons.append("The budget holds no further run: resume the grid with a larger one.")


def with_limits(kept: KeptGrid, tokens: int | None, usd: float | None) -> KeptGrid:
    """With new limits for all runs together, where they are given. Raises UsageError."""
    if any(limit is not None and limit <= 0 for limit in (tokens, usd)):
        raise UsageError("A budget is a number above zero: tokens, such as 200000, or dollars, such as 1.50, or both.")
    given = {name: limit for name, limit in (("budget_tokens", tokens), ("budget_usd", usd)) if limit is not None}
    return kept._replace(grid=kept.grid.model_copy(update=given))
