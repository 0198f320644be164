"""A real discord.py client beside the fake: pointed at it, logged in, ready, and closed in the end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

import discord as real
from discord.gateway import KeepAliveHandler

from elenchus.bot import endpoints
from tests.fakes.discord.server import Discord

C = TypeVar("C", bound=real.Client)


@contextmanager
def using(there: endpoints.Endpoints) -> Iterator[endpoints.Endpoints]:
    """Point discord.py at a server and back again."""
    before = endpoints.current()
    endpoints.use(there)
    try:
        yield there
    finally:
        endpoints.use(before)


@asynccontextmanager
async def connected(fake: Discord, client: C, *, token: str = "", within: float = 20.0) -> AsyncIterator[C]:
    """Run a client against a served fake until the block ends. An error of the client's run comes out of the block."""
    with using(fake.endpoints):
        running = asyncio.create_task(client.start(token or fake.token))
        try:
            await ready(client, running, within)
            yield client
        finally:
            await client.close()
            await running
            await asyncio.to_thread(_heartbeats_over)


def _heartbeats_over() -> None:
    """The library leaves the thread of a closed connection to end by itself: it must before the loop is closed."""
    for thread in _heartbeats():
        thread.join(0.2)


async def close_forgotten() -> None:
    """End connections and heartbeats of clients that were cancelled as they identified: the library forgets them."""
    for thread in _heartbeats():
        thread.stop()
        await thread.ws.socket.close()
        await asyncio.to_thread(thread.join)


def _heartbeats() -> list[KeepAliveHandler]:
    return [thread for thread in threading.enumerate() if isinstance(thread, KeepAliveHandler)]


async def ready(client: real.Client, running: asyncio.Task[None], within: float) -> None:
    """Wait until the client is ready, or its run has ended. Raises what ended it, or TimeoutError."""
    async with asyncio.timeout(within):
        while not client.is_ready():
            if running.done():
                running.result()
                raise AssertionError("the client ended before it was ready")
            await asyncio.sleep(0.01)
