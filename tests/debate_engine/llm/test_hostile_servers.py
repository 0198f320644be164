"""Servers that send without end, unpack into too much, or send the key elsewhere: through our wire and the SDKs."""

from __future__ import annotations

import asyncio
import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache

import httpx2
import pytest
from aiohttp import web

from elenchus.debate_engine.errors import ProviderBusy, ProviderError
from elenchus.debate_engine.llm.retrying import Limits, complete
from elenchus.debate_engine.llm.transport import AT_ONCE, LONGEST_EVENT, MOST_LINES, AiohttpClient, EventSize
from tests.debate_engine.llm.test_transport import served
from tests.debate_engine.llm.vendors import Vendor, a_call, every_vendor
from tests.fakes.llm.loopback import KEY, Fake

LONGEST = 4 << 20
"""Bytes that the clients of these tests take."""
ENDLESS = {
    "one line without an end": b"x" * 65_536,
    "empty lines": b"\n" * 65_536,
    "empty events": b"data:\n\n" * 8192,
    "comments": b": ping\n\n" * 8192,
    "one event of many lines": b"data: x\n" * 8192,
    "brackets": b"[" * 65_536,
}


class Flood:
    """Sends a piece again and again until the client hangs up. `sent` is bytes."""

    def __init__(self, piece: bytes, kind: str = "text/event-stream") -> None:
        self.piece, self.kind, self.sent = piece, kind, 0
        self.hung_up = asyncio.Event()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        await request.read()
        response = web.StreamResponse(headers={"content-type": self.kind})
        await response.prepare(request)
        try:
            while True:
                await response.write(self.piece)
                self.sent += len(self.piece)
                await asyncio.sleep(0)
        except ConnectionError:
            self.hung_up.set()
            raise


@asynccontextmanager
async def a_client(longest: int = LONGEST) -> AsyncIterator[AiohttpClient]:
    client = AiohttpClient(longest=longest)
    try:
        yield client
    finally:
        await client.aclose()


async def sent(client: AiohttpClient, url: str, *, stream: bool) -> bytes:
    response = await client.send(client.build_request("POST", url, content=b"hello"), stream=stream)
    return await response.aread() if stream else response.content


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_a_reply_without_an_end_is_hung_up_on(stream: bool) -> None:
    flood = Flood(b"data: x\n\n" * 8192)
    async with served(flood.handle) as url, a_client() as client:
        with pytest.raises(httpx2.ReadError, match="on and on"):
            await sent(client, url, stream=stream)
        async with asyncio.timeout(10):
            await flood.hung_up.wait()
    assert flood.sent < LONGEST + (16 << 20), "what was on its way in the sockets comes on top"


async def test_an_event_without_an_end_is_hung_up_on_long_before() -> None:
    flood = Flood(b"x" * 65_536)
    async with served(flood.handle) as url, a_client(1 << 40) as client:
        with pytest.raises(httpx2.ReadError, match="on and on"):
            await sent(client, url, stream=True)
    assert flood.sent < LONGEST_EVENT + (16 << 20)


@every_vendor
async def test_an_event_of_ever_more_tiny_lines_is_hung_up_on_before_it_costs_anything(vendor: Vendor) -> None:
    """An SDK may copy what it has of an event with each further line: the square of a million bytes."""
    flood = Flood(b":\n" * 8192)
    async with served(flood.handle) as url:
        client = vendor.make(KEY, url, None, lambda _: 0)
        try:
            with pytest.raises(ProviderBusy, match="on and on"):
                await client.complete(a_call(), lambda _: None)
        finally:
            await client.aclose()


def test_an_event_is_measured_from_empty_line_to_empty_line_however_it_is_cut_into_pieces() -> None:
    event = EventSize(LONGEST_EVENT)
    for ends in (b"\n", b"\r", b"\r\n"):
        stream = (b"event: a" + ends + b"data: b" + ends + ends) * 1000
        for size in (1, 2, 3, 7, 64, len(stream)):
            pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
            assert not any(event.outgrown(piece) for piece in pieces), (ends, size)
    small = EventSize(100)
    assert [small.outgrown(b"x" * 40) for _ in range(3)] == [False, False, True]
    lines = EventSize(LONGEST_EVENT)
    assert any(lines.outgrown(b"data: b\n") for _ in range(MOST_LINES + 1))


async def test_between_many_small_events_that_come_at_once_others_have_their_turns() -> None:
    events, turns = 20_000, 0

    async def pours(request: web.Request) -> web.Response:
        return web.Response(body=b"data: {}\n\n" * events, content_type="text/event-stream")

    async def lives() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    async with served(pours) as url, a_client() as client:
        response = await client.send(client.build_request("POST", url, content=b"hello"), stream=True)
        async with asyncio.TaskGroup() as group:
            beside = group.create_task(lives())
            pieces = [(turns, len(piece)) async for piece in response.aiter_bytes()]
            beside.cancel()
    assert sum(size for _, size in pieces) == 10 * events
    assert max(size for _, size in pieces) <= AT_ONCE
    assert len({turn for turn, _ in pieces}) >= len(pieces) - 1, "a turn for all between any two pieces"


@cache
def bomb(encoding: str, size: int) -> bytes:
    """`size` bytes of blanks, packed."""
    return gzip.compress(b" " * size) if encoding == "gzip" else zlib.compress(b" " * size)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["gzip", "deflate", "gzip, gzip"])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_what_unpacks_into_too_much_is_not_unpacked(encoding: str, stream: bool) -> None:
    packed = bomb(encoding.partition(",")[0], 256 << 20)
    packed = gzip.compress(packed) if "," in encoding else packed

    async def packs(request: web.Request) -> web.Response:
        return web.Response(body=packed, headers={"Content-Encoding": encoding})

    async with served(packs) as url, a_client() as client:
        tracemalloc.start()
        try:
            if "," in encoding:  # packed twice is not asked for: it stays as it is
                assert len(await sent(client, url, stream=stream)) < LONGEST
            else:
                with pytest.raises(httpx2.ReadError, match="on and on"):
                    await sent(client, url, stream=stream)
            assert tracemalloc.get_traced_memory()[1] < 4 * LONGEST
        finally:
            tracemalloc.stop()


@pytest.mark.slow
@every_vendor
@pytest.mark.parametrize("piece", ENDLESS.values(), ids=ENDLESS)
@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
async def test_a_server_that_does_not_stop_costs_its_call_and_little_memory(
    vendor: Vendor, piece: bytes, streamed: bool
) -> None:
    """With the bounds of every day, in at most the time of one attempt."""
    flood = Flood(piece)
    on_text: Callable[[str], None] | None = (lambda _: None) if streamed else None
    async with served(flood.handle) as url:
        client = vendor.make(KEY, url, None, lambda _: 0)
        tracemalloc.start()
        try:
            with pytest.raises(ProviderBusy):
                await complete(client, a_call(), Limits(attempts=1, deadline=3.0), on_text)
            assert tracemalloc.get_traced_memory()[1] < 160 << 20
        finally:
            tracemalloc.stop()
            await client.aclose()


@every_vendor
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_no_redirect_carries_key_or_prompt_to_another_origin(vendor: Vendor, status: int) -> None:
    reached: list[str] = []

    async def elsewhere(request: web.Request) -> web.Response:
        reached.append(request.path)
        return web.json_response({})

    async with served(elsewhere) as other:

        async def away(request: web.Request) -> web.Response:
            return web.Response(status=status, headers={"Location": f"{other}/v1?token=secret"})

        async with served(away) as url:
            client = vendor.make(KEY, url, None, lambda _: 0)
            try:
                for on_text in (None, lambda _: None):
                    with pytest.raises(ProviderError, match=f"redirects to {other}, where neither") as caught:
                        await client.complete(a_call(), on_text)
                    assert "secret" not in str(caught.value)
                    assert not isinstance(caught.value, ProviderBusy)
            finally:
                await client.aclose()
    assert reached == []


@every_vendor
async def test_a_redirect_within_the_server_is_followed_and_one_in_a_circle_is_given_up(vendor: Vendor) -> None:
    async with vendor.served() as (_, running):
        server: Fake = running

        async def moved(request: web.Request) -> web.StreamResponse:
            if request.path.startswith("/old"):
                raise web.HTTPPermanentRedirect(request.path_qs.removeprefix("/old"))
            return await server.handle(request)

        async def circling(request: web.Request) -> web.Response:
            raise web.HTTPTemporaryRedirect(f"/{len(request.path)}{request.path}")

        version = "/v1" if vendor.name == "openai" else ""
        for handler, good in ((moved, True), (circling, False)):
            async with served(handler) as url:
                client = vendor.make(KEY, f"{url}/old{version}", None, lambda _: 0)
                try:
                    if good:
                        assert (await client.complete(a_call())).text == "Streets are for people."
                    else:
                        with pytest.raises(ProviderError, match="redirects"):
                            await client.complete(a_call())
                finally:
                    await client.aclose()
