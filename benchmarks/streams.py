"""An event reaches 500 streams of one process within 100 ms, at most 32 KiB a stream.

The service is `elenchus serve` as it is, in a process of its own; the clients, in another one, read bytes and look for
the mark of an event. An event is a moderator's guidance: the time runs from before its request is sent, so it holds the
request, the log's transaction on disk, and the way to each of the 500. Beside it, in turn, the same number of streams
of a bare aiohttp application, which keeps nothing and knows nobody, sends messages of the same size, and is asked in
the same way. CPU is the server's, for an event and all its 500 streams; memory what the process has grown by, for each
stream. Where others use the machine, CPU and the ratios are what holds.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import urlsplit

from aiohttp import ClientSession, web

from benchmarks._served import AUTHORIZED, TOKEN, Child, child, load, serving, share

STREAMS, ROUNDS, EVENTS = 500, 8, 5
AT_ONCE = 50
SIZE = 330
"""Bytes of our own message, about."""
DEBATE = {
    "protocol": "debate",
    "options": {"motion": "Wide pavements", "pro": "human", "con": "human", "judges": ["scripted:demo"]},
}


@dataclass
class Marks:
    """When which stream has seen a mark."""

    mark: bytes = b""
    seen: list[float] = field(default_factory=list)
    all: asyncio.Event = field(default_factory=asyncio.Event)

    def begin(self, mark: str) -> None:
        """Look for this one from now on."""
        self.mark, self.seen, self.all = mark.encode(), [], asyncio.Event()

    def came(self) -> None:
        """A stream has seen it."""
        self.seen.append(time.perf_counter())
        if len(self.seen) == STREAMS:
            self.all.set()


@dataclass
class Reader(asyncio.Protocol):
    """One stream's connection, which does nothing but look for the mark."""

    request: bytes
    marks: Marks
    open: asyncio.Event = field(default_factory=asyncio.Event)
    tail: bytes = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        """Look at what comes; a mark may come in two pieces."""
        self.open.set()
        if self.marks.mark and self.marks.mark in self.tail + data:
            self.tail = b""
            self.marks.came()
        else:
            self.tail = data[-32:]


@dataclass
class Measured:
    """What one server has shown."""

    server: Child
    marks: Marks
    tell: Callable[[str], Awaitable[None]]
    kib: float = 0.0
    delays: list[float] = field(default_factory=list)
    cpu: float = 0.0

    async def round(self, number: int) -> None:
        """Some events, one after the other."""
        for n in range(EVENTS):
            mark = f"mark-{number:03}-{n:03}-"
            self.marks.begin(mark)
            cpu, began = self.server.cpu(), time.perf_counter()
            await self.tell(mark)
            async with asyncio.timeout(60):
                await self.marks.all.wait()
            self.delays += [1000 * (at - began) for at in self.marks.seen]
            await asyncio.sleep(0.3)  # whatever is left to do for it counts, too
            self.cpu += self.server.cpu() - cpu


async def opened(server: Child, path: str, tell: Callable[[str], Awaitable[None]]) -> Measured:
    """A server with all streams open, and what they cost in memory."""
    host, _, port = urlsplit(server.url).netloc.partition(":")
    head = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
    marks, loop, before = Marks(), asyncio.get_running_loop(), server.memory()
    for _ in range(STREAMS // AT_ONCE):
        made = [loop.create_connection(lambda: Reader(head, marks), host, int(port)) for _ in range(AT_ONCE)]
        readers = [protocol for _, protocol in await asyncio.gather(*made)]
        async with asyncio.timeout(60):
            await asyncio.gather(*(reader.open.wait() for reader in readers))
    await asyncio.sleep(1)
    return Measured(server, marks, tell, (server.memory() - before) / STREAMS / 1024)


async def of_ours(server: Child, client: ClientSession) -> Measured:
    """A debate that waits for its people, so that nothing happens but what is measured."""
    async with client.post(f"{server.url}/api/v1/sessions", json=DEBATE, headers=AUTHORIZED) as answer:
        session = (await answer.json())["id"]

    async def tell(mark: str) -> None:
        body = {"command": "guide", "to": "pro", "text": mark + "x" * 60}
        async with client.post(
            f"{server.url}/api/v1/sessions/{session}/commands", json=body, headers=AUTHORIZED
        ) as given:
            assert given.status == 202, await given.text()

    await tell("warm")
    return await opened(server, f"/api/v1/sessions/{session}/stream", tell)


async def of_bare(server: Child, client: ClientSession) -> Measured:
    """The bare application."""

    async def tell(mark: str) -> None:
        async with client.post(f"{server.url}/say", data=mark + "x" * SIZE) as given:
            assert given.status == 200

    await tell("warm")
    return await opened(server, "/stream", tell)


async def main() -> None:
    """Measure both in turn, and print a Markdown table."""
    limits = {"ELENCHUS_WEB_STREAMS": str(2 * STREAMS), "ELENCHUS_WEB_REQUESTS": "100000"}
    with serving(**limits) as ours, child(["-m", "benchmarks.streams", "bare"]) as bare:
        async with ClientSession() as client:
            both = {"bare aiohttp": await of_bare(bare, client), "`elenchus serve`": await of_ours(ours, client)}
            for number in range(ROUNDS):
                print(f"  round {number + 1} of {ROUNDS}", file=sys.stderr)
                for measured in both.values():
                    await measured.round(number)
    table(both)


def table(both: dict[str, Measured]) -> None:
    """Print what was found."""
    print(f"| {STREAMS} streams | median, ms | p99, ms | ratio | CPU an event, ms | ratio | KiB a stream |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    first = next(iter(both.values()))
    for name, one in both.items():
        p99, cpu = share(one.delays, 0.99), 1000 * one.cpu / (ROUNDS * EVENTS)
        base, base_cpu = share(first.delays, 0.99), 1000 * first.cpu / (ROUNDS * EVENTS)
        print(
            f"| {name} | {share(one.delays, 0.5):.0f} | **{p99:.0f}** | {p99 / base:.2f} | {cpu:.0f} "
            f"| {cpu / base_cpu:.2f} | **{one.kib:.1f}** |"
        )
    print(f"\n{ROUNDS * EVENTS} events each. {load()}")


# ── the bare application ─────────────────────────────────────────────────────────────────────────────────────────────


async def serve_bare() -> None:
    """Server-sent events as aiohttp's guide shows them; the address on the first line."""
    streams: set[web.StreamResponse] = set()

    async def stream(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(b": here\n\n")
        streams.add(response)
        await asyncio.Event().wait()
        return response

    async def say(request: web.Request) -> web.Response:
        message = b"data: " + await request.read() + b"\n\n"
        await asyncio.gather(*(one.write(message) for one in streams))
        return web.Response()

    app = web.Application()
    app.add_routes([web.get("/stream", stream), web.post("/say", say)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve_bare() if sys.argv[1:] else main())
