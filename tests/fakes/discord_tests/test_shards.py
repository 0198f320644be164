"""Shards before the real discord.py client: who hears of which server, and who may identify when."""

from __future__ import annotations

import asyncio

import discord
import pytest

from tests.fakes.discord.running import close_forgotten, connected, using
from tests.fakes.discord.server import Discord, serving
from tests.fakes.discord_tests.support import Bot


def bot(number: int, count: int) -> Bot:
    return Bot(shard_id=number, shard_count=count)


async def test_each_shard_knows_and_hears_of_its_own_servers_alone() -> None:
    async with serving(Discord()) as fake:
        own, other = (fake.world.guild(f"of {n}", shard=(n, 2)) for n in (0, 1))
        alice = fake.world.person("Alice", guild=own)
        async with connected(fake, bot(0, 2)) as first, connected(fake, bot(1, 2)) as second:
            assert [[guild.id for guild in each.guilds] for each in (first, second)] == [[own.id], [other.id]]
            assert fake.gateway.connected() == [(0, 2), (1, 2)]
            for guild in (own, other):
                fake.world.text_channel(guild, "new")
            await fake.world.until(lambda: all(len(each.guilds[0].channels) == 1 for each in (first, second)))
            await alice.write(fake.world.dm(alice.user), "to the bot itself")
            await fake.world.until(lambda: first.heard)
            assert not second.heard


class Sharded(discord.AutoShardedClient):
    """The library's own, which leaves no five seconds between two shards: here nothing is demanded."""

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        pass


async def test_the_librarys_own_sharded_client_has_all_of_them() -> None:
    async with serving(Discord()) as fake:
        fake.gateway.shards = 2
        guilds = {fake.world.guild(f"of {n}", shard=(n, 2)).id for n in (0, 1)}
        client = Sharded(intents=discord.Intents(guilds=True), guild_ready_timeout=0.05)
        async with connected(fake, client):
            assert {guild.id for guild in client.guilds} == guilds
            assert {guild.shard_id for guild in client.guilds} == {0, 1}


@pytest.mark.parametrize(("shard", "count", "code"), [(2, 2, 4010), (-1, 2, 4010), (0, 1, 4011)])
async def test_a_shard_that_cannot_be_or_has_too_many_servers_is_closed(shard: int, count: int, code: int) -> None:
    async with serving(Discord()) as fake:
        for _ in range(2):
            fake.world.guild(shard=(0, 2))
        fake.gateway.most_guilds = 1
        with pytest.raises(discord.ConnectionClosed) as closed:
            async with connected(fake, bot(shard, count)):
                pass
        assert closed.value.code == code


async def test_one_of_a_bucket_identifies_at_a_time_and_buckets_do_not_wait_for_each_other() -> None:
    async with serving(Discord(identify_every=60.0, rate_scale=0.01)) as fake:
        fake.gateway.max_concurrency = 2
        given = discord.Intents(guilds=True)
        clients = [discord.Client(intents=given, shard_id=number, shard_count=4) for number in range(4)]
        with using(fake.endpoints):
            running = [asyncio.create_task(client.start(fake.token)) for client in clients]
            await fake.world.until(lambda: len(fake.gateway.too_early) == 2)
            assert {number % 2 for number, _ in fake.gateway.connected()} == {0, 1}
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            for client in clients:
                await client.close()
            await close_forgotten()
