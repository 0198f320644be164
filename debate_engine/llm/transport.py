"""The wire under the vendors' SDKs: an `httpx2.AsyncClient` that sends over aiohttp.

The SDKs build requests, raise their errors and read event streams; only what happens between `build_request` and the
response is ours. httpx2's own pool costs more CPU than the rest of a call together (see `benchmarks/transport.py`).
What httpx2's client does besides is kept where a vendor's API can need it: compressed replies are decoded, redirects
followed, proxies honoured, certificates checked against httpx2's own trust store. Left out: cookies, event hooks and
HTTP/2. Time limits are the caller's (`limits.py`); only connecting has its own.

Import it only from inside a provider: it pulls in httpx2 and aiohttp.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from io import BytesIO
from typing import Any

import aiohttp
import httpx2
from yarl import URL

CONNECT_SECONDS = 15.0


def client_for(base_url: str, proxy: str | None) -> AiohttpClient:
    """A client for one server. Reads the trust store where TLS is spoken: call it in a thread."""
    secure = base_url.startswith("https") or (proxy or "").startswith("https")
    return AiohttpClient(proxy, httpx2.create_ssl_context() if secure else None)


class AiohttpClient(httpx2.AsyncClient):
    """What the SDKs take as `http_client`. Make it in any thread; use it on one event loop.

    `proxy` is the URL of the proxy for the one server it talks to, `context` the TLS context (None for plain HTTP).
    """

    def __init__(self, proxy: str | None = None, context: ssl.SSLContext | None = None) -> None:
        super().__init__(transport=httpx2.AsyncBaseTransport(), trust_env=False, timeout=None)
        self._proxy = proxy
        self._context = context
        self._session: aiohttp.ClientSession | None = None
        self._urls: dict[str, tuple[httpx2.URL, URL]] = {}

    def build_request(
        self, method: str, url: Any, *, content: Any = None, headers: Any = None, params: Any = None, **others: Any
    ) -> httpx2.Request:
        """A request with exactly these headers: the SDKs give all that are needed."""
        plain = params is None and all(others.get(name) is None for name in ("data", "files", "json", "cookies"))
        if not plain:
            return super().build_request(method, url, content=content, headers=headers, params=params, **others)
        return httpx2.Request(method, self._parsed(str(url))[0], headers=headers, content=content)

    async def send(self, request: httpx2.Request, *, stream: bool = False, **_: Any) -> httpx2.Response:
        """Send, and unless `stream` read to the end. Raises subclasses of httpx2.RequestError."""
        try:
            reply = await self._open().request(
                request.method,
                self._parsed(str(request.url))[1],
                data=_payload(request.content),
                headers=request.headers.multi_items(),
                proxy=self._proxy,
            )
            body = None if stream else await reply.read()
        except (aiohttp.ClientError, TimeoutError) as error:
            raise as_httpx2(error, request) from error
        if body is None:
            return httpx2.Response(reply.status, headers=reply.raw_headers, stream=_Body(reply), request=request)
        return httpx2.Response(reply.status, headers=reply.raw_headers, content=body, request=request)

    async def aclose(self) -> None:
        """Close all connections. Safe to call twice."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()
        await super().aclose()

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, ssl=self._context or True),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
                auto_decompress=False,
            )
        return self._session

    def _parsed(self, url: str) -> tuple[httpx2.URL, URL]:
        """The URL as httpx2 and as aiohttp want it, parsed once: a provider has a handful of them."""
        if url not in self._urls:
            self._urls[url] = httpx2.URL(url), URL(url, encoded=True)
        return self._urls[url]


def _payload(content: bytes) -> bytes | BytesIO | None:
    """A body for aiohttp, which wants to read a large one piece by piece."""
    return BytesIO(content) if len(content) >= 1 << 20 else content or None


class _Body(httpx2.AsyncByteStream):
    """The rest of a reply as it arrives."""

    def __init__(self, reply: aiohttp.ClientResponse) -> None:
        self._reply = reply

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in self._reply.content.iter_any():
                yield piece
        except (aiohttp.ClientError, TimeoutError) as error:
            raise as_httpx2(error, None) from error

    async def aclose(self) -> None:
        self._reply.close()


def as_httpx2(error: Exception, request: httpx2.Request | None) -> httpx2.RequestError:
    """The httpx2 error that an SDK expects in the place of aiohttp's."""
    kind: type[httpx2.RequestError] = httpx2.ReadError
    for ours, theirs in _KINDS:
        if isinstance(error, ours):
            kind = theirs
            break
    return kind(str(error) or type(error).__name__, request=request)


_KINDS: tuple[tuple[type[Exception], type[httpx2.RequestError]], ...] = (
    (aiohttp.ConnectionTimeoutError, httpx2.ConnectTimeout),
    (TimeoutError, httpx2.ReadTimeout),
    (aiohttp.InvalidURL, httpx2.UnsupportedProtocol),
    (aiohttp.ClientProxyConnectionError, httpx2.ProxyError),
    (aiohttp.ClientHttpProxyError, httpx2.ProxyError),
    (aiohttp.ClientConnectorError, httpx2.ConnectError),
    (aiohttp.ServerDisconnectedError, httpx2.RemoteProtocolError),
    (aiohttp.TooManyRedirects, httpx2.TooManyRedirects),
)
