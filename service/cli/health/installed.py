"""Which packages are installed, by what they are for."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Any

_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"extra\s*==\s*['\"](\w+)['\"]")
_SHOWN = ("local", "detect", "train")


def packages() -> dict[str, dict[str, str | None]]:
    """By group (`base`, then each extra): package and its version, None where it is missing."""
    groups: dict[str, dict[str, str | None]] = {"base": {}, **{name: {} for name in _SHOWN}}
    for line in _requirements():
        extra = _EXTRA.search(line)
        group = extra[1] if extra else "base"
        name = _NAME.match(line)
        if group in groups and name:
            groups[group][name[0]] = version_of(name[0])
    return groups


def version_of(package: str) -> str | None:
    """The installed version, None where it is missing."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _requirements() -> list[str]:
    try:
        return requires("elenchus") or []
    except PackageNotFoundError:  # run from a folder that was never installed
        return []


def front_ends(home_is_writable: bool, interactive: bool, bot_token: bool) -> list[dict[str, Any]]:
    """What each front end needs, and whether it is there."""
    needs = {
        "terminal": [
            ("a folder for the sessions that can be written (ELENCHUS_HOME)", home_is_writable),
            ("a terminal for the live view (plain lines without)", interactive),
        ],
        "bot": [
            ("discord.py", version_of("discord.py") is not None),
            ("a bot token (DISCORD_TOKEN)", bot_token),
        ],
    }
    return [
        {"name": name, "ready": all(there for _, there in parts), "needs": [{"what": w, "there": t} for w, t in parts]}
        for name, parts in needs.items()
    ]
