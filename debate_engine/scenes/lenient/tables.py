"""Turns a Markdown table into the lines that would say the same: one block of `Heading: cell` lines a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest

from debate_engine.scenes.lenient.fields import field_of
from debate_engine.scenes.lenient.lines import Line

_ROW = re.compile(r"^\|?(?:[^|]*\|){2,}[^|]*$")
_RULE_COLUMNS = re.compile(
    r"\b(?:mode|initiator|receivers?|recipients?|sender|speaker|from|to|transmission|type|purpose|content|message|rule)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^(?:rule|step|no\.?|r|#)?\s*\d{1,3}[.)]?$", re.IGNORECASE)
_NUMBER_COLUMN = re.compile(r"^(?:#|no\.?|nr\.?|number|step|order|rule|)$", re.IGNORECASE)


def without_tables(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, each table's rows written out."""
    head: list[str] = []
    lines = tuple(lines)
    for line, after in zip_longest(lines, lines[1:]):
        if not _ROW.match(line.text) or not (head or line.text.startswith("|") or _is_ruler(after)):
            head = []
            yield line
            continue
        cells = _cells(line)
        if not head:
            head = cells
        elif not _is_ruler(line):
            yield from _row(line, head, cells)


def _cells(line: Line) -> list[str]:
    return [cell.strip() for cell in line.text.strip().strip("|").split("|")]


def _is_ruler(line: Line | None) -> bool:
    """Tell whether a line only sets a table's head apart."""
    return bool(line and "|" in line.text and all(re.fullmatch(r":?-*:?", cell) for cell in _cells(line)))


def _row(line: Line, head: list[str], cells: list[str]) -> Iterator[Line]:
    of_rules = sum(bool(_RULE_COLUMNS.search(column)) for column in head) > 1
    if of_rules or any(field_of(f"{column}: x")[0] == "name" for column in head):
        yield replace(line, text="Rule 1" if of_rules else "Role 1", mark="", indent=0)
    for column, cell in zip(head, cells, strict=False):
        if cell and not (_NUMBER_COLUMN.match(column) and _NUMBER.match(cell)):
            key = re.sub(r"\s*\([^)]*\)$", "", column) or "Content"
            yield replace(line, text=f"{key}: {cell}", mark="-", indent=4)
