"""What is worth a place in the scrollback: finished things, in the order in which they happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from elenchus.debate_engine.protocols.crit.schemas import Quality

Tone = Literal["info", "good", "warn", "moderator"]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A finished speech. `model` is "" where the watcher must not know it."""

    seat: str
    about: str
    text: str
    heat: float | None
    model: str


@dataclass(frozen=True, slots=True)
class Topics:
    """The agenda; each topic has `pro_concern`, `con_concern` and `scope`."""

    topics: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Scored:
    """The argument quality after a round, or after the closings; `before` is the last Γ."""

    about: str
    heat: float | None
    quality: Quality
    before: float | None


@dataclass(frozen=True, slots=True)
class Note:
    """One line that somebody should know."""

    text: str
    tone: Tone = "info"


@dataclass(frozen=True, slots=True)
class Ended:
    """The session came to its end; `outcome` is the protocol's result where it finished.

    `told` is a debate in sentences.
    """

    state: str
    protocol: str
    outcome: Mapping[str, Any] | None
    reason: str = ""
    told: tuple[str, ...] = ()


Item = Spoken | Topics | Scored | Note | Ended
