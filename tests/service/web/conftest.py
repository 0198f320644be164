"""A service on loopback, over a real database, and programs that ask it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from elenchus.config.settings import Settings
from elenchus.service.app import App, open_app
from elenchus.service.web.server import SERVICE, WebService, make_web

TOKEN = "a-token-of-the-settings-that-is-long-enough"
SCRIPTED = {"pro": "scripted:demo", "con": "scripted:demo", "judges": ["scripted:demo"], "crit": "scripted:demo"}
SHORT = {"topics": 2, "max_rounds": 1}


@dataclass
class Asker:
    """Somebody who asks the service, by a bearer token; "" for nobody."""

    client: TestClient[Any, Any]
    token: str = ""

    async def ask(self, method: str, path: str, **more: Any) -> tuple[int, Any]:
        """The status and the document of an answer."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= more.pop("headers", {})
        async with self.client.request(method, f"/api/v1{path}", headers=headers, **more) as response:
            kind = response.content_type
            return response.status, await (response.json() if kind.endswith("json") else response.read())

    async def get(self, path: str, **more: Any) -> Any:
        """What is there. Raises AssertionError where it is refused."""
        status, document = await self.ask("GET", path, **more)
        assert status == 200, (status, document)
        return document

    async def post(self, path: str, body: Any = None, **more: Any) -> Any:
        """What comes of it. Raises AssertionError where it is refused."""
        status, document = await self.ask("POST", path, json={} if body is None else body, **more)
        assert status < 300, (status, document)
        return document


@dataclass
class Served:
    """A service with its application, and whoever asks it."""

    app: App
    service: WebService
    client: TestClient[Any, Any]
    moderator: Asker = field(init=False)

    def __post_init__(self) -> None:
        self.moderator = Asker(self.client, TOKEN)

    @property
    def nobody(self) -> Asker:
        """Who has nothing."""
        return Asker(self.client)

    def holder(self, secret: str) -> Asker:
        """Who has this secret."""
        return Asker(self.client, secret)

    async def debate(self, motion: str = "Homework should end", **options: Any) -> str:
        """A debate of scripted models, begun; its id."""
        made = await self.moderator.post(
            "/sessions", {"protocol": "debate", "options": {"motion": motion, **SCRIPTED, **SHORT, **options}}
        )
        return str(made["id"])

    async def invited(self, session: str, role: str, seat: str = "") -> Asker:
        """Who has a link to the session."""
        made = await self.moderator.post(f"/sessions/{session}/invites", {"role": role, "seat": seat})
        return self.holder(made["code"])


Serve = Callable[[Path], Any]


@asynccontextmanager
async def served_from(home: Path) -> AsyncIterator[Served]:
    """The service over the sessions in a folder."""
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(open_app(Settings(home=home)))
        made = make_web(app, token=TOKEN)
        client = await stack.enter_async_context(TestClient(TestServer(made)))
        yield Served(app, made[SERVICE], client)


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    async with served_from(tmp_path) as made:
        yield made
