"""Words of people and models at every edge where they are shown or written: terminal, Discord, report, table, JSON.

Nothing in them may drive a terminal (ESC, C1 and other controls), turn the direction of text round (bidi overrides and
isolates), hide in it (zero-width characters, tags), or be taken for a spreadsheet's formula. What scripts and emoji
need stays: the joiners U+200C and U+200D, and the marks U+200E and U+200F.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from elenchus.debate_engine.llm.text import whole

UNSEEN = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
"""What is taken out, as a character class of regular expressions."""
_UNWANTED = re.compile(UNSEEN)
_BREAKS = re.compile("\r\n?|[\u2028\u2029]")
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")
_FIGURE = re.compile(r"[+-]?\d+(?:\.\d+)?%?")
_SHAPELESS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # letters, by Unicode's book, that no font shows
_BLANK = ("Zs", "Zl", "Zp", "Cc", "Cf", "Cs")  # not "Cn": newer signs than this Python knows can be seen, as emoji


def is_blank(text: str) -> bool:
    """Whether nothing of it can be seen: spaces, controls, signs without a shape."""
    return all(unicodedata.category(c) in _BLANK or c in _SHAPELESS for c in text)


def printable(text: str) -> str:
    """The text with nothing but what shows, line feeds and tabs; a line ends in a line feed, half a character is �."""
    return _UNWANTED.sub("", _BREAKS.sub("\n", whole(text)))


def one_line(text: str) -> str:
    """The printable text on one line."""
    return " ".join(printable(text).split())


def csv_cell(text: str) -> str:
    """The printable text as a cell of a CSV: with an apostrophe before it where a spreadsheet would calculate it."""
    shown = printable(text)
    return f"'{shown}" if _FORMULA.match(shown) and not _FIGURE.fullmatch(shown) else shown


def json_text(value: Any, **options: Any) -> str:
    """A value as JSON that reads back the same; what does not print stands escaped in it."""
    return _UNWANTED.sub(_escaped, json.dumps(value, **{"ensure_ascii": False} | options))


def _escaped(character: re.Match[str]) -> str:
    """The character as JSON escapes it; line feeds and tabs between values are none of these."""
    return "\\u007f" if character[0] == "\x7f" else json.dumps(character[0])[1:-1]
