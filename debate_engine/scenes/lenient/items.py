"""Finds the rules among a script's lines: numbered, marked or bare, in rounds or not, one line or several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from debate_engine.scenes.lenient.alike import alike
from debate_engine.scenes.lenient.headings import RULE_NUMBER
from debate_engine.scenes.lenient.labels import Label, take_apart
from debate_engine.scenes.lenient.lines import Line
from debate_engine.scenes.lenient.purposes import is_a_purpose, purpose_in
from debate_engine.scenes.lenient.vocabulary import NUMBERS

_ROUND = re.compile(
    r"^(?:(?:first|second|third|fourth|fifth|next|last|final)\s+)?"
    r"(?:round|phase|stage|part|scenario|step|session|section|block|act|scene|trial|task|condition|level|day|week)\b"
    rf"\s*(?:\d+|[a-z]\b|[ivx]+\b|{NUMBERS}|first|second|third)?",
    re.IGNORECASE,
)
_FIELD = re.compile(r"^([A-Za-z][A-Za-z /_-]{1,22}?(?:\(s\))?)\s*[:：=]\s*(.*)$")
_BEHIND_A_PURPOSE = re.compile(r"([^.;:]{2,40})[.;]\s+(?=[A-Z])(.+)")
"""`Mode: unicast. Purpose: joking. Ada laughs.`: the sentence behind the last field."""
_BESIDE = re.compile(r"\b(?:communicative|communication|transmission|interaction|message|rule|speech|main|of|the)\b")
"""Words beside a key that do not change what it sets (`Communicative purpose`)."""
_FIELDS = {
    "initiator": ("initiator", "initiated by", "sender", "speaker", "from", "origin", "source", "role"),
    "receivers": ("receiver", "receivers", "recipient", "recipients", "target", "targets", "to", "addressee"),
    "mode": ("mode", "type", "transmission", "transmission mode", "method", "communication", "way",
             "interaction type", "interaction", "form"),
    "purpose": ("purpose", "intent", "intention", "aim", "function"),
    "content": ("content", "contents", "action", "description", "message", "details", "text", "rule", "what"),
}  # fmt: skip


@dataclass
class Item:
    """A rule's words: the line it begins on, its label, its content, and fields that it spells out (`Initiator: …`)."""

    line: Line
    label: Label
    more: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def labelled(self) -> bool:
        """Tell whether the script states a mode."""
        return self.label.mode is not None or "mode" in self.fields

    @property
    def told(self) -> str:
        """All of its words but the label."""
        return " ".join(part for part in (self.label.content, *self.more, self.fields.get("content", "")) if part)

    @property
    def content(self) -> str:
        """What is said in it, which may be no more than its label's last words."""
        return self.told or self.label.spare


def find_items(lines: Sequence[Line]) -> tuple[list[Item], list[Line]]:
    """The rules in order, and the lines that are taken for headings of rounds and other text between them."""
    items: list[Item] = []
    for index, raw in enumerate(lines):
        line = _numbered(raw)
        label = take_apart(line.text)
        loose = label.mode is None or _spelt_out(line.text) is not None
        if items and loose and not _repeats(line, items[-1]) and _belongs(line, lines[index - 1], items[-1]):
            _lengthen(items[-1], line)
        else:
            items.append(_begun(line, label))
    labelled = sum(item.labelled for item in items)
    rules = [item for index, item in enumerate(items) if _is_rule(item, items[index + 1 :], some=labelled > 0)]
    kept = {item.line.number for item in rules}
    return rules, [item.line for item in items if item.line.number not in kept]


def _begun(line: Line, label: Label) -> Item:
    """A rule's beginning; fields that stand side by side in it (`Initiator: A; Receiver: B`) are taken apart."""
    whole = line.text if label.mode is None or _spelt_out(line.text) else label.content
    parts = [part for part in re.split(r"\s*[;|]\s*|[,.]\s+(?=[A-Z][a-z]+:)", whole) if part]
    fields = [field for part in parts if (field := _spelt_out(part))]
    if len(fields) > 1 and len(fields) == len(parts) - 1 and not _spelt_out(parts[-1]) and whole == line.text:
        return Item(line, Label(None, None, "", ""), more=[parts[-1]], fields=dict(fields))
    if (
        len(fields) > 1
        and fields[-1][0] == "purpose"
        and whole == line.text
        and (rest := _BEHIND_A_PURPOSE.match(fields[-1][1]))
    ):
        return Item(line, Label(None, None, "", ""), more=[rest[2]], fields=dict([*fields[:-1], ("purpose", rest[1])]))
    of_a_rule = len(fields) > 1 or (bool(fields) and (fields[0][0] == "mode" or line.mark == "-"))
    if not of_a_rule or len(fields) < len(parts):
        return Item(line, label)
    kept = label if whole == label.content else Label(None, None, "", "")
    return Item(line, replace(kept, content="", spare=""), fields=dict(fields))


def _repeats(line: Line, item: Item) -> bool:
    """Tell whether a line with a list mark sets a field that the rule before has already: another rule begins."""
    found = _spelt_out(line.text)
    return bool(found and line.mark and line.mark == item.line.mark and found[0] in item.fields)


def _numbered(line: Line) -> Line:
    """The line with `Rule 3:` in front taken for a number."""
    found = RULE_NUMBER.match(line.text)
    return replace(line, text=line.text[found.end() :], mark="rule", level=0) if found else line


def _is_round(line: Line) -> bool:
    """Tell whether a line is a round's heading and nothing else."""
    return bool(_ROUND.match(line.text)) and len(line.words) <= 9 and not line.text.endswith(".")


def _belongs(line: Line, before: Line, item: Item) -> bool:
    """Tell whether a line without a label goes on with the rule before it."""
    if line.level or line.mark == "rule" or _is_round(line):
        return False
    nested = line.indent > item.line.indent
    if _spelt_out(line.text) and (nested or not item.label.mode or not item.told):
        return not (line.numbered and not nested)
    if line.numbered:
        return nested and item.labelled and bool(re.match(r"[a-zA-Z]", line.mark))
    if line.mark:
        listed = item.line.mark != "-" and item.label.content.endswith(":")
        return (nested or listed) and item.labelled
    adjoining = line.number == before.number + 1
    return adjoining or nested or not item.told


def _lengthen(item: Item, line: Line) -> None:
    name, text = _spelt_out(line.text) or ("", line.text)
    if name:
        item.fields[name] = f"{item.fields.get(name, '')} {text}".strip()
    elif _awaits_a_purpose(item) and is_a_purpose(line.text):
        item.label = replace(item.label, purpose=purpose_in(line.text))
    else:
        item.more.append(line.text)


def _awaits_a_purpose(item: Item) -> bool:
    """Tell whether a rule so far has a mode and nothing else."""
    own = item.label.purpose if item.label.mode != "self-receiving" else None
    return item.label.mode is not None and own is None and not item.content


def _spelt_out(text: str) -> tuple[str, str] | None:
    """The field of a rule that a line sets, and its text."""
    found = _FIELD.match(text)
    if not found:
        return None
    key = re.sub(r"\(s\)", "s", found[1]).strip().lower()
    for said in (key, _BESIDE.sub("", key).strip()):
        if exact := next((name for name, words in _FIELDS.items() if said in words), ""):
            return exact, found[2]
    for name, words in _FIELDS.items():
        if any(alike(key, word, 0.87) for word in words):
            return name, found[2]
    return None


def _is_rule(item: Item, later: Sequence[Item], *, some: bool) -> bool:
    """Tell a rule from a round's heading and from talk around the rules. `some`: other rules have labels."""
    if item.labelled:
        return bool(item.content) or bool(item.fields) or item.line.numbered
    words = item.content.split()
    if item.line.level or not words or item.content.endswith(":"):
        return False
    if _is_round(item.line) or (_ROUND.match(item.content) and not item.line.mark):
        return False
    if not some:
        return _long_enough(item) and bool(item.line.mark or len(words) >= 5)
    parent = bool(later) and later[0].line.indent > item.line.indent
    return bool(item.line.mark) and not parent and _long_enough(item) and not item.line.bold


def _long_enough(item: Item) -> bool:
    """Tell whether a text may be a sentence: four words, or somebody, a verb and somebody (`Ada thanks everyone.`)."""
    return len(item.content.split()) >= 4 or bool(re.fullmatch(r"[A-Z]\S*\s[a-z]{3,}s\s\S+\.", item.content))
