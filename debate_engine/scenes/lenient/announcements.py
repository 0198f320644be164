"""Writes less usual ways to announce a role as usual ones: `[Subject] Ada`, `Ada | Subject`, `Guest (Subject): Ada`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from debate_engine.scenes.lenient.kinds import names_a_kind
from debate_engine.scenes.lenient.lines import Line
from debate_engine.scenes.lenient.vocabulary import NAME

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
_NAME_BEHIND = re.compile(
    r"^(?P<number>Role\s+\w{1,5}\s*[:.–-]\s*)?(?P<call>(?:[Tt]he\s+)?[A-Z][\w'’-]*(?: [\w'’-]+){0,2}?)"
    r"(?:\s*[(\[](?P<kind>[^()\[\]]{2,60})[)\]]|,\s*(?P<who>(?:who|the|an?)\s[^:：,]{2,60}?))(?:\s*[:：]|\s+[-–—])\s*"
    rf"(?P<name>{NAME})"
    r"(?:\s*(?:[,;.]|\s[-–—])\s*(?P<rest>[^A-Z\s].*)?)?$"
)
"""What somebody is, and the name behind it: `Seller (Confederate): Ada, sells a lamp`, `Helper, who moderates: Ada`."""


def names_behind(lines: Iterable[Line], rules: str) -> bool:
    """Tell whether the lines set the names behind what somebody is: the rules use one of these, and none before."""
    found = [each for line in lines if (each := _NAME_BEHIND.match(line.text))]
    return any(_is_called(each["name"], each["call"], rules) for each in found) and not any(
        _is_called(each["call"], each["name"], rules) for each in found
    )


def usual(line: Line, rules: str, *, behind: bool = False) -> list[Line]:
    """The line, or what it says in the usual form. `rules` are the words of the rules: they tell what is a name.

    `behind`: the names stand behind what somebody is (`names_behind`).
    """
    if found := _NUMBERED.match(line.text):
        return _numbered(line, found, rules)
    if found := _KIND_IN_KEY.match(line.text):
        return [replace(line, text=f"Name: {found['name']} ({found['kind']})")]
    if behind and (found := _NAME_BEHIND.match(line.text)):
        return _called_behind(line, found)
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


def _is_called(name: str, other: str, rules: str) -> bool:
    """Tell whether the rules use the one for a name, and not the other."""
    used = [re.search(rf"(?<![Tt]he )(?<![\w-]){re.escape(words)}\b", rules) for words in (name, other)]
    return used[0] is not None and used[1] is None


def _called_behind(line: Line, found: re.Match[str]) -> list[Line]:
    """The name, what it is, and what is said of it, in lines of their own."""
    is_what = f"{found['call']}; {found['kind'] or found['who']}"
    below = [_said(line, f"Identity: {is_what}")]
    if found["rest"]:
        below.append(_said(line, f"Background: {found['rest']}"))
    return [replace(line, text=f"{found['number'] or ''}Name: {found['name']}"), *below]


def _said(line: Line, text: str) -> Line:
    return replace(line, text=text, mark="", level=0, bold=False, led=False)
