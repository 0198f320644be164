"""What holds for every request: by which names the server may be called, what a page may load, how much may be sent."""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Collection
from functools import lru_cache
from urllib.parse import urlsplit

from aiohttp import web

from elenchus.service.web.problems import Forbidden, Problem

NONCE = web.RequestKey("nonce", str)
"""What a page's own scripts and styles carry, new for each answer."""

_HERE = ("localhost",)

HIDDEN = (
    "This browser hides which page sends this, as an extension may do: switch that off for this address, and try again."
)
"""What who sends `Origin: null` is told."""


def policy(nonce: str) -> str:
    """What a page may load and do: all of it from here."""
    return "; ".join((
        "default-src 'none'",
        f"script-src 'self' 'nonce-{nonce}'",
        f"style-src 'self' 'nonce-{nonce}'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ))  # fmt: skip


def headers(nonce: str, *, secure: bool) -> dict[str, str]:
    """What goes with every answer. Without TLS a browser would only complain of what it then ignores."""
    more = {"Cross-Origin-Opener-Policy": "same-origin"} if secure else {}
    return more | {
        "Content-Security-Policy": policy(nonce),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "strict-origin",  # no address with a link in it, and yet forms tell whence they come
        "X-Frame-Options": "DENY",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    }


def nonce_of(request: web.Request) -> str:
    """That of this request's answer."""
    if NONCE not in request:
        request[NONCE] = secrets.token_urlsafe(16)
    return request[NONCE]


# ── by which name ────────────────────────────────────────────────────────────────────────────────────────────────


def check_host(request: web.Request, names: Collection[str]) -> None:
    """Raises Problem for a name that is not ours: a page elsewhere could have it point to this machine."""
    host = _name(request.headers.get("Host", ""))
    if host in _HERE or host in names or _is_loopback(host):
        return
    raise Problem(421, "wrong-host", "This server does not answer to that name: see ELENCHUS_WEB_ALLOWED_HOSTS.")


def check_origin(request: web.Request) -> None:
    """Raises Forbidden where a browser says that another page sends this, or hides which: no page of ours is `null`."""
    origin = request.headers.get("Origin", "")
    if origin == "null":
        raise Forbidden(HIDDEN)
    if origin and _name(_netloc(origin)) != _name(request.headers.get("Host", "")):
        raise Forbidden("Another page sent this: it can be done from our own pages alone.")
    if request.headers.get("Sec-Fetch-Site", "") == "cross-site" and request.method not in ("GET", "HEAD"):
        raise Forbidden("Another page sent this: it can be done from our own pages alone.")


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _name(host: str) -> str:
    """A host without its port, in small letters."""
    if host.startswith("["):
        return host[1 : host.find("]")].casefold()
    return host.rpartition(":")[0].casefold() if ":" in host else host.casefold()


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def address_of(request: web.Request, proxies: Collection[str]) -> str:
    """Whence a request comes: behind proxies of ours (addresses and networks) what the last of them says, else the
    connection's other end.
    """
    address, trusted = request.remote or "", tuple(proxies)
    if _is_among(address, trusted):
        told = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
        address = next((one for one in reversed(told) if not _is_among(one, trusted)), address)
    return address


def is_secure(request: web.Request, proxies: Collection[str]) -> bool:
    """Whether the browser came by https, as far as a proxy of ours says."""
    by_proxy = _is_among(request.remote or "", tuple(proxies))
    return request.secure or (by_proxy and request.headers.get("X-Forwarded-Proto", "") == "https")


@lru_cache(maxsize=1000)
def _is_among(address: str, networks: tuple[str, ...]) -> bool:
    try:
        return any(ipaddress.ip_address(address) in ipaddress.ip_network(network) for network in networks)
    except ValueError:
        return False
