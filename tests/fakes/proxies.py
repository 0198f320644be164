"""What may stand between a client and a server, or in the server's place: it cuts, holds back, is silent or answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Proxy:
    """Passes bytes on to a server at `port` of this machine.

    A connection is cut `cut_after` seconds after it began. `holds_streams`: of a stream no more than the head of the
    answer comes through. The next `loses_answers` answers that something was made are lost, with their connections.
    `away`: connections are closed at once; else they are answered after `delay` seconds. `connections` counts them.
    """

    port: int
    cut_after: float | None = None
    holds_streams: bool = False
    away: bool = False
    delay: float = 0.0
    loses_answers: int = 0
    connections: int = 0

    async def passed_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        self.connections += 1
        if self.away:
            writer.close()
            return
        there, to = await asyncio.open_connection("127.0.0.1", self.port)
        ways = [asyncio.ensure_future(self._asked(reader, to)), asyncio.ensure_future(self._answered(there, writer))]
        try:
            await asyncio.wait(ways, timeout=self.cut_after, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            for one in (writer, to):
                one.close()
            await asyncio.gather(*ways, return_exceptions=True)
            with suppress(ConnectionError):
                await to.wait_closed()

    async def _asked(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while chunk := await reader.read(65_536):
            writer.write(chunk)
            await writer.drain()

    async def _answered(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while chunk := await reader.read(65_536):
            await asyncio.sleep(self.delay)
            if self.loses_answers and b" 201 Created" in chunk:
                self.loses_answers -= 1
                return
            if self.holds_streams and b"text/event-stream" in chunk:
                writer.write(chunk[: chunk.index(b"\r\n\r\n") + 4])
                await asyncio.Event().wait()
            writer.write(chunk)
            await writer.drain()


@asynccontextmanager
async def proxy_to(port: int, **more: Any) -> AsyncIterator[tuple[Proxy, str]]:
    """A proxy before a server; and its address."""
    proxy = Proxy(port, **more)
    async with _listening(proxy.passed_on) as address:
        yield proxy, address


@asynccontextmanager
async def answering(answer: bytes | None) -> AsyncIterator[str]:
    """A server that answers all with the same bytes, or never (None); its address."""

    async def answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            if answer is None:
                await reader.read()
            else:
                writer.write(answer)
                await writer.drain()
        writer.close()

    async with _listening(answered) as address:
        yield address


@asynccontextmanager
async def _listening(serve: Serve) -> AsyncIterator[str]:
    tasks: set[asyncio.Task[None]] = set()

    async def owned(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await serve(reader, writer)
        except asyncio.CancelledError:
            pass  # it is ended from outside
        finally:
            tasks.discard(task)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    server = await asyncio.start_server(owned, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
