"""Connections on which nothing comes are closed; those that ask, slowly or for long, are not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing

from aiohttp import web

from elenchus.service.web.connections import Connections
from elenchus.service.web.listening import listen

HEAD = b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"
Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def taking(seconds: float) -> AsyncIterator[Callable[[], Awaitable[Ends]]]:
    """A server that gives up silent connections after so long, and what connects to it."""

    @web.middleware
    async def noted(request: web.Request, handler: Callable[..., Awaitable[web.StreamResponse]]) -> web.StreamResponse:
        connections.asked(request)
        return await handler(request)

    async def slow(_: web.Request) -> web.Response:
        await asyncio.sleep(4 * seconds)
        return web.Response(text="done")

    made = web.Application(middlewares=[noted])
    made.router.add_get("/slow", slow)
    runner = web.AppRunner(made, shutdown_timeout=0.1)
    connections = Connections(runner, seconds)
    await runner.setup()
    try:
        with closing(listen("127.0.0.1", 0)) as listening:
            port = listening.sockets[0].getsockname()[1]
            async with connections.taken(listening.sockets):
                yield lambda: asyncio.open_connection("127.0.0.1", port)
    finally:
        await runner.cleanup()


async def test_a_connection_on_which_no_request_has_come_is_closed() -> None:
    async with taking(0.2) as connect:
        for sent in (b"", HEAD[:-5], b"GET "):
            reader, writer = await connect()
            writer.write(sent)
            assert await asyncio.wait_for(reader.read(), 10) == b""
            writer.close()


async def test_a_request_whose_answer_takes_long_is_answered() -> None:
    async with taking(0.2) as connect:
        reader, writer = await connect()
        writer.write(HEAD)
        assert (await asyncio.wait_for(reader.readline(), 10)) == b"HTTP/1.1 200 OK\r\n"
        writer.close()


async def test_a_connection_that_has_asked_once_may_be_silent_until_it_asks_again() -> None:
    async with taking(0.2) as connect:
        reader, writer = await connect()
        for _ in range(2):
            writer.write(HEAD)
            assert (await asyncio.wait_for(reader.readuntil(b"done"), 10)).startswith(b"HTTP/1.1 200 OK\r\n")
            await asyncio.sleep(0.4)
        writer.close()


async def test_three_hundred_who_come_in_one_moment_are_all_taken() -> None:
    async with taking(5) as connect:
        taken = await asyncio.wait_for(asyncio.gather(*(connect() for _ in range(300))), 30)
        assert len(taken) == 300
        for _, writer in taken:
            writer.close()
