"""A debate that was started on Discord is run by workers and watched over HTTP; each process of the whole dies in turn.

It ends once, each step and each post is there once, and who watches sees each event once.
"""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest

from elenchus.bot.bindings import all_bindings
from elenchus.bot.guild import GuildSettings, keep
from elenchus.debate_engine.errors import StorageError
from elenchus.debate_engine.events import SessionFinished
from elenchus.service.app import App
from tests.bot.child import compared
from tests.bot.stage import VOTE, Stage, posts
from tests.fakes.discord.state import Channel
from tests.service.web.conftest import TOKEN
from tests.service.web.test_two_processes import Server, serving
from tests.service.workers.chaos_bots import Bots, bots
from tests.service.workers.fleet import Fleet, look, until, vendor
from tests.storage.postgres_server import temporary_server
from tests.storage.redis_server import redis_server

pytestmark = [pytest.mark.slow, pytest.mark.kill]
MODEL = "scripted:demo?latency=1.2"


@asynccontextmanager
async def whole(folder: Path) -> AsyncIterator[tuple[Fleet, App, Bots, list[Server]]]:
    """Two of everything: workers, bots, servers, over one database and one Redis."""
    async with AsyncExitStack() as stack:
        database = await asyncio.to_thread(temporary_server, fsync="off")
        stack.callback(database.remove)
        redis = stack.enter_context(redis_server())
        fleet = Fleet(database, await stack.enter_async_context(vendor(0.1)), folder, concurrency=20, redis=redis)
        (folder / "home").mkdir()
        app = await stack.enter_async_context(fleet.app())
        discord = await stack.enter_async_context(bots(fleet, random.Random(1)))
        for stage in discord.stages:
            settings = GuildSettings(debater=MODEL, judges=(MODEL,), start="everyone", vote_minutes=VOTE)
            await keep(app.store, stage.guild.id, settings)
        stack.callback(fleet.end)
        group = await stack.enter_async_context(asyncio.TaskGroup())
        kept = [group.create_task(one) for _ in range(2) for one in (fleet.keep(), discord.keep())]
        for one in kept:
            stack.callback(one.cancel)
        await fleet.ready(app, 2)
        await until(lambda: len(discord.stages[0].discord.gateway.connected()) == len(discord.stages))
        where = {"ELENCHUS_DATABASE_URL": database.url(), "ELENCHUS_REDIS_URL": redis.url}
        servers = [await stack.enter_async_context(serving(folder / "home", **where)) for _ in range(2)]
        yield fleet, app, discord, servers


async def watch(servers: list[Server], session: str, seen: list[int]) -> None:
    """Follow as a page does: where a stream breaks, by another server from the last event on."""
    while True:
        for server in servers:
            headers = {"Authorization": f"Bearer {TOKEN}"} | ({"Last-Event-ID": str(seen[-1])} if seen else {})
            try:
                async with server.client.get(f"{server.url}/api/v1/sessions/{session}/stream", headers=headers) as told:
                    async for line in told.content:
                        if line.startswith(b"id: "):
                            seen.append(int(line[4:]))
            except aiohttp.ClientError:
                await asyncio.sleep(0.1)


async def started(stage: Stage, app: App) -> tuple[Channel, str]:
    """A debate on a server; its thread and its session."""
    thread = await stage.debate(rounds=3)
    found = [one.session for one in await all_bindings(app.store) if one.thread == thread.id]
    return thread, found[0]


async def goes_on(app: App, session: str, more: int = 3) -> None:
    """Wait for so many further events."""

    async def last() -> int:
        while True:  # the database may be on its way back
            with suppress(StorageError):
                return (await app.log.read(session))[-1].seq
            await asyncio.sleep(0.1)

    head = await last()

    async def further() -> bool:
        return await last() >= head + more

    await until(further)


async def holder_of(app: App, session: str) -> str:
    """The process that runs it, once one does."""

    async def held() -> bool:
        return (await app.log.info(session)).owner is not None

    await until(held)
    return str((await app.log.info(session)).owner)


async def test_a_debate_of_discord_survives_the_death_of_each_process_and_ends_once(tmp_path: Path) -> None:
    async with whole(tmp_path) as (fleet, app, discord, servers):
        stage = discord.stages[0]
        thread, session = await started(stage, app)
        seen: list[int] = []
        watching = asyncio.create_task(watch(servers, session, seen))
        await goes_on(app, session)
        owner = await holder_of(app, session)
        worker = next(one for one in fleet.living if owner.startswith(f"process {one.pid} "))
        worker.signal(signal.SIGKILL)
        await goes_on(app, session)
        assert await holder_of(app, session) != owner
        for bot in discord.processes[:2]:
            bot.signal(signal.SIGKILL)
        await goes_on(app, session)
        servers[0].process.send_signal(signal.SIGKILL)
        await goes_on(app, session)
        await asyncio.to_thread(fleet.server.stop)
        await asyncio.to_thread(fleet.server.start)
        await goes_on(app, session)
        assert fleet.redis is not None
        await asyncio.to_thread(fleet.redis.stop)
        await goes_on(app, session)
        assert not await over(app, session), "it had ended before all had died: this test shows less than it says"
        await until(lambda: over(app, session), 120)
        await until(lambda: any("The debate is over" in post.content for post in posts(thread)))
        recorded = await app.log.read(session)
        await until(lambda: seen[-1:] == [recorded[-1].seq])
        watching.cancel()
        assert seen == [r.seq for r in recorded]
        assert sum(isinstance(r.event, SessionFinished) for r in recorded) == 1
        assert (await look(app, [session])).wrong == []
        assert await compared(app.log, app.store, thread) == ([], [], True)


async def over(app: App, session: str) -> bool:
    """Whether it has ended."""
    return (await app.log.info(session)).state == "finished"
