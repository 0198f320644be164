"""What a mind was given, and has made of it, without a person's words: lines that it heard, sentences it noted. Pure.

A sentence is noted in three parts, none of which need be as long as a quote: it is looked for as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from elenchus.debate_engine.events import (
    MODERATOR,
    Attended,
    Fed,
    GivenToMind,
    Guidance,
    Question,
    Recorded,
    SessionStarted,
    Surveyed,
    Talked,
    TurnAnswered,
)
from elenchus.debate_engine.privacy.person_words import REDACTED, PersonWords

_PARTS = ("subject", "predicate", "object", "thought")


def given_by(event: GivenToMind, seats: frozenset[str]) -> list[str] | None:
    """The texts in this event that the person of these names gave or said; None when there are none of theirs."""
    match event:
        case Fed(by=by, texts=texts) | Surveyed(by=by, questions=texts) if by in seats:
            return list(texts)
        case Talked(by=by, text=text) if by in seats:
            return [text]
        case Attended(lines=lines):
            return [line.text for line in lines if seats & {line.by, line.person}] or None
    return None


def as_heard(session: str, recorded: Sequence[Recorded], who: str) -> set[str]:
    """What the person of this name, or on this seat, is called in the minds that sat in a session (`x7/con`)."""
    names = {who}
    for event in (r.event for r in recorded):
        match event:
            case SessionStarted(seats=seats):
                names |= {seat.name for seat in seats if seat.spec == f"human:{who}"}
            case TurnAnswered(seat=seat, by=by) if by == who:
                names.add(seat)
            case Guidance(by=by) | Question(by=by) if by == who:
                names.add(MODERATOR)
    return {f"{session}/{name}" for name in names}


def names_beside(recorded: Sequence[Recorded], heard: Collection[str]) -> set[str]:
    """The names of people whose lines a mind has heard under one of these (`x7/con`)."""
    lines = (line for r in recorded if isinstance(r.event, Attended) for line in r.event.lines)
    return {line.person for line in lines if line.by in heard} - {""}


def without_lines(event: Attended, names: frozenset[str]) -> list[dict[str, Any]]:
    """The lines that a mind has heard, those of the person of these names without words and name."""
    gone = {"speaker": REDACTED, "text": REDACTED, "person": ""}
    lines = ((line.model_dump(mode="json"), bool(names & {line.by, line.person})) for line in event.lines)
    return [line | gone if theirs else line for line, theirs in lines]


def without_notes(step: dict[str, Any], words: PersonWords) -> dict[str, Any]:
    """What changes in a step that holds sentences in the person's words: they go, and the replies that gave them."""
    fields = {name: _unnoted(step[name], words) for name in ("inputs", "result")}
    if all(fields[name] == step[name] for name in fields):
        return {}
    return {**fields, "calls": [{**call, "reply": REDACTED, "sent": None} for call in step["calls"]]}


def _unnoted(value: Any, words: PersonWords) -> Any:
    match value:
        case {"subject": str(subject), "predicate": str(predicate), "object": str(object_)}:
            sentence = f"{subject} {predicate} {object_}"
            return {**value, **dict.fromkeys(_PARTS, REDACTED)} if words.mask(sentence) != sentence else value
        case dict():
            return {key: _unnoted(item, words) for key, item in value.items()}
        case list():
            return [_unnoted(item, words) for item in value]
    return value
