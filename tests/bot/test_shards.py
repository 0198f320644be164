"""Two shards of the bot: each sees to its own servers, and a member who is forgotten on one is forgotten on all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from elenchus.bot.bindings import Bindings
from elenchus.bot.client import ElenchusBot
from elenchus.bot.guild import GuildSettings, keep
from elenchus.bot.people.removal import NAMESPACE
from elenchus.bot.shards import Shard
from elenchus.config.settings import Settings
from elenchus.service.app import App, open_app
from tests.bot.people.seated import speak, turn_for
from tests.bot.posting.standing import whole
from tests.bot.stage import DEMO, PATIENCE, QUICK, VOTE, Stage, finished, posts, services_of, texts, until
from tests.fakes.discord.people import Person

COMMANDS = ("PUT", "/applications/{application_id}/commands")


@asynccontextmanager
async def client(app: App, stage: Stage, shard: Shard) -> AsyncIterator[ElenchusBot]:
    bot = ElenchusBot(replace(services_of(app), shard=shard), **QUICK)
    working = asyncio.create_task(bot.start(stage.discord.token))
    try:
        await asyncio.wait_for(bot.wait_until_ready(), PATIENCE)
        yield bot
    finally:
        await bot.close()
        await asyncio.gather(working, return_exceptions=True)


@asynccontextmanager
async def two(stage: Stage) -> AsyncIterator[list[Stage]]:
    """Two shards over one home, each with a server, and Alice in both."""
    world = stage.discord.world
    async with (
        open_app(Settings(home=stage.home, discord=stage.settings)) as app,
        client(app, stage, Shard(0, 2)) as first,
        client(app, stage, Shard(1, 2)) as second,
    ):
        made = list[Stage]()
        for number, bot in enumerate((first, second)):
            guild = world.guild(f"server {number}", shard=(number, 2))
            channel = world.text_channel(guild, "debates")
            world.join(guild, stage.alice.user)
            settings = GuildSettings(debater=DEMO, judges=(DEMO,), start="everyone", vote_minutes=VOTE)
            await keep(app.store, guild.id, settings)
            alice = Person(world, stage.alice.user, guild)
            made.append(replace(stage, guild=guild, channel=channel, alice=alice, app=app, bot=bot))
        yield made


async def test_each_shard_shows_the_sessions_of_its_own_servers(stage: Stage) -> None:
    async with two(stage) as stages:
        threads = [await each.debate() for each in stages]
        for each, thread in zip(stages, threads, strict=True):
            await finished(thread)
            await whole(each, thread)
            assert each.bot is not None
            assert [binding.guild for binding in each.bot.bindings] == [each.guild.id]
        assert stages[0].app is not None
        for number in (0, 1):  # as a bot reads them that has just taken over
            bindings = Bindings(stages[0].app.store, Shard(number, 2))
            await bindings.load()
            assert [binding.thread for binding in bindings] == [threads[number].id]
    assert len(stage.discord.made(*COMMANDS)) == 1, "one of them tells Discord the commands"


@pytest.mark.slow
async def test_a_member_who_is_forgotten_on_one_server_is_forgotten_on_those_of_other_shards(stage: Stage) -> None:
    world = stage.discord.world
    async with two(stage) as stages:
        bob = world.person("Bob", guild=stages[0].guild)
        world.join(stages[1].guild, bob.user)
        bobs = [bob, Person(world, bob.user, stages[1].guild)]
        threads = []
        for each, there in zip(stages, bobs, strict=True):
            threads.append(await each.debate(pro=there.mention))
            await speak(there, await turn_for(threads[-1], there, "opening speech"), first=True)
        for thread in threads:
            await until(lambda one=thread: any("seventeen bees" in post.content for post in posts(one)))  # type: ignore[misc]
        asked = await bob.slash(stages[0].channel, "privacy forget")
        assert "2 sessions" in asked.text
        done = await bob.press(asked.message, "Remove it for good")
        assert "1 session" in done.text
        assert "On other servers" in done.text
        assert not any("seventeen bees" in text for text in texts(threads[0]))
        await until(lambda: not any("seventeen bees" in text for text in texts(threads[1])))
        app = stages[0].app
        assert app is not None
        async with asyncio.timeout(PATIENCE):
            while await app.store.all(NAMESPACE):  # noqa: ASYNC110 - the store tells nobody
                await asyncio.sleep(0.05)
        logs = [await app.log.read(info.id) for info in await app.log.sessions()]
        assert not any("bees" in str(r.line()) or str(bob.id) in str(r.line()) for log in logs for r in log)
        assert "Nothing is held on you" in (await bob.slash(stages[0].channel, "privacy forget")).text
