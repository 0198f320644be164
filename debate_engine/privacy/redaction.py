"""The one permitted rewrite of a log: a person's words replaced. Who is forgotten, and where, is said in `forgetting`.

The words of a seat are replaced everywhere they stand: in its own answers, in what others heard, in recorded prompts,
summaries and replies, and in quotes by others. Then the protocol is replayed over the rewritten record without acting,
and each step's recorded input and fingerprint are taken from that replay (`fingerprints`): the session can
still be read and resumed.

A session that examines another one's words holds a copy of them: there the person is who it is in the source, whose
events are then given as `before`, and a speech of theirs in the settings goes as a whole. So does any text in the
settings that the person gave, or wrote elsewhere (`GIVEN`).

Whose words go is said as in `authorship`; for the name that a person has in `by` everything of theirs goes, on every
seat and as moderator and voter, and the name itself. Of somebody who was given a seat and took no part the name alone
goes, on that seat: what a stand-in said there is nobody's words, and what the person did as a moderator stays theirs.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from elenchus.debate_engine.events import (
    Attended,
    Event,
    ForgetAsked,
    OpinionsRated,
    Recorded,
    Redacted,
    Said,
    SeatLeft,
    SeatNamed,
    SessionFinished,
    SessionStarted,
    StepDone,
    TurnAnswered,
    TurnExtended,
    UnforeseenQuestion,
    Voted,
    Withdrawn,
)
from elenchus.debate_engine.privacy.authorship import (
    GIVEN,
    answered_by,
    choices_in,
    is_statement,
    measured_steps,
    names_of,
    person_in,
    words_of,
    written_by,
)
from elenchus.debate_engine.privacy.mind_redaction import without_lines, without_notes
from elenchus.debate_engine.privacy.person_words import REDACTED, PersonWords, changed_texts
from elenchus.debate_engine.words import as_word

OF_SEATS = (TurnAnswered, TurnExtended, SeatLeft, SeatNamed, Withdrawn, UnforeseenQuestion, ForgetAsked)
"""Whoever stands in `by` of these sits on a seat, or helps who does."""

OWN = ("text", "texts", "questions", "title", "source", "reason", "by")
"""What is gone of an event that is somebody's."""

UNTOUCHED = ("kind", "step", "input_hash", "picture")
"""What is nobody's words in any event."""


def to_forget(recorded: Iterable[Recorded]) -> list[ForgetAsked]:
    """Whose words still stand in the log though somebody asked to forget them, or withdrew; in that order. Pure.

    A person's own name is gone from the record, also where it was asked, once it is forgotten; a seat has a notice.
    Who asks for the words, asks for more than who asked for the name alone.
    """
    waiting = dict[str, ForgetAsked]()
    for r in recorded:
        match r.event:
            case ForgetAsked(by=by, seat=seat) | Withdrawn(by=by, seat=seat) if seat != REDACTED:
                name_only = isinstance(r.event, ForgetAsked) and r.event.name_only
                if seat not in waiting or not name_only:
                    waiting[seat] = ForgetAsked(by=by, seat=seat, name_only=name_only)
            case Redacted(seat=seat):
                waiting.pop(seat, None)
    return list(waiting.values())


@dataclass
class Redaction:
    """The rewriting of one session's record for one person; counts the texts it changed.

    `seats` are the names that the person goes by (see `names_of`), `person` the one that is to vanish as well, or "".
    `as_seated`: the name stays in `by` of what a moderator or the audience does.
    `measured` are the steps in which the person stated values, which go with what was made of them.
    `voter` keeps the person's votes together: it is drawn by lot, so that nobody can find the name by trying names.
    """

    seats: frozenset[str]
    person: str
    words: PersonWords
    as_seated: bool = False
    measured: frozenset[str] = frozenset()
    voter: str = field(default_factory=lambda: secrets.token_hex(4))
    strings: int = field(default=0)

    @property
    def names(self) -> frozenset[str]:
        """All that the person goes by."""
        return (self.seats | {self.person}) - {""}

    def rewritten(self, recorded: Sequence[Recorded]) -> list[Recorded]:
        """The record without the person's words. Fingerprints are not yet renewed."""
        return [self.rewrite(r) for r in recorded]

    def rewrite(self, r: Recorded) -> Recorded:
        """The event without the person's words."""
        event = self._without_values(r.event) if self.measured else r.event
        if self.as_seated and isinstance(event, ForgetAsked) and not event.name_only and event.seat == self.person:
            return r  # the words are still to go, and it is by the name that they are found
        dumped = self._without_own(event)
        if isinstance(event, StepDone) and (changed := without_notes(dumped, self.words)):
            self.strings += 1
            dumped |= changed
        stays = ("by",) if self.as_seated and not isinstance(event, OF_SEATS) else ()
        dumped = self._everywhere(dumped, (*UNTOUCHED, *stays))
        return Recorded.from_line({"seq": r.seq, "at": r.at, **dumped})

    def _without_own(self, event: Event) -> dict[str, Any]:
        """The event as JSON, without what is the person's own in it."""
        dumped = event.model_dump(mode="json")
        if isinstance(event, Said) and event.speaker in self.seats:
            dumped |= {"text": self._gone(event.text)}
        elif isinstance(event, TurnAnswered) and written_by(event, self.seats) is not None:
            dumped |= {"answer": self._all(event.answer), "declined": event.declined and REDACTED, "by": REDACTED}
        elif isinstance(event, StepDone) and answered_by(event, self.seats):
            dumped["result"] = self._own(dumped["result"], event.inputs)
        elif isinstance(event, Voted | OpinionsRated) and event.by in self.seats:
            dumped |= {"by": f"{REDACTED} {self.voter}"}
        elif isinstance(event, SeatNamed) and written_by(event, self.names) is not None:
            dumped |= {"by": REDACTED, "title": ""}
        elif isinstance(event, Withdrawn) and written_by(event, self.seats) is not None:
            dumped |= {"by": REDACTED}
        elif isinstance(event, SessionStarted):
            dumped["seats"] = [self._unnamed(seat) for seat in dumped["seats"]]
            dumped["config"] = self._unsaid(dumped["config"], bool(event.source))
        elif isinstance(event, Attended):
            dumped["lines"] = without_lines(event, self.names)
        elif written_by(event, self.seats):
            dumped |= {name: self._all(dumped[name]) for name in OWN if name in dumped}
        return dumped

    def _unnamed(self, seat: dict[str, Any]) -> dict[str, Any]:
        person = seat["name"] in self.seats and seat["spec"].startswith("human")
        called = bool(self.person) and seat["spec"] == f"human:{self.person}"
        return {**seat, "spec": "human", "title": ""} if person or called else seat

    def _unsaid(self, value: Any, copied: bool) -> Any:
        """Settings without the person's texts, and, where they copy a session, without the person's speeches in it."""
        match value:
            case {"by": str(by)} if by in self.seats:
                return value | {name: self._gone(value[name]) for name in GIVEN if isinstance(value.get(name), str)}
            case {"speaker": str(speaker), "text": str(text)} if copied and speaker in self.seats:
                return {**value, "text": self._gone(text)}
            case dict():
                return {key: self._unsaid(item, copied) for key, item in value.items()}
            case list():
                return [self._unsaid(item, copied) for item in value]
        return value

    def _without_values(self, event: Event) -> Event:
        """The event without what the person stated, and without what was made of that."""
        match event:
            case TurnAnswered(step=step) if step in self.measured:
                return event.model_copy(update={"answer": None, "declined": REDACTED, "via": ""})
            case StepDone(step=step) if step in self.measured:
                return event.model_copy(update={"result": {"declined": REDACTED}})
            case StepDone() | SessionFinished():
                line = self._unstated(event.model_dump(mode="json"))
                return type(event).model_validate(line)
        return event

    def _unstated(self, value: Any) -> Any:
        """A JSON value without what the person stated, the outcomes of it, and the texts that hold it."""
        match value:
            case dict() if is_statement(value, self.seats):
                self.strings += value["value"] is not None
                gone = {"value": None, "told": "", "why": REDACTED}
                return value | {name: empty for name, empty in gone.items() if name in value}
            case {"speaker": str(who), "text": str(text)} if who in self.seats:
                return value | {"text": self._gone(text)}
            case {"origin": str(who), "content": str(text)} if who in self.seats:
                return value | {"content": self._gone(text)}
            case dict():
                return {key: self._unstated(item) for key, item in value.items()}
            case list():
                return [self._unstated(item) for item in value]
        return value

    def _own(self, result: Any, inputs: Any) -> Any:
        """A person's own result: free text goes, numbers and choices stay (they are scores, not words)."""
        choices = choices_in(inputs)
        return changed_texts(result, lambda text: text if text in choices else self._gone(text))

    def _all(self, value: Any) -> Any:
        return changed_texts(value, self._gone)

    def _gone(self, text: str) -> str:
        self.strings += bool(text) and text != REDACTED
        return REDACTED if text else text

    def _nameless(self, text: str) -> str:
        return re.sub(as_word(self.person), REDACTED, text) if self.person else text

    def _everywhere(self, dumped: dict[str, Any], untouched: Sequence[str]) -> dict[str, Any]:
        def masked(text: str) -> str:
            changed = self._nameless(self.words.mask(text))
            self.strings += changed != text
            return changed

        changing = {key: value for key, value in dumped.items() if key not in untouched}
        return {**dumped, **changed_texts(changing, masked)}


def redaction_for(
    recorded: Sequence[Recorded], who: str, before: Sequence[Recorded] = (), name_only: bool = False
) -> Redaction:
    """How the record is to be rewritten for `who`; `name_only`: the person of this name took no part in it."""
    if name_only:
        return Redaction(frozenset(), person_in(recorded, who), PersonWords((), frozenset()), as_seated=True)
    known = [*before, *recorded]
    names = names_of(known, who)
    measured = measured_steps(known, names)
    return Redaction(names, person_in(known, who), words_of(known, names), measured=measured)


def notice(recorded: Sequence[Recorded], who: str, strings_changed: int, name_only: bool = False) -> Redacted:
    """The event that says what was done."""
    return Redacted(seat=REDACTED if person_in(recorded, who) else who, strings=strings_changed, name_only=name_only)
