"""`elenchus rldf ablate`: debates, or whole experiments, over several numbers of roles, rounds, pairs or topics."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.config.bias_type_catalogue import BiasType
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.rulegen.study.grid_runner import GridRunner, RunLimit
from elenchus.debate_engine.reports.files import check_folder, write_new
from elenchus.detectors.alignment.ablation import AXES, NAME, Ablation, Axis, Point, drawn
from elenchus.detectors.alignment.bbq.comparison import compared
from elenchus.detectors.alignment.bbq.results import read_measured
from elenchus.detectors.alignment.report.gates import gates_of
from elenchus.service.cli import context, failures
from elenchus.service.cli.batch import ended, played
from elenchus.service.cli.launch import detached
from elenchus.service.cli.preflight import checked_models, prepare, refuse_unpriced, tell_before
from elenchus.service.cli.progress import lines
from elenchus.service.cli.rldf.bbq_comparison import interval
from elenchus.service.cli.rldf.debate import biases_named, topics_of
from elenchus.service.cli.rldf.experiment import Stages
from elenchus.service.cli.rldf.experiment_plan import DATA, Experiment, data_stages_of, stages_of
from elenchus.service.cli.rldf.measuring_commands import names
from elenchus.service.cli.tables import WordTable
from elenchus.service.lab.default_models import seated
from elenchus.service.lab.rldf import KeptRun, RldfCell, RldfOptions, keep, planned, seats_of, title_of, width_of
from elenchus.service.lab.rldf_grid import RldfGrid, ablation_of, grid_of, grid_started, keep_grid, kept_grids

if TYPE_CHECKING:
    from elenchus.service.app import App
    from elenchus.service.cli.launch import Options
    from elenchus.service.cli.output import CommandOutput

PAPERS: Mapping[Axis, tuple[int, ...]] = {
    "roles": (2, 3, 4, 5), "rounds": (1, 3, 5, 10), "pairs": (1_000, 3_000, 5_000), "topics": (10, 20, 40),
}  # fmt: skip
"""Roles and rounds of the paper's figures; pairs up to the number that it asks for, topics as many as come along."""
BOUNDS: Mapping[Axis, tuple[int, int]] = {
    "roles": (2, 6), "rounds": (1, 10), "pairs": (1, 1_000_000), "topics": (1, 20_000),
}  # fmt: skip


async def start(
    axis: Axis, values: Sequence[int], wanted: RldfOptions, biases: Sequence[BiasType],
    topics: Mapping[str, tuple[str, ...]], folder: Path, how: Options,
) -> int:  # fmt: skip
    """Have the debates; the exit code. Raises UsageError, MissingKey, StorageError."""
    check_new(folder)
    if axis == "topics":
        _refuse_fewer(values, topics)
    settings, out = context.settings(), how.out
    most = wanted.model_copy(update={axis: max(values)} if axis == "roles" else {})
    seats, unnamed = await seated(settings, "", lambda unnamed: seats_of(most, unnamed))
    async with checked_models(settings, seats, dry_run=how.dry_run) as registry:
        grid = grid_of(axis, values, wanted, biases, topics, unnamed, registry)
        refuse_unpriced(registry, seats, how.run, out, dry_run=how.dry_run)
        estimates = [await planned(run, settings, registry, wanted.at_once) for run in grid.settings]
    if how.dry_run:
        _tell_plan(grid, [one.document for one in estimates], out)
        return failures.OK
    prepare(None, settings)
    tell_before(out, seats, unnamed)
    async with context.opened(settings) as app:
        for run, estimate in zip(grid.settings, estimates, strict=True):
            await keep(app.store, KeptRun(run, estimate.need))
        await keep_grid(app.store, grid)
        if how.detach:
            return await detached(app, grid.id, out, study="ablation", again=_again(grid, folder))
        need = RunLimit(max(one.need.tokens for one in estimates), max(one.need.usd for one in estimates))
        return await _play(app, grid, need, max(one.side_by_side for one in estimates), folder, out)


async def resume(beginning: str, folder: Path, how: Options) -> int:
    """Go on with a grid; the exit code. Raises UsageError, StorageError."""
    check_new(folder)
    async with context.opened() as app:
        kept = {name: grid for name, grid in (await kept_grids(app.store)).items() if name.startswith(beginning)}
        if len(kept) != 1:
            raise UsageError(f"{len(kept)} ablations have an id that begins with {beginning!r}.")
        (grid,) = kept.values()
        app.registry.assumed = grid.settings[0].price
        estimates = [await planned(run, app.settings, app.registry) for run in grid.settings]
        if how.detach:
            return await detached(app, grid.id, how.out, study="ablation", again=_again(grid, folder))
        need = RunLimit(max(one.need.tokens for one in estimates), max(one.need.usd for one in estimates))
        return await _play(app, grid, need, width_of(grid.settings[0], app.settings, app.registry), folder, how.out)


def _again(grid: RldfGrid, folder: Path) -> str:
    """The command that goes on with it, and tells what came of it, without its `elenchus`."""
    return f"rldf ablate --go-on {grid.id} --out {folder}"


async def _play(app: App, grid: RldfGrid, need: RunLimit, at_once: int, folder: Path, out: CommandOutput) -> int:
    app.registry.expect(seat.spec for run in grid.settings for seat in run.seats)
    again = f"elenchus {_again(grid, folder)}"
    out.tell(f"if it is broken off: {again}")

    def named(cell: RldfCell) -> str:
        return f"debate {cell.number} with {grid.value_of(cell)} {grid.axis}, {title_of(cell)},"

    on_run = lines(len(grid.runs), named, out)
    runner = GridRunner(app.log, app.runner, grid, need, on_run, grid_started, at_once)
    code = ended(await played(runner, again, out), again, out, "debate")
    if code == failures.OK:
        await _finish(await ablation_of(app.log, grid), folder, out, {"grid": grid.id})
    return code


async def _finish(found: Ablation, folder: Path, out: CommandOutput, more: Mapping[str, str]) -> None:
    picture = await asyncio.to_thread(drawn, found)
    files = {
        f"{NAME}.json": f"{found.model_dump_json(indent=1)}\n".encode(), f"{NAME}.png": picture.png,
        f"{NAME}.svg": picture.svg,
    }  # fmt: skip
    await asyncio.to_thread(write_new, folder, files)
    out.document({**found.model_dump(mode="json"), **more})
    if not out.json:
        names = list(found.points[0].figures)
        rows = [(str(of.value), *(interval(of.figures[name]) for name in names), str(of.n)) for of in found.points]
        out.show(WordTable.of((found.axis, *map(found.named, names), "n"), rows, numbers=len(names) + 1))
        out.tell(f"wrote {folder / NAME}.json, .png and .svg")


def check_new(folder: Path) -> None:
    """Raises UsageError where an ablation cannot be written."""
    check_folder(folder)
    if (folder / f"{NAME}.json").exists():
        raise UsageError(f"The folder {folder} holds an ablation already: choose another folder for --out.")


def _tell_plan(grid: RldfGrid, plans: Sequence[Mapping[str, object]], out: CommandOutput) -> None:
    rows = [
        {"value": value, "debates": plan["sessions"], "calls": plan["calls"], "usd": plan["usd"]}
        for value, plan in zip(grid.values, plans, strict=True)
    ]
    out.document({"axis": grid.axis, "points": rows})
    if not out.json:
        cells = [tuple(str(cell) for cell in row.values()) for row in rows]
        out.show(WordTable.of((grid.axis, "debates", "calls", "dollars"), cells, numbers=4))


# ── of what is trained ───────────────────────────────────────────────────────────────────────────────────────────────


async def trained(axis: Axis, values: Sequence[int], of: Experiment, out: CommandOutput) -> int:
    """An experiment a value, then BBQ's accuracy of each; the exit code. The data of all come before any training, so
    that nothing is trained where there are fewer pairs than a value says. Raises UsageError, StorageError.
    """
    check_new(of.folder)
    if axis == "topics":
        _refuse_fewer(values, topics_of(biases_named(names(of.bias)), (), of.topics, None))
    points = []
    experiments = {value: replace(of, folder=of.folder / f"{axis}-{value}", **_set(axis, value)) for value in values}
    for value, one in experiments.items():
        told = Stages(one.folder, out)
        if (code := await told.run(data_stages_of(one, told))) != failures.OK:
            return code
        given = told.told(DATA)["document"]["by_split"]["train"]["pairs"] if axis == "pairs" else value
        if given < value:
            raise UsageError(
                f"The debates give {given:,} pairs to train with, of which {value:,} are wanted: take --values up to "
                f"{given:,}, or more topics, --rounds or --repeats."
            )
    for value, one in experiments.items():
        told = Stages(one.folder, out)
        if (code := await told.run(stages_of(one, told))) != failures.OK:
            return code
        points.append(await asyncio.to_thread(_point, value, one))
    ablation = Ablation(
        axis=axis, points=tuple(point for point, _, _ in points), scripted=any(one for _, one, _ in points),
        trained=True, published=all(one for _, _, one in points),
    )  # fmt: skip
    await _finish(ablation, of.folder, out, {})
    return failures.OK


def _refuse_fewer(values: Sequence[int], topics: Mapping[str, Sequence[str]]) -> None:
    """Raises UsageError where there are fewer topics than a value says."""
    name, few = min(topics.items(), key=lambda one: len(one[1]))
    if len(few) < max(values):
        raise UsageError(
            f"There are {len(few)} topics for {name}, of which {max(values):,} are wanted: take --values up to "
            f"{len(few)}, or give more in a file with --topics."
        )


def _set(axis: Axis, value: int) -> dict[str, Any]:
    return {"limit" if axis == "topics" else axis: value}


def _point(value: int, of: Experiment) -> tuple[Point, bool, bool]:
    found = [read_measured(path) for path in sorted(of.at("results").glob(f"{of.methods[-1]}-*.json"))]
    (one,) = compared(found)
    gates = gates_of(of.model for of in found)
    point = Point(value=value, figures={"accuracy": one.figures["overall"].mean}, n=one.n, gates=gates)
    return point, one.scripted or one.taught, one.published


def axis_named(axis: str, values: str, *, trained: bool) -> tuple[Axis, list[int]]:
    """The axis and its values; the paper's where none are named. Raises UsageError."""
    found = next((one for one in AXES if one == axis), None)
    if found is None:
        raise UsageError(f"--axis is {', '.join(AXES)}.")
    if found == "pairs" and not trained:
        raise UsageError("The number of pairs says something of what is trained on them: give BBQ's files with --data.")
    typed = [one.strip() for one in values.split(",") if one.strip()] or list(map(str, PAPERS[found]))
    low, high = BOUNDS[found]
    if not all(one.isdecimal() and low <= int(one) <= high for one in typed) or len(set(typed)) < len(typed):
        raise UsageError(f"--values are whole numbers from {low} to {high}, each once, such as --values 3,5.")
    return found, sorted(map(int, typed))
