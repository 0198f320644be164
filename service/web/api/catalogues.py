"""What there is to choose from: protocols with their options, models, biases, scenes, personas; and what one costs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from aiohttp import web
from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.service.web.api.creation import options_from
from elenchus.service.web.api.sessions import NewSession
from elenchus.service.web.routes import Call, RouteTable
from elenchus.service.web.server import service_of

if TYPE_CHECKING:
    from elenchus.service.lab.options import RunOptions
    from elenchus.service.web.server import WebService

routes = RouteTable("catalogues")


class Rows(FrozenModel):
    """A catalogue; a row has the columns that the terminal's `--json` has."""

    rows: list[dict[str, Any]]


class ProtocolRow(FrozenModel):
    """A kind of session: what people call it, and the schema of its options for `POST /sessions`."""

    name: str
    noun: str
    options: dict[str, Any]


class ProtocolRows(FrozenModel):
    """All kinds of sessions that can be begun here."""

    protocols: list[ProtocolRow]


class Estimate(FrozenModel):
    """What a session would ask and cost at the most; nothing is asked for it. `plan` is what the terminal's dry run
    gives.
    """

    plan: dict[str, Any]
    warnings: list[str] = Field(default_factory=list)
    unnamed: list[str] = Field(default_factory=list)


@routes.add("GET", "/protocols", "signed in", "What can be begun here", gives=ProtocolRows)
async def list_protocols(_call: Call) -> ProtocolRows:
    """With the schema of each one's options."""
    from elenchus.debate_engine.protocols.registry import packages
    from elenchus.service.web.api.creation import model_of

    ours = {"debate": "debate", "scene": "scene", "crit": "scored text", "sweep": "sweep", "detect": "detection"}
    others = {one.protocol: one.protocol for one in packages()}
    rows = [
        ProtocolRow(name=name, noun=noun, options=model_of(name).model_json_schema(mode="validation"))
        for name, noun in (ours | others).items()
    ]
    return ProtocolRows(protocols=rows)


@routes.add("GET", "/models", "moderator", "The models, with prices", gives=Rows)
async def list_models(call: Call) -> Rows:
    """Those that are known; whether they answer here, `elenchus models list` says."""
    from elenchus.config.models import as_rows, load_models

    own = service_of(call.request).app.settings.own_models
    return Rows(rows=await asyncio.to_thread(lambda: as_rows(load_models(own))))


@routes.add("GET", "/biases", "signed in", "The biases that are explained", gives=Rows)
async def list_biases(_call: Call) -> Rows:
    """With what each is, and where it comes from."""
    from elenchus.config.catalogue import as_row, load_biases

    return Rows(rows=await asyncio.to_thread(lambda: [as_row(bias) for bias in load_biases()]))


@routes.add("GET", "/scenes", "moderator", "The scenes that can be played", gives=Rows)
async def list_scenes(call: Call) -> Rows:
    """Those that come along, and one's own. Whoever may become a subject is not told what a scene looks for."""
    from elenchus.service.lab.scene_catalogue import scene_rows

    return Rows(rows=await asyncio.to_thread(scene_rows, service_of(call.request).app.settings.own_scenes))


@routes.add("GET", "/personas", "signed in", "The personas", gives=Rows)
async def list_personas(_call: Call) -> Rows:
    """For seats: `engineer`, or `engineer@provider:model`."""
    from elenchus.config.persona_catalogue import load_personas

    return Rows(rows=[persona.model_dump(mode="json") for persona in await asyncio.to_thread(load_personas)])


@routes.add(
    "POST", "/estimates", "moderator", "What a session would cost at the most", body=NewSession, gives=Estimate,
    refuses=(422, 502),
)  # fmt: skip
async def create_estimate(call: Call) -> Estimate:
    """Played dry with stub models in virtual time."""
    service = service_of(call.request)
    return await estimate_of(await options_from(call.body.protocol, call.body.options, service), service)


async def estimate_of(options: RunOptions, service: WebService) -> Estimate:
    """What a session by these options would take. Raises UsageError, ProviderError."""
    from elenchus.debate_engine.dry_run.estimate import estimated
    from elenchus.service.lab.grid_estimate import planned
    from elenchus.service.lab.prepared_session import prepared
    from elenchus.service.lab.scene_session import SceneOptions, checked_scene

    settings, registry = service.app.settings, service.app.registry
    if isinstance(options, SceneOptions):
        scene = await checked_scene(options, settings, registry)
        told = (await planned(scene.dearest, settings, registry)).document
        return Estimate(plan=told, warnings=list(scene.cautions), unnamed=list(scene.unnamed.told()))
    made = await prepared(options, settings, registry)
    plan = await estimated(settings, registry, made.started)
    return Estimate(plan=plan, warnings=list(made.warnings), unnamed=list(made.unnamed))


@routes.add("GET", "/openapi.json", "anybody", "This document", gives="application/json")
async def show_openapi(_call: Call) -> web.Response:
    """OpenAPI 3.1, made from the table of routes."""
    from elenchus.service.web.api.openapi import document

    return web.json_response(await asyncio.to_thread(document))
