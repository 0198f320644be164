"""Tables at narrow terminals: no word is broken, nothing is lost."""

from __future__ import annotations

import io

from hypothesis import given, strategies as st
from rich.console import Console

from elenchus.service.cli.tables import WordTable, shared

WORDS = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=18)
CELLS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
ROWS = st.integers(1, 5).flatmap(lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=1, max_size=6))


def printed(table: WordTable, width: int) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=width, force_terminal=True, color_system=None, highlight=False).print(table)
    return file.getvalue().splitlines()


def made(rows: list[list[str]], cut: int = -1) -> WordTable:
    table = WordTable()
    for i in range(len(rows[0])):
        table.add_column(f"h{i}", ratio=1 if i == cut else None, no_wrap=i == cut)
    for row in rows:
        table.add_row(*row)
    return table


@given(ROWS, st.integers(24, 110))
def test_every_word_stands_whole_in_a_line_and_no_line_is_too_long(rows: list[list[str]], width: int) -> None:
    lines = printed(made(rows), width)
    assert all(len(line.rstrip()) <= width for line in lines)
    shown = sorted(word for line in lines for word in line.split())
    for word in (word for row in rows for cell in row for word in cell.split()):
        assert word in shown


def test_where_there_is_room_a_row_is_a_line() -> None:
    lines = printed(made([["one two", "three"], ["four", "five six"]]), 40)[1:]
    assert [line.rstrip() for line in lines] == [
        "one two  three",
        "four     five six",
    ]


def test_where_the_columns_have_no_room_a_row_is_a_list() -> None:
    lines = printed(made([["anchoring-neutral", "anchoring-effect", "control"]]), 30)
    assert [line.rstrip() for line in lines] == ["h0: anchoring-neutral", "  h1: anchoring-effect", "  h2: control"]


def test_a_column_that_may_be_cut_gives_way_first() -> None:
    (_, line) = printed(made([["k3", "a title of many words that goes on and on"]], cut=1), 24)
    assert line.rstrip().endswith("…")


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 60)).map(lambda p: (p[0], p[0] + p[1]))), st.integers(0, 200)
)
def test_the_room_is_shared_between_the_least_and_the_most(columns: list[tuple[int, int]], room: int) -> None:
    widths = shared(columns, room)
    if not widths:
        assert not columns or sum(least for least, _ in columns) > room
        return
    assert all(least <= width <= most for width, (least, most) in zip(widths, columns, strict=True))
    assert sum(widths) == min(room, sum(most for _, most in columns))
