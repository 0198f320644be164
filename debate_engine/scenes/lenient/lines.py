"""A script's lines without their markup: emphasis, quote marks and list marks are taken off and remembered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from elenchus.debate_engine.printable import one_line

_FENCE = re.compile(r"^\s*(?:>\s*)*(?:```+|~~~+)\s*[\w.+-]*\s*$")
_RULER = re.compile(r"^\s*(?:[-*_=]\s*){3,}$")
_QUOTE = re.compile(r"^(?:\s{0,3}>\s?)+")
_LEVEL = re.compile(r"^\s{0,8}(#{1,6})\s*(?=\S)")
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff")) | {0xA0: " "}
_FULL_WIDTH = str.maketrans("（）【】：，；", "()[]:,;")
_PICTURE = re.compile(r"^(?![◦▪])[\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]\ufe0f?\s+(?=\S)")
_EMPHASIS = re.compile(r"\*\*+|__+|`+|~~|</?(?:b|i|u|em|strong|br|p|li|ul|ol|span|div)\s*/?>")
_LEAD = re.compile(r"^(?:(?:\d+[.)]|[-+*•])\s*)?(\*\*|__)(?P<lead>[^*_]+)\1\s+(?=\w)")
_SINGLE = re.compile(r"(?<![\w*])([*_])(?=\S)([^*_\n]*\S)\1(?![\w*])")
_MARK = re.compile(
    r"(?P<bullet>[-*+•·◦▪–—])\s+(?=\S)"
    r"|\(?(?P<number>\d{1,3}(?:\.\d{1,2})*)(?:\s*[.):、]+\s*(?=[^\d\s%])|\s+(?=[A-Z([]))"
    r"|\(?(?P<letter>[a-zA-Z]|[ivxIVX]{2,4})[.)]\s+(?=\S)"
)


@dataclass(frozen=True)
class Line:
    """A line: its `number` from 1, its bare `text`, its `indent`, its list `mark` ("-" for a bullet, "3", "b" or "" for
    none), its heading `level` (0 for none), whether all of it was `bold`, and the bold words (`lead`) before others.
    """

    number: int
    text: str
    indent: int = 0
    mark: str = ""
    level: int = 0
    bold: bool = False
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
    """All lines of a text that hold something, in order, tables written out. A picture before several is a mark."""
    raws = re.split(r"\r\n|\r|\n", text)
    pictures = Counter(sign[0].strip() for raw in raws if (sign := _PICTURE.match(raw.strip())))
    marks = {picture for picture, times in pictures.items() if times > 1}
    found = (_line(number, raw, marks) for number, raw in enumerate(raws, 1))
    return tuple(_without_tables(line for line in found if line))


def _line(number: int, raw: str, marks: Collection[str]) -> Line | None:
    if _FENCE.match(raw) or _RULER.match(raw):
        return None
    raw = _QUOTE.sub("", raw.expandtabs(4).translate(_INVISIBLE).translate(_FULL_WIDTH))
    found = _LEVEL.match(raw)
    level = len(found[1]) if found else 0
    text = _PICTURE.sub(lambda found: "- " if found[0].strip() in marks else "", _LEVEL.sub("", raw).strip())
    lead = _LEAD.match(text)
    bold = bool(re.fullmatch(r"(?:(?:\d+[.)]|[-+•])\s*)?(\*\*|__)[^*]+\1:?", text))
    text, mark = one_line(_SINGLE.sub(r"\2", _EMPHASIS.sub("", text))), ""
    while listed := _MARK.match(text):
        text, mark = text[listed.end() :], listed["number"] or listed["letter"] or mark or "-"
    return (
        Line(number, text, len(raw) - len(raw.lstrip()), mark, level, bold, lead["lead"] if lead else "")
        if text
        else None
    )


def _without_tables(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, each row of a table as `Heading: cell` lines under a line that begins a role or a rule."""
    head: list[str] = []
    for line in lines:
        cells = [cell.strip() for cell in line.text.removeprefix("|").removesuffix("|").split("|")]
        if not line.text.startswith("|") or len(cells) < 2:
            head = []
            yield line
        elif not head:
            head = cells
        elif not all(re.fullmatch(r":?-*:?", cell) for cell in cells):
            of_rules = any(column.lower().startswith(("mode", "transmission")) for column in head)
            yield replace(line, text="Rule 1" if of_rules else "Role 1")
            for column, cell in zip(head, cells, strict=False):
                if cell and not re.fullmatch(r"(?:\w+\s)?\d{1,3}[.)]?", cell):
                    yield replace(
                        line, text=f"{re.sub(r' *[(].*', '', column) or 'Content'}: {cell}", mark="-", indent=4
                    )
