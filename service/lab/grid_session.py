"""A grid of runs of a scene that a program plays: checked, played by models, and counted as a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import GridRunner
from elenchus.service.lab import registration
from elenchus.service.lab.default_models import seated
from elenchus.service.lab.grid import GridOptions, cautions, check_minds, grid_of, started_of
from elenchus.service.lab.grid_estimate import planned, seats_in
from elenchus.service.lab.kept_grids import KeptGrid
from elenchus.service.lab.new_sessions import refuse_uncounted
from elenchus.service.lab.retention import Retention
from elenchus.service.lab.scene_files import keep_pictures
from elenchus.service.lab.scene_results import PlayedScene, over_sessions

if TYPE_CHECKING:
    from pandas import DataFrame  # type: ignore[import-untyped, unused-ignore]

    from elenchus.config.settings import Settings
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.pictures import PictureStore
    from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
    from elenchus.service.lab.default_models import DefaultModels
    from elenchus.service.lab.local_lab import LocalLab
    from elenchus.service.lab.typed_options import GridRow


@dataclass(frozen=True)
class Table:
    """The runs of a grid: `rows` with the same keys each, and the `study` that counts them."""

    rows: list[GridRow]
    study: Study = field(repr=False)

    @classmethod
    def of(cls, study: Study) -> Table:
        """The runs that a study counts."""
        return cls([_row(one.model_dump(mode="json")) for one in study.observed], study)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[GridRow]:
        return iter(self.rows)

    def to_pandas(self) -> DataFrame:
        """The rows as a `pandas.DataFrame`, for a type checker where `pandas-stubs` are installed."""
        import pandas

        return pandas.DataFrame(self.rows)


class CheckedGrid(NamedTuple):
    """A grid that can be played, with what it may use and what was registered of it; `at_once` runs go side by side.

    `cautions` are what to know beforehand, `unnamed` the default models on its seats.
    """

    kept: KeptGrid
    at_once: int
    cautions: tuple[str, ...]
    unnamed: DefaultModels


async def checked_grid(
    options: GridOptions, settings: Settings, registry: Registry, pictures: PictureStore
) -> CheckedGrid:
    """Check a grid of models, and put its pictures where its runs find them; nothing is asked.

    Raises UsageError, ProviderError, StorageError.
    """
    if options.with_people:
        raise UsageError("A grid is played by models: run a scene with people from a front end.")
    grid, unnamed = await seated(settings, options.model, lambda unnamed: grid_of(options, settings, unnamed))
    check_minds(options, grid)
    seats = seats_in(grid)
    for seat in seats:
        registry.model(seat.spec)
    refuse_uncounted(registry, seats, options)
    estimate = await planned(grid, settings, registry, options.at_once)
    await keep_pictures(options.scene, settings.own_scenes, [*grid.scenes.values()], pictures)
    told = tuple(cautions(options, grid, settings.own_scenes))
    return CheckedGrid(KeptGrid(grid, estimate.need, registration.of_grid(grid)), estimate.side_by_side, told, unnamed)


async def play_grid(lab: LocalLab, options: GridOptions) -> Table:
    """Play all runs of a grid, and count them. Raises UsageError, ProviderError before anything is spent."""
    (grid, need, registered), at_once, _, _ = await checked_grid(options, lab.settings, lab.registry, lab.pictures)
    lab.registry.expect(seat.spec for seat in seats_in(grid))
    runner = GridRunner(lab.log, lab.runner, grid, need, lambda *_: None, started_of, at_once)
    progress = await runner.run()
    sessions = [run.session for run in progress.runs]
    played = PlayedScene(grid.name, grid.whole, grid.scenes)
    return Table.of((await over_sessions(Retention(lab.people), played, sessions, of_grid=registered)).study)


def _row(observed: dict[str, Any]) -> GridRow:
    """One subject of one run, flat: no list within a row."""
    cell = observed.pop("cell")
    row = {"session": observed.pop("session"), **cell} | {
        name: value for name, value in observed.items() if not isinstance(value, list | tuple | dict)
    }
    return cast("GridRow", row)
