from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, strategies as st

from elenchus.debate_engine.protocols.crit.passages import paragraphs_of, parts_of, passage_of
from elenchus.debate_engine.protocols.crit.quotes import missing, normalised, quotes_in, stands_in

TEXT = """The council's report – published in 2019 – says “the bridge is safe”.

It doesn't say *why*. Two engineers resigned over it, and nobody asked them."""
WORDS = st.lists(st.text("abcxyz", min_size=1, max_size=6), min_size=1, max_size=30)


@pytest.mark.parametrize(
    "quote",
    [
        "the bridge is safe",
        "THE BRIDGE\n  is safe.",
        '"the bridge is safe"',
        "The council’s report - published in 2019",
        "It doesn’t say why",
        "The council's report … the bridge is safe",
        "Two engineers resigned [...] nobody asked them",
        "...resigned over it...",
        "",
    ],
)
def test_a_quote_is_found_whatever_its_spacing_case_marks_and_ellipses(quote: str) -> None:
    assert stands_in(quote, normalised(TEXT))


@pytest.mark.parametrize("quote", ["the bridge is unsafe", "nobody asked them … Two engineers", "a study from 2020"])
def test_a_quote_that_is_not_in_the_text_is_missing(quote: str) -> None:
    assert missing(["the bridge is safe", quote, quote], normalised(TEXT)) == (quote,)


@given(WORDS, st.data())
def test_any_run_of_words_of_a_text_is_found_in_it(words: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    space = data.draw(st.sampled_from([" ", "\n", "  \t"]))
    quote = data.draw(st.sampled_from(['"{}"', "“{}”", "*{}*", "{}.", "…{}…"])).format(space.join(words[start:end]))
    assert missing([quote.upper()], normalised(" ".join(words))) == ()


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)


def test_a_long_run_of_blanks_takes_no_longer_than_words() -> None:
    begun = process_time()
    assert normalised(f"a{' ' * 50_000}\n – b") == "a-b"
    assert process_time() - begun < 5.0, "half a minute, where each blank is begun from anew"


@given(st.text())
def test_every_text_stands_in_itself(text: str) -> None:
    assert stands_in(text, normalised(text))


def test_quoted_phrases_are_found_and_single_words_are_not() -> None:
    text = (
        'It says "the bridge is safe", „zwei Wörter mehr“ and ‘that’s not so bad’, but calls it "safe" and isn\'t it.'
    )
    assert quotes_in(text) == ["the bridge is safe", "zwei Wörter mehr", "that’s not so bad"]


def test_phrases_in_scripts_without_blanks_between_words_are_found_and_single_words_are_not() -> None:
    text = "他们说“那些钱就白花了。”，又说“白花”。彼は「三年間が無駄になる」と言い、「無駄」とは言わない。"
    assert quotes_in(text) == ["那些钱就白花了。", "三年間が無駄になる"]
    assert stands_in("那些钱就白花了。", normalised("如果现在停下来，那些钱就白花了，所以我们继续造。"))
    assert stands_in("三年間が無駄になる", normalised("今やめたら『三年間が無駄になる』のです。"))
    assert not stands_in("我们从不计算成本", normalised("如果现在停下来，那些钱就白花了。"))


def tokens(text: str) -> int:
    return -(-len(text) // 4)


@given(st.lists(st.text("ab. \n", max_size=60), max_size=12).map("\n\n".join), st.integers(2, 40))
def test_parts_fit_and_lose_nothing(text: str, room: int) -> None:
    parts = parts_of(text, room, tokens)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(tokens(part) <= room for part in parts)


@given(st.lists(st.text("ab", min_size=1, max_size=8), max_size=60), st.integers(2, 12))
def test_words_that_fit_are_not_cut(words: list[str], room: int) -> None:
    parts = parts_of(" ".join(words), room, tokens)
    assert " ".join(parts).split() == words


def test_a_short_text_is_one_part_and_keeps_its_paragraphs() -> None:
    assert parts_of("one\n\n\ntwo\nlines", 100, tokens) == ["one\n\ntwo\nlines"]
    assert parts_of(" \n ", 100, tokens) == []


def test_the_passage_of_a_reason_is_where_its_quote_stands() -> None:
    paragraphs = paragraphs_of("\n\n".join(f"Paragraph {n} speaks of {w}." for n, w in enumerate("ABCDEFGH")))
    assert passage_of(paragraphs, "speaks of F", "x", words=5) == "Paragraph 5 speaks of F."
    assert passage_of(paragraphs, "not there", "what does it say of C?", words=5) == "Paragraph 2 speaks of C."
    assert (
        passage_of(paragraphs, "speaks of H", "x", words=12) == "Paragraph 6 speaks of G.\n\nParagraph 7 speaks of H."
    )
    assert passage_of((), "q", "r") == ""
