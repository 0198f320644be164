"""Grids of runs of a scene, which models play: begun, paused, gone on with, and counted."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated, Any, Literal

from aiohttp import web
from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.grid import runs_of
from elenchus.service.lab.grid import GridOptions
from elenchus.service.lab.grid_session import CheckedGrid, Table, checked_grid
from elenchus.service.lab.kept_grids import KeptGrid
from elenchus.service.lab.options import options_of
from elenchus.service.lab.scene_results import PlayedScene, SceneResults, over_sessions
from elenchus.service.lab.study_document import study_document
from elenchus.service.lab.uploaded_scene import GivenScene, scene_given, told_of
from elenchus.service.web.api.exports import as_zip
from elenchus.service.web.api.idempotency import created_once
from elenchus.service.web.api.studies import SCENE_BYTES
from elenchus.service.web.grid_tasks import GridState, with_limits
from elenchus.service.web.routes import BASE, Call, Reply, RouteTable
from elenchus.service.web.server import service_of

routes = RouteTable("grids")


class NewGrid(FrozenModel):
    """A scene to be played by each subject, style and condition; `options` are those of `elenchus scene run`."""

    scene: GivenScene
    options: dict[str, Any] = Field(default_factory=dict)


class GridDocument(FrozenModel):
    """How far a grid is: `ended` of its `runs` are over. `sessions` are their ids, in `reasons` stands why some could
    not go on. `registered` is when it was registered, before its first run.
    """

    id: str
    scene: str
    title: str
    created: datetime
    state: GridState
    runs: int
    ended: int
    sessions: list[str]
    out_of_budget: bool = False
    reasons: list[str] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)
    registered: datetime | None = None


class Grids(FrozenModel):
    """The grids of this service, newest first."""

    grids: list[GridDocument]


class GridCommand(FrozenModel):
    """Pause all runs, or go on with what is missing; limits that are given replace those of all runs together."""

    command: Literal["pause", "resume"]
    budget_tokens: Annotated[int | None, Field(le=10**12)] = None
    budget_usd: Annotated[float | None, Field(le=1e9)] = None


class GridTable(FrozenModel):
    """What has come out so far: a row is one subject of one run; `study` counts them."""

    rows: list[dict[str, Any]]
    study: dict[str, Any]


@routes.add(
    "POST", "/grids", "house", "Play a scene many times, by models", body=NewGrid, body_bytes=SCENE_BYTES,
    gives=GridDocument, status=201, refuses=(409, 422, 502, 503), idempotent_by_key=True,
)  # fmt: skip
async def create_grid(call: Call) -> Reply:
    """Checked as in the terminal, and registered before its first run; nothing is spent for what is refused."""
    service = service_of(call.request)
    service.own.check_open()

    async def begin(grid: str) -> list[str]:
        checked = await _checked(call)
        named = checked.kept.grid.model_copy(update={"id": grid})
        await service.grids.start(checked._replace(kept=checked.kept._replace(grid=named)))
        return [*checked.cautions, *checked.unnamed.told()]

    made = await created_once(call, begin, service.grids.is_there)
    document = (await _document(call, made.id)).model_copy(update={"warnings": made.warnings})
    return Reply(document, made.status, {"Location": f"{BASE}/grids/{made.id}"})


async def _checked(call: Call) -> CheckedGrid:
    app, given = service_of(call.request).app, call.body.scene
    async with scene_given(given, app.settings.own_scenes) as scene:
        options = options_of(GridOptions, {**call.body.options, "scene": scene})
        checked = await checked_grid(options, app.settings, app.registry, app.pictures)
        return checked._replace(cautions=tuple(told_of(given, one, scene) for one in checked.cautions))


@routes.add("GET", "/grids", "house", "The grids of this service", gives=Grids)
async def list_grids(call: Call) -> Grids:
    """Newest first."""
    return Grids(grids=[await _document(call, grid) for grid in await service_of(call.request).grids.ids()])


@routes.add("GET", "/grids/{grid}", "house", "How far a grid is", gives=GridDocument)
async def show_grid(call: Call) -> GridDocument:
    """By its sessions."""
    return await _document(call, call.path("grid"))


async def _document(call: Call, id_: str) -> GridDocument:
    grids = service_of(call.request).grids
    kept = await grids.kept(id_)
    state, at_work = await grids.at_work(kept)
    return GridDocument(
        id=id_, scene=kept.grid.name, title=kept.grid.whole.title, created=kept.grid.created, state=state,
        runs=at_work.runs, ended=at_work.ended, sessions=[run.session for run in runs_of(kept.grid)],
        out_of_budget=at_work.out_of_budget, reasons=at_work.reasons,
        registered=kept.registered.written if kept.registered else None,
    )  # fmt: skip


@routes.add(
    "POST", "/grids/{grid}/commands", "house", "Pause a grid, or go on with it", body=GridCommand, gives=GridDocument,
    refuses=(409, 422),
)  # fmt: skip
async def command_grid(call: Call) -> GridDocument:
    """What was played is kept; what is missing is played when it goes on."""
    service, given = service_of(call.request), call.body
    kept = await service.grids.kept(call.path("grid"))
    if given.command == "pause":
        await service.grids.pause(kept.grid.id)
    else:
        service.own.check_open()
        await service.grids.resume(with_limits(kept, given.budget_tokens, given.budget_usd))
    return await _document(call, kept.grid.id)


@routes.add("GET", "/grids/{grid}/results", "house", "What came out of a grid", gives=GridTable)
async def show_grid_results(call: Call) -> GridTable:
    """So far: of its sessions alone, compared with what was registered."""
    results, _ = await _results(call)
    return await asyncio.to_thread(_table, results)


def _table(results: SceneResults) -> GridTable:
    rows = [{**row} for row in Table.of(results.study)]
    return GridTable(rows=rows, study=study_document(results.study))


@routes.add(
    "GET", "/grids/{grid}/files", "house", "All files of what came out of a grid", gives="application/zip"
)  # fmt: skip
async def show_grid_files(call: Call) -> web.Response:
    """As `elenchus scene run --export` writes them."""
    results, kept = await _results(call)
    return await as_zip(lambda: results.files(kept.plan), kept.grid.id)


async def _results(call: Call) -> tuple[SceneResults, KeptGrid]:
    app = service_of(call.request).app
    kept = await service_of(call.request).grids.kept(call.path("grid"))
    grid = kept.grid
    played = PlayedScene(grid.name, grid.whole, grid.scenes)
    sessions = [run.session for run in runs_of(grid)]
    found = await over_sessions(
        app.retention, played, sessions, of_grid=kept.registered, pictures=app.pictures
    )  # fmt: skip
    return found, kept
