"""Which vendors' servers answer and whether they take the key, by asking for the list of models: that costs nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from config.addresses import shown_address
from debate_engine.llm import anthropic, gemini, openai

if TYPE_CHECKING:
    from config.settings import Settings, VendorSettings

DEADLINE = 4.0
"""Seconds for one server."""


@dataclass(frozen=True, slots=True)
class _Vendor:
    base_url: str
    path: str
    key_header: str
    key_prefix: str = ""
    more: tuple[tuple[str, str], ...] = ()


_VENDORS: Mapping[str, _Vendor] = {
    "openai": _Vendor(openai.BASE_URL, "/models", "Authorization", "Bearer "),
    "anthropic": _Vendor(anthropic.BASE_URL, "/v1/models", "x-api-key", more=(("anthropic-version", "2023-06-01"),)),
    "gemini": _Vendor(gemini.BASE_URL, "/v1beta/models", "x-goog-api-key"),
}


async def vendors(settings: Settings) -> list[dict[str, Any]]:
    """Each vendor: whether a key is set, the server where one is to be asked, and what it said."""
    return list(await asyncio.gather(*(_asked(name, getattr(settings, name)) for name in _VENDORS)))


async def _asked(name: str, vendor: VendorSettings) -> dict[str, Any]:
    found: dict[str, Any] = {
        "provider": name,
        "key": vendor.key is not None,
        "server": None,
        "answers": None,
        "said": "",
    }
    if vendor.key is None and vendor.base_url is None:
        return found | {"said": f"not asked: set {name.upper()}_API_KEY to use it"}
    known = _VENDORS[name]
    base = (vendor.base_url or known.base_url).rstrip("/")
    headers = dict(known.more)
    if vendor.key is not None:
        headers[known.key_header] = known.key_prefix + vendor.key.get_secret_value()
    answers, said = await _get(base + known.path, headers)
    return found | {"server": shown_address(base), "answers": answers, "said": said}


async def _get(url: str, headers: Mapping[str, str]) -> tuple[bool, str]:
    """Whether the server answered in time, and what it said in our words."""
    import aiohttp

    from config.settings import proxy_for

    try:
        async with (
            asyncio.timeout(DEADLINE),
            aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session,
            session.get(url, headers=headers, proxy=proxy_for(url)) as reply,
        ):
            return True, _meaning(reply.status)
    except TimeoutError:
        return False, f"no answer within {DEADLINE:g} s"
    except (aiohttp.ClientError, OSError, ValueError) as error:
        return False, f"cannot be reached ({type(error).__name__})"


def _meaning(status: int) -> str:
    if status < 300:
        return "answers and takes the key"
    if status in (401, 403):
        return "answers and refuses the key: set a valid one"
    return f"answers (HTTP {status})"
