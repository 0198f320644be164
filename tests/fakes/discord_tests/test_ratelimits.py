"""Buckets, the global limit, hidden limits and bans: seen by plain requests and honoured by the real client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest

from tests.fakes.discord.ratelimits import RateLimits
from tests.fakes.discord.running import connected
from tests.fakes.discord.server import Discord, serving
from tests.fakes.discord_tests.support import Bot, Place, Rest, channel_in, hook_of, path

POST = ("POST", "/channels/{channel_id}/messages")


@pytest.fixture
async def fake() -> AsyncIterator[Discord]:
    async with serving(Discord(rate_scale=0.1)) as fake:
        yield fake


@pytest.fixture
async def slow() -> AsyncIterator[Rest]:
    """Requests to a fake whose windows are ten times as long: however slow the machine, none passes by itself."""
    async with serving(Discord(rate_scale=10)) as fake, aiohttp.ClientSession() as session:
        yield Rest(fake, session)


def place_in(fake: Discord) -> Place:
    guild = fake.world.guild("Agora")
    return Place(fake.world, guild, fake.world.text_channel(guild, "general"), fake.world.person("Alice"))


async def test_a_bucket_counts_down_and_refuses_with_all_that_a_client_needs(slow: Rest) -> None:
    place = place_in(slow.fake)
    at = f"/channels/{place.channel.id}/messages"
    answers = [await slow.once("POST", at, {"content": str(number)}) for number in range(5)]
    assert [got.headers["X-RateLimit-Remaining"] for got in answers] == ["4", "3", "2", "1", "0"]
    assert {got.headers["X-RateLimit-Limit"] for got in answers} == {"5"}
    got = await slow.once("POST", at, {"content": "one too many"})
    assert got.status == 429
    assert 0 < got.body["retry_after"] <= 50
    assert got.body["global"] is False
    assert got.headers["Via"]
    assert {"Retry-After", "X-RateLimit-Bucket", "X-RateLimit-Reset", "X-RateLimit-Scope"} <= got.headers.keys()
    other = place.world.text_channel(place.guild, "other")
    elsewhere = await slow.once("POST", f"/channels/{other.id}/messages", {"content": "x"})
    assert elsewhere.headers["X-RateLimit-Remaining"] == "4"
    place.world.clock.advance(got.body["retry_after"])
    assert (await slow.once("POST", at, {"content": "again"})).status == 200


async def test_the_real_client_stays_within_the_bucket_in_order(fake: Discord, place: Place) -> None:
    async with connected(fake, Bot()) as bot:
        channel = channel_in(bot, place)
        began = time.monotonic()
        for number in range(12):
            await channel.send(str(number))
        assert time.monotonic() - began > 0.8
    assert fake.limits.hits == []
    assert [post.content for post in place.channel.messages.values()] == [str(number) for number in range(12)]


async def test_the_real_client_waits_as_long_as_retry_after_says(fake: Discord, place: Place) -> None:
    fake.faults.limit(*POST, retry_after=0.3)
    async with connected(fake, Bot()) as bot:
        channel = channel_in(bot, place)
        began = time.monotonic()
        await channel.send("patient")
        assert time.monotonic() - began > 0.3
    assert [made.answered for made in fake.made(*POST)] == [429, 200]


async def test_a_429_without_via_is_a_ban_to_the_client(fake: Discord, place: Place) -> None:
    fake.faults.limit(*POST, retry_after=0.1, banned=True)
    async with connected(fake, Bot()) as bot:
        channel = channel_in(bot, place)
        with pytest.raises(discord.HTTPException) as refused:
            await channel.send("x")
        assert refused.value.status == 429


async def test_five_webhook_posts_in_two_seconds_and_thirty_a_minute_and_channel(slow: Rest) -> None:
    place = place_in(slow.fake)
    hooks = [hook_of(place, str(number)) for number in range(7)]
    answers = [await slow.once("POST", path(hooks[0]), {"content": "x"}, token=None) for _ in range(6)]
    assert [got.status for got in answers] == [204] * 5 + [429]
    shared = [await slow.once("POST", path(hook), {"content": "x"}, token=None) for hook in hooks[1:] for _ in range(5)]
    assert [got.status for got in shared] == [204] * 25 + [429] * 5
    assert shared[-1].headers["X-RateLimit-Scope"] == "shared"
    assert 0 < shared[-1].body["retry_after"] <= 600


async def test_fifty_requests_a_second_are_the_most_of_a_bot(slow: Rest) -> None:
    place = place_in(slow.fake)
    channels = [place.world.text_channel(place.guild, str(number)) for number in range(51)]
    answers = [await slow.once("GET", f"/channels/{one.id}") for one in channels]
    assert [got.status for got in answers] == [200] * 50 + [429]
    assert answers[-1].body["global"] is True
    assert answers[-1].headers["X-RateLimit-Global"] == "true"
    assert answers[-1].headers["X-RateLimit-Scope"] == "global"


def test_the_global_limit_refuses_the_fifty_first_and_lets_interactions_through() -> None:
    limits = RateLimits(scale=60)
    assert [limits.refuse_everywhere("/channels/{channel_id}") for _ in range(50)] == [None] * 50
    refused = limits.refuse_everywhere("/channels/{channel_id}")
    assert refused is not None
    assert refused.everywhere
    assert limits.refuse_everywhere("/interactions/{interaction_id}/{interaction_token}/callback") is None


async def test_ten_thousand_refusals_are_a_ban_without_via(fake: Discord, rest: Rest) -> None:
    for _ in range(10_000):
        fake.limits.count_invalid(403)
    got = await rest.once("GET", "/users/@me")
    assert got.status == 429
    assert "Via" not in got.headers
    fake.limits.invalid.clear()


async def test_a_global_429_stops_every_route_of_the_client(fake: Discord, place: Place) -> None:
    fake.faults.limit(*POST, retry_after=0.4, everywhere=True)
    async with connected(fake, Bot()) as bot:
        channel = channel_in(bot, place)
        began = time.monotonic()
        sending = asyncio.create_task(channel.send("x"))
        await fake.world.until(lambda: fake.made(*POST))
        await bot.fetch_user(place.alice.id)
        assert time.monotonic() - began > 0.3
        await sending
