"""A site on loopback, and what may be fetched from it."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from aiohttp import web
from aiohttp.abc import AbstractResolver

from elenchus.detectors.evaluation.cogbench.flows.fetching import Page, Policy, fetcher

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Site:
    """What a server was asked, and by whom; `host` and `port` are where it is."""

    host: str
    port: int
    asked: list[web.Request] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.asked]

    def at(self, path: str, host: str = "") -> str:
        return f"http://{host or self.host}:{self.port}{path}"

    def policy(self, **more: Any) -> Policy:
        """This very site may be fetched from, and nothing besides."""

        def refusal(address: str, port: int) -> str:
            return "" if (address, port) == (self.host, self.port) else f"{address}:{port} is another place"

        return replace(Policy(refusal=refusal, robots=False, seconds=5.0), **more)


@asynccontextmanager
async def site(
    pages: Mapping[str, Handler | web.Response], host: str = "127.0.0.1", ssl: Any = None
) -> AsyncIterator[Site]:
    """A site with these pages; any other is a 404."""
    with socket.socket() as bound:
        bound.bind((host, 0))
        served = Site(host, bound.getsockname()[1])

        async def answer(request: web.Request) -> web.StreamResponse:
            served.asked.append(request)
            page = pages.get(request.path, web.Response(status=404))
            return page if isinstance(page, web.Response) else await page(request)

        runner = web.ServerRunner(web.Server(answer), shutdown_timeout=0.1)  # type: ignore[arg-type]
        await runner.setup()
        await web.SockSite(runner, bound, ssl_context=ssl).start()
        try:
            yield served
        finally:
            await runner.cleanup()


def page(words: str = "Words.", kind: str = "text/plain") -> Handler:
    """A page of these words."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(text=words, content_type=kind)

    return answer


def sent_on(to: str, status: int = 302) -> Handler:
    """A page that sends on."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=status, headers={"Location": to} if to else {})

    return answer


async def fetched(url: str, policy: Policy) -> Page:
    async with fetcher(policy) as fetching:
        return await fetching.page(url)


class Names(AbstractResolver):
    """Finds for each name the next of its addresses, the last one for good."""

    def __init__(self, **addresses: list[str]) -> None:
        self._addresses = addresses

    async def resolve(self, host: str, port: int = 0, family: Any = socket.AF_INET) -> list[Any]:
        left = self._addresses[host.replace(".", "_")]
        address = left.pop(0) if len(left) > 1 else left[0]
        return [
            {"hostname": host, "host": address, "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0}
        ]  # fmt: skip

    async def close(self) -> None:
        """Nothing is open."""
