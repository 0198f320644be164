"""Requests to a service: each answered, refused in the server's own sentence, or given up after a named time."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, NamedTuple

import aiohttp
from yarl import URL

from elenchus.debate_engine.errors import UsageError
from elenchus.service.client.errors import AnswerLost, ServerUnavailable, error_of, is_problem, kind_of

BASE = "/api/v1"
PROBLEM, JSON = "application/problem+json", "application/json"
LARGE = 100_000
"""Bytes of JSON, from which on it is read beside the event loop."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds between two attempts, twice as long each time."""
SLOWEST = 50_000
"""Bytes a second with which a file may be sent at the least."""
_OF_SESSIONS = ("/sessions/", "/people/")
"""Where what is not there is a session."""
_BETWEEN = frozenset({502, 503, 504})
"""What a proxy says for a server that it cannot reach."""
_LATER = frozenset({"too-many", "too-many-streams", "stopping"})
"""Problems after which the same may be asked again in a while: nothing was done."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long is waited, in seconds: until a connection stands (`connect`); for an answer, and between its parts
    (`answer`); for one that the service has to work for, such as results, exports and estimates (`work`); for a server
    that is away, or has too much to do, to be there again (`outage`); for a sign of life on a stream (`silence`).
    """

    connect: float = 10.0
    answer: float = 60.0
    work: float = 900.0
    outage: float = 60.0
    silence: float = 45.0


class Answer(NamedTuple):
    """What a server has answered."""

    status: int
    media_type: str
    headers: Mapping[str, str]
    body: bytes


class Unreachable(Exception):
    """The server did not answer. `asked`: it may have done what it was asked; `pause`: it wants to be left alone."""

    def __init__(self, why: str, *, asked: bool, pause: float = 0.0) -> None:
        super().__init__(why)
        self.asked, self.pause = asked, pause


@dataclass(slots=True, eq=False)
class Connection:
    """Asks one service with one token. Belongs to the event loop in which it is made."""

    url: URL
    token: str = field(repr=False)
    timeouts: Timeouts
    tls: ssl.SSLContext | None = field(default=None, repr=False)
    closed: bool = False
    _session: aiohttp.ClientSession = field(init=False, repr=False)

    def __post_init__(self) -> None:
        headers = {"Authorization": f"Bearer {self.token}", "User-Agent": f"elenchus/{version('elenchus')}"}
        connector = aiohttp.TCPConnector(limit=0, ssl=self.tls or True)
        self._session = aiohttp.ClientSession(
            headers=headers, connector=connector, cookie_jar=aiohttp.DummyCookieJar(), raise_for_status=False
        )

    async def aclose(self) -> None:
        """Ask nothing more."""
        self.closed = True
        await self._session.close()

    # ── asking ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def get(self, path: str, query: Mapping[str, str] | None = None, *, works: bool = False) -> Any:
        """A document. Raises ElenchusError."""
        return await self.document(await self.ask("GET", path, query=query, again=True, works=works))

    async def post(
        self, path: str, body: Any = None, *, once: bool = False, again: bool = False, works: bool = False,
        key: str = "",
    ) -> Any:  # fmt: skip
        """What comes of it. `again`: twice does no harm. `once`: the server does it once, however often it is asked;
        and once for the same `key`, where one is given.
        """
        key = secrets.token_urlsafe(24) if once and not key else key
        headers = {"Idempotency-Key": key} if key else {}
        sent = json.dumps({} if body is None else body, allow_nan=False).encode()
        headers["Content-Type"] = JSON
        return await self.document(
            await self.ask("POST", path, data=sent, headers=headers, again=again or bool(key), works=works)
        )

    async def post_for_bytes(self, path: str, body: Any) -> bytes:
        """A file that the server makes of a request."""
        sent = json.dumps(body, allow_nan=False).encode()
        headers = {"Content-Type": JSON}
        return (await self.ask("POST", path, data=sent, headers=headers, again=True, works=True)).body

    async def ask(
        self, method: str, path: str, *, data: bytes | None = None, headers: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None, again: bool = False, works: bool = False, patient: bool = True,
    ) -> Answer:  # fmt: skip
        """The answer, which is no refusal. `again`: what was perhaps done may be asked for once more.

        Raises ElenchusError: what the server refuses, ServerUnavailable, AnswerLost.
        """
        until, pause = asyncio.get_running_loop().time() + self.timeouts.outage, FIRST_PAUSE
        while True:
            try:
                answer = await self._once(method, path, data, headers, query, works)
                return self.accepted(answer, path)
            except Unreachable as away:
                left = until - asyncio.get_running_loop().time()
                if away.asked and not again:
                    raise AnswerLost(
                        f"{self.url} did not answer ({away}): whether it was done is not known; look before you do it "
                        "again."
                    ) from None
                if not patient or left <= 0:
                    raise self.unreachable(str(away)) from None
                await asyncio.sleep(min(left, max(pause, away.pause)))
                pause = min(LONGEST_PAUSE, 2 * pause)

    def unreachable(self, why: str) -> ServerUnavailable:
        """The error for a server that is away."""
        return ServerUnavailable(
            f"{self.url} cannot be reached ({why}): check the address, and that `elenchus serve` runs there."
        )

    async def _once(
        self, method: str, path: str, data: bytes | None, headers: Mapping[str, str] | None,
        query: Mapping[str, str] | None, works: bool,
    ) -> Answer:  # fmt: skip
        seconds = self.timeouts.work if works else self.timeouts.answer
        total = None if data is None else seconds + len(data) / SLOWEST
        async with self.opened(method, path, data=data, headers=headers, query=query, quiet=seconds, total=total) as it:
            return Answer(it.status, it.content_type, it.headers, await it.read())

    @asynccontextmanager
    async def opened(
        self, method: str, path: str, *, quiet: float, data: bytes | None = None,
        headers: Mapping[str, str] | None = None, query: Mapping[str, str] | None = None, total: float | None = None,
    ) -> AsyncIterator[aiohttp.ClientResponse]:  # fmt: skip
        """An answer that is being given; `quiet` seconds without any of it are too many. Raises Away, UsageError."""
        if self.closed:
            raise UsageError("This lab is closed, as its `async with` was left: connect again with elenchus.connect().")
        timeout = aiohttp.ClientTimeout(
            total=total, connect=self.timeouts.connect, sock_connect=self.timeouts.connect, sock_read=quiet
        )
        address = self.url.joinpath(*f"{BASE}{path}".strip("/").split("/"), encoded=True)
        try:
            async with self._session.request(
                method, address.update_query(query or {}), data=data, headers=headers, timeout=timeout,
                allow_redirects=False,
            ) as response:  # fmt: skip
                yield response
        except aiohttp.ClientConnectorCertificateError as error:
            raise UsageError(
                f"{self.url} shows a certificate that is not trusted here ({error.certificate_error}): give `tls`, an "
                "ssl.SSLContext that trusts it."
            ) from None
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise Unreachable(_said(error), asked=False) from None
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise Unreachable(_said(error), asked=True) from None

    # ── what is answered ─────────────────────────────────────────────────────────────────────────────────────────

    def accepted(self, answer: Answer, path: str) -> Answer:
        """The answer, where it is none that refuses. Raises Away, ElenchusError."""
        if answer.status < 300:
            return answer
        if answer.status in (301, 302, 303, 307, 308):
            raise UsageError(f"{self.url} sends elsewhere, to {answer.headers.get('Location', '?')}: connect there.")
        problem = _json_or_none(answer.body) if answer.media_type == PROBLEM else None
        if problem is None or not is_problem(problem):
            if answer.status in _BETWEEN:
                raise Unreachable(f"a proxy answers in its place, with HTTP {answer.status}", asked=True)
            raise self.no_elenchus(answer)
        if kind_of(problem) in _LATER:
            raise Unreachable(str(problem.get("detail", "")), asked=False, pause=_seconds(answer.headers))
        raise error_of(problem, of_session=path.startswith(_OF_SESSIONS))

    def no_elenchus(self, answer: Answer) -> UsageError:
        """The error for whatever else answers at this address."""
        told = f"HTTP {answer.status}, {answer.media_type or 'no type'}"
        return UsageError(
            f"What answers at {self.url} is no Elenchus, or something before it answers in its place ({told}): give "
            "the address that `elenchus serve` shows."
        )

    async def document(self, answer: Answer) -> Any:
        """The document of an answer, None for one without. Raises UsageError for what is none."""
        if not answer.body:
            return None
        if answer.media_type != JSON:
            raise self.no_elenchus(answer)
        try:
            if len(answer.body) > LARGE:
                return await asyncio.to_thread(json.loads, answer.body)
            return json.loads(answer.body)
        except ValueError:
            raise self.no_elenchus(answer) from None


def _json_or_none(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _seconds(headers: Mapping[str, str]) -> float:
    """How long the server wants to be left alone."""
    given = headers.get("Retry-After", "")
    return float(given) if given.isascii() and given.isdigit() and len(given) < 6 else 0.0


def _said(error: BaseException) -> str:
    """What went wrong, without the address, which the sentence has."""
    if isinstance(error, TimeoutError):
        return "it does not answer in time"
    if isinstance(error, aiohttp.ClientConnectorError):
        of_system = error.os_error
        code = of_system.errno or 0
        return (os.strerror(code) if code > 0 else str(of_system.strerror)).lower()
    if isinstance(error, aiohttp.ClientResponseError):
        return "it does not speak HTTP"
    return "the connection broke"


def address_of(url: str) -> URL:
    """The address of a service. Raises UsageError for what is none."""
    try:
        given = URL(url.strip())
    except (ValueError, TypeError):
        given = URL()
    if given.scheme not in ("http", "https") or not given.host or given.user or given.query_string or given.fragment:
        raise UsageError(f"{url!r} is no address of a service: give one such as http://127.0.0.1:8321.")
    return given.with_path(given.path.rstrip("/") or "/")


def checked_token(token: str) -> str:
    """The token. Raises UsageError for what can be none."""
    if not (given := token.strip()) or not given.isascii() or not given.isprintable() or " " in given:
        raise UsageError("Give the token of a moderator: `elenchus tokens create` makes one.")
    return given
