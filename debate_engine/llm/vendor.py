"""What the vendors' clients have in common: how a call is made, how HTTP failures become our errors, and how a slow
thing is made once.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, ClassVar, Generic, Protocol, TypeVar
from urllib.parse import urlsplit

from elenchus.config.addresses import without_secrets
from elenchus.debate_engine.errors import (
    ContentRefused,
    ContextTooLong,
    MalformedReply,
    MissingKey,
    ProviderBusy,
    ProviderError,
    UsageError,
)
from elenchus.debate_engine.llm import sdks
from elenchus.debate_engine.llm.budget import estimated
from elenchus.debate_engine.llm.client import Call, Finish, OnText, Reply, Usage
from elenchus.debate_engine.llm.quirks import Quirks
from elenchus.debate_engine.llm.retrying import is_temporary, retry_after
from elenchus.debate_engine.llm.safe_client import without_key
from elenchus.debate_engine.printable import one_line

T = TypeVar("T")

NO_KEY = "no-key"
"""Sent to a server of one's own that was given without a key: SDKs insist on one."""

_SENDABLE = re.compile(r"[!-~]*")
_TOO_LONG = re.compile(
    r"context.{0,12}(length|window|size)|maximum.{0,20}tokens|too many (input )?tokens"
    r"|(prompt|input).{0,20}too (long|large)|exceeds? the (maximum|available)|request_too_large",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"content.?(filter|policy|management)|safety (system|setting)|usage polic|flagged", re.IGNORECASE)
_NO_CREDIT = re.compile(r"insufficient_quota|billing_hard_limit|credit balance", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Vendor:
    """A vendor as its messages name it: `variable` is where its key is set, `secret` the key, kept out of messages.

    `protocol` is whose API it speaks, where that is another's.
    """

    name: str
    variable: str
    base_url_variable: str
    secret: str = field(default="", repr=False)
    protocol: str = ""

    def __post_init__(self) -> None:
        """Raises UsageError for a key that no header can carry. None of its characters is told."""
        if not _SENDABLE.fullmatch(self.secret):
            raise UsageError(
                f"The key in {self.variable} has a blank or a character that no key has (beyond plain ASCII): "
                "copy it once more, alone."
            )

    def address(self, base_url: str) -> str:
        """The base URL as it was given. Raises UsageError for one with a name or password in it, which is not told."""
        if "@" in base_url:  # a password with a / or # in it ends the host before it
            raise UsageError(
                f"{self.base_url_variable} has a user name or a password before the host (…@): take it out; "
                f"what the server wants to know you by goes in {self.variable}."
            )
        return base_url

    def failure(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> ProviderError:
        """The error for an HTTP status. `message` is the vendor's, with its error code if it gives one."""
        match status:
            case _ if 300 <= status < 400:
                there = _origin({name.lower(): value for name, value in (headers or {}).items()}.get("location", ""))
                return ProviderError(
                    f"{self.name} redirects to {self.clean(there)}, where neither key nor prompt were sent: "
                    f"if you trust it, set {self.base_url_variable} to it."
                )
            case 401:
                return MissingKey(f"{self.name} refused the key in {self.variable}: set a valid one.")
            case 400 | 402 | 403 | 429 if _NO_CREDIT.search(message):
                why = "says that the account has no credit left"
            case 403:
                why = "does not let this key do this"
            case 404:
                why = f"does not know this model, or {self.base_url_variable} is not its address"
            case _ if is_temporary(status):
                said = self.clean(message)
                return ProviderBusy(f"{self.name} is busy (HTTP {status}): {said}", retry_after(headers or {}))
            case _:
                return self.rejected(message, status)
        return ProviderError(f"{self.name} {why}: {self.clean(message)}")

    def rejected(self, message: str, status: int = 400) -> ProviderError:
        """The error for a request that the vendor read and did not take."""
        said = self.clean(message)
        if status == 413 or _TOO_LONG.search(message):
            return ContextTooLong(f"{self.name}: the prompt is too long for this model: {said}")
        if _REFUSED.search(message):
            return ContentRefused(f"{self.name} declined the content: {said}")
        return ProviderError(f"{self.name} did not accept the request (HTTP {status}): {said}")

    def unreachable(self, error: Exception) -> ProviderBusy:
        """The error for a connection that could not be made or broke."""
        cause = error.__cause__ or error
        said = str(cause).replace(" ssl:default", "") or type(cause).__name__  # aiohttp says so of plain HTTP too
        return ProviderBusy(f"{self.name} could not be reached: {self.clean(said)}")

    def no_reply(self, text: str) -> MalformedReply:
        """The error for a server that answers with something else than the vendor's API."""
        return MalformedReply(
            f"The server does not speak {self.protocol or self.name}'s protocol; "
            f"check {self.base_url_variable}: {self.clean(text)}"
        )

    def clean(self, message: str) -> str:
        """The vendor's words on one line, without the key, and only then shortened."""
        words = without_secrets(one_line(without_key(message, "" if self.secret == NO_KEY else self.secret)))
        return words if len(words) <= 300 else words[:299] + "…"


def _origin(location: str) -> str:
    """A redirect's target without what may be secret in it."""
    parts = urlsplit(location)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts.netloc else "another address"


class Lazy(Generic[T]):
    """Something slow to make (an SDK to import, a model to load): made in a thread when first asked for, once.

    A cancelled wait does not stop the making; the next caller gets its result.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: list[T] = []
        self._lock = threading.Lock()
        self._turn = asyncio.Lock()

    async def get(self) -> T:
        """The thing. Raises what making it raises, and tries again next time."""
        if self._made:
            return self._made[0]
        async with self._turn:  # those who wait for it take up no thread
            return await asyncio.to_thread(self._get)

    def pop(self) -> T | None:
        """The thing, to be closed, if it was ever made; it is made anew when asked for again. May block."""
        with self._lock:
            return self._made.pop() if self._made else None

    def _get(self) -> T:
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]


def reply_of(
    call: Call, text: str, finish: Finish, usage: Usage | None, model: str, seconds: float, refusal: dict[str, Any]
) -> Reply:
    """A reply as it was gathered; `usage` None: nobody counted, it is estimated.

    A declined one has no text; what came of it (`refusal`) is in `raw`.
    """
    raw: dict[str, Any] = {} if usage else {"usage": "estimated"}
    usage = usage or estimated(call, text)
    if finish == "refused":
        return Reply("", finish, usage, model, seconds, raw | refusal)
    return Reply(text, finish, usage, model, seconds, raw)


class CollectedReply(Protocol):
    """A vendor's reply that has come together."""

    def reply(self, call: Call, seconds: float) -> Reply:
        """It as ours."""
        ...


class VendorClient(ABC, Generic[T]):
    """The client of one server that speaks a vendor's API, through the vendor's SDK (`T`), which is made at first use.

    `thinking` gives the tokens to allow on top of a reply for a model's reasoning; `vendor` is given where the server
    is not the vendor's own. `headers` go with every request. Raises UsageError for a key or an address that cannot be
    used.
    """

    NAME: ClassVar[str]
    BASE_URL: ClassVar[str]
    SDK: ClassVar[sdks.Sdk]
    PARAMETERS: ClassVar[tuple[str, ...]]
    """What a model or a compatible server may refuse, by the name under which it complains."""

    def __init__(
        self,
        key: str | None,
        base_url: str | None,
        proxy: str | None,
        thinking: Callable[[str], int] = lambda _: 0,
        vendor: Vendor | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        variables = self.NAME.upper()
        self._vendor = vendor or Vendor(self.NAME, f"{variables}_API_KEY", f"{variables}_BASE_URL", key or NO_KEY)
        self._base_url, self._proxy, self._thinking = self._vendor.address(base_url or self.BASE_URL), proxy, thinking
        self._headers = dict(headers or {})
        self._quirks = self._first_quirks()
        sdks.require(self.SDK)
        self._sdk = Lazy(sdks.loading(self._make))

    async def complete(self, call: Call, on_text: OnText | None = None) -> Reply:
        """Answer one call; with `on_text`, stream it. Raises ProviderError."""
        sdk = await self._sdk.get()

        def build(quirks: frozenset[str], tokens: int) -> dict[str, Any]:
            return self._request(call, quirks, tokens, stream=on_text is not None)

        async def send(request: dict[str, Any]) -> Reply:
            started = monotonic()
            try:
                came = await self._send(sdk, request, on_text)
            except (json.JSONDecodeError, UnicodeDecodeError) as error:
                raise self._vendor.no_reply(f"a stream of something else ({error})") from error
            return came.reply(call, monotonic() - started)

        return await self._quirks.adapt(call.model, call.max_tokens + self._thinking(call.model), build, send)

    async def aclose(self) -> None:
        """Close the connections."""
        if (sdk := self._sdk.pop()) is not None:
            await self._close(sdk)

    def _first_quirks(self) -> Quirks:
        """What may be left out of a request, and what is from the beginning."""
        return Quirks(self.PARAMETERS)

    @abstractmethod
    def _make(self) -> T:
        """The SDK. Takes seconds: for a thread."""

    @abstractmethod
    def _request(self, call: Call, quirks: frozenset[str], tokens: int, *, stream: bool) -> dict[str, Any]:
        """The request for at most so many tokens. `quirks` names what this model or server does not take."""

    @abstractmethod
    async def _send(self, sdk: T, request: dict[str, Any], on_text: OnText | None) -> CollectedReply:
        """One request and what came. Raises ProviderError, Refused, json.JSONDecodeError, UnicodeDecodeError."""

    async def _close(self, sdk: Any) -> None:
        """Let go of the SDK's connections."""
        await sdk.close()
