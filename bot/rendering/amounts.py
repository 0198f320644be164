"""How amounts are written: money, heat, moments, and how long something takes."""

from __future__ import annotations

import math
from datetime import datetime

from elenchus.bot.strings import msg


def dollars(x: float) -> str:
    """An amount of money: cents, and of less than one as much as shows that it is not nothing."""
    if x == 0 or x >= 0.01:
        return f"${x:.2f}"
    return f"${x:.4f}" if x >= 0.0001 else msg("thread-under-a-cent")


def two_places(value: float) -> str:
    """A heat as everybody rounds by hand: 0.625 is 0.63."""
    return f"{math.floor(value * 100 + 0.5) / 100:.2f}"


def when(at: datetime) -> str:
    """A moment, shown by each reader's client in words ("in 5 minutes")."""
    return f"<t:{int(at.timestamp())}:R>"


def in_time(seconds: float) -> str:
    """How long until something, in words: a refusal holds no marks that Discord would make a time of."""
    minutes = max(1, math.ceil(seconds / 60))
    return msg("allowed-minutes", n=minutes) if minutes < 120 else msg("allowed-hours", n=math.ceil(minutes / 60))


def capitalised(text: str) -> str:
    """The text with a capital at its beginning, and everything else as it is."""
    return f"{text[:1].upper()}{text[1:]}"
