"""Which models sit where when nobody says so: a vendor's cheap model where its key is set, else the embedded one."""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from config.settings import Settings

EMBEDDED = "local:smollm2-135m"
CHEAP = {"openai": "gpt-6-luna", "anthropic": "claude-haiku-5-5", "gemini": "gemini-3.5-flash-lite"}
"""A vendor's model that is good enough for a debate and costs least (prices: `config/models.yaml`)."""

JUDGES = 3


def available(settings: Settings) -> list[str]:
    """The specs to choose from, one for each vendor whose key is set."""
    vendors = (settings.openai, settings.anthropic, settings.gemini)
    return [f"{name}:{CHEAP[name]}" for name, vendor in zip(CHEAP, vendors, strict=True) if vendor.key] or [EMBEDDED]


def debater(settings: Settings) -> str:
    """Who debates."""
    return available(settings)[0]


def judges(settings: Settings) -> list[str]:
    """Who judges: other vendors' models than the debaters' first, in turn."""
    specs = available(settings)
    return list(islice(cycle([*specs[1:], *specs[:1]]), JUDGES))
