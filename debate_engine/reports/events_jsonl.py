"""`events.jsonl`: a session's log, one event a line, without a header; reading it gives the same events back."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError

from elenchus.config.documents import UnreadableDocument, read_bytes, text_in
from elenchus.config.json_and_yaml import json_in
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import EventLost, Recorded, SessionStarted
from elenchus.debate_engine.log.rules import in_utc, wrong_epoch
from elenchus.debate_engine.printable import json_text

LARGEST = 500_000_000
"""Bytes of a file."""

LONGEST_LINE = 16_000_000
"""Characters of an event: while a line is read, nothing else can be done, not even a signal be heard."""

MOST_LOST = 100_000
"""Events that may be missing."""


def jsonl(events: Iterable[Recorded]) -> str:
    """The file's text: `seq`, `at`, `kind` and the event's own fields on each line; what does not print is escaped."""
    return "".join(f"{json_text(r.line(), allow_nan=False)}\n" for r in events)


def read_events(path: Path) -> list[Recorded]:
    """The events of an exported file. Blocks. Raises UsageError naming the file and the line that is wrong.

    In the place of each that is missing, as in what was rescued from a damaged log, stands an `EventLost`.
    """
    try:
        content = read_bytes(path, LARGEST)
    except UnreadableDocument as error:
        raise UsageError(f"{error}: name an exported events.jsonl.") from error
    return events_in(content, str(path))


def events_in(content: bytes, name: str) -> list[Recorded]:
    """The same of what is in such a file, which `name` is for people. Blocks."""
    try:
        lines = text_in(content, f"The file {name}").split("\n")
    except UnreadableDocument as error:
        raise UsageError(f"{error}: name an exported events.jsonl.") from error
    whole = lines.pop() == ""
    if not whole:
        raise UsageError(
            f"The file {name} breaks off in line {len(lines) + 1}: it is incomplete; export the session again."
        )
    if not lines:
        raise UsageError(f"The file {name} is empty: name an exported events.jsonl.")
    events: list[Recorded] = []
    for number, line in enumerate(lines, start=1):
        recorded = _event(name, number, line)
        if recorded.seq <= len(events) or recorded.seq - number > MOST_LOST:
            why = "lines were added" if recorded.seq <= len(events) else "too much is lost"
            _refuse(name, number, f"has number {recorded.seq} where {len(events) + 1} belongs: {why}")
        events += [*(_lost(n, recorded) for n in range(len(events) + 1, recorded.seq)), recorded]
    if wrong := wrong_epoch(events):
        raise UsageError(f"Event {wrong} of {name} has an epoch that no owner of the session can have had.")
    return events


def _lost(number: int, found: Recorded) -> Recorded:
    """What stands for a lost event; for the first one a start that says no more than is known."""
    start = SessionStarted(protocol="", title="(the beginning is lost)", config={}, seats=(), seed=0, version="")
    return Recorded(seq=number, at=found.at, event=EventLost() if number > 1 else start)


def _event(name: str, number: int, line: str) -> Recorded:
    if len(line) > LONGEST_LINE:
        _refuse(name, number, f"is longer than any event, with {len(line):,} characters")
    value = _json(name, number, line)
    if not isinstance(value, dict) or not {"seq", "at", "kind"} <= value.keys():
        _refuse(name, number, "is no event (it lacks seq, at or kind)")
    if value["seq"] == 1 and value["kind"] != "session_started":
        _refuse(name, number, "is not the start of a session (kind session_started)")
    try:
        recorded = Recorded.from_line(value)
        in_utc(recorded.at)
    except OverflowError:
        _refuse(name, number, "is damaged (at: a time beyond the calendar)")
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] in ("union_tag_invalid", "extra_forbidden"):
            _refuse(name, number, "was written by another version of Elenchus, probably a newer one", "upgrade it")
        place = ".".join(map(str, first["loc"][2:] or first["loc"]))
        _refuse(name, number, f"is damaged ({place}: {first['msg']})")
    return recorded


def _json(name: str, number: int, line: str) -> Any:
    try:
        return json_in(line, f"The file {name}", number)
    except UnreadableDocument as error:
        _refuse(name, number, f"is not JSON ({error.problem})")


def _refuse(name: str, number: int, what: str, advice: str = "export the session again") -> NoReturn:
    raise UsageError(f"Line {number} of {name} {what}; {advice}.")
