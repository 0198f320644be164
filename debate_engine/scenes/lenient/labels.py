"""Takes a rule apart into its label (mode and purpose, in whatever dress) and its content."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from debate_engine.scenes.lenient.alike import alike
from debate_engine.scenes.lenient.purposes import (
    is_a_purpose,
    of_label_words,
    purpose_before,
    purpose_behind,
    purpose_in,
)
from debate_engine.scenes.scene import Mode, Purpose

_OPEN, _CLOSE = "([{（【", ")]}）】"
_BETWEEN = " :：-–—.,;)]|/>=→⇒•*"
"""What may stand between a label and its content."""
_NEAR = 130
"""Characters from a rule's beginning within which its label ends."""

_SELF = re.compile(
    r"\bself\s*[-–—]?\s*rec(?:ei|ie)v\w*|\bself\s*[-–—]?\s*reception\b|\brec(?:ei|ie)v\w*\s+(?:it\s+)?by\s+"
    r"(?:your|one|them|it|him|her|my)sel(?:f|ves)\b|\bsystem\s+(?:message|to\s+self)\b",
    re.IGNORECASE,
)
_CASTS: tuple[Mode, ...] = ("unicast", "broadcast", "multicast")
_CAST = re.compile(r"\b([a-z]+)(?:\s*-\s*|\s)?(cast\w*)\b|\b([a-z]{6,11})\b", re.IGNORECASE)

_CIRCUMSTANCE = re.compile(
    r"\s*(?:if|when|whenever|while|once|after|before|as|since|unless|should|in|on|at|during)\b", re.IGNORECASE
)
_EXPLAINS = re.compile(r"\s*(?:means?|refers?|stands? for|indicates?|denotes?|is (?:when|where|used|for|one))\b")
"""How a sentence that explains a mode goes on behind it."""


@dataclass(frozen=True)
class Label:
    """A rule taken apart. `mode` is None where it states none; `text` is the label's own wording.

    `spare` are the words of a purpose that may be the content, where no other follows.
    """

    mode: Mode | None
    purpose: Purpose | None
    text: str
    content: str
    spare: str = ""


_TIMED = re.compile(
    r"^[(\[][^()\[\]]{0,30}\d[^()\[\]]{0,20}\b(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?|o['’]clock)\b\.?[)\]]\s*(?=[(\[])",
    re.IGNORECASE,
)
"""A time in brackets, before the label."""
_ALONE_BEFORE = re.compile(r"[(\[]([^()\[\]]{3,60})[)\]]\s*[:：.–-]?\s*(?=\S)")
_ALONE_BEHIND = re.compile(r"\s+[(\[]([^()\[\]]{3,60})[)\]]\s*[.;]?$")
_IN_ANGLES = re.compile(r"^<(?P<label>[A-Za-z][^<>]{4,80})>\s*(?=\S)")
_CALLED = tuple(
    (re.compile(rf"^(?:{words})(?=\s*[(\[:：])", re.IGNORECASE), mode)
    for words, mode in (
        (r"private(?:ly)?(?: message)?|one[- ](?:to|on)[- ]one|1[-:]1", "Unicast"),
        (r"public(?:ly)?(?: message)?|to (?:all|everyone|everybody)|one[- ]to[- ]all", "Broadcast"),
        (r"group message|one[- ]to[- ](?:many|several)", "Multicast"),
    )
)
"""What the modes are called elsewhere."""


def _usual(text: str) -> str:
    """The rule with an unusual label written as a usual one."""
    text = _TIMED.sub("", _IN_ANGLES.sub(r"(\g<label>) ", text) if mode_in(text[:80]) else text)
    for called, mode in _CALLED:
        text = called.sub(mode, text)
    return text


def take_apart(text: str) -> Label:
    """The label in front of a rule (or behind it), and the rest; a label is only one that names a mode."""
    head, content = _cut(_usual(text))
    mode = mode_in(head) if head else None
    if mode is None:
        return _purpose_alone(Label(None, None, "", text))
    if _EXPLAINS.match(content):
        return Label(None, None, "", text)
    if head.lower().rstrip().endswith("purpose") and (said := re.match(r"([^.;,]{3,60})[.;,]\s+", content.lstrip())):
        head, content = f"{head}: {said[1]}", content.lstrip()[said.end() :]
    content = content.lstrip(_BETWEEN)
    spare = ""
    if purpose_in(head) is None and (more := purpose_before(content) or purpose_behind(content)):
        spare = "" if more[1].strip(_BETWEEN) else content
        head, content = f"{head}, {more[0]}", more[1].lstrip(_BETWEEN)
    label = Label(mode, purpose_in(head, mode), head, content.strip(), spare.strip())
    return label if label.purpose else _purpose_alone(label)


def _purpose_alone(label: Label) -> Label:
    """The label, with a purpose that stands in brackets of its own before or behind the content."""
    before, behind = _ALONE_BEFORE.match(label.content), _ALONE_BEHIND.search(label.content)
    for found, rest in (
        (before, before and label.content[before.end() :]),
        (behind, behind and label.content[: behind.start()]),
    ):
        if found and rest and is_a_purpose(found[1]):
            text = f"{label.text}, {found[1]}" if label.text else found[1]
            purpose = purpose_in(found[1])
            mode = label.mode or ("self-receiving" if purpose == "SYS" else None)
            return replace(label, mode=mode, purpose=purpose, text=text, content=rest.strip())
    return label


def mode_in(text: str) -> Mode | None:
    """The first mode that a text names, typing errors forgiven."""
    themselves = _SELF.search(text)
    for found in _CAST.finditer(text):
        word = (found[1] + found[2] if found[2] else found[3]).lower()
        word = re.sub(r"cast(?:s|ed|ing)?$", "cast", word)
        mode = next((mode for mode in _CASTS if alike(word, mode)), None)
        if mode and not (themselves and themselves.start() < found.start()):
            return mode
    return "self-receiving" if themselves else None


def _cut(text: str) -> tuple[str, str]:
    """Where a label ends: after its bracket, at its colon, after its dashes, or it stands behind the content."""
    for cut in (_in_brackets, _before_colon, _mode_and_bracket, _with_dashes, _bare, _behind, _purpose_first):
        if found := cut(text):
            return found
    return "", text


def _in_brackets(text: str) -> tuple[str, str] | None:
    """`(Unicast, joking) …`; a bracket that is never closed ends at the first colon or capital after the mode."""
    if not text.startswith(tuple(_OPEN)):
        return None
    end = _closing(text, 0)
    if end is not None and mode_in(text[1:end]):
        return text[1:end], text[end + 1 :]
    if end is not None and len(text[1:end]) < 30 and not mode_in(text[1:end]):
        return None
    if mode_in(text[1:60]):
        return _unclosed(text[1:])
    return None


def _unclosed(text: str) -> tuple[str, str]:
    if (colon := text.find(":", 0, _NEAR)) > 0:
        return text[:colon], text[colon + 1 :]
    capital = re.search(r"(?<=[a-z] )(?=[A-Z][a-z]+ (?!and\b|or\b))", text[12:_NEAR])
    at = 12 + capital.start() if capital else len(text[:41].rsplit(" ", 1)[0]) if len(text) > 40 else len(text)
    return text[:at], text[at:]


def _before_colon(text: str) -> tuple[str, str] | None:
    """`Unicast (joking): …`, `Unicast – joking: …`, `Guidance (Unicast): …`."""
    at = _outside(text, ":：", _NEAR)
    if at is None or not mode_in(text[:at]) or re.search(r"[a-z][.!?]\s+[A-Z]\S*\s+[a-z]", text[:at]):
        return None
    head = text[:at]
    opened = _mode_and_bracket(head)
    if opened and len(opened[1].split()) > 5:
        return None  # the colon belongs to the content
    return head, text[at + 1 :]


def _mode_and_bracket(text: str) -> tuple[str, str] | None:
    """`Unicast (joking) …`, with a few words before the mode at most."""
    at = next((index for index, mark in enumerate(text[:70]) if mark in _OPEN), None)
    if at is None or len(text[:at].split()) > 5:
        return None
    end = _closing(text, at)
    if end is None or end > _NEAR + 40 or not mode_in(text[:end]):
        return None
    told = text[:at].rstrip().endswith(".") and re.fullmatch(r"\s*[(\[][^()\[\]]*[)\]]\s*", text[end + 1 :])
    if (told or not text[end + 1 :].strip(" .;")) and not mode_in(text[:at]):
        return None  # the label stands behind the content
    return text[:end], text[end + 1 :]


def _with_dashes(text: str) -> tuple[str, str] | None:
    """`Unicast - joking - …`, `Unicast | joking | …`."""
    parts = re.split(r"\s+[-–—]+\s+|\s*\|\s*|\s*/\s*(?=[A-Z])", text, maxsplit=2)
    if len(parts) == 3 and not mode_in(parts[0]) and len(parts[0].split()) <= 4 and _only_a_label(parts[1]):
        return f"{parts[0]}, {parts[1]}", parts[2]
    if len(parts) < 2 or not mode_in(parts[0]) or len(parts[0].split()) > 4:
        return None
    if len(parts) == 3 and (purpose_in(parts[1]) or len(parts[1].split()) <= 5):
        return f"{parts[0]}, {parts[1]}", parts[2]
    return parts[0], text[len(parts[0]) :]


def _only_a_label(text: str) -> bool:
    """Tell whether a text names a mode and holds nothing but a label's words."""
    rest = _SELF.sub(" ", _CAST.sub(lambda found: " " if mode_in(found[0]) else found[0], text))
    return mode_in(text) is not None and (not rest.strip(" ,;/-–—") or of_label_words(rest))


def _purpose_first(text: str) -> tuple[str, str] | None:
    """`Joking | Unicast | …`, `Joking around [Unicast] …`."""
    first = purpose_before(text)
    head, rest = _cut(first[1].lstrip(_BETWEEN)) if first else ("", "")
    return (f"{first[0]}, {head}", rest) if first and head and mode_in(head) else None


def _bare(text: str) -> tuple[str, str] | None:
    """`Unicast, joking, Ada laughs …`, `Unicast Ada laughs …`."""
    first = re.match(r"[^\s,;:]+(?:[ -]rec\w+)?", text)
    found = first and mode_in(first[0])
    if not first or not found:
        return None
    rest = text[first.end() :]
    purpose = re.match(r"(\s*[,;]?)\s*([^,;:.]{3,60})[,;.]\s+(?=\S)", rest)
    if purpose and (is_a_purpose(purpose[2]) or (purpose[1].strip() and _in_free_words(purpose[2]))):
        return f"{first[0]} {purpose[2]}", rest[purpose.end() :]
    return first[0], rest


def _in_free_words(text: str) -> bool:
    """Tell whether a text without names names a purpose in other words than a label's, and begins no sentence."""
    return purpose_in(text) is not None and text.islower() and not _CIRCUMSTANCE.match(text)


def _behind(text: str) -> tuple[str, str] | None:
    """`Ada laughs. (Unicast, joking)`."""
    text = re.sub(r"[)\]）】]\s*[(\[（【](?=[^()\[\]]*[)\]）】]\s*[.;]?$)", ", ", text)
    found = re.search(r"\s*[(\[（【]([^()\[\]]{5,90}(?:\([^()]*\))?[^()\[\]]*)[)\]）】]\s*[.;]?$", text)
    if not found or not mode_in(found[1]):
        found = re.search(
            r"\s+[-–—|/→⇒]+\s*((?:mode\s*[:：]\s*)?[A-Za-z-]{7,14}(?:[ ,;/–-].{2,50})?)\s*[.;]?$", text, re.IGNORECASE
        )
        if not found or not _only_a_label(re.sub("(?i)mode", "", found[1])) or mode_in(text[: found.start()]):
            return None
    return found[1], text[: found.start()]


def _closing(text: str, at: int) -> int | None:
    """Where the bracket opened at `at` is closed."""
    depth = 0
    for index in range(at, min(len(text), at + 200)):
        depth += (text[index] in _OPEN) - (text[index] in _CLOSE)
        if depth == 0:
            return index
    return None


def _outside(text: str, marks: str, near: int) -> int | None:
    """The first of the marks that stands in no bracket."""
    depth = 0
    for index, mark in enumerate(text[:near]):
        depth += (mark in _OPEN) - (mark in _CLOSE)
        if mark in marks and depth <= 0:
            return index
    return None
