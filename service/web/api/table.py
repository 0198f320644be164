"""All routes of the API, and the one way in which each is answered: who asks, may they, what do they say."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, cast

from aiohttp import web
from pydantic import BaseModel

from elenchus.debate_engine.errors import UnknownSession
from elenchus.service.web.json_bodies import body_as, query_as, read_bytes
from elenchus.service.web.problems import Forbidden, NotSignedIn, NotThere
from elenchus.service.web.routes import Call, Reply, Route, RouteTable
from elenchus.service.web.server import service_of
from elenchus.service.web.sign_in import check_proof

if TYPE_CHECKING:
    from elenchus.service.web.routes import Who
    from elenchus.service.web.sign_in import Asking

PARTS = (
    "sessions", "turns", "people", "moderation", "exports", "catalogues", "access", "logs", "personal_data", "studies",
    "grids", "classes", "class_people", "class_debates", "class_debaters", "minds",
    "mind_inputs",
)  # fmt: skip
"""The modules of this folder that declare routes."""


def all_routes() -> Sequence[Route]:
    """Every route of the API."""
    tables = (cast("RouteTable", import_module(f"{__package__}.{part}").routes) for part in PARTS)
    return [route for table in tables for route in table.routes]


def handler_of(route: Route) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """The handler of a route as aiohttp takes it."""

    async def answered(request: web.Request) -> web.StreamResponse:
        service = service_of(request)
        asking = await service.asking(request)
        await service.limits.take(service.asker(request, asking))
        await check_may(route.who, asking, request)
        check_proof(request, asking)
        query = query_as(route.query, request) if route.query else None
        body = await _body(route, request)
        return _response(await route.handler(Call(request, asking, body, query)), route, request)

    return answered


async def _body(route: Route, request: web.Request) -> BaseModel | bytes | None:
    if route.takes:
        return await read_bytes(request, route.takes, route.body_bytes)
    return await body_as(route.body, request, route.body_bytes) if route.body else None


async def check_may(who: Who, asking: Asking, request: web.Request) -> None:
    """Raises NotSignedIn, Forbidden or NotThere for somebody who is none of these here."""
    if who == "anybody":
        return
    if not asking.known:
        raise NotSignedIn
    session = request.match_info.get("session", "")
    if session:
        await _check_session(who, asking, request, session)
    elif classroom := request.match_info.get("classroom", ""):
        await _check_class(who, asking, request, classroom)
    elif (who in ("moderator", "house") and not asking.moderates()) or (who == "owner" and not asking.owns):
        raise Forbidden("This is for whoever moderates here: ask them for a link.")


NO_CLASS = "There is no such class, or it is none of yours."


async def _check_class(who: Who, asking: Asking, request: web.Request, classroom: str) -> None:
    """A class of others is told to nobody, either."""
    if not asking.may_look_at_class(classroom):
        raise NotThere(NO_CLASS)
    service = service_of(request)
    there = service.debates.is_there if "/class-debates/" in request.path else service.classes.is_there
    if not await there(classroom):
        raise NotThere(NO_CLASS)
    if who == "moderator" and not asking.moderates_class(classroom):
        raise Forbidden("This is for whoever teaches this class.")
    if who == "seat" and not asking.person_of(classroom):
        raise Forbidden("This is for the people of the class.")


async def _check_session(who: Who, asking: Asking, request: web.Request, session: str) -> None:
    """A session of others is told to nobody: it looks like one that is not there."""
    if not asking.may_look(session):
        raise NotThere("There is no such session, or it is none of yours.")
    try:
        await service_of(request).app.log.info(session)
    except UnknownSession:
        raise NotThere("There is no such session, or it is none of yours.") from None
    if who == "moderator" and not asking.moderates(session):
        raise Forbidden("This is for whoever moderates this session.")
    if who == "house" and not asking.moderates():
        raise Forbidden("This is for whoever moderates the house.")
    if who == "seat" and not (asking.seats(session) or asking.moderates(session)):
        raise Forbidden("This is for whoever sits in this session.")


# ── what is answered ─────────────────────────────────────────────────────────────────────────────────────────────


def _response(given: BaseModel | Reply | web.StreamResponse, route: Route, request: web.Request) -> web.StreamResponse:
    if isinstance(given, web.StreamResponse):
        return given
    reply = given if isinstance(given, Reply) else Reply(given, route.status)
    if reply.document is None:
        return web.Response(status=reply.status, headers=reply.headers)
    body = reply.document.model_dump_json().encode()
    headers = dict(reply.headers)
    if route.method == "GET":
        headers |= {
            "ETag": (tag := _tag_of(body)),
            "Cache-Control": "private, no-cache",
            "Vary": "Authorization, Cookie",
        }
        if _is_known(tag, request.headers.get("If-None-Match", "")):
            return web.Response(status=304, headers=headers)
    return web.Response(body=body, status=reply.status, headers=headers, content_type="application/json")


def _tag_of(body: bytes) -> str:
    """It changes with whatever the document tells; a proxy may pack the document, so it is a weak one."""
    return f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'


def _is_known(tag: str, given: str) -> bool:
    """Whether the asker has the document already, by the header If-None-Match."""
    known = [one.strip().removeprefix("W/") for one in given.split(",")]
    return tag.removeprefix("W/") in known or known == ["*"]
