"""The wire under the SDKs: what httpx2's own client would do, done over aiohttp."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx2
import pytest
from aiohttp import web

from elenchus.debate_engine.llm.transport import AiohttpClient, client_for

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def served(handler: Handler) -> AsyncIterator[str]:
    app = web.Application(client_max_size=1 << 26)
    app.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def a_client(proxy: str | None = None) -> AsyncIterator[AiohttpClient]:
    client = AiohttpClient(proxy)
    try:
        yield client
    finally:
        await client.aclose()


async def echo(request: web.Request) -> web.Response:
    body = await request.text()
    return web.json_response({"method": request.method, "path": request.path_qs, "body": body, "to": request.host})


async def send(client: AiohttpClient, url: str, body: str = "hello") -> httpx2.Response:
    request = client.build_request("POST", url, content=body, headers=[("Content-Type", "text/plain"), ("X-Mine", "1")])
    return await client.send(request)


async def test_a_request_arrives_as_it_was_built() -> None:
    async with served(echo) as url, a_client() as client:
        response = await send(client, f"{url}/a%20b?c=d%2Be")
    assert response.json()["path"] == "/a%20b?c=d%2Be"
    assert response.json()["body"] == "hello"
    assert response.request.headers["x-mine"] == "1"


async def test_a_very_large_prompt_arrives_whole() -> None:
    async def measure(request: web.Request) -> web.Response:
        return web.json_response(len(await request.read()))

    async with served(measure) as url, a_client() as client:
        assert (await send(client, url, "x" * 3_000_000)).json() == 3_000_000


async def test_a_compressed_reply_is_decoded_whole_and_streamed() -> None:
    async def packed(request: web.Request) -> web.Response:
        headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
        return web.Response(body=gzip.compress(b'{"a": 1}'), headers=headers)

    async with served(packed) as url, a_client() as client:
        assert (await send(client, url)).json() == {"a": 1}
        streamed = await client.send(client.build_request("POST", url, content=b"x"), stream=True)
        assert json.loads(await streamed.aread()) == {"a": 1}


async def test_a_redirect_keeps_method_and_body() -> None:
    async def handler(request: web.Request) -> web.Response:
        if request.path == "/old":
            raise web.HTTPPermanentRedirect("/new")
        return await echo(request)

    async with served(handler) as url, a_client() as client:
        reply = (await send(client, f"{url}/old")).json()
    assert (reply["method"], reply["path"], reply["body"]) == ("POST", "/new", "hello")


async def test_a_server_that_redirects_on_and_on_is_left_after_five() -> None:
    asked: list[str] = []

    async def handler(request: web.Request) -> web.Response:
        asked.append(request.path)
        raise web.HTTPTemporaryRedirect(f"/{len(asked)}")

    async with served(handler) as url, a_client() as client:
        with pytest.raises(httpx2.TooManyRedirects, match="of its own"):
            await send(client, f"{url}/0")
    assert asked == ["/0", "/1", "/2", "/3", "/4", "/5"]


async def test_a_proxy_is_asked_instead_of_the_server() -> None:
    async with served(echo) as url, a_client(proxy=url) as client:
        reply = (await send(client, "http://far.invalid/v1/x")).json()
    assert reply["to"] == "far.invalid"


async def test_a_refused_connection_is_a_connect_error() -> None:
    async with served(echo) as url:
        pass
    async with a_client() as client:
        with pytest.raises(httpx2.ConnectError):
            await send(client, url)


async def test_an_address_that_is_none_is_unsupported() -> None:
    async with a_client() as client:
        with pytest.raises(httpx2.RequestError):
            await send(client, "ftp://127.0.0.1/x")


async def test_a_server_that_hangs_up_without_a_word_is_a_protocol_error() -> None:
    async def rude(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.close()

    server = await asyncio.start_server(rude, "127.0.0.1", 0)
    async with server, a_client() as client:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(httpx2.RequestError):
            await send(client, f"http://127.0.0.1:{port}/")


async def test_closing_is_safe_at_any_time_and_twice() -> None:
    client = client_for("http://127.0.0.1:9", None)
    await client.aclose()
    await client.aclose()


async def test_https_gets_the_trust_store_and_http_does_not() -> None:
    assert client_for("https://api.example", None)._context is not None
    assert client_for("http://127.0.0.1:1", None)._context is None
