"""Tables in which no word is broken, however narrow the terminal: where the columns have no room, rows become lists.

There a word that is longer than a line, as a path is, stands whole on a line of its own, for the terminal to wrap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

GAP = 2


class WordTable(Table):
    """A plain table: no lines, dim headings, two blanks between columns, each at least as wide as its longest word.

    A column with a ratio may be cut short instead, with "…".
    """

    def __init__(self, *, title: str = "", show_header: bool = True) -> None:
        super().__init__(
            title=title or None, title_justify="left", box=None, pad_edge=False, show_header=show_header,
            header_style="dim", padding=(0, GAP, 0, 0),
        )  # fmt: skip

    @classmethod
    def of(
        cls, headings: Sequence[str], rows: Iterable[Sequence[str | Text]], *, numbers: int = 0, title: str = ""
    ) -> WordTable:
        """The table of these rows; the last `numbers` columns stand to the right."""
        table = cls(title=title)
        for n, heading in enumerate(headings, numbers - len(headings)):
            table.add_column(heading, justify="left" if n < 0 else "right")
        for row in rows:
            table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
        return table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """As a table, or as a list of its rows."""
        columns = [self._widths(console, options, column) for column in self.columns]
        room = options.max_width - GAP * max(0, len(columns) - 1)
        if widths := shared(columns, room):
            for column, width in zip(self.columns, widths, strict=True):
                column.width, column.ratio = width, None
            yield from super().__rich_console__(console, options)
        else:
            yield from self._as_list(options.max_width)

    def _widths(self, console: Console, options: ConsoleOptions, column: Column) -> tuple[int, int]:
        """The least and the greatest width that a column has use for."""
        cells = [*([column.header] if self.show_header else []), *column.cells]
        measured = [Measurement.get(console, options.update(max_width=10_000), cell) for cell in cells]
        most = max((m.maximum for m in measured), default=0)
        least = min(8, most) if column.ratio else max((m.minimum for m in measured), default=0)
        return least, most

    def _as_list(self, width: int) -> Iterable[Group]:
        if self.title:
            yield Group(Text(str(self.title)))
        for row in zip(*(column.cells for column in self.columns), strict=True):
            cells = [cell if isinstance(cell, Text) else Text(str(cell)) for cell in row]
            first, *others = [
                Text.assemble(_heading(column) if self.show_header else "", cell)
                for column, cell in zip(self.columns, cells, strict=True)
                if cell.plain.strip()
            ] or [Text()]
            yield Group(first, *(line for cell in others for line in _indented(cell, width)))


def _indented(cell: Text, width: int) -> list[Text | Padding]:
    """A cell on lines of its own, a little to the right."""
    if max(map(len, cell.plain.split()), default=0) <= width - GAP:
        return [Padding(cell, (0, 0, 0, GAP))]
    lines = wrap(cell.plain, width - GAP, break_long_words=False, break_on_hyphens=False)
    return [Text(" " * GAP + line, cell.style, no_wrap=True, overflow="ignore") for line in lines]


def _heading(column: Column) -> tuple[str, str]:
    return (f"{column.header}: " if column.header else "", "dim")


def shared(columns: Sequence[tuple[int, int]], room: int) -> list[int]:
    """Widths between each column's least and greatest that fill the room; [] where not even the least fit."""
    widths = [least for least, _ in columns]
    spare = room - sum(widths)
    if spare < 0:
        return []
    while spare and (open_ := [i for i, (_, most) in enumerate(columns) if widths[i] < most]):
        narrowest = min(open_, key=lambda i: widths[i])
        widths[narrowest] += 1
        spare -= 1
    return widths
