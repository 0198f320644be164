"""Finished things as they stand in the scrollback of a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.markdown import Heading as MarkdownHeading, Markdown
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from elenchus.debate_engine.protocols.socrasynth.heat import band_of
from elenchus.debate_engine.reports.blocks import Block, Fact, Heading, Note, Paragraph, Rows, Speech
from elenchus.service.cli.output import clean
from elenchus.service.cli.tables import WordTable

COLOURS = {"pro": "cyan", "con": "magenta", "moderator": "green", "crit": "blue"}
_STYLES = {"end": "yellow", "good": "green", "warn": "yellow", "dim": "dim", "strong": "bold", "judge": "yellow"}
_TONES = {"": ("·", "dim"), "good": ("›", "green"), "warn": ("!", "yellow"), "moderator": ("»", "green")}
_BARS = "▁▂▃▄▅▆▇█"
_SYSTEM = "system"
"""Who tells what a scene tells: `scenes.scene.SYSTEM`, whose import would make every start slower."""

_LONGEST_SHORT = 24
"""Characters of a number, or a word or two: longer ones are texts."""
_LINE_END = re.compile(r"(?<!\n)\n(?!\n)")


def colour_of(seat: str) -> str:
    """The colour in which a seat is shown everywhere."""
    return COLOURS.get(seat, "yellow")


def rendered(block: Block) -> RenderableType:
    """A block, ready to be printed."""
    match block:
        case Speech():
            return spoken(block)
        case Heading(text=text, tone=tone):
            return headline(text.upper(), style_of(tone))
        case Fact(stands_out=True):
            return _standing_out(block)
        case Fact(name=name, text=text, tone=tone):
            return _indented(Text.assemble((f"{clean(name)}: ", "dim"), (clean(text), _bold(tone))))
        case Rows():
            return _indented(_table(block))
        case Note(text=text, tone=tone):
            mark, style = _TONES.get(tone, _TONES[""])
            return _hanging(mark, clean(text), style)
        case Paragraph(text=text, tone=tone, markdown=markdown):
            return _indented(words(text) if markdown else Text(clean(text), style=style_of(tone)))


def _standing_out(fact: Fact) -> RenderableType:
    """Under a headline of its own; how a session was broken off stands in the headline itself."""
    if fact.tone == "end" or not fact.text:
        told = f"{fact.name.upper()}: {fact.text}" if fact.text else fact.name.upper()
        return headline(told, style_of(fact.tone))
    text = _indented(Text(clean(fact.text), style=_bold(fact.tone)))
    return Group(headline(fact.name.upper(), style_of(fact.tone)), text)


def _bold(tone: str) -> str:
    return f"bold {style_of(tone)}".strip()


def _table(block: Rows) -> WordTable:
    rows = [[Text(clean(cell), style=COLOURS.get(cell, "")) for cell in row] for row in block.rows]
    return WordTable.of(block.head, rows, numbers=_to_the_right(block))


def _to_the_right(block: Rows) -> int:
    """How many of the last columns stand to the right: none that holds a text, nor those before one; not the first."""
    columns = [[str(cell) for cell in column] for column in zip(*block.rows, strict=True)]
    short = [all(len(cell) <= _LONGEST_SHORT for cell in column) for column in columns[1:]]
    return next((n for n, one in enumerate(reversed(short)) if not one), len(short))


def _indented(what: RenderableType) -> RenderableType:
    return Padding(what, (0, 0, 0, 3))


def style_of(tone: str) -> str:
    """The colour of a tone: a seat's, or what it says."""
    return _STYLES.get(tone, COLOURS.get(tone, ""))


def _hanging(mark: str, text: str, style: str) -> RenderableType:
    """A text behind a mark; its further lines begin below its first word."""
    line = Table.grid(padding=(0, 1, 0, 0))
    line.add_column(no_wrap=True)
    line.add_column(overflow="fold")
    line.add_row(Text(f" {mark}", style=style), Text(text, style=style))
    return line


def headline(text: str, colour: str = "") -> RenderableType:
    """A line across the terminal with a title at its beginning."""
    return Padding(
        Rule(Text(clean(text), style=f"bold {colour}".strip()), align="left", style=colour or "dim"), (1, 0, 0, 0)
    )


# ── speeches ─────────────────────────────────────────────────────────────────────────────────────────────────────


class _PlainHeading(MarkdownHeading):
    """A heading at the left edge, without a box."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        self.text.stylize("bold")
        yield self.text


class Words(Markdown):
    """What somebody said: Markdown with plain headings."""

    elements: ClassVar[dict[str, Any]] = {**Markdown.elements, "heading_open": _PlainHeading}


def spoken(item: Speech) -> RenderableType:
    """A speech under the name of its speaker."""
    heat = f"heat {item.heat:.2f}" if item.heat is not None else ""
    title = " · ".join(part for part in (item.speaker.upper(), item.about, heat, item.model) if part)
    said = words(item.text, line_by_line=item.speaker == _SYSTEM)
    return Group(headline(title, colour_of(item.speaker)), Padding(said, (0, 0, 0, 2)))


def words(text: str, *, line_by_line: bool = False) -> RenderableType:
    """Text from outside as Markdown, without control characters; `line_by_line` keeps each of its lines one."""
    shown = _LINE_END.sub("  \n", clean(text)) if line_by_line else clean(text)
    return Words(shown, hyperlinks=False)


def sparkline(values: Sequence[float | None]) -> str:
    """Scores from 1 to 10 as small bars; a dot where there is none."""
    return "".join(
        "·" if v is None else _BARS[min(len(_BARS) - 1, max(0, int((v - 1) / 9 * len(_BARS))))] for v in values
    )


def heat_bar(heat: float, width: int = 16) -> Text:
    """The contentiousness as a bar from cool to hot."""
    full = round(heat * width)
    style = "red" if heat >= 0.8 else "bright_red" if heat >= 0.6 else "yellow" if heat >= 0.4 else "green"
    return Text.assemble(("━" * full, style), ("━" * (width - full), "bright_black"), (f" {heat:.2f}", f"bold {style}"))


def tone_of(heat: float) -> str:
    """The tone of a heat in a few words."""
    return band_of(heat).tone.split(":")[0].split(",")[0]
