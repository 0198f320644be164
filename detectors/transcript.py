"""The transcript of a session as turns to examine. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from elenchus.debate_engine.events import Recorded, SessionStarted
from elenchus.debate_engine.human_seat import is_human
from elenchus.debate_engine.log import transcript
from elenchus.detectors.schemas import Turn

_NOT_SPOKEN = ("agenda", "claim", "warning", "weakest", "progress")
"""What the moderator's desk is told, by its label: no words of a debater or a role."""


def turns_of(events: Iterable[Recorded]) -> tuple[Turn, ...]:
    """Everything that was said to anybody, in order, numbered from 1; `by` is the person on the speaker's seat."""
    known = list(events)
    people = _people(known)
    said = [s for s in transcript(known) if s.about not in _NOT_SPOKEN and s.text.strip()]
    return tuple(
        Turn(number=n, speaker=s.speaker, about=s.about, text=s.text, by=people.get(s.speaker, ""))
        for n, s in enumerate(said, 1)
    )


def _people(events: Iterable[Recorded]) -> dict[str, str]:
    """The persons on the seats, by their names in `by`."""
    seats = [seat for r in events if isinstance(r.event, SessionStarted) for seat in r.event.seats]
    return {seat.name: seat.spec.partition(":")[2] for seat in seats if is_human(seat.spec)}


def people_examined(turns: Iterable[Turn], speaker: str) -> frozenset[str]:
    """Whose words are examined, as in `by`: the speaker's, or everybody's for ""; others' are for understanding."""
    return frozenset(turn.by for turn in turns if turn.by and speaker in ("", turn.speaker))


def speakers_of(turns: Iterable[Turn]) -> tuple[str, ...]:
    """Who speaks, in the order of their first turns."""
    return tuple(dict.fromkeys(turn.speaker for turn in turns))
