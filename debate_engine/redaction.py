"""Forgetting a person: the one permitted rewrite of the log.

The words of a seat are replaced everywhere they stand: in its own answers, in what others heard, in recorded prompts,
summaries and replies, and in quotes by others. Then the protocol is replayed over the rewritten record without acting,
and each step's recorded input and fingerprint are taken from that replay: the session can still be read and resumed.

Whose words go is said by a seat's name, by `MODERATOR` (all that was given from outside), or by the name that a person
has in `by`: then everything of theirs goes, on every seat and as moderator and voter, and the name itself.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from debate_engine.events import (
    Event,
    Guidance,
    OwnerStarted,
    PauseAsked,
    Question,
    Recorded,
    Redacted,
    Said,
    SessionStarted,
    SessionStopped,
    StepDone,
    StopAsked,
    TurnAnswered,
    Voted,
)
from debate_engine.steps import hash_of

GONE = "[redacted]"
MODERATOR = "moderator"
QUOTED_WORDS = 4
"""So many of the person's words in a row, in anybody's text, count as a quote."""

_WORD = re.compile(r"\w+", re.UNICODE)


@dataclass(frozen=True)
class Words:
    """A person's words, ready to be found in other texts: whole short answers, and runs of QUOTED_WORDS words."""

    short: tuple[tuple[str, ...], ...]
    runs: frozenset[tuple[str, ...]]

    def mask(self, text: str) -> str:
        """The text with every stretch of the person's words replaced."""
        marks = list(_WORD.finditer(text))
        tokens = [m[0].casefold() for m in marks]
        hit = [False] * len(marks)
        for length, known in self._by_length():
            for i in range(len(tokens) - length + 1):
                if tuple(tokens[i : i + length]) in known:
                    hit[i : i + length] = [True] * length
        return _replaced(text, marks, hit)

    def _by_length(self) -> list[tuple[int, frozenset[tuple[str, ...]]]]:
        lengths = {len(s) for s in self.short}
        return [(QUOTED_WORDS, self.runs), *((n, frozenset(s for s in self.short if len(s) == n)) for n in lengths)]


def _tokens(text: str) -> list[str]:
    return [m[0].casefold() for m in _WORD.finditer(text)]


def _runs(tokens: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(tokens[i : i + QUOTED_WORDS]) for i in range(len(tokens) - QUOTED_WORDS + 1)}


def _replaced(text: str, marks: Sequence[re.Match[str]], hit: Sequence[bool]) -> str:
    out, at, i = [], 0, 0
    while i < len(marks):
        if not hit[i]:
            i += 1
            continue
        last = i
        while last + 1 < len(marks) and hit[last + 1]:
            last += 1
        out += [text[at : marks[i].start()], GONE]
        at, i = marks[last].end(), last + 1
    return "".join([*out, text[at:]])


@dataclass
class Redaction:
    """The rewriting of one session's record for one person; counts the texts it changed.

    `seats` are the names that the person goes by (see `names_of`), `person` the one that is to vanish as well, or "".
    `voter` keeps the person's votes together: it is drawn by lot, so that nobody can find the name by trying names.
    """

    seats: frozenset[str]
    person: str
    words: Words
    voter: str = field(default_factory=lambda: secrets.token_hex(4))
    strings: int = field(default=0)

    def rewrite(self, r: Recorded) -> Recorded:
        """The event without the person's words."""
        event = r.event
        dumped = event.model_dump(mode="json")
        if isinstance(event, Said) and event.speaker in self.seats:
            dumped |= {"text": self._gone(event.text)}
        elif isinstance(event, TurnAnswered) and written_by(event, self.seats) is not None:
            dumped |= {"answer": self._all(event.answer), "declined": event.declined and GONE, "by": GONE}
        elif isinstance(event, StepDone) and answered_by(event, self.seats):
            dumped["result"] = self._own(dumped["result"], event.inputs)
        elif isinstance(event, Voted) and event.by in self.seats:
            dumped |= {"by": f"{GONE} {self.voter}"}
        elif written_by(event, self.seats):
            dumped |= {name: self._gone(dumped[name]) for name in ("text", "reason", "by") if name in dumped}
        elif isinstance(event, SessionStarted):
            dumped["seats"] = [self._unnamed(seat) for seat in dumped["seats"]]
        dumped = self._everywhere(dumped)
        return Recorded.from_line({"seq": r.seq, "at": r.at, **dumped})

    def _unnamed(self, seat: dict[str, Any]) -> dict[str, Any]:
        person = seat["name"] in self.seats and seat["spec"].startswith("human")
        return {**seat, "spec": "human", "title": ""} if person else seat

    def _own(self, result: Any, inputs: Any) -> Any:
        """A person's own result: free text goes, numbers and choices stay (they are scores, not words)."""
        choices = _choices(inputs)
        return _map(result, lambda text: text if text in choices else self._gone(text))

    def _all(self, value: Any) -> Any:
        return _map(value, self._gone)

    def _gone(self, text: str) -> str:
        self.strings += bool(text) and text != GONE
        return GONE if text else text

    def _nameless(self, text: str) -> str:
        return re.sub(rf"(?<!\w){re.escape(self.person)}(?!\w)", GONE, text) if self.person else text

    def _everywhere(self, dumped: dict[str, Any]) -> dict[str, Any]:
        def masked(text: str) -> str:
            changed = self._nameless(self.words.mask(text))
            self.strings += changed != text
            return changed

        keep = {key: dumped[key] for key in ("kind", "step", "input_hash") if key in dumped}
        return {**_map(dumped, masked), **keep}


def names_of(recorded: Sequence[Recorded], who: str) -> frozenset[str]:
    """What is to be forgotten for `who`: the name itself, and the seats of a person of this name."""
    seats = [seat for r in recorded if isinstance(r.event, SessionStarted) for seat in r.event.seats]
    return frozenset({who} | {seat.name for seat in seats if seat.spec == f"human:{who}"})


def person_in(recorded: Sequence[Recorded], who: str) -> str:
    """`who`, where that is the name of a person; "" where it is a seat or MODERATOR."""
    seats = {seat.name for r in recorded if isinstance(r.event, SessionStarted) for seat in r.event.seats}
    return "" if who in seats or who == MODERATOR else who


def answered_by(event: StepDone, seats: frozenset[str]) -> bool:
    """Whether this step is the answer of one of these seats."""
    return isinstance(event.inputs, dict) and event.inputs.get("seat") in seats and "prompt_id" in event.inputs


def words_of(recorded: Sequence[Recorded], seats: frozenset[str]) -> Words:
    """Everything the person of these names wrote, apart from runs of words that others had said before them."""
    runs: set[tuple[str, ...]] = set()
    others: set[tuple[str, ...]] = set()
    short: set[tuple[str, ...]] = set()
    for r in recorded:
        if (theirs := written_by(r.event, seats)) is None:
            if not isinstance(r.event, OwnerStarted):
                others.update(*(_runs(_tokens(text)) for text in strings(r.event.model_dump(mode="json"))))
            continue
        for text in theirs:
            tokens = _tokens(text)
            runs |= _runs(tokens) - others
            if 2 <= len(tokens) < QUOTED_WORDS:
                short.add(tuple(tokens))
    return Words(tuple(short), frozenset(runs))


def written_by(event: Event, seats: frozenset[str]) -> list[str] | None:
    """The texts in this event that the person of these names wrote; None when the event is not theirs.

    The seat `moderator` wrote the guidance, questions and reasons that were given from outside.
    """
    match event:
        case TurnAnswered(seat=seat, by=by, answer=answer, declined=declined) if seats & {seat, by}:
            return [*strings(answer), *([declined] if declined else [])]
        case Said(speaker=speaker, text=text) if speaker in seats:
            return [text]
        case StepDone() if answered_by(event, seats):
            return [text for text in strings(event.result) if text not in _choices(event.inputs)]
        case Guidance(by=by, text=text) | Question(by=by, text=text) if seats & {MODERATOR, by}:
            return [text]
        case StopAsked(by=by, reason=reason) | PauseAsked(by=by, reason=reason) if seats & {MODERATOR, by}:
            return [reason]
        case SessionStopped(by=by, reason=reason) if seats & {MODERATOR, by}:
            return [reason]
    return None


def redacted(recorded: Sequence[Recorded], who: str) -> tuple[list[Recorded], int]:
    """The record without the words of `who`, and how many texts were changed. Fingerprints are not yet renewed."""
    names = names_of(recorded, who)
    redaction = Redaction(names, person_in(recorded, who), words_of(recorded, names))
    return [redaction.rewrite(r) for r in recorded], redaction.strings


def renewed(
    rewritten: Sequence[Recorded], inputs: dict[str, Any], recorded: Sequence[Recorded], who: str
) -> list[Recorded]:
    """The rewritten record with each step's input and fingerprint as a replay of it found them.

    A step that the replay did not reach gets the fingerprint of its rewritten input.
    """
    words = words_of(recorded, names_of(recorded, who))

    def fresh(event: Event) -> Event:
        if isinstance(event, Said):
            found = inputs.get(event.step, [event.speaker, list(event.to), event.text, event.about])
            return event.model_copy(update={"input_hash": hash_of(found)})
        if isinstance(event, StepDone):
            found = inputs.get(event.step, event.inputs)
            return event.model_copy(update={"input_hash": hash_of(found), "inputs": _map(found, words.mask)})
        return event

    return [r.model_copy(update={"event": fresh(r.event)}) for r in rewritten]


def notice(recorded: Sequence[Recorded], who: str, strings_changed: int) -> Redacted:
    """The event that says what was done."""
    return Redacted(seat=GONE if person_in(recorded, who) else who, strings=strings_changed)


def strings(value: Any) -> list[str]:
    """Every text inside a JSON value."""
    match value:
        case str():
            return [value]
        case list() | tuple():
            return [text for item in value for text in strings(item)]
        case dict():
            return [text for item in value.values() for text in strings(item)]
    return []


def _map(value: Any, change: Callable[[str], str]) -> Any:
    match value:
        case str():
            return change(value)
        case list() | tuple():
            return [_map(item, change) for item in value]
        case dict():
            return {key: _map(item, change) for key, item in value.items()}
    return value


def _choices(inputs: Any) -> set[str]:
    """All texts that the schema of an ask offers as choices."""
    found: set[str] = set()

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            found.update(c for c in node.get("enum", ()) if isinstance(c, str))
            if isinstance(node.get("const"), str):
                found.add(node["const"])
            for child in node.values():
                walk(child)
        elif isinstance(node, list):
            for child in node:
                walk(child)

    walk((inputs or {}).get("answer_schema"))
    return found
