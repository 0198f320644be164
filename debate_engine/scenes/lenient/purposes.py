"""Tells the purpose of a rule from the words of its label, and a purpose before a rule's content from the content."""

from __future__ import annotations

import re
from functools import lru_cache

from debate_engine.scenes.lenient.alike import any_alike
from debate_engine.scenes.scene import Mode, Purpose

_PURPOSES: tuple[tuple[Purpose, str], ...] = (
    ("SYS", r"from (?:the )?system|system(?:'s)? (?:information|message|update)|receiv\w+ (?:system|inform)|\bsys\b"),
    ("JOK", r"\bjok|\bhumou?r|\bbanter|\bjest"),
    ("CON", r"conflict|disagree|\bdebat|\bargu(?:e|ing|ment)|confront|\bcon\b|challeng|disput"),
    ("FTO", r"figur\w*[\s-]*(?:out[\s-]*)?things?|figur\w*[\s-]*out|things?[\s-]out|\bidentify|\bfto\b"),
    ("PAS", r"\bpast\b|\bpas\b"),
    ("FUT", r"\bfuture\b|\bfut\b"),
    ("DES", r"time[\s-]*neutral|\bdescri|\bexplain|\bexplanation|\bdes\b"),
    ("FEL", (r"feel|\bevaluat|enthusias|excitement|\bopinions?\b(?<!influencing opinion)|preferen|emotion"
            r"|assessment|\bfel\b|shar\w+ (?:an? )?(?:comment|view|thought|impression)")),
    ("SDC", r"(?:situation|context)\w*[\s-]*(?:dependent|related|based|specific|bound)?|commentary|\bsdc\b"),
    ("ADV", r"advi[cs]|instruct|suggest|guidance|recommend|\badv\b"),
)  # fmt: skip

_LABEL_WORDS = frozenset(
    re.findall(
        r"[a-z]+",
        """
        sharing share feelings evaluations comments opinions views emotions preferences
        giving give providing provide advice instructions guidance suggestions
        describing describe description explaining explain explanation past future time neutral
        situation dependent context contextual related based specific commentary
        joking joke around humor banter engaging engage conflict arguing debate disagreement
        figuring figure things out identifying identify receiving receive information system
        purpose intent intention fto adv fel con jok des pas fut sdc sys
        and or the in of from a to
        """,
    )
)
"""What a label is made of besides its mode."""

_CODES = frozenset(code for code, _ in _PURPOSES)
_OPENED = re.compile(r"^[(\[{（【<]\s*([^()\[\]{}（）【】<>]{3,70}(?:\([^()]{2,20}\))?)\s*[)\]}）】>]")
_ENDS = re.compile(r"\s*[:：|]\s*|\s+[-–—/>=→⇒•*|]+\s+|[,.;]\s+|[.,;]?\s*$")
_RUN = re.compile(r"(?:[^\W\d_]+|\([^\W\d_]+(?:[\s-]+[^\W\d_]+)?\))(?=[\s,/&-]|$)[\s,/&-]*")
_BEHIND = re.compile(r"\s*[(\[–—-]*\s*\b(?:purpose|intent)\s*[:：]\s*(.{3,60}?)[)\].]*$", re.IGNORECASE)


def purpose_in(text: str, mode: Mode | None = None) -> Purpose | None:
    """The purpose that a label names first. What is received from the system has the purpose of receiving it."""
    if mode == "self-receiving":
        return "SYS"
    places = {
        purpose: found.start() for purpose, words in _PURPOSES if (found := re.search(words, text, re.IGNORECASE))
    }
    if places.keys() & {"PAS", "FUT"}:
        places.pop("DES", None)
    if not places:
        return None
    first: Purpose = min(places, key=places.__getitem__)
    return first


def is_a_purpose(text: str) -> bool:
    """Tell whether a text is made of a label's words only, and names a purpose."""
    return of_label_words(text) and purpose_in(text) is not None


def of_label_words(text: str) -> bool:
    """Tell whether each word of a text is one that labels are made of, slips forgiven."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return bool(words) and len(words) <= 12 and all(_in_labels(word) for word in words)


@lru_cache(maxsize=20_000)
def _in_labels(word: str) -> bool:
    return word in _LABEL_WORDS or any_alike((word,), _LABEL_WORDS)


def purpose_before(text: str) -> tuple[str, str] | None:
    """The purpose in front of a rule's content, in whatever dress, and the content; None where there is none."""
    if (opened := _OPENED.match(text)) and purpose_in(opened[1]) and len(opened[1].split()) <= 7:
        return opened[1], text[opened.end() :]
    ends = [end for end in _ENDS.finditer(text[:90]) if end.start() and (end.end() < 90 or len(text) <= 90)]
    for end in reversed(ends):
        if is_a_purpose(text[: end.start()]):
            return text[: end.start()], text[end.end() :]
    return _run(text)


def _run(text: str) -> tuple[str, str] | None:
    """`Joking around Ada laughs …`: two label words or more, and a name or a bracket behind them."""
    at = words = 0
    while (word := _RUN.match(text, at, at + 40)) and of_label_words(word[0]):
        at, words = word.end(), words + 1
    follows = text[at : at + 1]
    if (
        (words < 2 and text[:at].strip() not in _CODES)
        or not (follows.isupper() or follows in tuple("([{"))
        or not is_a_purpose(text[:at])
    ):
        return None
    if re.search(r"\b(?:to|of|from|in|a|the|and|or)\s*$", text[:at], re.IGNORECASE):
        return None
    return text[:at].strip(), text[at:]


def purpose_behind(text: str) -> tuple[str, str] | None:
    """The purpose behind a rule's content (`… Purpose: joking`), and the content."""
    found = _BEHIND.search(text[-90:])
    if not found or not is_a_purpose(found[1]):
        return None
    return found[1], text[: len(text) - len(found[0])]
