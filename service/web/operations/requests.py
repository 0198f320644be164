"""Every request: measured, counted, logged; and the counts at `/metrics`."""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from aiohttp import web

from elenchus.config.addresses import HIDDEN, without_secrets
from elenchus.debate_engine.log import rules
from elenchus.debate_engine.printable import printable
from elenchus.debate_engine.session_logging import concerning
from elenchus.debate_engine.tasks import cancelled
from elenchus.service.web.operations import health, housekeeping
from elenchus.service.web.operations.health import UNKEPT
from elenchus.service.web.operations.metrics import MEDIA_TYPE, Metrics
from elenchus.service.web.problems import NotSignedIn, Problem
from elenchus.service.web.server import problem_response

if TYPE_CHECKING:
    from elenchus.service.web.connections import Connections
    from elenchus.service.web.server import WebService

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_CODE = re.compile(r"(/join/+)[^/?]+", re.IGNORECASE)
_LONGEST_PATH = 300
_log = logging.getLogger("elenchus.service.web.requests")
_QUIET = ("/healthz", "/readyz", "/metrics", "/static/")
"""What is asked for all the time, and told of with `--debug` alone."""


class Operations:
    """Watches over the requests of one service. `metrics_token` reads `/metrics` and nothing else."""

    def __init__(self, service: WebService, connections: Connections, metrics_token: str = "") -> None:
        self._service, self._connections, self._token = service, connections, metrics_token
        self._metrics = Metrics(service)
        self._own: dict[str, Handler] = {
            "/healthz": health.alive, "/readyz": partial(health.ready, service), "/metrics": self._measured,
        }  # fmt: skip

    def added_to(self, made: web.Application) -> None:
        """Have the application measured, and watched while it runs. Its own middlewares come after this one."""
        made.middlewares.insert(0, self._watched)
        made.on_response_prepare.append(_named)
        made.cleanup_ctx.append(self._watching)

    async def _watching(self, _: web.Application) -> AsyncIterator[None]:
        kept_tidy = housekeeping.kept_tidy(self._service.access, self._service.sign_ins)
        tasks = [
            asyncio.create_task(self._metrics.watch_lag(), name="lag of the event loop"),
            asyncio.create_task(self._metrics.shared.watch(), name="what processes share"),
            asyncio.create_task(kept_tidy, name="housekeeping"),
        ]
        yield
        await cancelled(*tasks)

    @web.middleware
    async def _watched(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        self._connections.asked(request)
        began, status = time.perf_counter(), 499  # the client has gone
        session = request.match_info.get("session", "")
        with concerning(session if rules.is_usable(session) else ""):
            try:
                own = self._own.get(request.path) if request.method in ("GET", "HEAD") else None
                response = await (own or handler)(request)
                status = response.status
                return response
            finally:
                self._note(request, status, time.perf_counter() - began)

    def _note(self, request: web.Request, status: int, seconds: float) -> None:
        resource = request.match_info.route.resource
        route = request.path if request.path in self._own else resource.canonical if resource else "none"
        self._metrics.answered(request.method, route, status, seconds)
        level = logging.DEBUG if request.path.startswith(_QUIET) and status < 500 else logging.INFO
        path = shown_path(request.path)
        fields = {"method": request.method[:20], "path": path, "status": status, "ms": round(seconds * 1000, 1)}
        _log.log(level, "%s %s %d", fields["method"], path, status, extra={"fields": fields})

    # ── by which it is watched ───────────────────────────────────────────────────────────────────────────────────

    async def _measured(self, request: web.Request) -> web.Response:
        """The counts, for whoever has the token of the settings or moderates the house."""
        try:
            if not (self._has_token(request) or (await self._service.asking(request)).moderates()):
                raise NotSignedIn("Send the token for metrics, or a moderator's, as Authorization: Bearer TOKEN.")
        except Problem as refused:
            response = problem_response(refused)
            response.headers.update(UNKEPT)
            return response
        return web.Response(body=self._metrics.text(), headers=UNKEPT | {"Content-Type": MEDIA_TYPE})

    def _has_token(self, request: web.Request) -> bool:
        given = request.headers.get("Authorization", "")
        return bool(self._token) and hmac.compare_digest(
            given.encode(errors="replace"), f"Bearer {self._token}".encode()
        )


async def _named(_: web.Request, response: web.StreamResponse) -> None:
    """Whose answer it is, in the place of which versions of what have made it."""
    response.headers["Server"] = "Elenchus"


def shown_path(path: str) -> str:
    """A request's path without its query and without codes and secrets in it, shortened."""
    shown = _CODE.sub(rf"\1{HIDDEN}", without_secrets(path.partition("?")[0]))
    return printable(shown if len(shown) <= _LONGEST_PATH else f"{shown[:_LONGEST_PATH]}…")
