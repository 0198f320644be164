"""Whose words stand where in a session's log, and how they are found, and replaced, in other texts. Pure.

Whose is said by a seat's name, by `MODERATOR` (all that was given from outside), or by the name of a person in `by`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from elenchus.debate_engine.events import (
    MODERATOR,
    Argued,
    Attended,
    Event,
    GivenToMind,
    Guidance,
    OwnerStarted,
    PauseAsked,
    Question,
    Recorded,
    Said,
    SeatNamed,
    SessionStarted,
    SessionStopped,
    StepDone,
    StopAsked,
    TurnAnswered,
    TurnOpened,
    UnforeseenQuestion,
    Withdrawn,
)
from elenchus.debate_engine.human_seat import LATE, LEFT
from elenchus.debate_engine.privacy.mind_redaction import given_by
from elenchus.debate_engine.privacy.person_words import QUOTED_WORDS, REDACTED, PersonWords, runs_of, tokens_of
from elenchus.debate_engine.words import weight

MEASURED = "rulegen/state"
"""The prompt by which people state values. All that is answered to it goes, numbers and choices too: it is about them,
where a judge's score is about others."""
GIVEN = ("text", "document")
"""Where settings hold a text that somebody gave; `by`, beside it, says who."""


def names_of(recorded: Sequence[Recorded], who: str) -> frozenset[str]:
    """What is to be forgotten for `who`: the name itself, and the seats of a person of this name, also of one whom a
    mind has heard in another session (`x7/con`).
    """
    seats = [seat for r in recorded if isinstance(r.event, SessionStarted) for seat in r.event.seats]
    heard = [line for r in recorded if isinstance(r.event, Attended) for line in r.event.lines]
    return frozenset(
        {who}
        | {seat.name for seat in seats if seat.spec == f"human:{who}"}
        | {line.by for line in heard if line.person == who and line.by}
    )


def person_in(recorded: Sequence[Recorded], who: str) -> str:
    """`who`, where that is the name of a person; "" where it is a seat or MODERATOR."""
    seats = {seat.name for r in recorded if isinstance(r.event, SessionStarted) for seat in r.event.seats}
    return "" if who in seats or who == MODERATOR else who


def people_in(recorded: Sequence[Recorded]) -> frozenset[str]:
    """All for whom something can be forgotten: people's seats and names, whoever did something, and MODERATOR.

    Where the beginning is lost, their turns tell who sits on which seat.
    """
    found, models = {MODERATOR}, set[str]()
    for event in (r.event for r in recorded):
        found |= _named(event.model_dump(mode="json"))
        match event:
            case SessionStarted(seats=seats):
                people = [seat for seat in seats if seat.spec.partition(":")[0] == "human"]
                found |= {name for seat in people for name in (seat.name, seat.spec.partition(":")[2])}
                models = {seat.name for seat in seats if seat not in people}
            case TurnOpened(seat=seat) | TurnAnswered(seat=seat):
                found.add(seat)
            case Attended(lines=lines):
                found |= {line.person for line in lines}
    return frozenset(name for name in found - models if name and not name.startswith(REDACTED))


def _named(value: Any) -> set[str]:
    """All that stand in a `by` within a JSON value."""
    return {node["by"] for node in nodes(value) if isinstance(node, dict) and isinstance(node.get("by"), str)}


def answered_by(event: StepDone, seats: frozenset[str]) -> bool:
    """Whether this step is the answer of one of these seats."""
    return isinstance(event.inputs, dict) and event.inputs.get("seat") in seats and "prompt_id" in event.inputs


def words_of(recorded: Sequence[Recorded], seats: frozenset[str]) -> PersonWords:
    """Everything the person of these names wrote, apart from runs of words that others had said before them."""
    runs: set[tuple[str, ...]] = set()
    others: set[tuple[str, ...]] = set()
    short: set[tuple[str, ...]] = {(token,) for token in numbers_of(recorded, seats)}
    offered = {r.event.step: choices_in(r.event.asked) for r in recorded if isinstance(r.event, TurnOpened)}
    for r in recorded:
        if (theirs := written_by(r.event, seats)) is None:
            if not isinstance(r.event, OwnerStarted):
                others.update(*(runs_of(tokens_of(text)) for text in strings(r.event.model_dump(mode="json"))))
            continue
        chosen = offered.get(r.event.step, ()) if isinstance(r.event, TurnAnswered) else ()
        for text in (one for one in theirs if one not in chosen):
            tokens = tokens_of(text)
            runs |= runs_of(tokens) - others
            if 1 < weight(tokens) < QUOTED_WORDS:
                short.add(tuple(tokens))
    return PersonWords(tuple(short), frozenset(runs))


def written_by(event: Event, seats: frozenset[str]) -> list[str] | None:
    """The texts in this event that the person of these names wrote; None when the event is not theirs.

    The seat `moderator` wrote the guidance, questions and reasons that were given from outside.
    """
    return given_by(event, seats) if isinstance(event, GivenToMind) else _written_by(event, seats)


def _written_by(event: Event, seats: frozenset[str]) -> list[str] | None:
    match event:
        case SessionStarted(config=config) if texts := _given(config, seats):
            return texts
        case TurnAnswered(seat=seat, by=by, answer=answer, declined=declined) if seats & {seat, by}:
            return [*strings(answer), *([declined] if declined else [])]
        case Said(speaker=speaker, text=text) if speaker in seats:
            return [text]
        case StepDone() if answered_by(event, seats):
            return [text for text in strings(event.result) if text not in choices_in(event.inputs)]
        case Guidance(by=by, text=text) | Question(by=by, text=text) if seats & {MODERATOR, by}:
            return [text]
        case Argued(text=text) | UnforeseenQuestion(text=text) if seats & {getattr(event, "seat", ""), event.by}:
            return [text]
        case SeatNamed(seat=seat, by=by) | Withdrawn(seat=seat, by=by) if seats & {seat, by}:
            return []
        case StopAsked(by=by, reason=reason) | PauseAsked(by=by, reason=reason) if seats & {MODERATOR, by}:
            return [reason]
        case SessionStopped(by=by, reason=reason) if seats & {MODERATOR, by}:
            return [reason]
    return None


def measured_steps(recorded: Iterable[Recorded], seats: frozenset[str]) -> frozenset[str]:
    """The steps in which the person of these names was asked to state values."""
    asked = ((r.event.step, r.event.asked) for r in recorded if isinstance(r.event, TurnOpened))
    done = ((r.event.step, r.event.inputs) for r in recorded if isinstance(r.event, StepDone))
    return frozenset(
        step
        for step, ask in (*asked, *done)
        if isinstance(ask, dict) and ask.get("prompt_id") == MEASURED and ask.get("seat") in seats
    )


def is_statement(node: Any, seats: frozenset[str]) -> bool:
    """Whether a JSON value is what one of these seats stated, or the outcome that was made of it."""
    return isinstance(node, dict) and node.get("subject") in seats and "value" in node


def numbers_of(recorded: Sequence[Recorded], seats: frozenset[str]) -> set[str]:
    """The numbers that the person stated, as words of a text, but those that the session began with.

    One that examines another's words begins with what was said there: its own settings do not count.
    """
    results = (r.event.result for r in recorded if isinstance(r.event, StepDone))
    stated = [node for result in results for node in nodes(result) if is_statement(node, seats)]
    told = {str(node.get("told") or "") for node in stated if not isinstance(node["value"], str | bool | None)}
    began = (r.event for r in recorded if isinstance(r.event, SessionStarted) and not r.event.source)
    known = {token for first in began for text in strings(first.config) for token in tokens_of(text)}
    return {token for text in told for token in tokens_of(text) if any(map(str.isdigit, token))} - known


def _given(config: Any, seats: frozenset[str]) -> list[str]:
    """The person's texts in the settings of a session: those of whatever has the person in its `by`."""
    match config:
        case {"by": str(by)} if by in seats:
            return [config[name] for name in GIVEN if isinstance(config.get(name), str)]
        case dict():
            return [text for item in config.values() for text in _given(item, seats)]
        case list():
            return [text for item in config for text in _given(item, seats)]
    return []


def nodes(value: Any) -> Iterator[Any]:
    """A JSON value and all values within it, in the order in which they stand there."""
    yield value
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    for child in children:
        yield from nodes(child)


def strings(value: Any) -> list[str]:
    """Every text inside a JSON value."""
    return [node for node in nodes(value) if isinstance(node, str)]


def choices_in(inputs: Any) -> set[str]:
    """All texts that the schema of an ask offers as choices, and those that we note where nobody has answered."""
    found = [node for node in nodes((inputs or {}).get("answer_schema")) if isinstance(node, dict)]
    offered = [choice for node in found for choice in (*node.get("enum", ()), node.get("const"))]
    return {LATE, LEFT, *(choice for choice in offered if isinstance(choice, str))}
