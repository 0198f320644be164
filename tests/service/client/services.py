"""A service on a port of this machine, whose models are scripted, which can be stopped and started again there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from elenchus.config.settings import Settings
from elenchus.config.web_settings import WebSettings
from elenchus.service.app import App, open_app
from elenchus.service.client.connection import Timeouts
from elenchus.service.lab.default_models import with_option
from elenchus.service.web.server import SERVICE, WebService, make_web

TOKEN = "a-token-of-the-settings-that-is-long-enough"
SCRIPTED = "scripted:demo"
QUICK = Timeouts(connect=2, answer=3, work=30, outage=2, silence=20)
"""What a test waits at the most."""


@dataclass
class Service:
    """A service that runs."""

    app: App
    web: WebService
    port: int

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def service_at(
    home: Path, port: int = 0, model: str = SCRIPTED, limits: WebSettings | None = None
) -> AsyncIterator[Service]:
    """The service over the sessions in a folder, at this port or a free one."""
    settings = with_option(Settings(home=home, web=limits or WebSettings(requests=100_000)), model)
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(open_app(settings))
        made = make_web(app, token=TOKEN)
        runner = web.AppRunner(made, access_log=None, shutdown_timeout=1, handle_signals=False)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        await web.TCPSite(runner, "127.0.0.1", port, reuse_address=True).start()
        yield Service(app, made[SERVICE], runner.addresses[0][1])
