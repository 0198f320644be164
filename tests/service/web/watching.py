"""The service as `elenchus serve` serves it, on loopback, and a program that asks it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import ClientSession

from elenchus.config.settings import Settings
from elenchus.config.web_settings import WebSettings
from elenchus.service.app import open_app
from elenchus.service.web.listening import listen
from elenchus.service.web.server import WebService
from elenchus.service.web.serving import serving

TOKEN, METRICS_TOKEN = "a-moderators-token-of-the-settings", "a-token-that-reads-metrics-alone"


@dataclass
class Watched:
    """A service, and a program that asks it."""

    service: WebService
    url: str
    client: ClientSession

    async def get(self, path: str, token: str = "", **headers: str) -> tuple[int, Any]:
        """Status and document, or text."""
        return await self.ask("GET", path, token, headers)

    async def ask(
        self, method: str, path: str, token: str = "", headers: Mapping[str, str] | None = None, **more: Any
    ) -> tuple[int, Any]:
        """Status and document, or text."""
        sent = {"Authorization": f"Bearer {token}"} if token else {}
        async with self.client.request(method, self.url + path, headers=sent | dict(headers or {}), **more) as answer:
            assert answer.headers["Cache-Control"] in ("no-store", "private, no-cache")
            return answer.status, await (answer.json() if answer.content_type.endswith("json") else answer.text())


@asynccontextmanager
async def watched(home: Path, known: Settings | None = None, **settings: Any) -> AsyncIterator[Watched]:
    """The service as it is served, with these settings of the web and `known` others."""
    web = WebSettings.model_validate({"token": TOKEN, "metrics_token": METRICS_TOKEN} | settings)
    with closing(listen("127.0.0.1", 0)) as listening:
        async with (
            open_app((known or Settings(home=home)).model_copy(update={"web": web})) as app,
            serving(app, listening) as service,
            ClientSession() as client,
        ):
            yield Watched(service, listening.url, client)
