"""Writes less usual ways to announce a role as usual ones: `[Subject] Ada`, `Ada | Subject`, `Player A (Subject)`."""

from __future__ import annotations

import re
from dataclasses import replace

from debate_engine.scenes.lenient.kinds import names_a_kind
from debate_engine.scenes.lenient.lines import Line

_NUMBERED = re.compile(
    r"^(?P<call>(?P<word>participant|player|person|agent|character)\s(?P<number>\d{1,2}|[A-Ha-h]))\b\s*"
    r"(?:[(\[](?P<kind>[^()\[\]]*)[)\]])?\s*(?:[:：]|[-–—]\s)?\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_KIND_FIRST = re.compile(r"^[(\[](?P<kind>[^()\[\]]{4,30})[)\]]\s*(?P<name>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2})$")
_KIND_IN_KEY = re.compile(
    r"^(?P<kind>subject|confederate|moderator)(?:[’']s)?\s+name\s*[:：]\s*(?P<name>.+)$", re.IGNORECASE
)
_SIDE_BY_SIDE = re.compile(
    r"^(?P<name>[A-Z][^|;:]{1,40}?)\s*(?P<sign>[|;])\s*(?P<kind>[A-Za-z ]{4,30}?)\s*(?:[|;]\s*(?P<rest>.*))?$"
)


def usual(line: Line, rules: str) -> list[Line]:
    """The line, or what it says in the usual form. `rules` are the words of the rules: they tell what is a name."""
    if found := _NUMBERED.match(line.text):
        return _numbered(line, found, rules)
    if found := _KIND_IN_KEY.match(line.text):
        return [replace(line, text=f"Name: {found['name']} ({found['kind']})")]
    found = _KIND_FIRST.match(line.text) or _SIDE_BY_SIDE.match(line.text)
    if not found or not names_a_kind(found["kind"]) or names_a_kind(found["name"]):
        return [line]
    rest = (found.groupdict().get("rest") or "").strip()
    parts = [part.strip() for part in rest.split(found["sign"])] if rest else []
    keys = ("Background", "Task") if len(parts) == 2 else ("Background",)
    told = parts if len(parts) == 2 else [rest] if rest else []
    below = [_said(line, text if ":" in text[:20] else f"{key}: {text}") for key, text in zip(keys, told, strict=False)]
    return [replace(line, text=f"{found['name']} ({found['kind']})"), *below]


def _numbered(line: Line, found: re.Match[str], rules: str) -> list[Line]:
    """`Player A` is a name where the rules use it, and else a number before the name."""
    kind, rest = found["kind"] or "", found["rest"]
    given = f" ({kind})" if kind else ""
    if re.search(rf"\b{re.escape(found['call'])}\b", rules):
        if found["word"].lower() == "participant" and not (kind and rest):
            return [line]
        told = rest if names_a_kind(rest) and len(rest.split()) <= 2 and not kind else ""
        first = f"Role {found['number']}: {found['call']}{given or (f' ({told})' if told else '')}"
        return [replace(line, text=first), *([_said(line, rest)] if rest and not told else [])]
    if not rest or names_a_kind(re.split(r"\s*[-–—(,]", rest, maxsplit=1)[0]):
        return [line]
    return [replace(line, text=f"Role {found['number']}: {rest}{given}")]


def _said(line: Line, text: str) -> Line:
    return replace(line, text=text, mark="", level=0, bold=False, led=False)
