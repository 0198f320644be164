"""Runs a grid at this terminal: plans it, shows how far it is, pauses on Ctrl-C, and tells what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.rulegen.study.grid import Grid, GridRun, runs_of
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import OVER, GridProgress, GridRunner, RunLimit
from elenchus.debate_engine.protocols.rulegen.study.registration import JSON, Registration
from elenchus.debate_engine.reports.export import check_folder
from elenchus.service.cli import context, failures
from elenchus.service.cli.batch import ended, played, tell_total
from elenchus.service.cli.launch import Options, detached
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.preflight import checked_models, dollars, prepare, refuse_unpriced, tell_before, tell_turns
from elenchus.service.cli.progress import shown
from elenchus.service.cli.scenes.results import tell_results
from elenchus.service.cli.session_lookup import matching
from elenchus.service.cli.tables import WordTable
from elenchus.service.lab import registration
from elenchus.service.lab.batches import Estimate, run_options_of
from elenchus.service.lab.default_models import DefaultModels, seated
from elenchus.service.lab.grid import GridOptions, cautions, check_minds, grid_of, started_of
from elenchus.service.lab.grid_estimate import planned, seats_in, side_by_side_of
from elenchus.service.lab.kept_grids import KeptGrid, as_kept, keep
from elenchus.service.lab.scene_files import keep_pictures
from elenchus.service.lab.scene_results import PlayedScene, over_sessions

if TYPE_CHECKING:
    from elenchus.service.app import App


async def start_grid(wanted: GridOptions, how: Options) -> int:
    """Check, then plan or play; the exit code."""
    settings, out = context.settings(), how.out
    grid, unnamed = await seated(settings, wanted.model, lambda unnamed: grid_of(wanted, settings, unnamed))
    check_minds(wanted, grid)
    for caution in cautions(wanted, grid, settings.own_scenes):
        out.warn(caution)
    seats = seats_in(grid)
    async with checked_models(settings, seats, dry_run=how.dry_run) as registry:
        refuse_unpriced(registry, seats, how.run, out, dry_run=how.dry_run)
        estimate = await planned(grid, settings, registry, wanted.at_once)
        if how.dry_run:
            tell_estimate(estimate, unnamed, out)
            return failures.OK
    prepare(how.export, settings)
    tell_before(out, seats, unnamed)
    for warning in of_repeats(grid):
        out.warn(warning)
    async with context.opened(settings) as app:
        await keep_pictures(wanted.scene, settings.own_scenes, [*grid.scenes.values()], app.pictures)
        plan = registration.of_grid(grid)
        await keep(app.store, kept := KeptGrid(grid, estimate.need, plan))
        await _register(plan, how)
        if how.detach:
            return await detached(app, grid.id, out, study="scene")
        return await _play(app, kept, estimate.side_by_side, how)


async def _register(plan: Registration, how: Options) -> None:
    """Write the registration beside the files of the export, before anything is played."""
    if how.export is None:
        return
    if await asyncio.to_thread(registration.write_into, plan, how.export):
        how.out.tell(f"registered before the first run: {how.export / JSON}")
    else:
        how.out.warn(f"{how.export / JSON} is there already and stays: this run is not registered in it")


def of_repeats(grid: Grid) -> list[str]:
    """What a reader should know of the repeats."""
    if grid.n > 1 and grid.temperature == 0:
        return ["at temperature 0 a model may say the same in every run: see how many records are distinct"]
    return []


async def resume_grid(beginning: str, at_once: int | None, how: Options) -> int:
    """Go on with a grid; limits that are given replace the old ones. Raises UsageError where there is no such grid."""
    if how.export is not None:
        check_folder(how.export)
    async with context.opened() as app:
        kept = await app.store.all(registration.GRIDS)
        if not any(name.startswith(beginning) for name in kept):
            raise UsageError(
                f"No runs of a scene have an id that begins with {beginning!r}; `elenchus scene run` gives one."
            )
        name = matching(list(kept), beginning)
        before = as_kept(kept[name])
        grid = before.grid.model_copy(update={name: value for name, value in how.run if value})
        app.registry.assumed = grid.price  # also in runs that began without it
        now = KeptGrid(grid, await _need(app, grid, before.need, how.out), before.registered)
        await keep(app.store, now)
        if how.detach:
            return await detached(app, grid.id, how.out, study="scene")
        return await _play(app, now, side_by_side_of(grid, app.settings, app.registry, at_once), how)


async def _need(app: App, grid: Grid, before: RunLimit, out: CommandOutput) -> RunLimit:
    """What one run may use, reckoned anew where dollars are limited and no price was known before.

    Raises UsageError where it still is not, unless that was agreed to.
    """
    if grid.budget_usd is None:
        return before
    refuse_unpriced(app.registry, seats_in(grid), run_options_of(grid), out)
    return before if before.usd else (await planned(grid, app.settings, app.registry)).need


async def _play(app: App, kept: KeptGrid, at_once: int, how: Options) -> int:
    """Run what is missing, and count; on Ctrl-C say how to go on."""
    (grid, need, _), export, out = kept, how.export, how.out
    app.registry.expect(seat.spec for seat in seats_in(grid))
    again = f"elenchus scene resume {grid.id}{f' --export {export}' if export else ''}"
    out.tell(f"runs {grid.id}-0001 to {grid.id}-{len(grid.cells) * grid.n:04}; if it is broken off: {again}")
    async with app.retention.kept(), shown(grid, await _missing(app, grid), app.log, out) as on_run:
        runner = GridRunner(app.log, app.runner, grid, need, on_run, started_of, at_once)
        progress = await played(runner, again, out)
    await _counted(app, kept, progress, again, how)
    return ended(progress, again, out)


async def _missing(app: App, grid: Grid) -> list[GridRun]:
    """The runs that are not over."""
    states = {info.id: info.state for info in await app.log.sessions()}
    return [run for run in runs_of(grid) if states.get(run.session) not in OVER]


async def _counted(app: App, kept: KeptGrid, progress: GridProgress[GridRun], again: str, how: Options) -> None:
    grid = kept.grid
    played = PlayedScene(grid.name, grid.whole, grid.scenes)
    ids = [run.session for run in progress.runs]
    results = await over_sessions(app.retention, played, ids, of_grid=kept.registered, pictures=app.pictures)
    more: dict[str, Any] = {"grid": grid.id, "runs": len(progress.runs), "ended": progress.ended}
    if not progress.done:
        more["next"] = again
    await tell_results(results, how.export, how.out, plan=kept.plan, **more)


# ── what it may use ──────────────────────────────────────────────────────────────────────────────────────────────

_CELL_HEADINGS = ("subject", "style", "condition", "runs", "calls a run", "tokens a run", "money a run")


def tell_estimate(estimate: Estimate, unnamed: DefaultModels, out: CommandOutput) -> None:
    """The plan as a document, or as tables and a sentence."""
    document = estimate.document
    out.document({**document, "defaults": unnamed.document()})
    for line in unnamed.told():
        out.tell(line)
    if out.json:
        return
    seats = [(other["seat"], other["kind"], other["model"]) for other in document["others"]]
    if seats:
        out.show(WordTable.of(("beside the subject", "", "model"), seats))
    else:
        out.line("nobody sits beside the subject: all other lines are written")
    out.line("")
    out.show(_cells(document["by_cell"]))
    tell_turns(document["of_people"], out)
    runs = f"{document['runs']} run{'' if document['runs'] == 1 else 's'}"
    tell_total(document, runs, out)
    for told in document["power"]:
        out.line(told)


def _cells(by_cell: Sequence[Mapping[str, Any]]) -> WordTable:
    """What each cell may use, without the column of styles where nobody has one."""
    rows: list[tuple[str, ...]] = [_CELL_HEADINGS, *map(_cell_row, by_cell)]
    style = _CELL_HEADINGS.index("style")
    if not any(cell["style"] for cell in by_cell):
        rows = [(*row[:style], *row[style + 1 :]) for row in rows]
    return WordTable.of(rows[0], rows[1:])


def _cell_row(cell: Mapping[str, Any]) -> tuple[str, ...]:
    tokens = f"{cell['input_tokens'] + cell['output_tokens']:,}"
    counts = (str(cell["runs"]), str(cell["calls"]), tokens)
    return cell["subject"], cell["style"], cell["condition"], *counts, dollars(cell["usd"])
