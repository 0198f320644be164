"""A report before it has a form: titled sections of blocks. Every text in it is Markdown that is safe to render."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

_MARKS = {"l": ":--", "r": "--:", "-": "---"}


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture that is exported as `name`.png and `name`.svg."""

    name: str
    alt: str


@dataclass(frozen=True, slots=True)
class Speech:
    """Somebody's words. `role` is for colour; `head` says who to whom; `text` is escaped Markdown."""

    role: Literal["pro", "con", "moderator", "other"]
    head: str
    text: str


Block = str | Figure | Speech


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report under a heading; `id` is its anchor."""

    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The whole. `notices` are what must be known before anything else; `summary` are plain sentences."""

    title: str
    under: str
    notices: tuple[str, ...]
    summary: tuple[str, ...]
    sections: tuple[Section, ...]


def table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str = "l") -> str:
    """A Markdown table. Cells are Markdown without bare `|`.

    `align` holds l, r or - (as the reader's program likes) for each column; the last holds for all that follow.
    """
    marks = [_MARKS[a] for a in align.ljust(len(head), align[-1])]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, marks, *rows))


def bullets(items: Iterable[str]) -> str:
    """A Markdown list."""
    return "\n".join(f"- {item}" for item in items)
