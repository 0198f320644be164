"""A grid of runs of a scene that a program plays: checked, played by models, and counted as a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import GridRunner
from elenchus.service.lab import registration
from elenchus.service.lab.default_models import seated
from elenchus.service.lab.grid import GridOptions, grid_of, started_of
from elenchus.service.lab.grid_estimate import planned, seats_in
from elenchus.service.lab.new_sessions import refuse_uncounted
from elenchus.service.lab.retention import Retention
from elenchus.service.lab.scene_files import keep_pictures
from elenchus.service.lab.scene_results import PlayedScene, over_sessions

if TYPE_CHECKING:
    from pandas import DataFrame  # type: ignore[import-untyped, unused-ignore]

    from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
    from elenchus.service.lab.lab import Lab
    from elenchus.service.lab.typed_options import GridRow


@dataclass(frozen=True)
class Table:
    """The runs of a grid: `rows` with the same keys each, and the `study` that counts them."""

    rows: list[GridRow]
    study: Study = field(repr=False)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[GridRow]:
        return iter(self.rows)

    def to_pandas(self) -> DataFrame:
        """The rows as a `pandas.DataFrame`, for a type checker where `pandas-stubs` are installed."""
        import pandas

        return pandas.DataFrame(self.rows)


async def play_grid(lab: Lab, options: GridOptions) -> Table:
    """Play all runs of a grid, and count them. Raises UsageError, ProviderError before anything is spent."""
    if options.with_people:
        raise UsageError("A grid is played by models: run a scene with people from a front end.")
    settings = lab.settings
    grid, _ = await seated(settings, options.model, lambda unnamed: grid_of(options, settings, unnamed))
    seats = seats_in(grid)
    for seat in seats:
        lab.registry.model(seat.spec)
    refuse_uncounted(lab.registry, seats, options)
    estimate = await planned(grid, settings, lab.registry, options.at_once)
    await keep_pictures(options.scene, settings.own_scenes, [*grid.scenes.values()], lab.pictures)
    lab.registry.expect(seat.spec for seat in seats)
    registered = registration.of_grid(grid)
    runner = GridRunner(lab.log, lab.runner, grid, estimate.need, lambda *_: None, started_of, estimate.side_by_side)
    progress = await runner.run()
    sessions = [run.session for run in progress.runs]
    played = PlayedScene(grid.name, grid.whole, grid.scenes)
    study = (await over_sessions(Retention(lab.people), played, sessions, of_grid=registered)).study
    return Table([_row(one.model_dump(mode="json")) for one in study.observed], study)


def _row(observed: dict[str, Any]) -> GridRow:
    """One subject of one run, flat: no list within a row."""
    cell = observed.pop("cell")
    row = {"session": observed.pop("session"), **cell} | {
        name: value for name, value in observed.items() if not isinstance(value, list | tuple | dict)
    }
    return cast("GridRow", row)
