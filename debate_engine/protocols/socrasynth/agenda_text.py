"""Reads an agenda that a person wrote: YAML, JSON or a Markdown list. Pure.

A topic is `pro's concern vs. con's concern`, with what is in scope after a colon:

    - freedom to travel vs. clean air: private trips into the centre on working days

In YAML and JSON the file is a list (or a mapping with the list under `topics`) of such lines, or of mappings with
`pro`, `con` and `scope` (or `pro_concern` and `con_concern`, as in an export).
"""

from __future__ import annotations

import re
from typing import Any

from elenchus.config.documents import UnreadableDocument
from elenchus.config.json_and_yaml import json_in, yaml_in
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.socrasynth.schemas import MAX_TOPICS
from elenchus.debate_engine.protocols.speech import Topic

FORM = "write a list of lines such as `- freedom to travel vs. clean air: trips into the centre`"
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(.+?)\s*")
_NO_ENTRY = re.compile(r"#|\s")
"""How a heading begins, or what goes on with the entry before it."""
_VERSUS = re.compile(r"\s+(?:vs\.?|versus)\s+", re.IGNORECASE)
_SCOPE = re.compile(r":\s+|\s+[-–—]\s+")


def topics_in(text: str, name: str, *, structured: bool = False) -> tuple[Topic, ...]:
    """The topics in a text that is called `name`; `structured` is YAML, of which JSON is a part.

    Raises UsageError that says what is wrong with it.
    """
    entries = _structured(text, name) if structured else _listed(text)
    topics = tuple(_topic(entry, name) for entry in entries)
    if not topics:
        raise UsageError(f"The agenda {name} has no topics; {FORM}.")
    if len(topics) > MAX_TOPICS:
        raise UsageError(f"The agenda {name} has {len(topics)} topics; leave at most {MAX_TOPICS} in it.")
    return topics


def is_structured(filename: str) -> bool:
    """Whether a file of this name is YAML or JSON."""
    return filename.lower().endswith((".yaml", ".yml", ".json"))


def _listed(text: str) -> list[str]:
    """The entries of a list, and the lines between them that are topics though nothing stands before them."""
    lines = [(line, _ITEM.fullmatch(line)) for line in text.splitlines()]
    is_list = any(item for _, item in lines)
    return [
        item[1] if item else line.strip()
        for line, item in lines
        if item or (_VERSUS.search(line) and not (is_list and _NO_ENTRY.match(line)))
    ]


def _structured(text: str, name: str) -> list[Any]:
    read = json_in if name.lower().endswith(".json") else yaml_in
    try:
        value = read(text, f"The agenda {name}")
    except UnreadableDocument as error:
        raise UsageError(f"{error}; {FORM}.") from error
    if isinstance(value, dict):
        value = value.get("topics", value.get("agenda"))
    if not isinstance(value, list):
        raise UsageError(f"The agenda {name} is not a list of topics; {FORM}.")
    return value


def _topic(entry: Any, name: str) -> Topic:
    match entry:
        case str():
            title, scope = entry, ""
        case {"pro": str(pro), "con": str(con)} | {"pro_concern": str(pro), "con_concern": str(con)}:
            return _checked(pro, con, str(entry.get("scope") or ""), entry, name)
        case {"title": str(title)}:
            scope = str(entry.get("scope") or "")
        case dict() if len(entry) == 1:  # YAML reads `a vs. b: scope` as a mapping
            title, scope = (str(part or "") for part in next(iter(entry.items())))
        case _:
            title = scope = ""
    sides = _VERSUS.split(title, maxsplit=1)
    if len(sides) != 2:
        raise UsageError(f"{_shown(entry)} in the agenda {name} is no topic; {FORM}.")
    con, *rest = _SCOPE.split(sides[1], maxsplit=1)
    return _checked(sides[0], con, scope or " ".join(rest), entry, name)


def _checked(pro: str, con: str, scope: str, entry: Any, name: str) -> Topic:
    pro, con, scope = (" ".join(text.split()) for text in (pro, con, scope))
    if not pro or not con:
        raise UsageError(f"{_shown(entry)} in the agenda {name} lacks a side; {FORM}.")
    if max(map(len, (pro, con))) > 200 or len(scope) > 1_000:
        raise UsageError(f"{_shown(entry)} in the agenda {name} is too long; a topic is one line.")
    return Topic(pro_concern=pro, con_concern=con, scope=scope)


def _shown(entry: Any) -> str:
    text = " ".join(str(entry).split())
    return f"“{text[:60]}{'…' if len(text) > 60 else ''}”"
