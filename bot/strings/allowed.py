"""Which models, where, how often: what is refused."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

TERMINAL_ONLY: Final = (
    "Scripts, and models from a file, are for the terminal of the bot's machine alone: choose a model from the list."
)


def not_allowed(spec: str, allowed: str) -> str:
    """A model that is on no list."""
    return f"{spec} is not among the models that may be used here ({allowed}): choose one of these."


def no_catalogue(reference: str) -> str:
    """The owner's own list of models is broken."""
    return (
        f"The bot's list of models cannot be read: whoever runs the bot finds why in its log, under {reference}, and "
        "mends models.yaml."
    )


def unknown_price(specs: str) -> str:
    """What it would cost cannot be told."""
    return (
        f"Nobody knows what {specs} costs, so no budget would hold: choose a model with a price, or ask somebody with "
        "Manage Server for a ceiling (`/settings set unpriced_usd:`, dollars a million tokens)."
    )


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
