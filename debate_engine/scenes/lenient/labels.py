"""Takes a rule apart into its label (mode and purpose, however they are written) and its content."""

from __future__ import annotations

import re
from dataclasses import dataclass

from elenchus.debate_engine.scenes.lenient.words import closest, word_set
from elenchus.debate_engine.scenes.scene import MODES, PURPOSES, Mode, Purpose

_PURPOSES: tuple[tuple[Purpose, str], ...] = (
    ("SYS", r"from (?:the )?system|system(?:'s)? (?:information|message|update)|receiv\w+ (?:system|inform)"),
    ("JOK", r"\bjok|\bhumou?r|\bbanter"),
    ("CON", r"conflict|disagree|\bdebat|\bargu(?:e|ing|ment)|confront|challeng"),
    ("FTO", r"figur\w*[\s-]*(?:out|things)|\bidentify"),
    ("PAS", r"\bpast\b"),
    ("FUT", r"\bfuture\b"),
    ("DES", r"time[\s-]*neutral|\bdescri|\bexpla"),
    ("FEL", r"feel|\bevaluat|enthusias|excitement|(?<!influencing )opinion|preferen|emotion|assessment"),
    ("SDC", r"situation|context|commentary"),
    ("ADV", r"advi[cs]|instruct|suggest|guidance|recommend"),
)
"""By which words a label names a purpose; its three letters do so too."""
_LABEL_WORDS = word_set(
    """
    sharing share feelings evaluations comments opinions views emotions preferences giving give providing provide
    advice instructions guidance suggestions describing describe description explaining explain explanation past
    future time neutral situation dependent context contextual related based specific commentary joking joke around
    humor banter engaging engage involved conflict arguing debate disagreement figuring figure things out identifying
    identify receiving receive information system purpose intent mode type and or the in of from a to
    """
) | frozenset(code.lower() for code in PURPOSES)
"""What a label is made of besides its mode."""
_SELF = re.compile(
    r"\bself\s*[-–—]?\s*rec(?:ei|ie)\w*|\brec(?:ei|ie)v\w*\s+by\s+(?:your|one|them|it)self", re.IGNORECASE
)
_CAST = re.compile(r"\b([a-z]+)[\s-]*(cast)(?:s|ed|ing)?\b|\b([a-z]{6,11})\b", re.IGNORECASE)
_AT_THE_END = re.compile(
    r"\s*[(\[]((?:[^()\[\]]|\)\s*\(|\]\s*\[){3,90})[)\]]\s*[.;]?$|\s+(purpose\s*:[^.]{3,60})\.?$", re.IGNORECASE
)
_BEHIND_A_STROKE = re.compile(
    r"\s*(?:[-–—|•,;]|→|[-=]>)\s*(?=(?:uni|multi|broad|mode|self)[^.!?]{3,80}$)", re.IGNORECASE
)
"""What stands before a label at a rule's end: `Ada laughs. – Unicast, joking`."""
_OPEN, _CLOSE = "([{<", ")]}>"
_BETWEEN = " :-–—.,;)]|/>=→•"
_SEPARATOR = re.compile(r"\s*(?:[|:;,/•]|[-=]>|→|[-–—](?=\s)|\.(?=\s))\s*")
_EXPLAINS = re.compile(r"\s*(?:means?|refers?|stands? for|is (?:when|where|used|for))\b")
"""How a sentence that explains a mode goes on behind it."""
_NEAR = 130
"""Characters from a rule's beginning within which its label ends."""


@dataclass(frozen=True)
class Label:
    """A rule taken apart: `mode` is None where it states none, `text` is the label's own wording.

    `spare` are the words of a purpose that may be the content, where no other follows.
    """

    mode: Mode | None
    purpose: Purpose | None
    text: str
    content: str
    spare: str = ""


def mode_in(text: str) -> Mode | None:
    """The first mode that a text names, typing errors forgiven."""
    itself = _SELF.search(text)
    for found in _CAST.finditer(text):
        word = (found[1] + found[2] if found[2] else found[3]).lower()
        mode = next((mode for mode in MODES[:3] if closest(word, (mode,))), None)
        if mode and not (itself and itself.start() < found.start()):
            return mode
    return "self-receiving" if itself else None


def purpose_in(text: str) -> Purpose | None:
    """The purpose that a label names first."""
    places = [(re.search(rf"{words}|\b{code}\b", text, re.IGNORECASE), code) for code, words in _PURPOSES]
    found = [(place.start(), code) for place, code in places if place]
    if any(code in ("PAS", "FUT") for _, code in found):
        found = [(at, code) for at, code in found if code != "DES"]
    return min(found)[1] if found else None


def only_label_words(text: str) -> bool:
    """Tell whether a text names a mode or a purpose and holds nothing but a label's words."""
    words = re.findall(r"[^\W\d_]+", _SELF.sub(" ", text).lower())
    if not (mode_in(text) or purpose_in(text)) or len(words) > 14:
        return False
    return all(
        closest(word, _LABEL_WORDS) or closest(word, (*MODES, "uni", "multi", "broad", "cast")) for word in words
    )


def split_label(text: str) -> Label:
    """The label in front of a rule (or behind it), and the rest; a label names a mode or stands in brackets."""
    head, content = _opened(text) or _before_colon(text) or _leading(text) or _behind(text) or ("", text)
    if head and ((not only_label_words(head) and mode_in(head) is None) or _EXPLAINS.match(content)):
        return Label(None, None, "", text)
    for cut in (_opened, _leading, _behind):
        if head and (found := cut(content.lstrip(_BETWEEN))) and only_label_words(found[0]):
            head, content = f"{head}, {found[0]}", found[1]
    if head and (mark := re.search(r"[()\[\]]", content[:60])) and mark[0] in _CLOSE:  # the label's own end
        head, content = f"{head}, {content[: mark.start()]}", content[mark.end() :]
    mode, content, spare = mode_in(head), content.lstrip(_BETWEEN).strip() if head else text, ""
    if head and purpose_in(head) is None and only_label_words(content):
        head, content, spare = f"{head}, {content}", "", content
    purpose = "SYS" if mode == "self-receiving" else purpose_in(head)
    return Label(mode or ("self-receiving" if purpose == "SYS" else None), purpose, head, content, spare)


def _opened(text: str) -> tuple[str, str] | None:
    """`(Unicast, joking) …`; a bracket that is never closed ends at the first colon."""
    if not text.startswith(tuple(_OPEN)):
        return None
    end = _closing(text, 0)
    if end is None:
        colon = text.find(":", 0, _NEAR)
        return (text[1:colon], text[colon + 1 :]) if colon > 0 and mode_in(text[:colon]) else None
    head, rest = text[1:end], text[end + 1 :]
    return (head, rest) if mode_in(head) or only_label_words(head) else None


def _before_colon(text: str) -> tuple[str, str] | None:
    """`Unicast (joking): …`, `Unicast – joking: …`, `Guidance (Unicast): …`, `Unicast (joking) …`."""
    opened = next((at for at, mark in enumerate(text[:70]) if mark in _OPEN), None)
    closed = _closing(text, opened) if opened and ":" not in text[:opened] and len(text[:opened].split()) <= 5 else None
    rest = text[closed + 1 :] if closed else ""
    if closed and closed < _NEAR + 40 and mode_in(text[: closed + 1]) and not re.fullmatch(r"\W*[(\[].*|\W*", rest):
        return text[: closed + 1], text[closed + 1 :]
    depth = 0
    for at, mark in enumerate(text[:_NEAR]):
        depth += (mark in _OPEN) - (mark in _CLOSE)
        if mark == ":" and depth <= 0:
            head = text[:at]
            return (head, text[at + 1 :]) if mode_in(head) and not re.search(r"[a-z]\.\s+[A-Z]", head) else None
    return None


def _leading(text: str) -> tuple[str, str] | None:
    """`Unicast, joking, Ada laughs …`, `joking | Unicast | …`, `Unicast Ada laughs …`."""
    at = 0
    while (
        (sign := _SEPARATOR.search(text, at + 1)) and only_label_words(text[at : sign.start()]) and sign.end() < _NEAR
    ):
        at = sign.end()
    if at:
        return text[:at].rstrip(_BETWEEN), text[at:]
    first = re.match(r"[A-Za-z]+(?:[- ]re\w+)?(?=[\s,;:]|$)", text)
    return (first[0], text[first.end() :]) if first and mode_in(first[0]) else None


def _behind(text: str) -> tuple[str, str] | None:
    """`Ada laughs. (Unicast, joking)`, `Ada laughs – Unicast, joking`, `… Purpose: joking`."""
    stroke = _BEHIND_A_STROKE.search(text)
    if stroke and stroke.start() and only_label_words(text[stroke.end() :]) and mode_in(text[stroke.end() :]):
        return text[stroke.end() :], text[: stroke.start()]
    found = _AT_THE_END.search(text[-150:])
    head = (found[1] or found[2]) if found else ""
    if not found or not (mode_in(head) or only_label_words(head)):
        return None
    return head, text[: len(text) - len(text[-150:]) + found.start()]


def _closing(text: str, at: int) -> int | None:
    """Where the bracket opened at `at` is closed."""
    depth = 0
    for index in range(at, min(len(text), at + 200)):
        depth += (text[index] in _OPEN) - (text[index] in _CLOSE and text[index - 1] not in "-=–")
        if depth == 0:
            return index
    return None
