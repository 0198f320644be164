"""Amounts as people write them: what could be read in two ways is no amount."""

from __future__ import annotations

import re

_WHOLE = re.compile(r"[0-9]{1,15}|[1-9][0-9]{0,2}(,[0-9]{3}){1,4}")
_DOLLARS = re.compile(r"\$?\s*([0-9]{1,9}(\.[0-9]{1,6})?|\.[0-9]{1,6})")


def tokens_in(text: str) -> int | None:
    """A whole number above zero, its thousands set apart by commas or not (200000, 200,000); None for anything else."""
    typed = text.strip()
    return int(typed.replace(",", "")) or None if _WHOLE.fullmatch(typed) else None


def dollars_in(text: str) -> float | None:
    """Dollars above zero with a decimal point (0.50, $1.50); None for anything else.

    A comma is the decimal sign of many people and sets the thousands apart for many others: it is never guessed at.
    """
    found = _DOLLARS.fullmatch(text.strip())
    return float(found[1]) or None if found else None
