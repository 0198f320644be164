"""Debates of roles over several numbers of roles, rounds or topics, as one grid: each value is a run of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from elenchus.config.bias_type_catalogue import BiasType
from elenchus.debate_engine.events import FrozenModel, SessionStarted
from elenchus.debate_engine.runner import new_id
from elenchus.detectors.alignment.ablation import Ablation, Axis, debates_point
from elenchus.service.lab.rldf import RldfCell, RldfOptions, RldfRun, outcomes_of, run_of, seats_of, started_of
from elenchus.service.lab.stored_documents import readable

if TYPE_CHECKING:
    from elenchus.debate_engine.key_value_store import KeyValueStore
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.log import EventLog
    from elenchus.service.lab.default_models import DefaultModels

KEPT = "rldf-grids"


class RldfGrid(FrozenModel):
    """The runs of an axis, one a value; what a budget holds is for all of them together."""

    id: str
    axis: Axis
    values: tuple[int, ...]
    settings: tuple[RldfRun, ...]

    @cached_property
    def runs(self) -> tuple[RldfCell, ...]:
        """All debates."""
        return tuple(cell for run in self.settings for cell in run.runs)

    @property
    def budget_tokens(self) -> int | None:
        """See `Plan`."""
        return self.settings[0].budget_tokens

    @property
    def budget_usd(self) -> float | None:
        """See `Plan`."""
        return self.settings[0].budget_usd

    @property
    def unpriced_ok(self) -> bool:
        """See `Plan`."""
        return self.settings[0].unpriced_ok

    def run_with(self, cell: RldfCell) -> RldfRun:
        """The run to which a debate belongs."""
        return next(run for run in self.settings if cell.session.rpartition("-")[0] == run.id)

    def value_of(self, cell: RldfCell) -> int:
        """The value of the axis that a debate has."""
        return self.values[self.settings.index(self.run_with(cell))]


def grid_of(
    axis: Axis, values: Sequence[int], options: RldfOptions, biases: Sequence[BiasType],
    topics: Mapping[str, tuple[str, ...]], unnamed: DefaultModels, registry: Registry,
) -> RldfGrid:  # fmt: skip
    """The plan. All values have one seed, so that they differ in nothing else. Raises UsageError."""
    runs: list[RldfRun] = []
    for value in values:
        wanted = options.model_copy(update={axis: value} if axis in ("roles", "rounds") else {})
        wanted = RldfOptions.model_validate({**wanted.model_dump(), "seed": runs[0].chance if runs else wanted.seed})
        fewer = {name: of[:value] if axis == "topics" else of for name, of in topics.items()}
        runs.append(run_of(wanted, biases, fewer, seats_of(wanted, unnamed), registry))
    return RldfGrid(id=new_id(), axis=axis, values=tuple(values), settings=tuple(runs))


def grid_started(grid: RldfGrid, cell: RldfCell) -> SessionStarted:
    """The first event of a debate."""
    return started_of(grid.run_with(cell), cell)


async def keep_grid(store: KeyValueStore, grid: RldfGrid) -> None:
    """Raises StorageError."""
    await store.put(KEPT, grid.id, grid.model_dump(mode="json"))


async def kept_grids(store: KeyValueStore) -> dict[str, RldfGrid]:
    """All grids that this release reads, by id. Raises StorageError."""
    return {grid.id: grid for grid in readable(RldfGrid, await store.all(KEPT))}


async def ablation_of(log: EventLog, grid: RldfGrid) -> Ablation:
    """What came of the debates that have finished."""
    points = []
    for value, run in zip(grid.values, grid.settings, strict=True):
        points.append(debates_point(value, [of async for _, of in outcomes_of(log, run.runs)]))
    scripted = any(seat.spec.startswith("scripted:") for run in grid.settings for seat in run.seats)
    return Ablation(axis=grid.axis, points=tuple(points), scripted=scripted)
