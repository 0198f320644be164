"""`elenchus doctor` tries the bot's token and tells the address by which the bot is invited; the token itself never."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
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
