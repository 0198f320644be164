"""The runs of a plan side by side: only what is missing is run, and never more is spent than the budget holds."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from elenchus.debate_engine.errors import ProviderError, UnknownSession
from elenchus.debate_engine.events import BudgetRaised, SessionStarted
from elenchus.debate_engine.llm.budget import Budget
from elenchus.debate_engine.llm.client import Usage
from elenchus.debate_engine.log import EventLog, usage_of
from elenchus.debate_engine.run_ends import Run
from elenchus.debate_engine.runner import Runner

OVER = ("finished", "stopped")


class PlannedRun(Protocol):
    """A run that is a session of its own. While the provider of its `model` cannot be used, it waits."""

    @property
    def session(self) -> str:
        """Its id."""
        ...

    @property
    def model(self) -> str:
        """The spec of the model that it stands or falls with."""
        ...


class Plan(Protocol):
    """Runs in the order in which they are begun, and a budget for all of them together."""

    @property
    def runs(self) -> Sequence[PlannedRun]:
        """All of them."""
        ...

    @property
    def budget_tokens(self) -> int | None:
        """The most tokens."""
        ...

    @property
    def budget_usd(self) -> float | None:
        """The most dollars."""
        ...

    @property
    def unpriced_ok(self) -> bool:
        """Whether a budget of dollars may be passed by a model whose price is not known."""
        ...


P = TypeVar("P", bound=Plan)
R = TypeVar("R", bound=PlannedRun)
OnRun = Callable[[R, Run | None], None]
"""Told when a run begins (None), and how it ended."""

BY = "the grid's budget"
"""Who raises a session's budget to its share."""


@dataclass(frozen=True, slots=True)
class RunLimit:
    """What one run may use at the most (see `dry_run.plan`); `usd` is 0 where the price is not known."""

    tokens: int
    usd: float


@dataclass
class SharedBudget:
    """A budget for many runs. What a run may use is held back while it runs, and given back as far as it is left."""

    budget: Budget
    _held_tokens: int = 0
    _held_usd: float = 0.0
    _running: int = 0
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def take(self, limit: RunLimit) -> bool:
        """Hold so much back; waits while others may give some back. False where the budget will never hold it."""
        async with self._changed:
            while self.budget.would_exceed(self._held_tokens + limit.tokens, self._held_usd + limit.usd):
                if not self._running:
                    return False
                await self._changed.wait()
            self._running += 1
            self._held_tokens += limit.tokens
            self._held_usd += limit.usd
            return True

    async def give_back(self, limit: RunLimit, used: Usage, usd: float) -> None:
        """Let go of what was held; what was really used counts from now on."""
        async with self._changed:
            self._running -= 1
            self._held_tokens -= limit.tokens
            self._held_usd -= limit.usd
            self.budget = self.budget.after(used, usd)
            self._changed.notify_all()


@dataclass
class GridProgress(Generic[R]):
    """How far a grid is. `ended` counts runs that are over, `waiting` holds those that could not go on, with why."""

    runs: list[R]
    ended: int = 0
    waiting: list[tuple[R, Run]] = field(default_factory=list)
    out_of_budget: bool = False

    @property
    def done(self) -> bool:
        """Whether every run is over."""
        return self.ended == len(self.runs)


@dataclass
class GridRunner(Generic[P, R]):
    """Runs a plan, such as a grid. `limit` is what a run may use at the most, `started_of` gives its first event.

    `at_once` are runs side by side; their calls queue at their providers' own limits.
    """

    log: EventLog
    runner: Runner
    grid: P
    limit: RunLimit
    on_run: OnRun[R]
    started_of: Callable[[P, R], SessionStarted]
    at_once: int
    _down: set[str] = field(default_factory=set)

    async def run(self) -> GridProgress[R]:
        """Run what is missing. Cancelling it pauses what runs; raises StorageError, ProtocolBug, SessionHeld."""
        progress = GridProgress(self._runs)
        missing = await self._missing(progress)
        shared = SharedBudget(await self._left())
        queue = deque(missing)
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self.at_once, len(missing))):
                group.create_task(self._work(queue, shared, progress))
        return progress

    @property
    def _runs(self) -> list[R]:
        runs: Sequence[Any] = self.grid.runs  # those that `started_of` takes
        return list(runs)

    async def _missing(self, progress: GridProgress[R]) -> Sequence[R]:
        states = {info.id: info.state for info in await self.log.sessions()}
        over = [run for run in progress.runs if states.get(run.session) in OVER]
        progress.ended = len(over)
        return [run for run in progress.runs if states.get(run.session) not in OVER]

    async def _left(self) -> Budget:
        """The grid's budget after all that its runs have used so far."""
        spent = Budget(self.grid.budget_tokens, self.grid.budget_usd)
        if not self._limited:
            return spent
        there = {info.id for info in await self.log.sessions()}
        for run in self._runs:
            if run.session in there:
                spent = spent.after(*usage_of(await self.log.read(run.session)))
        return spent

    async def _work(self, queue: deque[R], shared: SharedBudget, progress: GridProgress[R]) -> None:
        while queue and not progress.out_of_budget:
            one = queue.popleft()
            if one.model in self._down:
                continue  # its provider cannot be used now
            if not await shared.take(self.limit):
                progress.out_of_budget = True
                return
            await self._one(one, shared, progress)

    async def _one(self, one: R, shared: SharedBudget, progress: GridProgress[R]) -> None:
        self.on_run(one, None)
        before, usd_before = await self._prepared(one)
        try:
            run = await self.runner.run(one.session)
        finally:
            used, usd = usage_of(await self.log.read(one.session)) if self._limited else (Usage(), 0.0)
            await shared.give_back(self.limit, _since(used, before), usd - usd_before)
        self.on_run(one, run)
        if run.state in OVER:
            progress.ended += 1
            return
        progress.waiting.append((one, run))
        if run.exit_code == ProviderError.exit_code:
            self._down.add(one.model)

    async def _prepared(self, one: R) -> tuple[Usage, float]:
        """What the run has used by now. It is made where it is missing, and may use its share from here on."""
        try:
            recorded = await self.log.read(one.session)
        except UnknownSession:
            started = self.started_of(self.grid, one)
            share = {"budget_tokens": self.limit.tokens or None, "budget_usd": self._dollars(0.0)}
            await self.runner.create(started.model_copy(update=share if self._limited else {}), one.session)
            return Usage(), 0.0
        if not self._limited:
            return Usage(), 0.0
        used, usd = usage_of(recorded)
        tokens = used.input_tokens + used.output_tokens + self.limit.tokens
        agreed, most = self.grid.unpriced_ok, self._dollars(usd)
        await self.log.send(one.session, BudgetRaised(by=BY, tokens=tokens, usd=most, unpriced_ok=agreed))
        return used, usd

    def _dollars(self, spent: float) -> float | None:
        """The most dollars that a run may have spent in the end, None where the grid sets no limit of them."""
        return None if self.grid.budget_usd is None else spent + self.limit.usd or None

    @property
    def _limited(self) -> bool:
        return self.grid.budget_tokens is not None or self.grid.budget_usd is not None


def _since(used: Usage, before: Usage) -> Usage:
    return Usage(used.input_tokens - before.input_tokens, used.output_tokens - before.output_tokens)
