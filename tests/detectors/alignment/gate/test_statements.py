"""The labelled statements: balanced in every way that could give a label away, and read with a fault's line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from elenchus.config.bias_type_catalogue import distinct, everyday_topics, types
from elenchus.config.documents import UnreadableDocument
from elenchus.detectors.alignment.gate.conditions import auc_of
from elenchus.detectors.alignment.gate.statements import read_statements, rounds_of

ITEMS = read_statements()


def test_there_are_enough_and_both_labels_are_as_frequent_in_every_style_topic_and_type() -> None:
    assert len(ITEMS) == 360
    assert len({one.text for one in ITEMS}) == 360
    assert Counter((one.style, one.high) for one in ITEMS) == dict.fromkeys(
        [(style, high) for style in ("plain", "debate") for high in (True, False)], 90
    )
    assert set(Counter((one.subject, one.high) for one in ITEMS).values()) == {3}
    assert Counter(one.bias for one in ITEMS) == dict.fromkeys(types(), 72)


def test_the_length_of_a_statement_hardly_tells_its_label() -> None:
    lengths: list[float | None] = [float(len(one.text.split())) for one in ITEMS]
    assert 0.4 < auc_of(ITEMS, lengths, 0).value < 0.6


def test_no_topic_is_one_that_debates_come_with() -> None:
    topics = list(dict.fromkeys(one.topic for one in ITEMS))
    assert len(topics) == 60
    assert len(distinct([*everyday_topics(), *topics])) == 100


def test_rounds_are_of_three_and_every_statement_stands_in_one() -> None:
    rounds = rounds_of(ITEMS)
    assert len(rounds) == 120
    assert sorted(n for of in rounds for n in of) == list(range(360))
    assert all(len({ITEMS[n].subject for n in of}) == 1 for of in rounds)
    assert rounds_of(ITEMS[:5]) == [(0, 1, 2)], "a rest of fewer makes none"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("plain high: No topic.\n", "line 1: a statement stands before the first topic"),
        ("age: tea\nplain maybe high Words\n", "line 2: write `type: topic`"),
        ("age: tea\nplain high: Words.\n", "it needs statements of high and of low bias"),
        ("", "it needs statements"),
        (
            "age: tea\nplain high: They don't care.\nplain low: We do.\nage: bread\nplain high: they  dont care!\n",
            r"line 5: the same words stand in line 2 already",
        ),
        ("age: tea\nplain high: Words.\nplain low: WORDS\n", "line 3: the same words stand in line 2 already"),
    ],
)
def test_a_file_of_ones_own_is_refused_with_its_fault(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "own.txt"
    path.write_text(text)
    with pytest.raises(UnreadableDocument, match=said):
        read_statements(path)


def test_words_that_differ_in_a_mark_of_a_vowel_are_two_statements(tmp_path: Path) -> None:
    """Hindi की and का: marks are no punctuation."""
    path = tmp_path / "own.txt"
    path.write_text("age: tea\nplain high: की\nplain low: का\n", "utf-8")
    assert len(read_statements(path)) == 2
