"""Studies of scenes: what was registered beforehand, and what came out over all sessions that are chosen."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from aiohttp import web
from pydantic import AwareDatetime, Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.rulegen.study.export.sessions import withdrawals
from elenchus.debate_engine.protocols.rulegen.study.registration import Registration
from elenchus.service.lab import registration
from elenchus.service.lab.scene_results import PlayedScene, SceneResults, chosen_by, over_scene
from elenchus.service.lab.study_document import study_document
from elenchus.service.lab.uploaded_scene import MOST_BYTES, GivenScene, scene_given
from elenchus.service.web.api.exports import as_zip
from elenchus.service.web.routes import Call, Reply, RouteTable
from elenchus.service.web.server import service_of

routes = RouteTable("studies")

SCENE_BYTES = 2 * MOST_BYTES
"""Of a body with a scene in it: files stand in it as text."""

Names = Annotated[tuple[Annotated[str, Field(max_length=500)], ...], Field(max_length=10_000)]


class ToRegister(FrozenModel):
    """The scene that is to be registered."""

    scene: GivenScene


class SessionFilter(FrozenModel):
    """Which sessions of a scene count; all that is given must hold. `grid` and `sessions` are ids or their beginnings,
    `subjects` are `people`, `models` or models, `conditions` versions, in both of which `*` stands for anything.
    `pilots` count where it is said.
    """

    grid: str = ""
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    subjects: Names = ()
    sessions: Names = ()
    conditions: Names = ()
    pilots: bool = False


class Counting(FrozenModel):
    """A scene, and which of its sessions count. They are compared with `registered`, else with what is kept.

    `plan` is what the files say of the grid.
    """

    scene: GivenScene
    chosen: SessionFilter = SessionFilter()
    registered: Registration | None = None
    plan: dict[str, Any] | None = None


class StudyDocument(FrozenModel):
    """All that was counted. `withdrawn` are sessions that were taken back: their files of an earlier export go."""

    study: dict[str, Any]
    withdrawn: list[str]


@routes.add(
    "POST", "/registrations", "house", "Register a scene's study before its first run", body=ToRegister,
    body_bytes=SCENE_BYTES, gives=Registration, status=201, refuses=(422,),
)  # fmt: skip
async def create_registration(call: Call) -> Reply:
    """Kept for good: all later results of the scene are compared with it."""
    app = service_of(call.request).app
    async with scene_given(call.body.scene, app.settings.own_scenes) as scene:
        played = await asyncio.to_thread(PlayedScene.found, scene, app.settings.own_scenes)
    return Reply(await registration.register(app.store, played), 201)


@routes.add(
    "POST", "/studies", "house", "What came out over sessions of a scene", body=Counting, body_bytes=SCENE_BYTES,
    gives=StudyDocument, refuses=(422,),
)  # fmt: skip
async def count_study(call: Call) -> StudyDocument:
    """Whoever ran them; pilots are left out, and what is over its time is removed before."""
    results = await _counted(call)
    gone = [one["session"] for one in withdrawals(results.logs, results.removed)]
    study = await asyncio.to_thread(study_document, results.study)
    return StudyDocument(study=study, withdrawn=gone)


@routes.add(
    "POST", "/studies/files", "house", "All files of what came out", body=Counting, body_bytes=SCENE_BYTES,
    gives="application/zip", refuses=(422,),
)  # fmt: skip
async def show_study_files(call: Call) -> web.Response:
    """As `elenchus scene results --export` writes them."""
    results = await _counted(call)
    return await as_zip(lambda: results.files(call.body.plan), "study")


async def _counted(call: Call) -> SceneResults:
    app, given = service_of(call.request).app, call.body
    async with scene_given(given.scene, app.settings.own_scenes) as scene:
        played = await asyncio.to_thread(PlayedScene.found, scene, app.settings.own_scenes)
    chosen = chosen_by(**given.chosen.model_dump())
    return await over_scene(app.retention, played, chosen, given.registered, pictures=app.pictures)
