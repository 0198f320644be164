"""A report as titled sections of blocks, whose every text is Markdown that is safe to render, and as one such text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from elenchus.debate_engine.reports import words
from elenchus.debate_engine.reports.escape import inline, quoted

_MARKS = {"l": ":--", "r": "--:", "-": "---"}


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture that is exported as `name`.png and `name`.svg; `numbers` says where its numbers are."""

    name: str
    alt: str
    numbers: str = "in the table below"


@dataclass(frozen=True, slots=True)
class ReportSpeech:
    """Somebody's words. `role` is for colour; `head` says who to whom; `text` is escaped Markdown."""

    role: Literal["pro", "con", "moderator", "other"]
    head: str
    text: str


ReportBlock = str | Figure | ReportSpeech


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report under a heading; `id` is its anchor."""

    id: str
    title: str
    blocks: tuple[ReportBlock, ...]


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


def markdown_of(report: Report) -> str:
    """The report in Markdown (`report.md`), with its pictures beside it. Pure."""
    blocks = [
        f"# {report.title}",
        report.under,
        *(quoted(notice) for notice in report.notices),
        *([f"## {words.HEADINGS['summary']}", bullets(list(report.summary))] if report.summary else []),
    ]
    for section in report.sections:
        blocks += [f"## {section.title}", *map(_block, section.blocks)]
    return "\n\n".join(block.strip("\n") for block in blocks) + "\n"


def _block(block: ReportBlock) -> str:
    match block:
        case Figure(name=name, alt=alt):
            return f"![{inline(alt)}]({name}.png)"
        case ReportSpeech(head=head, text=text):
            return f"**{head}**\n\n{quoted(text)}"
    return block
