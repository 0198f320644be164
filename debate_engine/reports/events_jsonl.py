"""`events.jsonl`: a session's log, one event a line, without a header; reading it gives the same events back."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError

from config.documents import UnreadableDocument, json_in, read_bytes, text_in
from debate_engine.errors import UsageError
from debate_engine.events import Recorded
from debate_engine.printable import json_text

LARGEST = 500_000_000
"""Bytes of a file."""


def jsonl(events: Iterable[Recorded]) -> str:
    """The file's text: `seq`, `at`, `kind` and the event's own fields on each line; what does not print is escaped."""
    return "".join(f"{json_text(r.line(), allow_nan=False)}\n" for r in events)


def read_events(path: Path) -> list[Recorded]:
    """The events of an exported file. Blocks. Raises UsageError naming the file and the line that is wrong."""
    try:
        lines = text_in(read_bytes(path, LARGEST), f"The file {path}").split("\n")
    except UnreadableDocument as error:
        raise UsageError(f"{error}: name an exported events.jsonl.") from error
    whole = lines.pop() == ""
    if not whole:
        raise UsageError(
            f"The file {path} breaks off in line {len(lines) + 1}: it is incomplete; export the session again."
        )
    if not lines:
        raise UsageError(f"The file {path} is empty: name an exported events.jsonl.")
    return [_event(path, number, line) for number, line in enumerate(lines, start=1)]


def _event(path: Path, number: int, line: str) -> Recorded:
    value = _json(path, number, line)
    if not isinstance(value, dict) or not {"seq", "at", "kind"} <= value.keys():
        _refuse(path, number, "is no event (it lacks seq, at or kind)")
    if value["seq"] != number:
        _refuse(path, number, f"has number {value['seq']} where {number} belongs: lines were lost or added")
    if number == 1 and value["kind"] != "session_started":
        _refuse(path, number, "is not the start of a session (kind session_started)")
    try:
        return Recorded.from_line(value)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] in ("union_tag_invalid", "extra_forbidden"):
            _refuse(path, number, "was written by another version of Elenchus, probably a newer one", "upgrade it")
        place = ".".join(map(str, first["loc"][2:] or first["loc"]))
        _refuse(path, number, f"is damaged ({place}: {first['msg']})")


def _json(path: Path, number: int, line: str) -> Any:
    try:
        return json_in(line, f"The file {path}", number)
    except UnreadableDocument as error:
        _refuse(path, number, f"is not JSON ({error.problem})")


def _refuse(path: Path, number: int, what: str, advice: str = "export the session again") -> NoReturn:
    raise UsageError(f"Line {number} of {path} {what}; {advice}.")
