"""Runs a grid at this terminal: plans it, shows how far it is, pauses on Ctrl-C, and counts what came of it."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import ElenchusError, UsageError
from elenchus.service.cli import context, failures
from elenchus.service.cli.finding import matching
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from elenchus.debate_engine.protocols.rulegen.study.design import Grid, GridRun
    from elenchus.debate_engine.protocols.rulegen.study.running import Need, Progress
    from elenchus.service.app import App
    from elenchus.service.cli.launching import Limits
    from elenchus.service.lab.grid import GridOptions

DRAWER = "grids"
"""Of the shelf: plans by id."""


async def start_grid(wanted: GridOptions, export: Path | None, out: Out, *, dry_run: bool) -> int:
    """Check, then plan or play; the exit code."""
    from importlib.metadata import version

    from elenchus.service.cli.scenes.estimating import tell_estimate
    from elenchus.service.cli.starting import checked_models, prepare, refuse_unpriced, tell_before
    from elenchus.service.lab.default_models import seated
    from elenchus.service.lab.grid import cautions, grid_of, planned, seats_in

    settings = context.settings()
    grid, unnamed = await seated(
        settings, wanted.model, lambda unnamed: grid_of(wanted, settings, unnamed, version("elenchus"))
    )
    for caution in cautions(wanted, grid, settings.own_scenes):
        out.warn(caution)
    seats = seats_in(grid)
    async with checked_models(settings, seats, rehearsal=dry_run) as registry:
        refuse_unpriced(registry, seats, limits_in(grid), out, rehearsal=dry_run)
        estimate = await planned(grid, settings, registry, wanted.at_once)
        if dry_run:
            tell_estimate(estimate, unnamed, out)
            return failures.OK
    prepare(export, settings)
    tell_before(out, seats, unnamed)
    for warning in of_repeats(grid):
        out.warn(warning)
    async with context.opened(settings) as app:
        await app.shelf.put(DRAWER, grid.id, {"grid": grid.model_dump(mode="json"), "need": estimate.need_document})
        return await _play(app, grid, estimate.need, estimate.side_by_side, export, out)


def limits_in(grid: Grid) -> Limits:
    """What a grid may spend."""
    from elenchus.service.cli.launching import Limits

    return Limits(grid.budget_tokens, grid.budget_usd, grid.price, grid.unpriced_ok)


def of_repeats(grid: Grid) -> list[str]:
    """What a reader should know of the repeats."""
    if grid.n > 1 and grid.temperature == 0:
        return ["at temperature 0 a model may say the same in every run: see how many records are distinct"]
    return []


async def resume_grid(beginning: str, given: Limits, at_once: int | None, export: Path | None, out: Out) -> int:
    """Go on with a grid; limits that are given replace the old ones. Raises UsageError where there is no such grid."""
    from elenchus.debate_engine.protocols.rulegen.study.design import Grid
    from elenchus.debate_engine.protocols.rulegen.study.running import Need
    from elenchus.debate_engine.reports.export import check_folder
    from elenchus.service.lab.grid import side_by_side_of

    if export is not None:
        check_folder(export)
    async with context.opened() as app:
        kept = await app.shelf.all(DRAWER)
        if not any(name.startswith(beginning) for name in kept):
            raise UsageError(
                f"No runs of a scene have an id that begins with {beginning!r}; `elenchus scene run` gives one."
            )
        name = matching(list(kept), beginning)
        grid = Grid.model_validate(kept[name]["grid"])
        changes = {**given.fields, "price": given.price, "unpriced_ok": given.unpriced_ok or None}
        grid = grid.model_copy(update={key: value for key, value in changes.items() if value is not None})
        app.registry.assumed = grid.price  # also in runs that began without it
        need = await _need(app, grid, Need(**kept[name]["need"]), out)
        await app.shelf.put(DRAWER, grid.id, {"grid": grid.model_dump(mode="json"), "need": asdict(need)})
        return await _play(app, grid, need, side_by_side_of(grid, app.settings, app.registry, at_once), export, out)


async def _need(app: App, grid: Grid, before: Need, out: Out) -> Need:
    """What one run may use, reckoned anew where dollars are limited and no price was known before.

    Raises UsageError where it still is not, unless that was agreed to.
    """
    from elenchus.service.cli.starting import refuse_unpriced
    from elenchus.service.lab.grid import planned, seats_in

    if grid.budget_usd is None:
        return before
    refuse_unpriced(app.registry, seats_in(grid), limits_in(grid), out)
    return before if before.usd else (await planned(grid, app.settings, app.registry)).need


async def _play(app: App, grid: Grid, need: Need, at_once: int, export: Path | None, out: Out) -> int:
    """Run what is missing, and count; on Ctrl-C say how to go on."""
    from elenchus.debate_engine.protocols.rulegen.study.running import GridRunner
    from elenchus.service.cli.scenes.grid_progress import shown
    from elenchus.service.lab.grid import seats_in

    app.registry.expect(seat.spec for seat in seats_in(grid))
    again = f"elenchus scene resume {grid.id}{f' --export {export}' if export else ''}"
    out.tell(f"runs {grid.id}-0001 to {grid.id}-{len(grid.cells) * grid.n:04}; if it is broken off: {again}")
    try:
        async with shown(grid, await _missing(app, grid), app.log, out) as on_run:
            progress = await GridRunner(app.log, app.runner, grid, need, on_run, grid.version, at_once).run()
    except (ElenchusError, asyncio.CancelledError, KeyboardInterrupt, BaseExceptionGroup):
        out.tell(f"what is done is kept; go on with: {again}")
        raise
    await _counted(app, grid, progress, again, export, out)
    return _ended(progress, again, out)


async def _missing(app: App, grid: Grid) -> list[GridRun]:
    """The runs that are not over."""
    from elenchus.debate_engine.protocols.rulegen.study.design import runs_of
    from elenchus.debate_engine.protocols.rulegen.study.running import OVER

    states = {info.id: info.state for info in await app.log.sessions()}
    return [run for run in runs_of(grid) if states.get(run.session) not in OVER]


async def _counted(app: App, grid: Grid, progress: Progress, again: str, export: Path | None, out: Out) -> None:
    from elenchus.debate_engine.protocols.rulegen.study.gathering import results_in
    from elenchus.service.cli.scenes.counting import tell_study

    study, logs = await results_in(
        app.log, grid.name, next(iter(grid.scenes.values())), [run.session for run in progress.runs]
    )
    plan = grid.model_dump(mode="json", exclude={"scenes"})
    more: dict[str, Any] = {"grid": grid.id, "runs": len(progress.runs), "ended": progress.ended}
    if not progress.done:
        more["next"] = again
    await tell_study(study, logs, export, out, plan=plan, **more)


def _ended(progress: Progress, again: str, out: Out) -> int:
    """What is still missing and why, in words; the exit code."""
    if progress.done:
        return failures.OK
    out.tell(f"{progress.ended} of {len(progress.runs)} runs are over")
    if progress.out_of_budget:
        out.tell(f"the budget holds no further run; raise it with: {again} --budget-tokens N (or --budget-usd X)")
        return failures.BUDGET
    reasons: Sequence[str] = list(dict.fromkeys(run.reason for _, run in progress.waiting))
    for reason in reasons[:3]:
        out.tell(f"some could not go on: {reason}")
    out.tell(f"go on with: {again}")
    return max((run.exit_code for _, run in progress.waiting), default=failures.PROVIDER)
