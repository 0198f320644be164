"""Reads an agenda that a person wrote: YAML, JSON or a Markdown list.

A topic is `pro's concern vs. con's concern`, with what is in scope after a colon:

    - freedom to travel vs. clean air: private trips into the centre on working days

In YAML and JSON the file is a list (or a mapping with the list under `topics`) of such lines, or of mappings with
`pro`, `con` and `scope` (or `pro_concern` and `con_concern`, as in an export).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from config.documents import UnreadableDocument, json_in, yaml_in
from debate_engine.errors import UsageError
from debate_engine.protocols.socrasynth.schemas import MAX_TOPICS
from debate_engine.protocols.speech import Topic
from service.cli.text_file import text_of

LARGEST = 100_000
"""Bytes of an agenda file."""

FORM = "write a list of lines such as `- freedom to travel vs. clean air: trips into the centre`"
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(.+?)\s*$", re.MULTILINE)
_VERSUS = re.compile(r"\s+(?:vs\.?|versus)\s+", re.IGNORECASE)
_SCOPE = re.compile(r":\s+|\s+[-–—]\s+")


def read_agenda(path: Path) -> tuple[Topic, ...]:
    """The topics in the file. Raises UsageError that says what is wrong with it."""
    text = text_of(path, LARGEST, "agenda")
    topics = tuple(_topic(entry, path) for entry in _entries(text, path))
    if not topics:
        raise UsageError(f"The agenda {path} has no topics; {FORM}.")
    if len(topics) > MAX_TOPICS:
        raise UsageError(f"The agenda {path} has {len(topics)} topics; leave at most {MAX_TOPICS} in it.")
    return topics


def _entries(text: str, path: Path) -> list[Any]:
    if path.suffix.lower() in (".yaml", ".yml", ".json"):
        return _structured(text, path)
    return _ITEM.findall(text) or [line.strip() for line in text.splitlines() if _VERSUS.search(line)]


def _structured(text: str, path: Path) -> list[Any]:
    read = json_in if path.suffix.lower() == ".json" else yaml_in
    try:
        value = read(text, f"The agenda {path}")
    except UnreadableDocument as error:
        raise UsageError(f"{error}; {FORM}.") from error
    if isinstance(value, dict):
        value = value.get("topics", value.get("agenda"))
    if not isinstance(value, list):
        raise UsageError(f"The agenda {path} is not a list of topics; {FORM}.")
    return value


def _topic(entry: Any, path: Path) -> Topic:
    match entry:
        case str():
            title, scope = entry, ""
        case {"pro": str(pro), "con": str(con)} | {"pro_concern": str(pro), "con_concern": str(con)}:
            return _checked(pro, con, str(entry.get("scope") or ""), entry, path)
        case {"title": str(title)}:
            scope = str(entry.get("scope") or "")
        case dict() if len(entry) == 1:  # YAML reads `a vs. b: scope` as a mapping
            title, scope = (str(part or "") for part in next(iter(entry.items())))
        case _:
            title = scope = ""
    sides = _VERSUS.split(title, maxsplit=1)
    if len(sides) != 2:
        raise UsageError(f"{_shown(entry)} in the agenda {path} is no topic; {FORM}.")
    con, *rest = _SCOPE.split(sides[1], maxsplit=1)
    return _checked(sides[0], con, scope or " ".join(rest), entry, path)


def _checked(pro: str, con: str, scope: str, entry: Any, path: Path) -> Topic:
    pro, con, scope = (" ".join(text.split()) for text in (pro, con, scope))
    if not pro or not con:
        raise UsageError(f"{_shown(entry)} in the agenda {path} lacks a side; {FORM}.")
    if max(map(len, (pro, con))) > 200 or len(scope) > 1_000:
        raise UsageError(f"{_shown(entry)} in the agenda {path} is too long; a topic is one line.")
    return Topic(pro_concern=pro, con_concern=con, scope=scope)


def _shown(entry: Any) -> str:
    text = " ".join(str(entry).split())
    return f"“{text[:60]}{'…' if len(text) > 60 else ''}”"
