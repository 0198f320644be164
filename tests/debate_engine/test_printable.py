"""Nothing that people or models write drives a terminal, hides, turns text round or calculates in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import unicodedata

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.printable import csv_cell, json_text, one_line, printable

HARMFUL = (
    "\x00\x07\x08\x1b\x7f\x84\x85\x9b\x9d\x9c\u061c\u180e\u200b\u202a\u202e\u2060\u2066\u2069\ufeff\ufff9\U000e0041"
)
"""One of every kind."""


def harmful_in(text: str) -> set[str]:
    """The characters of a text that no edge may let through."""
    kept = "\n\t\u200c\u200d\u200e\u200f\u00ad\u0600"
    kinds = {c: unicodedata.category(c) for c in set(text) - set(kept)}
    return {c for c, kind in kinds.items() if kind in ("Cc", "Cs", "Zl", "Zp") or c in HARMFUL}


@given(st.text() | st.text(alphabet=HARMFUL + "ab \n\r\t\u2028\u2029\ud800\udc00"))
def test_what_is_printable_is_so_to_the_last_character_and_stays_as_it_is(text: str) -> None:
    shown = printable(text)
    assert not harmful_in(shown)
    assert printable(shown) == shown
    shown.encode()
    assert "\n" not in one_line(text)


def test_the_words_of_every_script_and_emoji_stay() -> None:
    for words in ("Grüße, 世界!\n\tتجربة \u200fא", "می\u200cخواهم", "क्\u200dष", "👩\u200d🔬 🏳\ufe0f\u200d🌈 e\u0301"):
        assert printable(words) == words
    assert printable("a\x1b[2Jb\x9b31mc\r\nd\re\u2028f") == "a[2Jb31mc\nd\ne\nf"


@given(
    st.recursive(
        st.text() | st.text(HARMFUL) | st.integers(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(HARMFUL), inner),
    )
)
def test_json_reads_back_the_same_and_holds_nothing_that_does_not_print(value: object) -> None:
    for options in ({}, {"indent": 2}):
        written = json_text(value, **options)
        assert json.loads(written) == value
        assert not harmful_in(written) - set(map(chr, range(0xD800, 0xE000)))


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "\n=1", "\u200b=1", "＝1+1", "\x1b=1"],
)
def test_no_cell_is_a_formula(text: str) -> None:
    out = io.StringIO()
    csv.writer(out).writerow([csv_cell(text), "next"])
    (row,) = csv.reader(io.StringIO(out.getvalue()))
    assert row[0].startswith("'")
    assert row[1] == "next"


def test_a_figure_and_a_word_are_cells_as_they_are() -> None:
    assert [csv_cell(text) for text in ("-0.5", "+3", "12 %", "a=b", "")] == ["-0.5", "+3", "12 %", "a=b", ""]
