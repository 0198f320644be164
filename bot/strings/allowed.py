"""Which models, where, how often: what is refused."""

from __future__ import annotations

import math
from collections.abc import Sequence


def other_channel(names: Sequence[str]) -> str:
    """Not the place."""
    where = ", ".join(f"#{name}" for name in names) or "another"
    return f"Nothing is started in this channel: use {where}."


def starts_used(most: int, seconds: float) -> str:
    """A member's quota of a day."""
    return f"You have started {most} of {most} in 24 hours, all that this server allows: again {_in(seconds)}."


def too_soon(seconds: float) -> str:
    """A member's cooldown."""
    return f"You started something just now, and this server wants a pause between two: again {_in(seconds)}."


def _in(seconds: float) -> str:
    """When, in words: a refusal holds no marks that Discord would make a time of."""
    minutes = max(1, math.ceil(seconds / 60))
    return f"in {minutes} min" if minutes < 120 else f"in {math.ceil(minutes / 60)} h"
