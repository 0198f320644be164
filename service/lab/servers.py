"""Which servers answer, whether they take the key, and which models they have, by asking for their list of models.

That costs nothing. A server that cannot be asked in time, or has no such list, is told as it is.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from elenchus.config.addresses import shown_address
from elenchus.config.settings import HttpSettings, ServerSettings
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.llm import anthropic, gemini, openai
from elenchus.debate_engine.llm.registry import named_in_messages
from elenchus.debate_engine.llm.safe_client import without_key

if TYPE_CHECKING:
    from elenchus.config.settings import Settings

DEADLINE = 4.0
"""Seconds for one server."""

LONGEST = 4_000_000
"""Bytes of a list of models."""


@dataclass(frozen=True, slots=True)
class _Protocol:
    base_url: str
    path: str
    key_header: str
    key_prefix: str = ""
    more: tuple[tuple[str, str], ...] = ()


_PROTOCOLS: Mapping[str, _Protocol] = {
    "openai": _Protocol(openai.BASE_URL, "/models", "Authorization", "Bearer "),
    "anthropic": _Protocol(
        anthropic.BASE_URL, "/v1/models?limit=1000", "x-api-key", more=(("anthropic-version", "2023-06-01"),)
    ),
    "gemini": _Protocol(gemini.BASE_URL, "/v1beta/models?pageSize=1000", "x-goog-api-key"),
}


@dataclass(frozen=True, slots=True)
class ServerAnswers:
    """What came of asking: `answers` None where nobody was asked; the names of the models where there is a list."""

    server: str | None
    answers: bool | None
    said: str
    models: tuple[str, ...] = ()
    welcome: bool = False
    """Whether the server takes the key, or wants none."""


async def vendors(settings: Settings) -> list[dict[str, Any]]:
    """Each vendor and server: whether a key is set, the address where one is to be asked, and what it said."""
    names = (*_PROTOCOLS, *settings.servers)
    found = await asyncio.gather(*(asked(settings, name) for name in names))
    return [
        {
            "provider": name,
            "key": provider_of(settings, name).key is not None,
            "server": one.server,
            "answers": one.answers,
            "said": one.said,
        }
        for name, one in zip(names, found, strict=True)
    ]


def provider_of(settings: Settings, name: str) -> HttpSettings:
    """The settings of a vendor or a server."""
    known = settings.provider(name)
    assert isinstance(known, HttpSettings)
    return known


async def asked(settings: Settings, name: str) -> ServerAnswers:
    """What a vendor's or one's own server says; a vendor without a key or an address of its own is not asked."""
    given = provider_of(settings, name)
    own = given if isinstance(given, ServerSettings) else None
    if given.key is None and given.base_url is None:
        return ServerAnswers(None, None, f"not asked: set {name.upper()}_API_KEY to use it")
    if own and own.key_env and own.key is None:
        return ServerAnswers(shown_address(own.url), None, f"not asked: set {own.key_env}, its key")
    known = _PROTOCOLS[own.speaks if own else name]
    base = (given.base_url or known.base_url).rstrip("/")
    try:
        named_in_messages(name, given).address(base)
    except UsageError as error:
        return ServerAnswers(shown_address(base), None, f"not asked: {error}")
    headers = dict(known.more) | (own.headers if own else {})
    if given.key is not None:
        headers[known.key_header] = known.key_prefix + given.key.get_secret_value()
    found = await _get(base, known.path, headers)
    key = given.key.get_secret_value() if given.key else ""
    return replace(
        found, server=shown_address(base), models=tuple(name for name in found.models if name == without_key(name, key))
    )


async def _get(base: str, path: str, headers: Mapping[str, str]) -> ServerAnswers:
    import aiohttp

    from elenchus.config.addresses import proxy_for

    try:
        proxy = proxy_for(base)
    except ValueError as error:
        return ServerAnswers(base, False, str(error))
    try:
        async with (
            asyncio.timeout(DEADLINE),
            aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session,
            session.get(base + path, headers=headers, proxy=proxy, allow_redirects=False) as reply,
        ):
            body = await beginning(reply) if reply.status < 300 else b""
    except TimeoutError:
        return ServerAnswers(base, False, f"no answer within {DEADLINE:g} s")
    except (aiohttp.ClientError, OSError, ValueError) as error:
        return ServerAnswers(base, False, f"cannot be reached ({type(error).__name__})")
    return ServerAnswers(base, True, _meaning(reply.status), names_in(body), welcome=reply.status < 300)


async def beginning(reply: Any) -> bytes:
    """The body of a reply of aiohttp's, unpacked, or its beginning where it does not end."""
    pieces: list[bytes] = []
    async for piece in reply.content.iter_chunked(65_536):
        pieces.append(piece)
        if sum(map(len, pieces)) > LONGEST:
            break
    return b"".join(pieces)


def _meaning(status: int) -> str:
    if status < 300:
        return "answers and takes the key"
    if status < 400:
        return f"answers with a redirect, which was not followed (HTTP {status})"
    if status in (401, 403):
        return "answers and refuses the key: set a valid one"
    return f"answers (HTTP {status})"


def names_in(body: bytes) -> tuple[str, ...]:
    """The models of a list in any of the three vendors' forms, () where it is something else. Pure."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    entries = document.get("data") or document.get("models") if isinstance(document, dict) else None
    entries = entries if isinstance(entries, list) else []
    names = [entry.get("id") or entry.get("name") for entry in entries if isinstance(entry, dict)]
    plain = [name.removeprefix("models/") for name in names if isinstance(name, str)]
    return tuple(dict.fromkeys(name for name in plain if re.fullmatch(r"[!-~]{1,200}", name)))
