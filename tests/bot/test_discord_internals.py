"""A request that is cancelled holds up no other: neither in a limit of all requests, nor at a webhook's."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path

import discord
import pytest

from elenchus.bot import discord_internals
from tests.bot.posting.standing import WEBHOOK
from tests.bot.stage import Stage, until

INTERNALS = Path(discord_internals.__file__)
CHANNEL = ("GET", "/channels/{channel_id}")


def test_what_is_used_of_the_library_is_told_with_its_reason() -> None:
    tree = ast.parse(INTERNALS.read_text(encoding="utf-8"))
    functions = {one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)}
    assert [name for name in sorted(functions) if f"`{name}`" not in (ast.get_docstring(tree) or "")] == []


def test_no_other_module_of_the_bot_has_a_private_member_of_somebody_elses() -> None:
    used = {
        (path.name, node.attr)
        for path in INTERNALS.parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__")
        if not (isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"})
    }
    assert {name for name, _ in used} == {INTERNALS.name}


async def test_a_request_cancelled_in_a_limit_of_all_requests_lets_the_others_go(stage: Stage) -> None:
    async with stage.running() as bot:
        stage.discord.faults.limit(*CHANNEL, 0.5, everywhere=True)
        waiting = asyncio.create_task(bot.fetch_channel(stage.channel.id))
        await until(lambda: not bot.http._global_over.is_set())
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        found = await asyncio.wait_for(bot.fetch_channel(stage.channel.id), 60)
        assert found.id == stage.channel.id
    assert [call.answered for call in stage.discord.made(*CHANNEL)] == [429, 200]


@pytest.mark.slow
async def test_a_limit_of_all_requests_is_waited_for_to_its_end(stage: Stage) -> None:
    async with stage.running() as bot:
        stage.discord.faults.limit(*CHANNEL, 4.0, everywhere=True)
        first = asyncio.create_task(bot.fetch_channel(stage.channel.id))
        await until(lambda: not bot.http._global_over.is_set())
        await asyncio.gather(first, *(bot.fetch_channel(stage.channel.id) for _ in range(5)))
    assert [call.answered for call in stage.discord.made(*CHANNEL)] == [429, *[200] * 6]


async def test_a_post_cancelled_while_it_waits_for_the_webhooks_limit_lets_the_next_go(stage: Stage) -> None:
    stage.discord.limits.scale = 1.0  # five posts in two seconds: the fifth is to wait
    async with stage.running() as bot:
        channel = await bot.fetch_channel(stage.channel.id)
        assert isinstance(channel, discord.TextChannel)
        webhook = await channel.create_webhook(name="one of many")
        last = asyncio.create_task(posted(webhook, 5))
        await until(lambda: len(stage.discord.made(*WEBHOOK)) == 5)
        next_one = asyncio.create_task(webhook.send("the next", wait=True))
        await asyncio.sleep(0.2)  # it waits for the fifth now, which has been made and waits itself
        last.cancel()
        await asyncio.gather(last, return_exceptions=True)
        assert (await asyncio.wait_for(next_one, 60)).content == "the next"


async def posted(webhook: discord.Webhook, times: int) -> None:
    for n in range(times):
        await webhook.send(str(n), wait=True)
