"""Runs a grid at this terminal: plans it, shows how far it is, pauses on Ctrl-C, and counts what came of it."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.errors import ElenchusError, UsageError
from elenchus.debate_engine.protocols.rulegen.study.grid import Grid, GridRun, runs_of
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import OVER, GridProgress, GridRunner, RunLimit
from elenchus.debate_engine.protocols.rulegen.study.registration import JSON, Registration
from elenchus.debate_engine.protocols.rulegen.study.selection import Logs, Selection, results_in, results_of
from elenchus.debate_engine.reports.export import check_folder
from elenchus.service.cli import context, failures
from elenchus.service.cli.launch import Options
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.preflight import (
    checked_models,
    costing,
    dollars,
    lasting,
    prepare,
    refuse_unpriced,
    tell_assumed,
    tell_before,
    tell_turns,
)
from elenchus.service.cli.progress import shown
from elenchus.service.cli.session_lookup import matching
from elenchus.service.cli.session_outcome import written
from elenchus.service.cli.tables import WordTable
from elenchus.service.lab import registration
from elenchus.service.lab.default_models import Unnamed, seated
from elenchus.service.lab.grid import (
    Estimate,
    GridOptions,
    cautions,
    grid_of,
    planned,
    run_options_of,
    seats_in,
    side_by_side_of,
    started_of,
    versions_of,
    whole_of,
)

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.rulegen.study.analysis import Study
    from elenchus.debate_engine.protocols.rulegen.study.tables import Table
    from elenchus.debate_engine.scenes.scene import Scene
    from elenchus.service.app import App

NAMESPACE = "grids"
"""Of the store: plans by id."""


async def start_grid(wanted: GridOptions, how: Options) -> int:
    """Check, then plan or play; the exit code."""
    settings, out = context.settings(), how.out
    grid, unnamed = await seated(settings, wanted.model, lambda unnamed: grid_of(wanted, settings, unnamed))
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
        plan = registration.of_grid(grid)
        await _keep(app, grid, estimate.need_document, plan)
        await _register(plan, how)
        return await _play(app, grid, estimate.need, estimate.side_by_side, how, plan)


async def _keep(app: App, grid: Grid, need: Mapping[str, Any], plan: Registration | None) -> None:
    """Put the grid where `scene resume` finds it, with what was registered before its first run."""
    kept = {"grid": grid.model_dump(mode="json"), "need": dict(need)}
    if plan is not None:
        kept["registration"] = plan.model_dump(mode="json")
    await app.store.put(NAMESPACE, grid.id, kept)


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
        kept = await app.store.all(NAMESPACE)
        if not any(name.startswith(beginning) for name in kept):
            raise UsageError(
                f"No runs of a scene have an id that begins with {beginning!r}; `elenchus scene run` gives one."
            )
        name = matching(list(kept), beginning)
        grid = Grid.model_validate(kept[name]["grid"])
        grid = grid.model_copy(update={name: value for name, value in how.run if value})
        app.registry.assumed = grid.price  # also in runs that began without it
        need = await _need(app, grid, RunLimit(**kept[name]["need"]), how.out)
        plan = registered_in(kept[name])
        await _keep(app, grid, asdict(need), plan)
        return await _play(app, grid, need, side_by_side_of(grid, app.settings, app.registry, at_once), how, plan)


def registered_in(kept: Mapping[str, Any]) -> Registration | None:
    """What was registered of a kept grid; None of one that was begun before there were registrations."""
    found = kept.get("registration")
    return None if found is None else Registration.model_validate_json(json.dumps(found))


async def _need(app: App, grid: Grid, before: RunLimit, out: CommandOutput) -> RunLimit:
    """What one run may use, reckoned anew where dollars are limited and no price was known before.

    Raises UsageError where it still is not, unless that was agreed to.
    """
    if grid.budget_usd is None:
        return before
    refuse_unpriced(app.registry, seats_in(grid), run_options_of(grid), out)
    return before if before.usd else (await planned(grid, app.settings, app.registry)).need


async def _play(app: App, grid: Grid, need: RunLimit, at_once: int, how: Options, plan: Registration | None) -> int:
    """Run what is missing, and count; on Ctrl-C say how to go on."""
    export, out = how.export, how.out
    app.registry.expect(seat.spec for seat in seats_in(grid))
    again = f"elenchus scene resume {grid.id}{f' --export {export}' if export else ''}"
    out.tell(f"runs {grid.id}-0001 to {grid.id}-{len(grid.cells) * grid.n:04}; if it is broken off: {again}")
    try:
        async with app.retention.kept(), shown(grid, await _missing(app, grid), app.log, out) as on_run:
            progress = await GridRunner(app.log, app.runner, grid, need, on_run, started_of, at_once).run()
    except (ElenchusError, asyncio.CancelledError, KeyboardInterrupt, BaseExceptionGroup):
        out.tell(f"what is done is kept; go on with: {again}")
        raise
    await _counted(app, grid, progress, again, how, plan)
    return _ended(progress, again, out)


async def _missing(app: App, grid: Grid) -> list[GridRun]:
    """The runs that are not over."""
    states = {info.id: info.state for info in await app.log.sessions()}
    return [run for run in runs_of(grid) if states.get(run.session) not in OVER]


async def _counted(
    app: App, grid: Grid, progress: GridProgress, again: str, how: Options, registered: Registration | None
) -> None:
    study, logs = await results_in(
        app.log, grid.name, grid.whole, [run.session for run in progress.runs], list(grid.scenes.values())
    )
    if registered is not None:
        study = registration.compare(study, registered, logs)
    plan = grid.model_dump(mode="json", exclude={"scenes", "experiment"})
    more: dict[str, Any] = {"grid": grid.id, "runs": len(progress.runs), "ended": progress.ended}
    if not progress.done:
        more["next"] = again
    await tell_study(study, logs, how.export, how.out, plan=plan, scene=grid.whole, **more)


def _ended(progress: GridProgress, again: str, out: CommandOutput) -> int:
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


# ── what it may use ──────────────────────────────────────────────────────────────────────────────────────────────

_CELL_HEADINGS = ("subject", "style", "condition", "runs", "calls a run", "tokens a run", "money a run")


def tell_estimate(estimate: Estimate, unnamed: Unnamed, out: CommandOutput) -> None:
    """The plan as a document, or as tables and a sentence."""
    document = estimate.document
    out.document({**document, "defaults": unnamed.document()})
    for line in unnamed.told():
        out.tell(line)
    if out.json:
        return
    seats = [(other["seat"], other["kind"], other["model"]) for other in document["others"]]
    out.show(WordTable.of(("beside the subject", "", "model"), seats))
    out.line("")
    out.show(WordTable.of(_CELL_HEADINGS, [_cell_row(cell) for cell in document["by_cell"]]))
    tell_turns(document["of_people"], out)
    runs = f"{document['runs']} run{'' if document['runs'] == 1 else 's'}"
    out.line(
        f"\n{runs}: {document['calls']:,} calls, {document['input_tokens']:,} tokens in, "
        f"{document['output_tokens']:,} out, {costing(document)}, "
        f"about {lasting(document['minutes'])} ({document['side_by_side']} side by side)"
    )
    tell_assumed(document, out)
    for told in document["power"]:
        out.line(told)


def _cell_row(cell: Mapping[str, Any]) -> tuple[str, ...]:
    tokens = f"{cell['input_tokens'] + cell['output_tokens']:,}"
    counts = (str(cell["runs"]), str(cell["calls"]), tokens)
    return cell["subject"], cell["style"], cell["condition"], *counts, dollars(cell["usd"])


# ── the numbers of a study ───────────────────────────────────────────────────────────────────────────────────────


async def show_results(
    scene: str, chosen: Selection, export: Path | None, registered: Path | None, out: CommandOutput
) -> None:
    """Everything over the chosen sessions of a scene, beside what was registered of it."""
    own = context.settings().own_scenes
    (name, versions), whole = versions_of(scene, own), whole_of(scene, own)
    if export is not None:
        check_folder(export)
    if registered is None and export is not None and (export / JSON).exists():
        registered = export
    before = registration.read(registered) if registered is not None else None
    async with context.opened() as app:
        await app.retention.sweep()
        study, logs = await results_of(app.log, name, list(versions.values()), chosen, whole)
        before = before or await _registered_grid(app, chosen.grid)
        titles = {version.title for version in versions.values()}
        gone = sum([await app.retention.counts(title) for title in titles], Counter[tuple[str, str, str]]())
        removed = {one.session: one.date for one in await app.retention.withdrawals() if one.scene in titles}
    if before is not None:
        study = registration.compare(study, before, logs)
    await tell_study(study, logs, export, out, scene=whole, removed=removed)
    for (version, ended, outcome), n in sorted(gone.items()):
        out.tell(f"and {n} removed since: {', '.join(part for part in (version, ended, outcome) if part)}")


async def _registered_grid(app: App, beginning: str) -> Registration | None:
    """What was registered of the one grid that is chosen; None where none is, or several are."""
    kept = await app.store.all(NAMESPACE) if beginning else {}
    found = [one for name, one in kept.items() if name.startswith(beginning.rstrip("-"))]
    return registered_in(found[0]) if len(found) == 1 else None


def register(scene: str, file: Path, out: CommandOutput) -> None:
    """Write what is said of a scene's study before its first run."""
    plan = registration.of_scene(scene, context.settings().own_scenes)
    written = [str(path) for path in registration.write(plan, file)]
    out.document({"files": written, "sha256": plan.sha256})
    if not out.json:
        out.line(f"registered {plan.scene} ({plan.sha256[:12]}…): {' and '.join(written)}")
        if plan.by_default:
            out.line("the file names no contrasts: each version will be compared with the last")


async def tell_study(
    study: Study,
    logs: Logs,
    export: Path | None,
    out: CommandOutput,
    *,
    plan: Mapping[str, Any] | None = None,
    scene: Scene | None = None,
    removed: Mapping[str, str] = MappingProxyType({}),
    **more: Any,
) -> None:
    """Tables for the person, one document for a program (with `more` in it), files where they were asked for.

    `scene` is its whole file, `plan` the grid's; `removed` the days by session of those that were taken back.
    """
    from elenchus.debate_engine.protocols.rulegen.study.export.run_json import usage_document
    from elenchus.debate_engine.protocols.rulegen.study.export.sessions import withdrawals
    from elenchus.debate_engine.reports.spending import used_in

    files = await asyncio.to_thread(_written, study, logs, export, plan, scene, removed) if export is not None else []
    document = study.model_dump(mode="json", exclude={"observed": {"__all__": {"opinions"}}})
    use = used_in(logs.values())
    withdrawn = withdrawals(logs, removed)
    out.document({**document, **more, "withdrawn": withdrawn, "usage": usage_document(use), "export": files})
    if not out.json:
        show_tables(study, out)
        if use.calls:
            out.line(f"used: {use}")
    if export is not None:
        out.tell(written(files, export))


def _written(
    study: Study,
    logs: Logs,
    folder: Path,
    plan: Mapping[str, Any] | None,
    scene: Scene | None,
    removed: Mapping[str, str],
) -> list[str]:
    from elenchus.debate_engine.protocols.rulegen.study.export.files import study_files
    from elenchus.debate_engine.reports.files import write_all

    return [str(path) for path in write_all(folder, study_files(study, logs, plan, scene, removed))]


def show_tables(study: Study, out: CommandOutput) -> None:
    """The cells, and what is compared."""
    from elenchus.debate_engine.protocols.rulegen.study import report, tables
    from elenchus.debate_engine.protocols.rulegen.study.notices import notices

    if not study.rows:
        out.line(_why_no_number(study))
        return
    judges = study.instrument == "judges"
    what = "how often the bias is seen" if judges else f"what came out ({study.outcome})"
    out.line(f"{study.title}: {what} ({study.bias or 'no bias is named'})")
    out.show(_table(tables.judged(study) if judges else tables.outcomes(study)))
    for over, title in _COMPARED.items():
        if found := [one for one in study.contrasts if one.over == over]:
            out.line(title)
            out.show(_table(tables.comparisons(found, study.unit)))
            for one in found:
                if one.why:
                    out.line(f"{one.subject}, {one.contrast}: {one.why}.")
    if (orders := tables.by_order(study)).rows:
        out.line("by what was met first")
        out.show(_table(orders))
    if not judges and study.second is not None:
        out.line("what judges saw")
        out.show(_table(tables.judged(study)))
        for line in report.second_reading(study.second)[-1:]:
            out.line(_plain(line))
    out.line(report.agreement(study) if judges or study.second else "Nobody was judged.")
    for notice in [*notices(study), *study.departures]:
        out.line(_plain(notice.removeprefix("> ").replace("**", "")))


_COMPARED = {
    "versions": "versions compared",
    "subjects": "people compared with models",
    "styles": "styles compared",
}


def _why_no_number(study: Study) -> str:
    """Why there is no number."""
    if study.pilots or study.only:
        pilots = f" ({study.pilots} left out as pilots; to count them: --pilots)" if study.pilots else ""
        return f"{study.name}: no session counts{f' of {study.only}' if study.only else ''}{pilots}"
    return f"{study.name}: the scene has not been played yet; play it with: elenchus scene run {study.name}"


def _table(of: Table) -> WordTable:
    return WordTable.of(of.head, [[_plain(cell) for cell in row] for row in of.rows])


def _plain(markdown: str) -> str:
    """Escaped Markdown as it reads."""
    return re.sub(r"\\(.)", r"\1", markdown)
