"""What the fake vendors share: a strict HTTP server on a free loopback port that does as it was told.

A fake does with each request in order what was planned (`will`), and where nothing is as its kind does. What was asked
is kept in `requests` (JSON bodies) and `paths`; a request that the real API would refuse is refused with the real API's
words.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from aiohttp import web

F = TypeVar("F", bound="Fake")
KEY = "sk-test-0123456789"


@dataclass(frozen=True)
class Say:
    """An ordinary answer. `finish` is the vendor's own word; `thoughts` are tokens of hidden reasoning.
    `cached` and `written` are tokens of the prompt that were read from and written to the vendor's cache.

    Without `usage` the server does not count tokens.
    """

    text: str = "Streets are for people."
    finish: str = ""
    usage: bool = True
    cached: int = 0
    written: int = 0
    thoughts: int = 0
    refusal: str = ""
    after: float = 0.0
    ends: bool = True
    """Whether a stream says that it has ended."""


@dataclass(frozen=True)
class Fail:
    """An HTTP error with the vendor's error body."""

    status: int
    message: str = "Something went wrong."
    code: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    details: Sequence[dict[str, Any]] = ()


@dataclass(frozen=True)
class Hang:
    """No answer at all for `seconds`."""

    seconds: float = 60.0


@dataclass(frozen=True)
class Break:
    """A connection that breaks in the middle of a reply; `pieces` of a stream come first."""

    pieces: int = 2


@dataclass(frozen=True)
class Raw:
    """Something else than the API's own form."""

    body: bytes
    status: int = 200
    content_type: str = "text/html"


@dataclass(frozen=True)
class Endless:
    """A stream that does not stop by itself."""

    piece: str = "and so on "


@dataclass(frozen=True)
class StreamError:
    """An error event after the first piece of a stream."""

    kind: str
    message: str = "Overloaded"


Plan = Say | Fail | Hang | Break | Raw | Endless | StreamError


@dataclass
class Fake:
    """A vendor. Subclasses give its paths, what it refuses, and the form of its answers."""

    plans: deque[Plan] = field(default_factory=deque)
    requests: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    came_at: list[float] = field(default_factory=list)
    """The machine's monotonic time of each request, in seconds."""
    models: Sequence[str] | None = None
    """The server's list of models, None where it has none."""
    key: str = KEY
    wants: Mapping[str, str] = field(default_factory=dict)
    """Headers without which it answers nobody."""
    in_flight: int = 0
    most_in_flight: int = 0
    hung_up: int = 0
    """How many clients left before their answer had ended."""
    peers: set[Any] = field(default_factory=set)
    """The client addresses that requests came from: one for each connection."""
    url: str = ""
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    def will(self, *plans: Plan) -> None:
        self.plans.extend(plans)

    async def until(self, in_flight: int) -> None:
        """Wait until so many requests are being answered."""
        async with asyncio.timeout(60), self._changed:
            await self._changed.wait_for(lambda: self.in_flight == in_flight)

    def plan(self, request: web.Request, body: dict[str, Any]) -> Plan:
        """What to do with a request that is in order, where nothing was planned."""
        return Say()

    def lacking(self, request: web.Request) -> Fail | None:
        """The refusal of a request without a header that is wanted."""
        missing = [name for name, value in self.wants.items() if request.headers.get(name) != value]
        return Fail(403, f"The header {missing[0]} is missing.") if missing else None

    # what a vendor fills in

    def problem(self, request: web.Request, body: dict[str, Any]) -> Fail | None:
        raise NotImplementedError

    def wants_stream(self, request: web.Request, body: dict[str, Any]) -> bool:
        return bool(body.get("stream"))

    def failure(self, fail: Fail) -> dict[str, Any]:
        raise NotImplementedError

    def whole(self, say: Say, body: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def stream(self, say: Say, body: dict[str, Any]) -> Iterator[bytes]:
        raise NotImplementedError

    def stream_error(self, error: StreamError) -> bytes:
        raise NotImplementedError

    # serving

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        self.requests.append(body)
        self.paths.append(request.path)
        self.came_at.append(time.monotonic())
        assert request.transport is not None
        self.peers.add(request.transport.get_extra_info("peername"))
        await self._count(+1)
        try:
            problem = self.lacking(request) or self.problem(request, body)
            planned = self.plans.popleft() if self.plans and not problem else None
            return await self._perform(problem or planned or self.plan(request, body), request, body)
        except (ConnectionError, asyncio.CancelledError):
            self.hung_up += 1
            raise
        finally:
            await self._count(-1)

    async def list_models(self, request: web.Request) -> web.StreamResponse:
        """The models, to whoever brings the key (`no-key`: to everybody), in the forms of all three vendors at once."""
        if self.models is None:
            return web.json_response(self.failure(Fail(404, "Not found.")), status=404)
        if refusal := self.lacking(request):
            return web.json_response(self.failure(refusal), status=refusal.status)
        if self.key != "no-key" and self.key not in str(request.headers):
            return web.json_response(self.failure(Fail(401, "Invalid key.")), status=401)
        form = {"models": [{"name": f"models/{name}"} for name in self.models]}
        return web.json_response(form if "beta" in request.path else {"data": [{"id": name} for name in self.models]})

    async def _count(self, change: int) -> None:
        self.in_flight += change
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        async with self._changed:
            self._changed.notify_all()

    async def _perform(self, plan: Plan, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        match plan:
            case Fail():
                return web.json_response(self.failure(plan), status=plan.status, headers=plan.headers)
            case Raw():
                return web.Response(body=plan.body, status=plan.status, content_type=plan.content_type)
            case Hang():
                await asyncio.sleep(plan.seconds)
                return web.Response(status=504)
            case Say() if not self.wants_stream(request, body):
                await asyncio.sleep(plan.after)
                return web.json_response(self.whole(plan, body))
        return await self._stream(plan, request, body)

    async def _stream(self, plan: Plan, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        response = web.StreamResponse(headers={"content-type": "text/event-stream"})
        if isinstance(plan, Break):
            response.content_length = 1_000_000
        await response.prepare(request)
        if isinstance(plan, Say):
            await asyncio.sleep(plan.after)
        for piece in self._pieces(plan, body):
            await response.write(piece)
            await asyncio.sleep(0)
        if isinstance(plan, Break):
            assert request.transport is not None
            request.transport.close()
        else:
            await response.write_eof()
        return response

    def _pieces(self, plan: Plan, body: dict[str, Any]) -> Iterator[bytes]:
        if isinstance(plan, Say):
            yield from self.stream(plan, body)
            return
        start = list(self.stream(Say("one two three four five"), body))
        if isinstance(plan, Break):
            yield from start[: plan.pieces]
        elif isinstance(plan, StreamError):
            yield from start[:3]
            yield self.stream_error(plan)
        elif isinstance(plan, Endless):
            yield from start[:2]
            again = next(p for p in self.stream(Say(plan.piece), body) if plan.piece.encode() in p)
            while True:
                yield again


def words(text: str) -> list[str]:
    """A text as a model streams it, word by word."""
    parts = text.split(" ")
    return [part if i == 0 else f" {part}" for i, part in enumerate(parts)]


def event(data: dict[str, Any] | str, name: str = "") -> bytes:
    """One server-sent event."""
    text = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()


@asynccontextmanager
async def serving(fake: F) -> AsyncIterator[F]:
    """Serve a fake on loopback; its `url` is set."""
    app = web.Application(client_max_size=1 << 26)
    app.router.add_post("/{path:.*}", fake.handle)
    app.router.add_get("/{path:.*}", fake.list_models)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    fake.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield fake
    finally:
        await runner.cleanup()
