"""Grids of runs as they are kept: the plan, what one run may use, what was registered. So they can be gone on with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from elenchus.debate_engine.protocols.rulegen.study.grid import Grid
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import RunLimit
from elenchus.service.lab.registration import GRIDS, registered_in

if TYPE_CHECKING:
    from elenchus.debate_engine.key_value_store import KeyValueStore
    from elenchus.debate_engine.protocols.rulegen.study.registration import Registration


class KeptGrid(NamedTuple):
    """A grid, what one run of it may use at the most, and what was registered before its first run."""

    grid: Grid
    need: RunLimit
    registered: Registration | None = None

    @property
    def plan(self) -> dict[str, Any]:
        """The plan as it goes home with the results: without the scenes, whose files are there by themselves."""
        return self.grid.model_dump(mode="json", exclude={"scenes", "experiment"})


def as_kept(document: Mapping[str, Any]) -> KeptGrid:
    """A grid from its document in the store."""
    grid, need = Grid.model_validate(document["grid"]), RunLimit(**document["need"])
    return KeptGrid(grid, need, registered_in(document))


async def keep(store: KeyValueStore, kept: KeptGrid) -> None:
    """Put it where whoever goes on with it finds it. Raises StorageError."""
    document = {"grid": kept.grid.model_dump(mode="json"), "need": asdict(kept.need)}
    if kept.registered is not None:
        document["registration"] = kept.registered.model_dump(mode="json")
    await store.put(GRIDS, kept.grid.id, document)
