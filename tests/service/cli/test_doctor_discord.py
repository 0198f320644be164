"""`elenchus doctor` tries the bot's token and tells the address by which the bot is invited; the token itself never."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import tracemalloc
from collections.abc import Callable
from contextlib import suppress

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from pydantic import SecretStr

from elenchus.bot import invite
from elenchus.config.settings import DiscordSettings, Settings
from elenchus.service.cli import health
from elenchus.service.cli.doctor import examined
from tests.fakes.discord.server import Discord, serving
from tests.service.cli.program import Program

WRONG = "MTIz.wrong.token"


def settings(tmp_path: object, token: str) -> Settings:
    return Settings(home=str(tmp_path), discord=DiscordSettings(token=SecretStr(token)))  # type: ignore[arg-type]


async def test_a_good_token_is_taken_and_the_invitation_holds_the_permissions(tmp_path: object) -> None:
    discord = Discord()
    async with serving(discord):
        found = await health.bot_token(settings(tmp_path, discord.token), discord.api)
    assert found["ok"] is True
    assert "Discord takes the token" in found["said"]
    assert f"permissions={invite.PERMISSIONS.value}" in found["invitation"]
    assert "applications.commands" in found["invitation"]
    assert re.search(r"client_id=\d+", found["invitation"])
    assert discord.token not in json.dumps(found)


async def test_a_refused_token_is_said_and_not_shown(tmp_path: object) -> None:
    discord = Discord()
    async with serving(discord):
        found = await health.bot_token(settings(tmp_path, WRONG), discord.api)
    assert found["ok"] is False
    assert "Discord refuses the token" in found["said"]
    assert WRONG not in json.dumps(found)
    assert not found["invitation"]


@pytest.mark.parametrize("token", ["ключ", "two words"])
async def test_what_is_no_token_is_sent_nowhere(tmp_path: object, token: str) -> None:
    found = await health.bot_token(settings(tmp_path, token), "http://127.0.0.1:9")
    assert "is no bot's token" in found["said"]


async def test_a_discord_out_of_reach_is_one_sentence(tmp_path: object) -> None:
    found = await health.bot_token(settings(tmp_path, "a.b.c"), "http://127.0.0.1:9")
    assert "cannot be reached" in found["said"]


LONG = b'{"username": "%s"}'
ODD: dict[str, Callable[[], bytes]] = {
    "nested": lambda: b"[" * 100_000 + b"]" * 100_000,
    "long": lambda: LONG % (b"x" * 50_000_000),
    "packed": lambda: gzip.compress(LONG % (b"x" * 50_000_000)),
    "no mapping": lambda: b"[]",
    "a long number": lambda: b'{"username": "b", "id": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("kind", ODD)
async def test_whatever_answers_in_discords_place_is_one_sentence_and_no_more_is_read_than_an_answer_has(
    tmp_path: object, kind: str
) -> None:
    body, headers = ODD[kind](), {"Content-Encoding": "gzip"} if kind == "packed" else {}

    async def odd(request: web.Request) -> web.StreamResponse:
        reply = web.StreamResponse(headers={"Content-Type": "application/json", **headers})
        await reply.prepare(request)
        with suppress(ConnectionError):
            for start in range(0, len(body), 65_536):
                await reply.write(body[start : start + 65_536])
        return reply

    app = web.Application()
    app.router.add_get("/{path:.*}", odd)
    async with TestServer(app) as server:
        tracemalloc.start()
        try:
            found = await health.bot_token(settings(tmp_path, "a.b.c"), str(server.make_url("")))
            most = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert found["said"] == "what answers there is not Discord's API"
    assert most < 20_000_000


async def test_a_name_and_password_in_the_address_are_a_sentence_and_not_told(tmp_path: object) -> None:
    found = await health.bot_token(settings(tmp_path, "a.b.c"), "http://ann:pa55word@127.0.0.1:9")
    assert "user name or a password" in found["said"]
    assert "pa55word" not in json.dumps(found)


async def test_without_a_token_nothing_is_tried(tmp_path: object) -> None:
    found = await health.bot_token(Settings(home=str(tmp_path)), "http://127.0.0.1:9")  # type: ignore[arg-type]
    assert found["ok"] is None
    assert "no token is set" in found["said"]


async def test_the_document_of_doctor_has_it(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("ELENCHUS_HOME", str(tmp_path))
    discord = Discord()
    async with serving(discord):
        monkeypatch.setenv("DISCORD_TOKEN", discord.token)
        found = await examined(discord.api)
    assert found["discord"]["ok"] is True
    assert discord.token not in json.dumps(found, default=str)


async def test_the_terminal_shows_the_address_to_open(elenchus: Program) -> None:
    discord = Discord()
    async with serving(discord):
        told = {"DISCORD_TOKEN": discord.token}
        done = await asyncio.to_thread(elenchus, "doctor", "--discord-api", discord.api, env=told)
    address = invite.address(discord.world.application.id)
    assert f"invite it: {address}" in done.out
    assert discord.token not in f"{done.out}{done.err}"
