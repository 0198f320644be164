"""Addresses of servers and proxies as they may be shown: a password or key in one is for the server alone."""

from __future__ import annotations

import re

HIDDEN = "***"
_USER = re.compile(r"(?<=://)[^/\s?#]*@")
_ENDS_EARLY = re.compile(r"(?<=://)[^\[/?#'\"<>:]*:(?!\d*[/?#'\"<>])[^/?#'\"<>]*[/?#]")
_VALUE = re.compile(r"(?<=[?&])([^=&?\s#]+)=[^&\s#'\"<>]*")
_SECRET = re.compile(r"key|token|secret|passw|pwd|sig|auth|credential|code|access", re.IGNORECASE)
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{0,30}://\S+", re.IGNORECASE)


def shown_address(url: str) -> str:
    """The address without user, password and any value of its query."""
    return _VALUE.sub(rf"\1={HIDDEN}", _without_user(url)).partition("#")[0]


def without_secrets(text: str) -> str:
    """A text whose addresses show no user and password, and no value of a query that is called like a secret."""
    return _URL.sub(lambda found: _VALUE.sub(_hidden, _without_user(found[0])), text)


def _without_user(url: str) -> str:
    """The address without user and password, also where a / or # in the password would seem to end them."""
    user, _, there = url.rpartition("@")
    if found := _ENDS_EARLY.search(user):
        url = f"{user[: found.start()]}{HIDDEN}@{there}"
    return _USER.sub(f"{HIDDEN}@", url)


def _hidden(found: re.Match[str]) -> str:
    return f"{found[1]}={HIDDEN}" if _SECRET.search(found[1]) else found[0]
