"""Finds the rules among the lines of their section: numbered, marked or bare, in rounds or not, one line or several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from elenchus.debate_engine.scenes.lenient.labels import Label, only_label_words, purpose_in, split_label
from elenchus.debate_engine.scenes.lenient.lines import Line
from elenchus.debate_engine.scenes.lenient.sections import RULE_NUMBER, looks_like_a_heading
from elenchus.debate_engine.scenes.lenient.words import NUMBERS, closest

_ROUND = re.compile(
    r"^(?:(?:first|second|third|next|last|final) )?(?:round|phase|stage|part|scenario|session|scene|act)\s*"
    rf"(?:\d|[a-z]\b|{NUMBERS}|:|$)",
    re.IGNORECASE,
)
_FIELD = re.compile(r"^([A-Za-z][A-Za-z ]{1,22}?(?:\(s\))?)\s*[:=]\s*(.*)$")
_FIELDS = {
    "mode": ("mode", "type", "transmission"),
    "purpose": ("purpose", "intent"),
    "initiator": ("initiator", "sender", "speaker"),
    "receivers": ("receiver", "receivers", "recipient", "recipients", "addressee"),
    "content": ("content", "action", "description", "message", "rule"),
}
"""By which words a rule sets its fields, in the order in which a key of several words is tried for them."""
_EXACT = {"from": "initiator", "to": "receivers", "what": "content", "text": "content"}
_EXACT |= dict.fromkeys(("says", "exact words", "verbatim", "word for word"), "says")


@dataclass
class Item:
    """A rule's words: the line it begins on, its label, further lines, and fields that it spells out (`Mode: …`)."""

    line: Line
    label: Label
    more: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def labelled(self) -> bool:
        """Tell whether the script states a mode."""
        return self.label.mode is not None or "mode" in self.fields

    @property
    def content(self) -> str:
        """What is said in it, which may be no more than its label's last words."""
        told = " ".join(part for part in (self.label.content, *self.more, self.fields.get("content", "")) if part)
        return told or self.label.spare


def find_items(lines: Sequence[Line]) -> tuple[list[Item], list[Line]]:
    """The rules in order, and the lines that are taken for headings and other text between them."""
    items: list[Item] = []
    before = 0
    for line in map(_numbered, lines):
        if items and _belongs(line, before, items[-1]):
            _lengthen(items[-1], line)
        else:
            items.append(_begun(line))
        before = line.number
    some = any(item.labelled for item in items)
    rules = [item for item in items if _is_rule(item, some=some)]
    kept = {item.line.number for item in rules}
    return rules, [item.line for item in items if item.line.number not in kept]


def _numbered(line: Line) -> Line:
    """The line with `Rule 3:` in front taken for a number."""
    found = RULE_NUMBER.match(line.text)
    return replace(line, text=line.text[found.end() :], mark="rule", level=0) if found else line


def _begun(line: Line) -> Item:
    """A rule's beginning; fields that stand side by side in it (`From: Ada | To: Ben`) are taken apart."""
    label = split_label(line.text)
    for whole, kept in ((line.text, Label(None, None, "", "")), (label.content, replace(label, content=""))):
        parts = [_field(part) for part in re.split(r"\s*[;|]\s*", whole)]
        fields = dict(part for part in parts if part)
        if fields and len(fields) == len(parts) and (len(fields) > 1 or "mode" in fields or line.mark == "-"):
            return Item(line, kept, fields=fields)
    return Item(line, label)


def _field(text: str) -> tuple[str, str] | None:
    """The field of a rule that a text sets, and its value."""
    found = _FIELD.match(text)
    key = found[1].replace("(s)", "s").strip().lower() if found else ""
    words = key.split() if len(key.split()) <= 3 else []
    name = _EXACT.get(key) or next((n for n, known in _FIELDS.items() if any(closest(w, known) for w in words)), "")
    return (name, found[2]) if found and name else None


def _belongs(line: Line, before: int, item: Item) -> bool:
    """Tell whether a line goes on with the rule before it."""
    if line.level or line.mark == "rule" or _ROUND.match(line.text) or _stands_apart(line, item):
        return False
    nested, set_field = line.indent > item.line.indent, _field(line.text)
    if set_field and (nested or not item.content) and not (set_field[0] in item.fields and not nested):
        return not (line.numbered and not nested)
    if split_label(line.text).mode is not None:
        return False
    if line.mark:
        return item.labelled and ((nested and not line.mark.isdigit()) or item.content.endswith(":"))
    return line.number == before + 1 or nested or not item.content


def _stands_apart(line: Line, item: Item) -> bool:
    """Tell whether a line behind a whole rule is set as a heading, or short as one and no sentence."""
    short = len(line.words) <= 8 and line.text[:1].isupper() and line.text[-1].isalnum() and not line.mark
    whole = item.content[-1:] in (".", "!", "?", '"', "”") and line.indent <= item.line.indent
    return bool(item.content) and (looks_like_a_heading(line) or (short and whole and not _field(line.text)))


def _lengthen(item: Item, line: Line) -> None:
    name, text = _field(line.text) or ("", line.text)
    if not item.label.content and item.label.mode and item.label.purpose in (None, "SYS") and only_label_words(text):
        item.label = replace(item.label, purpose=item.label.purpose or purpose_in(text))
    elif name:
        item.fields[name] = f"{item.fields.get(name, '')} {text}".strip()
    else:
        item.more.append(text)


def _is_rule(item: Item, *, some: bool) -> bool:
    """Tell a rule from a round's heading and from talk around the rules. `some`: other rules state their modes."""
    if item.labelled:
        return bool(item.content or item.fields)
    if item.line.level or item.line.bold or item.content.endswith(":") or _ROUND.match(item.content):
        return False
    sentence = len(item.content.split()) > 3 + (not item.line.mark) or re.match(r"\S+ [a-z]{3,}s \S+\.$", item.content)
    return bool(sentence) and bool(item.line.mark or not some)
