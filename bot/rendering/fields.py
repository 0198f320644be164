"""What the hints of a form's fields say. Pure."""

from __future__ import annotations

from elenchus.bot.strings import msg


def joined(*parts: str) -> str:
    """Hints beside each other."""
    return "; ".join(part for part in parts if part)


def in_range(low: float | None, high: float | None) -> str:
    """What numbers are taken."""
    if low is not None and high is not None:
        return msg("forms-between", low=low, high=high)
    if low is not None:
        return msg("forms-at-least", low=low)
    return msg("forms-at-most", high=high) if high is not None else msg("forms-a-number")


def list_of(columns: list[str], divider: str) -> str:
    """How a list is written."""
    if not columns:
        return msg("forms-one-a-line")
    return msg("forms-columns", columns=f" {divider} ".join(columns).lower())
