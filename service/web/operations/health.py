"""Whether the process is alive (`/healthz`) and takes new work (`/readyz`), for whoever watches a service."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from aiohttp import web

from elenchus.debate_engine.errors import ElenchusError, UnknownSession

if TYPE_CHECKING:
    from elenchus.service.web.server import WebService

READY_SECONDS = 5.0
"""A store that answers no sooner is not ready."""

UNKEPT = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
"""Headers of an answer that is true for this moment alone."""

_log = logging.getLogger(__name__)


async def alive(_: web.Request) -> web.Response:
    """The process answers."""
    return web.json_response({"alive": True}, headers=UNKEPT)


async def ready(service: WebService, _: web.Request) -> web.Response:
    """New work is taken: it is not stopping, and the store answers."""
    problem = "the server is stopping" if service.own.stopping else await _of_store(service)
    document = {"ready": not problem} | ({"why": problem} if problem else {})
    return web.json_response(document, status=503 if problem else 200, headers=UNKEPT)


async def _of_store(service: WebService) -> str:
    """Why the store is of no use now, "" where it is. A log tells its reasons, and this anybody reads."""
    try:
        async with asyncio.timeout(READY_SECONDS):
            await service.app.store.get("readiness", "asked")
            with suppress(UnknownSession):
                await service.app.log.info("readiness")
    except (ElenchusError, TimeoutError) as error:
        _log.error("the store cannot be used: %s", str(error) or "it does not answer")
        return "the store cannot be used"
    return ""
