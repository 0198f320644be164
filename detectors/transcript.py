"""The transcript of a session as turns to examine. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from debate_engine.events import Recorded
from debate_engine.log import transcript
from detectors.schemas import Turn

_NOT_SPOKEN = ("agenda", "warning", "weakest", "progress")
"""What the moderator's desk is told, by its label: no words of a debater or a role."""


def turns_of(events: Iterable[Recorded]) -> tuple[Turn, ...]:
    """Everything that was said to anybody, in order, numbered from 1."""
    said = [s for s in transcript(events) if s.about not in _NOT_SPOKEN and s.text.strip()]
    return tuple(Turn(number=n, speaker=s.speaker, about=s.about, text=s.text) for n, s in enumerate(said, 1))


def speakers_of(turns: Iterable[Turn]) -> tuple[str, ...]:
    """Who speaks, in the order of their first turns."""
    return tuple(dict.fromkeys(turn.speaker for turn in turns))
