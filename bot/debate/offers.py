"""Debates that were worked out and wait for the word to start: in memory, as long as they can be confirmed."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from time import monotonic

from elenchus.debate_engine.events import SessionStarted

LIFETIME = 14 * 60.0
"""Seconds: an interaction's token lives 15 minutes."""

MOST = 1_000


@dataclass(frozen=True, slots=True)
class Offer:
    """What would be started, by whom and where."""

    started: SessionStarted
    member: int
    guild: int
    channel: int
    private: bool
    needed_usd: float | None
    needed_tokens: int


class Offers:
    """Offers by key; each can be taken once."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[float, Offer]] = {}

    def make(self, offer: Offer) -> str:
        """Keep an offer; its key."""
        self._open = {k: v for k, v in list(self._open.items())[-MOST:] if v[0] > monotonic()}
        key = secrets.token_hex(8)
        self._open[key] = (monotonic() + LIFETIME, offer)
        return key

    def look(self, key: str) -> Offer | None:
        """The offer, None where it has expired or was taken."""
        until, offer = self._open.get(key, (0.0, None))
        return offer if until > monotonic() else None

    def take(self, key: str) -> Offer | None:
        """The offer, which is gone then."""
        offer = self.look(key)
        self._open.pop(key, None)
        return offer
