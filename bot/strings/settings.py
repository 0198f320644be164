"""`/settings`: what a server settles."""

from __future__ import annotations


def hours(seconds: float) -> str:
    """Time for a turn."""
    return f"{seconds / 3600:g} h"


def per_million(value: float) -> str:
    """What models without a price are taken to cost."""
    return f"{dollars(value)} a million tokens"


def dollars(value: float) -> str:
    """Money."""
    return f"${value:g}"
