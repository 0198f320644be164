"""Serving the web application over sockets: how it begins, and how it ends well."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from aiohttp import web

from elenchus.service.web.connections import Connections
from elenchus.service.web.operations.requests import Operations
from elenchus.service.web.server import SERVICE, WebOptions, make_web

if TYPE_CHECKING:
    from elenchus.config.web_settings import WebSettings
    from elenchus.service.app import App
    from elenchus.service.web.listening import Listening
    from elenchus.service.web.server import WebService

LINK_LASTS, SIGNED_IN = timedelta(days=1), timedelta(days=90)
"""How long the link of a start can be used, and how long whoever used it stays signed in."""
REFUSING_SECONDS = 1.0
"""A server that ends says so for so long to whoever asks, before it listens no more."""
ENDING_SECONDS = 5.0
"""So long it waits for answers that are being given."""


def options_of(settings: WebSettings, listening: Listening) -> WebOptions:
    """How the service is reached there."""
    return WebOptions(
        names=listening.names | set(settings.allowed_hosts),
        proxies=frozenset(settings.trusted_proxies),
        public_url=listening.url,
    )


@asynccontextmanager
async def serving(app: App, listening: Listening) -> AsyncIterator[WebService]:
    """Inside, requests are answered; sessions that ran before go on. `end` before leaving is the polite way.

    Raises StorageError.
    """
    settings = app.settings.web
    token, metrics_token = (one.get_secret_value() if one else "" for one in (settings.token, settings.metrics_token))
    made = make_web(app, options_of(settings, listening), token=token)
    runner = web.AppRunner(made, access_log=None, shutdown_timeout=ENDING_SECONDS, handle_signals=False)
    connections = Connections(runner)
    Operations(made[SERVICE], connections, metrics_token).added_to(made)
    await runner.setup()
    try:
        async with connections.taken(listening.sockets):
            yield made[SERVICE]
    finally:
        await runner.cleanup()


async def end(service: WebService, at_once: asyncio.Event) -> None:
    """Have nothing new begun and what runs pause, and refuse for a moment whoever asks for more."""
    await service.own.aclose()
    with suppress(TimeoutError):
        async with asyncio.timeout(REFUSING_SECONDS):
            await at_once.wait()


async def moderators_link(service: WebService, listening: Listening) -> str:
    """An address that signs one browser in as the owner of the house, once."""
    given = await service.access.give(
        "owner", label="whoever started the server", once=True, lasts=SIGNED_IN, use_within=LINK_LASTS
    )
    return f"{listening.here}/sign-in?link={given.secret}"
