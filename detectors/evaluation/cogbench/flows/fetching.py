"""One page of the web, fetched with care: what may be connected to, how often one is sent on, how much and how long.

A `Policy` says what is allowed. Every socket is made for one address, and is not made where the policy refuses that
address: there is no moment between the check and the connection in which a name could come to mean another place. No
proxy is used, as it would choose the address. Redirects are followed one by one, each checked like the first; a site's
robots.txt is asked before (RFC 9309). Nothing is sent but the address and who asks: no cookies, no referrer, no login.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from elenchus.config.addresses import shown_address
from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.evaluation.cogbench.flows import addresses

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession
    from aiohttp.abc import AbstractResolver
    from yarl import URL

AGENT = "Elenchus"
"""By this name a site's robots.txt knows us."""

PDF, PLAIN = "application/pdf", frozenset({"text/plain", "text/markdown"})
TYPES = frozenset({"text/html", "application/xhtml+xml", PDF, *PLAIN})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
LARGEST_ROBOTS = 500_000
LONGEST_ADDRESS = 2_000

_HOST = re.compile(r"[\w.:-]+", re.ASCII)
_refusals: ContextVar[list[str]] = ContextVar("refusals")
"""Why sockets of the request that is under way were not made."""


class NotFetched(UsageError):
    """A page that cannot be had, or must not: one sentence with the address and why."""

    def __init__(self, url: object, why: str) -> None:
        self.why = why
        super().__init__(f"{shown_address(str(url))[:200]} is not fetched: {why}.")


@dataclass(frozen=True, slots=True)
class Policy:
    """What is allowed. `refusal` says of an address and a port why nothing is fetched from there, "" where it may be.

    `resolver` finds the addresses of a name (default: the system's); `certificates` says which count (default: those
    that the system trusts). `largest` counts bytes as they are when unpacked; `seconds` counts all that a page takes:
    the site's robots.txt, whereto it is sent on, the answer.
    """

    refusal: Callable[[str, int], str] = addresses.refusal
    resolver: AbstractResolver | None = None
    certificates: ssl.SSLContext | None = None
    robots: bool = True
    redirects: int = 5
    largest: int = 5_000_000
    seconds: float = 20.0
    types: frozenset[str] = TYPES


PUBLIC = Policy()
"""Pages of the public internet."""


@dataclass(frozen=True, slots=True)
class Page:
    """What came: where from in the end, of which type, in which encoding as far as it was told, its bytes."""

    url: str
    type: str
    charset: str
    data: bytes


@dataclass(frozen=True, slots=True)
class _Answer:
    """A page where `status` is 200; else nothing but where it is sent on to, if it is."""

    status: int
    page: Page
    sent_on: URL | None = None


@asynccontextmanager
async def fetcher(policy: Policy = PUBLIC) -> AsyncIterator[Fetcher]:
    """What fetches pages by this policy, and closes its connections afterwards."""
    import aiohttp

    def made(info: Any) -> socket.socket:
        """A socket for one address, if that may be connected to."""
        family, kind, protocol, _, (address, port, *_) = info
        if why := policy.refusal(str(address), int(port)):
            _refusals.get([]).append(why)
            raise OSError(why)
        return socket.socket(family=family, type=kind, proto=protocol)

    connector = aiohttp.TCPConnector(
        resolver=policy.resolver, socket_factory=made, use_dns_cache=False, force_close=True,
        ssl=policy.certificates or True,
    )  # fmt: skip
    async with aiohttp.ClientSession(
        connector=connector,
        timeout=aiohttp.ClientTimeout(),
        cookie_jar=aiohttp.DummyCookieJar(),
        headers={"User-Agent": AGENT, "Accept": ", ".join(sorted(policy.types)), "Accept-Encoding": "gzip, identity"},
        auto_decompress=False,
        trust_env=False,
    ) as session:
        yield Fetcher(policy, session)


@dataclass
class Fetcher:
    """Fetches pages by one policy; made by `fetcher`. A site's robots.txt is asked once."""

    policy: Policy
    _session: ClientSession
    _robots: dict[str, Any] = field(default_factory=dict)

    async def page(self, url: str) -> Page:
        """The page at an address. Raises NotFetched."""
        from yarl import URL

        try:
            first = URL(url.strip())
        except ValueError as error:
            raise NotFetched(url, "it is no address of a page") from error
        try:
            async with asyncio.timeout(self.policy.seconds):
                answer = await self._followed(first, self.policy.largest, self.policy.types, self._ask_robots)
        except TimeoutError as error:
            raise NotFetched(first, f"it takes longer than {self.policy.seconds:g} seconds") from error
        if answer.status != 200:
            raise NotFetched(answer.page.url, f"the site answers with {answer.status}")
        return answer.page

    async def _followed(
        self, first: URL, largest: int, types: frozenset[str], before: Callable[[URL], Awaitable[None]]
    ) -> _Answer:
        """What an address leads to in the end; `before` is awaited before each request. `types`: none for any."""
        url: URL | None = first
        for _ in range(self.policy.redirects + 1):
            assert url is not None, "it is sent on"
            _check(url)
            await before(url)
            with _in_one_sentence(url):
                answer = await self._answer(url, largest, types)
            if (url := answer.sent_on) is None:
                return answer
        raise NotFetched(first, f"it is sent on more than {self.policy.redirects} times")

    async def _answer(self, url: URL, largest: int, types: frozenset[str]) -> _Answer:
        async with self._session.get(url, allow_redirects=False) as response:
            about = (str(url), response.content_type, response.charset or "")
            if response.status in REDIRECTS:
                return _Answer(response.status, Page(*about, b""), _next(url, response))
            if response.status != 200:
                return _Answer(response.status, Page(*about, b""))
            if types and response.content_type not in types:
                raise NotFetched(url, f"it is {response.content_type[:60]}, and no page, text or PDF file")
            return _Answer(response.status, Page(*about, await _all_of(response, url, largest)))

    async def _ask_robots(self, url: URL) -> None:
        """Raises NotFetched where a site does not let us read this page."""
        if not self.policy.robots:
            return
        if (origin := str(url.origin())) not in self._robots:
            try:
                self._robots[origin] = await self._rules(url)
            except NotFetched as error:
                raise NotFetched(url, error.why) from error
        if not self._robots[origin].can_fetch(str(url), AGENT):
            raise NotFetched(url, f"the site's robots.txt does not allow it to {AGENT}")

    async def _rules(self, url: URL) -> Any:
        """What a site allows: everything where it has no robots.txt (4xx), nothing where it cannot say so (5xx)."""
        try:
            from protego import Protego
        except ImportError as error:
            raise UsageError('Reading a page of the web needs protego: install "elenchus[articles]".') from error

        async def nothing(_: URL) -> None:
            """A robots.txt needs nobody's leave."""

        answer = await self._followed(url.origin().with_path("/robots.txt"), LARGEST_ROBOTS, frozenset(), nothing)
        if answer.status == 200:
            return Protego.parse(answer.page.data.decode("utf-8", errors="replace"))
        return Protego.parse("" if 400 <= answer.status < 500 else "User-agent: *\nDisallow: /")


# ── one request ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _check(url: URL) -> None:
    """Raises NotFetched for what is no address of a page, or holds a login."""
    named = url.scheme in ("http", "https") and _HOST.fullmatch(url.raw_host or "")
    if not named or len(str(url)) > LONGEST_ADDRESS:
        raise NotFetched(url, "it is no address of a page (http:// or https://)")
    if url.user is not None or url.password is not None:
        raise NotFetched(url, "it holds a login")


def _next(url: URL, response: ClientResponse) -> URL:
    """Where it is sent on to. Raises NotFetched."""
    from yarl import URL

    try:
        return url.join(URL(response.headers["Location"]))
    except (KeyError, ValueError) as error:
        raise NotFetched(url, "the site sends it on to no address") from error


async def _all_of(response: ClientResponse, url: URL, largest: int) -> bytes:
    """The unpacked bytes of an answer. Raises NotFetched where these, or those that came, are too many, or cannot be
    unpacked.
    """
    packed = response.headers.get("Content-Encoding", "identity").strip().lower()
    if packed not in ("identity", "gzip", "x-gzip", ""):
        raise NotFetched(url, f"it is packed in a way that was not asked for ({packed[:30]})")
    unpacking = zlib.decompressobj(wbits=31) if "gzip" in packed else None
    data, came = bytearray(), 0
    async for piece in response.content.iter_chunked(65_536):
        came += len(piece)
        try:
            data += unpacking.decompress(piece, largest + 1 - len(data)) if unpacking else piece
        except zlib.error as error:
            raise NotFetched(url, "it cannot be unpacked") from error
        if max(came, len(data)) > largest:
            raise NotFetched(url, f"it is larger than {largest:,} bytes")
    if unpacking and not unpacking.eof:
        raise NotFetched(url, "it ends too early")
    return bytes(data)


@contextmanager
def _in_one_sentence(url: URL) -> Iterator[None]:
    """Makes a NotFetched of whatever goes wrong on the way, but for the time, which is of all requests together."""
    import aiohttp

    refused: list[str] = []
    _refusals.set(refused)
    try:
        yield
    except aiohttp.InvalidURL as error:
        raise NotFetched(url, "it is no address of a page") from error
    except aiohttp.ClientSSLError as error:
        raise NotFetched(url, "the site cannot show that it is what it says (its certificate)") from error
    except aiohttp.ClientConnectorDNSError as error:
        raise NotFetched(url, "there is no such site") from error
    except aiohttp.ClientConnectionError as error:
        raise NotFetched(url, refused[0] if refused else "the site cannot be reached, or breaks off") from error
    except (aiohttp.ClientError, ValueError) as error:
        raise NotFetched(url, "what the site answers is no HTTP") from error
