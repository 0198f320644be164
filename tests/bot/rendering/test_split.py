"""Long texts in pieces that fit a message."""

from __future__ import annotations

import re

import regex
from hypothesis import example, given, strategies as st

from elenchus.bot.rendering.safe import units
from elenchus.bot.rendering.split import split

WORDS = st.text(alphabet=st.sampled_from("ab.!? \n\té漢👩‍👩‍👧🇩🇪`\u0301\u200d。"), max_size=400)
LIMITS = st.integers(min_value=40, max_value=120)


def bare(text: str) -> str:
    """Return the text without space and without the fences that splitting may add."""
    return re.sub(r"\s+|```", "", text)


def long_text(sentences: int) -> str:
    return " ".join(f"This is sentence number {n} of a longer speech." for n in range(sentences))


@given(WORDS, LIMITS)
@example("\u0301" * 200, 40)
@example("a" * 39 + "👩‍👩‍👧", 40)
def test_every_piece_fits_and_none_is_blank(text: str, limit: int) -> None:
    pieces = split(text, limit)
    assert all(units(piece) <= limit for piece in pieces)
    assert all(piece.strip() for piece in pieces)


@given(WORDS, LIMITS)
def test_nothing_but_space_is_lost(text: str, limit: int) -> None:
    assert bare("".join(split(text, limit))) == bare(text)


@given(st.text(max_size=300), LIMITS)
def test_nothing_is_lost_of_any_text(text: str, limit: int) -> None:
    assert bare("".join(split(text, limit))) == bare(text)


@given(WORDS, LIMITS)
def test_every_fence_that_is_opened_is_closed_in_the_same_piece(text: str, limit: int) -> None:
    for piece in split(text, limit):
        assert piece.count("```") % 2 == 0


@given(st.lists(st.sampled_from(["a", "é", "e\u0301", "👩‍👩‍👧", "🇩🇪", "漢", "👍🏽"]), min_size=1, max_size=200), LIMITS)
def test_no_character_that_a_reader_sees_as_one_is_cut(characters: list[str], limit: int) -> None:
    text = "".join(characters)
    pieces = split(text, limit)
    assert [g for piece in pieces for g in regex.findall(r"\X", piece)] == regex.findall(r"\X", text)


@given(WORDS)
def test_a_text_that_fits_stays_one_piece(text: str) -> None:
    assert len(split(text, 4_000)) <= 1


def test_a_speech_is_cut_between_paragraphs_where_it_can_be() -> None:
    one, two, three = long_text(20), long_text(25), long_text(10)
    assert split(f"{one}\n\n{two}\n\n{three}") == [one, f"{two}\n\n{three}"]


def test_a_paragraph_that_is_too_long_is_cut_between_sentences() -> None:
    pieces = split(long_text(120))
    assert len(pieces) == 3
    assert all(piece.endswith(".") and piece.startswith("This is") for piece in pieces)


def test_a_sentence_that_is_too_long_is_cut_between_words() -> None:
    assert split("word " * 20, 42) == ["word word word word word word word word"] * 2 + ["word word word word"]


def test_a_code_block_that_fits_a_message_is_never_cut() -> None:
    code = "```python\n" + "x = 1\n" * 100 + "```"
    text = f"{long_text(30)}\n\n{code}\n\n{long_text(30)}"
    assert sum(code in piece for piece in split(text)) == 1


def test_a_longer_code_block_is_closed_and_opened_again_in_its_language() -> None:
    lines = [f"    value[{n}] = {n}" for n in range(200)]
    pieces = split("```python\n" + "\n".join(lines) + "\n```")
    assert len(pieces) > 1
    assert all(piece.startswith("```python\n") and piece.endswith("\n```") for piece in pieces)
    assert [line for piece in pieces for line in piece.split("\n")[1:-1]] == lines


def test_a_code_block_that_was_never_closed_is_closed() -> None:
    assert split("look:\n```\nx = 1") == ["look:\n```\nx = 1\n```"]
