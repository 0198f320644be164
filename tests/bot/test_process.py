"""`elenchus bot` as a process: how it ends, and what it says when it cannot begin."""

from __future__ import annotations

import asyncio
import os
import re
import sys

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from elenchus.bot import invite
from tests.bot.child import ROOT, bot, settle
from tests.bot.stage import Stage, texts, until
from tests.fakes.discord.events import Intent
from tests.fakes.llm.loopback import serving
from tests.fakes.llm.openai import FakeOpenAI

ENDLESS = "scripted:demo?latency=60"


@pytest.fixture
def stage(stage: Stage) -> Stage:
    """The program itself, as from a shell."""
    stage.quick = False
    return stage


async def ended(stage: Stage, *arguments: str, **environment: str) -> tuple[int, str]:
    """Run `elenchus bot` until it ends by itself; its exit code and what it says on standard error."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "elenchus.service.cli", "bot", *arguments, cwd=ROOT,
        env={**os.environ, "ELENCHUS_HOME": str(stage.home), **environment}, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _, said = await asyncio.wait_for(process.communicate(), 120)
    assert process.returncode is not None
    return process.returncode, said.decode()


def addresses(stage: Stage) -> list[str]:
    return ["--discord-api", stage.discord.api, "--discord-gateway", stage.discord.gateway_url]


async def test_without_a_token_it_says_where_to_put_it(stage: Stage) -> None:
    code, said = await ended(stage)
    assert (code, said.count("\n")) == (2, 1)
    assert "DISCORD_TOKEN" in said


@pytest.mark.slow
@pytest.mark.parametrize("token", [" ", "Bot MTIz.a.b", "MTIz.a\nb", "MTIz.ä.b"])
async def test_what_cannot_be_a_token_is_told_before_discord_is_asked(stage: Stage, token: str) -> None:
    code, said = await ended(stage, *addresses(stage), DISCORD_TOKEN=token)
    assert (code, said.count("\n")) == (2, 1)
    assert "DISCORD_TOKEN" in said
    assert not stage.discord.made("GET", "/users/@me")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["text/html", "application/json; charset=utf-8"])
async def test_an_address_where_something_else_answers_is_told_in_one_sentence(stage: Stage, kind: str) -> None:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(body=b'{"id": "1", "username": "x"}', headers={"Content-Type": kind})

    other = web.Application()
    other.router.add_get("/{path:.*}", answer)
    async with TestServer(other) as server:
        where = str(server.make_url("/api/v10"))
        code, said = await ended(stage, "--discord-api", where, DISCORD_TOKEN=stage.discord.token)
    assert code == 2
    assert "not Discord's API" in said
    assert "Traceback" not in said


@pytest.mark.slow
async def test_nobody_is_told_what_is_missing_for_a_voice(stage: Stage) -> None:
    _, said = await ended(stage, *addresses(stage), DISCORD_TOKEN="MTIz.wrong.token")
    assert "voice" not in said


@pytest.mark.slow
async def test_the_bot_takes_ones_own_server_for_seats_that_nobody_names_and_starts_also_while_it_is_down(
    stage: Stage,
) -> None:
    wrong = {"DISCORD_TOKEN": "MTIz.wrong.token"}
    async with serving(FakeOpenAI(key="no-key", models=("llama3",))) as server:
        _, said = await ended(stage, *addresses(stage), OPENAI_BASE_URL=f"{server.url}/v1", **wrong)
    assert "seats that nobody names: openai:llama3 (the only model of OPENAI_BASE_URL)" in said
    _, said = await ended(stage, *addresses(stage), OPENAI_BASE_URL="http://127.0.0.1:9/v1", **wrong)
    assert "set ELENCHUS_MODEL=openai:MODEL" in said
    assert "refused the token" in said, "it went on to Discord"


@pytest.mark.slow
async def test_a_refused_token_is_told_in_one_sentence(stage: Stage) -> None:
    code, said = await ended(stage, *addresses(stage), DISCORD_TOKEN="MTIz.wrong.token")
    assert code == 2
    assert "refused the token" in said
    assert "wrong" not in said


@pytest.mark.slow
async def test_a_discord_that_cannot_be_reached_is_told_in_one_sentence(stage: Stage) -> None:
    nowhere = "http://127.0.0.1:9/api/v10"  # the port on which nobody listens
    code, said = await ended(stage, "--discord-api", nowhere, DISCORD_TOKEN=stage.discord.token)
    assert code == 2
    assert "cannot be reached" in said
    assert "Traceback" not in said


async def test_a_discord_that_is_down_is_told_in_one_sentence(stage: Stage) -> None:
    stage.discord.faults.fail("GET", "/users/@me", 503, times=9)
    code, said = await ended(stage, *addresses(stage), DISCORD_TOKEN=stage.discord.token)
    assert code == 2
    assert "503" in said
    assert "Traceback" not in said


@pytest.mark.slow
async def test_a_gateway_that_is_down_is_told_in_one_sentence(stage: Stage) -> None:
    stage.discord.gateway.refuse = True
    code, said = await ended(stage, *addresses(stage), DISCORD_TOKEN=stage.discord.token)
    assert code == 2
    assert "elenchus: Discord's gateway cannot be reached" in said


@pytest.mark.slow
async def test_a_gateway_that_refuses_the_token_for_good_says_so(stage: Stage) -> None:
    stage.discord.gateway.token = "renewed meanwhile"
    code, said = await ended(stage, *addresses(stage), DISCORD_TOKEN=stage.discord.token)
    assert code == 2
    assert "refused the token" in said
    assert "Traceback" not in said


async def test_an_address_of_the_wrong_kind_is_refused(stage: Stage) -> None:
    code, said = await ended(stage, "--discord-gateway", "http://here", DISCORD_TOKEN=stage.discord.token)
    assert code == 2
    assert "ws://" in said


@pytest.mark.parametrize("option", ["--discord-api", "--discord-gateway"])
async def test_a_name_and_password_in_an_address_are_a_sentence_and_not_told(stage: Stage, option: str) -> None:
    scheme = "http" if option == "--discord-api" else "ws"
    address = f"{scheme}://ann:pa55word@127.0.0.1:9/api"
    code, said = await ended(stage, option, address, DISCORD_TOKEN=stage.discord.token)
    assert code == 2
    assert "user name or a password" in said
    assert "pa55word" not in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("intent", "variable"),
    [
        (Intent.MESSAGE_CONTENT, "ELENCHUS_DISCORD_MESSAGE_CONTENT"),
        (Intent.GUILD_MEMBERS, "ELENCHUS_DISCORD_MEMBERS"),
    ],
)
async def test_an_intent_that_was_not_granted_is_named(stage: Stage, intent: Intent, variable: str) -> None:
    stage.discord.world.application.privileged &= ~intent
    wanted = {"DISCORD_TOKEN": stage.discord.token, variable: "true"}
    code, said = await ended(stage, *addresses(stage), **wanted)
    assert code == 2
    assert variable in said


@pytest.mark.slow
async def test_the_reference_that_a_person_is_given_stands_on_standard_error(stage: Stage) -> None:
    stage.home.mkdir()
    await settle(stage, ENDLESS)
    async with bot(stage) as child:
        refused = await stage.offer(pro="gpt")
        found = re.search(r"reference (\w{6})", refused.text)
        assert found
        said = stage.home / "bot.log"
        await until(lambda: f"[{found[1]}]" in said.read_text(encoding="utf-8"))
        await until(lambda: "connected as" in said.read_text(encoding="utf-8"))
        await child.end()


@pytest.mark.slow
async def test_it_says_at_its_start_where_it_is_invited_to_a_server(stage: Stage) -> None:
    stage.home.mkdir()
    await settle(stage, ENDLESS)
    async with bot(stage) as child:
        said = stage.home / "bot.log"
        await until(lambda: "connected as" in said.read_text(encoding="utf-8"))
        assert invite.address(stage.discord.world.application.id) in said.read_text(encoding="utf-8")
        await child.end()


@pytest.mark.slow
@pytest.mark.kill
async def test_it_ends_well_on_sigterm_and_goes_on_where_it_was(stage: Stage) -> None:
    stage.home.mkdir()
    await settle(stage, ENDLESS)
    async with bot(stage) as child:
        thread = await stage.debate()
        await until(lambda: "▶ Running" in texts(thread)[0])
        await child.end()
        assert child.process.returncode == 0
    await settle(stage, ENDLESS)
    async with bot(stage) as child:
        await stage.alice.press(stage.panel(thread), "Heat −")
        await until(lambda: "next turn" in texts(thread)[0] or "→" in texts(thread)[0])
        await child.end()
    assert not [text for text in texts(thread)[1:] if "Paused" in text or "goes on" in text]
