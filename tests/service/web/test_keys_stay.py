"""No vendor's key leaves the server: not by a page, a document, a file, a stream, a number or a log."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from elenchus.config.settings import DiscordSettings, ServerSettings, Settings, VendorSettings
from elenchus.service.web.api.table import all_routes
from elenchus.service.web.pages.table import PAGES
from elenchus.service.web.routes import STREAM
from tests.fakes.llm.loopback import Fail, Say, serving
from tests.fakes.llm.openai import FakeOpenAI
from tests.service.web.watching import METRICS_TOKEN, TOKEN, Watched, watched

NAMES = ("openai", "anthropic", "gemini")
KEYS = {name: f"KEPT-{name}-0123456789abcdef" for name in (*NAMES, "lab", "discord")}
ENDED = ("finished", "failed", "stopped", "paused")


def settings_with(home: Path, url: str) -> Settings:
    """Every kind of key that a person may give, one vendor at a server that tells them all."""
    vendors = {name: VendorSettings(key=SecretStr(KEYS[name]), base_url=f"{url}/v1", retries=0) for name in NAMES}
    lab = ServerSettings(speaks="openai", url=f"{url}/v1", key_env="LAB_KEY", attempts=1, key=SecretStr(KEYS["lab"]))
    discord = DiscordSettings(token=SecretStr(KEYS["discord"]))
    return Settings(home=home).model_copy(update={**vendors, "servers": {"lab": lab}, "discord": discord})


def leaks(where: str, text: str | bytes) -> list[str]:
    """The keys that stand there, or parts of them."""
    told = text if isinstance(text, str) else text.decode(errors="replace")
    return [f"{where}: {name}" for name, key in KEYS.items() if key[:12] in told]


@pytest.fixture
async def one(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[tuple[Watched, str]]:
    """A service with a debate whose models say the key that they were sent, and then refuse it by name."""
    caplog.set_level(logging.DEBUG)
    async with serving(FakeOpenAI(key=KEYS["openai"])) as fake:
        told = " ".join(KEYS.values())
        fake.will(Say(f"You sent {KEYS['openai']} to me."), *[Fail(401, f"Incorrect API key provided: {told}")] * 50)
        async with watched(tmp_path, settings_with(tmp_path, fake.url)) as made:
            seats: dict[str, Any] = dict.fromkeys(("pro", "con", "crit"), "openai:m") | {"judges": ["openai:m"]}
            body = {"protocol": "debate", "options": {"motion": "Homework should end", **seats, "max_rounds": 1}}
            _, session = await made.ask("POST", "/api/v1/sessions", TOKEN, json=body)
            path = f"/api/v1/sessions/{session['id']}"
            async with asyncio.timeout(30):
                while (await made.get(path, TOKEN))[1]["state"] not in ENDED:  # noqa: ASYNC110 - over HTTP
                    await asyncio.sleep(0.05)
            yield made, str(session["id"])


def address(path: str, session: str) -> str:
    """A route's or page's address, of the session where it has one."""
    parts = {
        "session": session, "seat": "pro", "step": "opening%2Fpro", "grant": "none", "file": "all.zip", "seq": "1",
        "when": "before", "grid": "none", "classroom": "none", "argument": "1", "kind": "debate", "code": "aaaa-bbbb",
        "picture": "a" * 64,
    }  # fmt: skip
    return re.sub(r"{(\w+)(?::[^}]*)?}", lambda found: parts.get(found[1], "none"), path)


SIGNED = {"Authorization": f"Bearer {TOKEN}"}


async def read(made: Watched, path: str) -> bytes:
    """What is answered, whatever it is, with its headers."""
    async with made.client.get(made.url + path, headers=SIGNED) as answer:
        return await answer.read() + str(answer.headers).encode()


@pytest.mark.slow
async def test_no_answer_holds_a_key(one: tuple[Watched, str], caplog: pytest.LogCaptureFixture) -> None:
    made, session = one
    found = []
    for route in all_routes():
        if route.method == "GET" and route.gives != STREAM:
            found += leaks(route.path, await read(made, address(route.path, session)))
    assert "You sent … to me" in str(await made.get(f"/api/v1/sessions/{session}/events", TOKEN)), "it was said"
    files = (await made.get(f"/api/v1/sessions/{session}/exports", TOKEN))[1]["files"]
    for name in files:
        found += leaks(name, await read(made, f"/api/v1/sessions/{session}/exports/{name}"))
    async with made.client.get(f"{made.url}/api/v1/sessions/{session}/stream", headers=SIGNED) as stream:
        found += leaks("stream", await stream.content.read(2_000))
    found += leaks("metrics", str(await made.get("/metrics", METRICS_TOKEN)))
    for body in ({"protocol": "debate", "options": {"motion": "x", "pro": f"{name}:m"}} for name in (*NAMES, "lab")):
        found += leaks("estimate", str(await made.ask("POST", "/api/v1/estimates", TOKEN, json=body)))
    found += leaks("log", "\n".join(record.getMessage() + str(record.exc_info) for record in caplog.records))
    assert found == []


async def test_no_page_and_no_file_of_the_server_holds_a_key(one: tuple[Watched, str], tmp_path: Path) -> None:
    made, session = one
    given = await made.service.access.give("owner")
    cookie = {"Cookie": f"elenchus={await made.service.sign_ins.new(given.grant)}", "Accept": "text/html"}
    found, seen = [], 0
    for route in (page for page in PAGES if page.method == "GET" and not page.path.endswith("/stream")):
        async with made.client.get(made.url + address(route.path, session), headers=cookie) as page:
            assert page.status < 500, route.path
            found += leaks(route.path, await page.read() + str(page.headers).encode())
            seen += page.status == 200
    assert seen > 12
    for file in (one for one in tmp_path.rglob("*") if one.is_file()):
        found += leaks(str(file), file.read_bytes())
    assert found == []
