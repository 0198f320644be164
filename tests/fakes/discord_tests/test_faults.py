"""What a test lets go wrong really goes wrong."""

from __future__ import annotations

import time

import aiohttp
import pytest

from tests.fakes.discord.running import connected
from tests.fakes.discord.server import Discord
from tests.fakes.discord_tests.support import Bot, Place, Rest, channel_in

POST = ("POST", "/channels/{channel_id}/messages")


async def test_a_server_error_is_tried_again_by_the_client(fake: Discord, place: Place) -> None:
    fake.faults.fail(*POST, 500)
    async with connected(fake, Bot()) as bot:
        channel = channel_in(bot, place)
        await channel.send("x")
    assert [made.answered for made in fake.made(*POST)] == [500, 200]
    assert len(place.channel.messages) == 1


async def test_a_lost_reply_leaves_the_post_behind(fake: Discord, place: Place, rest: Rest) -> None:
    fake.faults.lose_reply(*POST)
    with pytest.raises(aiohttp.ClientError):
        await rest("POST", f"/channels/{place.channel.id}/messages", {"content": "was it made?"})
    assert [post.content for post in place.channel.messages.values()] == ["was it made?"]
    assert fake.made(*POST)[0].answered == 0


async def test_a_slow_route_is_slow_and_others_are_not(fake: Discord, place: Place, rest: Rest) -> None:
    fake.faults.delay(1.0, *POST)
    began = time.monotonic()
    await rest("GET", "/users/@me")
    assert time.monotonic() - began < 1.0
    await rest("POST", f"/channels/{place.channel.id}/messages", {"content": "x"})
    assert time.monotonic() - began > 1.0


async def test_while_discord_is_down_the_client_keeps_trying(fake: Discord, place: Place) -> None:
    async with connected(fake, Bot()) as bot:
        fake.gateway.refuse = True
        await fake.gateway.drop(4000)
        await fake.world.until(lambda: len(fake.gateway.asked) >= 2)
        fake.gateway.refuse = False
        await fake.world.until(lambda: "resumed" in bot.happened, within=30)


async def test_a_wrong_token_no_token_and_no_json_are_refused(fake: Discord, place: Place, rest: Rest) -> None:
    for token in (None, "wrong"):
        got = await rest("GET", "/users/@me", token=token)
        assert (got.status, got.code) == (401, 0)
    got = await rest("POST", f"/channels/{place.channel.id}/messages", raw=b"{no")
    assert (got.status, got.code) == (400, 50109)
