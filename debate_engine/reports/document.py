"""A report before it has a form: titled sections of blocks. Every text in it is Markdown that is safe to render."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture that is exported as `name`.png and `name`.svg."""

    name: str
    alt: str
    caption: str


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


def table(head: list[str], rows: list[list[str]], align: str = "") -> str:
    """A Markdown table; `align` holds l or r for each column. Cells are Markdown without bare `|`."""
    marks = ["--:" if a == "r" else ":--" for a in align.ljust(len(head), "l")]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, marks, *rows))


def bullets(items: list[str]) -> str:
    """A Markdown list."""
    return "\n".join(f"- {item}" for item in items)
