"""A script's lines without their dress: fences, quote marks, list marks and emphasis are taken off and remembered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from debate_engine.scenes.scene import one_line

_FENCE = re.compile(r"^\s*(?:>\s*)*(?:```+|~~~+)\s*[\w.+-]*\s*$")
_QUOTE = re.compile(r"^(?:\s{0,3}>\s?)+")
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff")) | {0xA0: " "}
_RULER = re.compile(r"^\s*(?:[-*_=]\s*){3,}$")
_LEVEL = re.compile(r"^\s{0,8}(#{1,6})\s*(?=\S)")
_MARK = re.compile(
    r"^(?:(?P<bullet>[-*+•·◦▪–—]|o(?=\s))\s*(?=\S)"
    r"|\(?(?P<number>\d{1,3}(?:\.\d{1,2})+(?=[\s.)])|\d{1,3}(?=\s*[.):、]|\s+[-–—]\s))\s*(?:[.):、]+|[-–—](?=\s))?\s*(?=[^\d%\s])"
    r"|\(?(?P<letter>[a-zA-Z]|[ivxIVX]{1,4})[.)]\s+)"
)
_PICTURE = re.compile(
    r"^(?![◦▪])[\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff][\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]*\s+(?=\S)"
)
"""A small picture in front of a line, which is a bullet of its own kind; two of the bullets lie among them."""
_LEADER = re.compile(r"^([^.…_:\"“”]{2,40}?)\s*(?:\.{5,}|\s\.{2,}(?=\s)|(?:\s\.){3,}|…{2,}|_{5,})\s*(?=\w)")
"""The dots that lead from a name to what is said of it."""
_LEAD = re.compile(r"(?:\*\*|__)([^*_]{2,60}?[^*_\s:：.,–—-])(?:\*\*|__)\s+(?=\w)")
_TAGS = re.compile(r"</?(?:b|i|u|em|strong|br|p|li|ul|ol|h\d|span|div)\s*/?>", re.IGNORECASE)
_DOUBLED = re.compile(r"\*\*+|__+|`+|~~")
_SINGLE = re.compile(r"(?<![\w*])([*_])(?=\S)([^*_\n]*\S)\1(?![\w*])")


@dataclass(frozen=True)
class Line:
    """A line: its `number` from 1, how far it was indented, its list `mark` ("-", "3", "b" or ""), heading `level`
    (0 for none), whether it was all `bold` or began so (`led`), with which words (`lead`, only where others follow
    without a sign between), and its bare `text`.
    """

    number: int
    text: str
    indent: int = 0
    mark: str = ""
    level: int = 0
    bold: bool = False
    led: bool = False
    lead: str = ""

    @property
    def numbered(self) -> bool:
        """Tell whether it has a number or letter in front."""
        return self.mark not in ("", "-")

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words in small letters."""
        return tuple(re.findall(r"[^\W\d_]+", self.text.lower()))


def bare_lines(text: str) -> tuple[Line, ...]:
    """All lines of a text that hold something, in order."""
    found = (_line(number, raw) for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1))
    return tuple(line for line in found if line)


def _line(number: int, raw: str) -> Line | None:
    if _FENCE.match(raw) or _RULER.match(raw):
        return None
    raw = _QUOTE.sub("", raw.expandtabs(4).translate(_INVISIBLE))
    stripped = _without_picture(raw.strip())
    level = len(found[1]) if (found := _LEVEL.match(raw)) else 0
    stripped = _LEVEL.sub("", stripped)
    bold = bool(re.fullmatch(r"(?:(?:\d+[.)]|[-+•])\s*)?(\*\*|__).+\1:?", stripped))
    led = bool(re.match(r"(?:(?:\d+[.)]|[-+•*])\s*)?(?:\*\*|__)(?=\w)", stripped))
    lead = found[1].strip() if led and (found := _LEAD.search(stripped)) else ""
    mark, text = _unmarked(stripped)
    text = one_line(undressed(_LEADER.sub(r"\1 – ", text)))
    if not mark:  # a number may stand inside the emphasis
        mark, text = _unmarked(text)
    indent = len(raw) - len(raw.lstrip())
    return Line(number, text, indent, mark, level, bold, led, lead) if text else None


def _without_picture(text: str) -> str:
    """The text without a picture in front: a bullet before a sentence, an ornament before a heading."""
    sentence = len(text.split()) > 5 or text.endswith((".", "!", "?"))
    return _PICTURE.sub("- " if sentence else "", text)


def undressed(text: str) -> str:
    """The text without emphasis, code marks and simple tags."""
    text = _DOUBLED.sub("", _TAGS.sub(" ", text))
    return _SINGLE.sub(r"\2", text)


def _unmarked(text: str) -> tuple[str, str]:
    """The list mark before a text ("-" for any bullet) and the text after it."""
    if text.startswith(("**", "__")):
        return "", text
    found = _MARK.match(text)
    if found is None or (found["letter"] and found["letter"] == "I" and not found[0].rstrip().endswith((")", "."))):
        return "", text
    if found["bullet"] == "*" and "*" in text[1:] and not text.startswith("* "):
        return "", text  # emphasis, no bullet
    mark, rest = "-" if found["bullet"] else found["number"] or found["letter"], text[found.end() :]
    if found["bullet"] and (inner := re.match(r"\(?(\d{1,3})[.)]\s+(?=\S)", rest)):
        return inner[1], rest[inner.end() :]
    return mark, rest
