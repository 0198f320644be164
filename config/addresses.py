"""Addresses of servers as they may be shown, as a password or key in one is for the server alone; and their proxies."""

from __future__ import annotations

import re
from contextlib import suppress
from urllib.parse import urlsplit

HIDDEN = "***"
_USER = re.compile(r"(?<=://)[^/\s?#]*@")
_ENDS_EARLY = re.compile(r"(?<=://)[^\[/?#'\"<>:]*:(?!\d*[/?#'\"<>])[^/?#'\"<>]*[/?#]")
_VALUE = re.compile(r"(?<=[?&])([^=&?\s#]+)=[^&\s#'\"<>]*")
_SECRET = re.compile(r"key|token|secret|passw|pwd|sig|auth|credential|code|access", re.IGNORECASE)
_OURS = re.compile(r"\bel_[A-Za-z0-9_-]{43}")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{0,30}://\S+", re.IGNORECASE)


def shown_address(url: str) -> str:
    """The address without user, password and any value of its query."""
    return _VALUE.sub(rf"\1={HIDDEN}", _without_user(url)).partition("#")[0]


def without_secrets(text: str) -> str:
    """A text whose addresses show no user and password, and no value of a query that is called like a secret.

    Links, tokens and cookies of our own are hidden wherever they stand.
    """
    shown = _URL.sub(lambda found: _VALUE.sub(_hidden, _without_user(found[0])), text)
    return _OURS.sub(f"el_{HIDDEN}", shown)


def _without_user(url: str) -> str:
    """The address without user and password, also where a / or # in the password would seem to end them."""
    user, _, there = url.rpartition("@")
    if found := _ENDS_EARLY.search(user):
        url = f"{user[: found.start()]}{HIDDEN}@{there}"
    return _USER.sub(f"{HIDDEN}@", url)


def _hidden(found: re.Match[str]) -> str:
    return f"{found[1]}={HIDDEN}" if _SECRET.search(found[1]) else found[0]


# ── proxies ──────────────────────────────────────────────────────────────────────────────────────────────────────


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for this server (HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY), or None.

    One that is named without `http://` is taken as that. Raises ValueError, which tells nothing of it, for one that
    is not a host with a port, or whose user or password ends early at a sign that it may not hold as it is.
    """
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    if not parts.hostname or proxy_bypass(parts.hostname):
        return None
    proxies = getproxies()
    found = next((name for name in (parts.scheme, "all") if proxies.get(name)), None)
    return None if found is None else _proxy(proxies[found], f"{found.upper()}_PROXY")


def _proxy(url: str, variable: str) -> str:
    url = url if "://" in url else f"http://{url}"
    with suppress(ValueError):
        parts = urlsplit(url)
        ends = parts.path in ("", "/") and not parts.query and not parts.fragment
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and ends:
            return url
    raise ValueError(
        f"The proxy in {variable} cannot be used: write http://HOST:PORT, if need be with USER:PASSWORD@ before the "
        "host, and in them %2F for /, %23 for #, %3F for ? and %40 for @."
    )
