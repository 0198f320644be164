"""The wire under the vendors' SDKs: an `httpx2.AsyncClient` that sends over aiohttp.

The SDKs build requests, raise their errors and read event streams; only what happens between `build_request` and the
response is ours. httpx2's own pool costs more CPU than the rest of a call together (see `benchmarks/transport.py`).
What httpx2's client does besides is kept where a vendor's API can need it: compressed replies are decoded, redirects
followed within the server, proxies honoured, certificates checked against httpx2's own trust store. Left out: cookies,
event hooks and HTTP/2. Time limits are the caller's (`retrying.py`); only connecting has its own.

A server is not believed: what it sends is counted as it is decoded, and cut off where no reply is that long; a redirect
to another origin, which would get the key and the prompt, is handed back as the failure that it is.

Import it only from inside a provider: it pulls in httpx2 and aiohttp.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from io import BytesIO
from typing import Any

import aiohttp
import httpx2
from yarl import URL

CONNECT_SECONDS = 15.0
LONGEST_REPLY = 32 << 20
"""Bytes of a reply, decoded: more than any model's longest reply makes, streamed token by token."""
LONGEST_EVENT = 1 << 20
"""Bytes of a stream without an empty line, which ends an event: SDKs keep them until then."""
MOST_LINES = 4_000
"""Line ends and pieces of an event: some SDKs copy all that they have of it with each."""
AT_ONCE = 1 << 14
"""Bytes of a stream that are read before others have their turn: thousands of events may have come together."""
_EMPTY_LINE = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_LINE_ENDS = re.compile(rb"[\r\n]{0,3}\Z")
_FOLLOWED, _MOST_REDIRECTS = (307, 308), 5
"""Those that keep method and body. The others would make another request of it."""
_OPEN_STREAMS: ContextVar[list[_Body] | None] = ContextVar("open_streams", default=None)


def client_for(base_url: str, proxy: str | None) -> AiohttpClient:
    """A client for one server. Reads the trust store where TLS is spoken: call it in a thread."""
    secure = base_url.startswith("https") or (proxy or "").startswith("https")
    return AiohttpClient(proxy, httpx2.create_ssl_context() if secure else None)


@asynccontextmanager
async def closing_streams() -> AsyncIterator[None]:
    """At the end, the streams that were opened inside are closed: for an SDK that has no way to close one."""
    opened: list[_Body] = []
    token = _OPEN_STREAMS.set(opened)
    try:
        yield
    finally:
        _OPEN_STREAMS.reset(token)
        for body in opened:
            await body.aclose()


class AiohttpClient(httpx2.AsyncClient):
    """What the SDKs take as `http_client`. Make it in any thread; use it on one event loop.

    `proxy` is the URL of the proxy for the one server it talks to, `context` the TLS context (None for plain HTTP).
    `longest` is bytes of a reply.
    """

    def __init__(
        self, proxy: str | None = None, context: ssl.SSLContext | None = None, *, longest: int = LONGEST_REPLY
    ) -> None:
        super().__init__(transport=httpx2.AsyncBaseTransport(), trust_env=False, timeout=None)
        self._proxy, self._longest = proxy, longest
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
            reply = await self._sent(request)
            pieces = _Body(reply, request, self._longest, streamed=stream)
            body = None if stream else b"".join([piece async for piece in pieces])
        except (aiohttp.ClientError, TimeoutError) as error:
            raise as_httpx2(error, request) from error
        headers = reply.raw_headers
        if "Content-Encoding" in reply.headers:  # it is decoded
            headers = tuple(pair for pair in headers if pair[0].lower() != b"content-encoding")
        if body is None:
            if (opened := _OPEN_STREAMS.get()) is not None:
                opened.append(pieces)
            return httpx2.Response(reply.status, headers=headers, stream=pieces, request=request)
        return httpx2.Response(reply.status, headers=headers, content=body, request=request)

    async def _sent(self, request: httpx2.Request) -> aiohttp.ClientResponse:
        """The reply, after the redirects that stay with the server."""
        url = self._parsed(str(request.url))[1]
        redirects = 0
        while True:
            reply = await self._open().request(
                request.method,
                url,
                data=_payload(request.content),
                headers=request.headers.multi_items(),
                proxy=self._proxy,
                allow_redirects=False,
            )
            if not 300 <= reply.status < 400 or "Location" not in reply.headers:
                return reply
            there = url.join(URL(reply.headers["Location"]))
            if there.origin() != url.origin():
                return reply
            reply.release()
            if reply.status not in _FOLLOWED or there == url or redirects == _MOST_REDIRECTS:
                raise httpx2.TooManyRedirects(
                    f"it redirects to other pages of its own (HTTP {reply.status})", request=request
                )
            url, redirects = there, redirects + 1

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


class EventSize:
    """The size of the event that is being read from a stream, which may be cut into pieces anywhere."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._bytes = self._lines = 0
        self._line_ends = b""
        """With which the last piece ended: they may be the beginning of an empty line."""

    def outgrown(self, piece: bytes) -> bool:
        """Take the next piece; whether an event in it is longer than any should be."""
        piece = self._line_ends + piece
        ends = _LINE_ENDS.search(piece)
        self._line_ends = ends[0] if ends else b""
        for n, part in enumerate(_EMPTY_LINE.split(piece)):
            if n:
                self._bytes = self._lines = 0
            self._bytes += len(part)
            self._lines += 1 + part.count(b"\n") + part.count(b"\r")
            if self._bytes > self._longest or self._lines > MOST_LINES:
                return True
        return False


class _Body(httpx2.AsyncByteStream):
    """A reply as it arrives, decoded, up to its bounds."""

    def __init__(self, reply: aiohttp.ClientResponse, request: httpx2.Request, longest: int, *, streamed: bool) -> None:
        self._reply, self._request, self._longest = reply, request, longest
        self._event = EventSize(min(LONGEST_EVENT, longest)) if streamed else None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        in_all = 0
        whole = False
        try:
            async for come in self._reply.content.iter_any():
                in_all += len(come)
                for start in range(0, len(come), AT_ONCE):
                    piece = come[start : start + AT_ONCE]
                    if in_all > self._longest or (self._event and self._event.outgrown(piece)):
                        raise httpx2.ReadError("it was hung up on, as its reply went on and on", request=self._request)
                    yield piece
                    if len(come) > AT_ONCE:
                        await asyncio.sleep(0)
            whole = True
        except (aiohttp.ClientError, TimeoutError) as error:
            raise as_httpx2(error, self._request) from error
        finally:
            if not whole:
                self._reply.close()

    async def aclose(self) -> None:
        self._reply.close()


def as_httpx2(error: Exception, request: httpx2.Request | None) -> httpx2.RequestError:
    """The httpx2 error that an SDK expects in the place of aiohttp's."""
    kind = next((theirs for ours, theirs in _KINDS if isinstance(error, ours)), httpx2.ReadError)
    return kind(str(error) or type(error).__name__, request=request)


_KINDS: tuple[tuple[type[Exception], type[httpx2.RequestError]], ...] = (
    (aiohttp.ConnectionTimeoutError, httpx2.ConnectTimeout),
    (TimeoutError, httpx2.ReadTimeout),
    (aiohttp.InvalidURL, httpx2.UnsupportedProtocol),
    (aiohttp.ClientProxyConnectionError, httpx2.ProxyError),
    (aiohttp.ClientHttpProxyError, httpx2.ProxyError),
    (aiohttp.ClientConnectorError, httpx2.ConnectError),
    (aiohttp.ServerDisconnectedError, httpx2.RemoteProtocolError),
)
