"""Runs of many sessions that a worker goes on with: a scene's grid, debates of roles, CogBench. Each session is a job.

They are kept where the commands that begin them keep them; what came of them is told by `resume`, which finds nothing
left to be run.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import GridProgress, GridRunner, RunLimit
from elenchus.detectors.evaluation.cogbench.runs import CogBenchRun
from elenchus.service.lab import cogbench, rldf
from elenchus.service.lab.batches import kept_plans, width_of
from elenchus.service.lab.grid import started_of
from elenchus.service.lab.grid_estimate import seats_in, side_by_side_of
from elenchus.service.lab.kept_grids import as_kept
from elenchus.service.lab.registration import GRIDS
from elenchus.service.lab.rldf_grid import grid_started, kept_grids

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.key_value_store import KeyValueStore
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.debate_engine.runner import Runner

LEAVE_ON = frozenset({"budget", "provider"})


class UnknownKind(UsageError):
    """This worker knows no such runs: one of a newer version may."""


@dataclass(frozen=True)
class StudyServices:
    """What a run of many sessions needs: `runner` puts each of them into the queue."""

    settings: Settings
    registry: Registry
    runner: Runner
    store: KeyValueStore

    def check_models(self, specs: Iterable[str]) -> None:
        """Raises ElenchusError naming the first model that is not to be had here, and what is missing."""
        for spec in specs:
            self.registry.model(spec)


async def go_on(services: StudyServices, kind: str, id_: str) -> None:
    """Run what is missing of it. Raises UsageError for one that is not there, UnknownKind, StorageError."""
    if (play := KINDS.get(kind)) is None:
        raise UnknownKind(f"This worker knows no runs of the kind {kind!r}: one of a newer version does.")
    await play(services, id_)


def _quiet(*_: Any) -> None:
    """Whoever wants to know follows the logs."""


async def _scene(services: StudyServices, id_: str) -> GridProgress[Any]:
    if (document := await services.store.get(GRIDS, id_)) is None:
        raise _missing(id_)
    grid, need, _ = as_kept(document)
    services.registry.expect(seat.spec for seat in seats_in(grid))
    at_once = side_by_side_of(grid, services.settings, services.registry, None)
    return await GridRunner(services.runner.log, services.runner, grid, need, _quiet, started_of, at_once).run()


async def _rldf(services: StudyServices, id_: str) -> GridProgress[Any]:
    if (kept := (await rldf.kept_runs(services.store)).get(id_)) is None:
        raise _missing(id_)
    run = kept.run
    services.registry.expect(seat.spec for seat in run.seats)
    at_once = rldf.width_of(run, services.settings, services.registry, None)
    return await GridRunner(
        services.runner.log, services.runner, run, kept.need, _quiet, rldf.started_of, at_once
    ).run()


async def _ablation(services: StudyServices, id_: str) -> GridProgress[Any]:
    if (grid := (await kept_grids(services.store)).get(id_)) is None:
        raise _missing(id_)
    kept = await rldf.kept_runs(services.store)
    needs = [kept[run.id].need for run in grid.settings]
    need = RunLimit(max(one.tokens for one in needs), max(one.usd for one in needs))
    services.registry.expect(seat.spec for run in grid.settings for seat in run.seats)
    at_once = rldf.width_of(grid.settings[0], services.settings, services.registry, None)
    return await GridRunner(services.runner.log, services.runner, grid, need, _quiet, grid_started, at_once).run()


async def _cogbench(services: StudyServices, id_: str) -> GridProgress[Any]:
    if (kept := (await kept_plans(services.store, cogbench.KEPT, CogBenchRun)).get(id_)) is None:
        raise _missing(id_)
    run = kept.run
    services.registry.expect([run.model])
    at_once = width_of([run.model], len(run.runs), services.settings, services.registry)
    return await GridRunner(
        services.runner.log, services.runner, run, kept.need, _quiet, cogbench.started_of, at_once
    ).run()


def _missing(id_: str) -> UsageError:
    return UsageError(f"There are no runs {id_} (any more).")


KINDS: Mapping[str, Callable[[StudyServices, str], Awaitable[GridProgress[Any]]]] = {
    "scene": _scene,
    "rldf": _rldf,
    "ablation": _ablation,
    "cogbench": _cogbench,
}
"""By the word that stands in the queue. A name, once released, is never changed."""
