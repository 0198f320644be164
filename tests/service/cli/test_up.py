"""`elenchus up`: the web and Discord over the same sessions, in one process."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from elenchus.storage.sqlite_log import open_log
from tests.bot.child import ROOT, identified, settle
from tests.bot.scenes.acting import called, threads_of
from tests.bot.stage import SCRIPTS_TOO, Stage, stage_at, texts, until

TOKEN = "a-token-of-the-environment-for-programs"
ENDLESS = "scripted:demo?latency=60"


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with stage_at(tmp_path / "home") as made:
        made.home.mkdir()
        yield made


@dataclass
class Both:
    """The process, and a program that asks its web front end."""

    process: asyncio.subprocess.Process
    url: str
    client: ClientSession

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        asked = self.client.request(
            method, f"{self.url}/api/v1{path}", json=body, headers={"Authorization": f"Bearer {TOKEN}"}
        )
        async with asked as answer:
            assert answer.status < 300, await answer.text()
            return await answer.json()

    async def end(self) -> tuple[int, str]:
        """The exit code after SIGTERM, and what it has said on standard error."""
        self.process.send_signal(signal.SIGTERM)
        _, said = await asyncio.wait_for(self.process.communicate(), 60)
        assert self.process.returncode is not None
        return self.process.returncode, said.decode()


def begun(stage: Stage, **environment: str) -> Any:
    where = ["--discord-api", stage.discord.api, "--discord-gateway", stage.discord.gateway_url]
    known = {"ELENCHUS_HOME": str(stage.home), "DISCORD_TOKEN": stage.discord.token, "ELENCHUS_API_TOKEN": TOKEN}
    known["ELENCHUS_DISCORD_MODELS"] = ", ".join(SCRIPTS_TOO)
    return asyncio.create_subprocess_exec(
        sys.executable, "-m", "elenchus.service.cli", "up", "--port", "0", "--json", *where, cwd=ROOT,
        env=os.environ | known | environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip


@asynccontextmanager
async def up(stage: Stage) -> AsyncIterator[Both]:
    count = identified(stage)
    process = await begun(stage)
    try:
        first = await asyncio.wait_for(process.stdout.readline(), 60)
        await until(lambda: identified(stage) > count)
        async with ClientSession() as client:
            yield Both(process, json.loads(first)["url"], client)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def kinds(stage: Stage, session: str) -> list[str]:
    """The kinds of a session's events."""
    log = await open_log(stage.home / "elenchus.db")
    try:
        return [recorded.event.kind for recorded in await log.read(session)]
    finally:
        await log.aclose()


@pytest.mark.slow
@pytest.mark.kill
async def test_a_debate_on_discord_is_moderated_in_a_browser_and_both_front_ends_go_on_after_a_restart(
    stage: Stage,
) -> None:
    await settle(stage, ENDLESS)
    async with up(stage) as both:
        thread = await stage.debate()
        await until(lambda: "▶ Running" in texts(thread)[0])
        (on_discord,) = [one["id"] for one in (await both.ask("GET", "/sessions"))["sessions"]]
        await both.ask("POST", f"/sessions/{on_discord}/commands", {"command": "heat", "value": 0.35})
        await until(lambda: "0.35" in texts(thread)[0])
        options = {"motion": "Homework should end", "pro": ENDLESS, "con": ENDLESS, "judges": [ENDLESS]}
        in_browser = (await both.ask("POST", "/sessions", {"protocol": "debate", "options": options}))["id"]
        code, said = await both.end()
        assert code == 0, said
        assert "Traceback" not in said
    for session in (on_discord, in_browser):
        assert "session_paused" in await kinds(stage, session)
    async with up(stage) as both:
        for session in (on_discord, in_browser):
            while (await both.ask("GET", f"/sessions/{session}"))["state"] != "running":  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.05)
        assert (await both.end())[0] == 0


@pytest.mark.slow
async def test_a_class_is_joined_on_discord_and_by_http_and_the_member_is_asked_in_a_thread(stage: Stage) -> None:
    bob = stage.discord.world.person("Bob", guild=stage.guild)
    await settle(stage, ENDLESS)
    async with up(stage) as both:
        options = {"scene": "anchoring", "conditions": ["low/quiet", "high/quiet"], "people": 2}
        made = await both.ask("POST", "/classes", {"options": options})
        assert "You are in, as" in (await bob.slash(stage.channel, "class join", code=made["code"])).text
        await both.ask("POST", "/class-places", {"code": made["code"]})
        assert (await both.ask("GET", f"/classes/{made['id']}"))["people"] == 2
        await both.ask("POST", f"/classes/{made['id']}/phase", {"to": "playing"})
        (thread,) = await threads_of(stage, bob, 1)
        await called(thread, bob, words="at least 18 years old?")
        assert (await both.end())[0] == 0


async def test_without_a_token_of_discord_nothing_listens_and_it_says_why(stage: Stage) -> None:
    process = await begun(stage, DISCORD_TOKEN="")
    out, said = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 2
    assert b"DISCORD_TOKEN" in said
    assert json.loads(out)["error"]["kind"] == "UsageError"


async def test_where_discord_refuses_the_token_both_end_with_the_sentence(stage: Stage) -> None:
    process = await begun(stage, DISCORD_TOKEN="MTIz.wrong.token")
    _, said = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 2
    assert b"refused the token" in said
    assert b"Traceback" not in said
