"""The text as it is shown, cut, quoted and marked."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError

from elenchus.debate_engine.llm.budget import estimate_tokens
from elenchus.detectors.examined_text import ExaminedText, spans_of
from elenchus.detectors.schemas import DetectConfig, Turn

words = st.text(alphabet="abcdeé, .\n'", min_size=1).filter(lambda text: any(map(str.isalnum, text)))


def material(*texts: str, speaker: str = "", context: int = 8192) -> ExaminedText:
    named = len(texts) > 1
    turns = tuple(Turn(number=n, speaker=f"s{n}" if named else "", text=t) for n, t in enumerate(texts, 1))
    return ExaminedText.of(DetectConfig(turns=turns, speaker=speaker, context_tokens=context))


@given(words)
def test_whatever_the_text_its_own_words_are_found_in_their_place(text: str) -> None:
    of = material(text)
    (quote,) = of.quoted([text])
    assert quote.found
    assert all(of.text[start:end].strip() for start, end in quote.spans)


def test_a_quote_is_placed_whatever_its_spacing_case_and_marks_and_by_its_parts() -> None:
    text = "He said: “All THAT\nmoney — three years’ worth — would be for nothing.”"
    ((start, end),) = spans_of("all that money, three years' worth", text)
    assert text[start:end] == "All THAT\nmoney — three years’ worth"
    assert [text[a:b] for a, b in spans_of("said … for nothing", text)] == ["said", "for nothing"]
    assert spans_of("no such words", text) == []


def test_a_quote_of_another_speaker_does_not_count() -> None:
    of = material("I would stop here.", "But the money is gone.", speaker="s2")
    mine, others = of.quoted(["the money is gone", "I would stop here"])
    assert (mine.found, mine.turn, mine.speaker) == (True, 2, "s2")
    assert of.text[slice(*mine.spans[0])] == "the money is gone"
    assert not others.found


def test_quotes_without_a_word_are_left_out_and_each_is_taken_once() -> None:
    assert [quote.words for quote in material("One two.").quoted([" ", "…", "One two", "One two "])] == ["One two"]


def test_a_text_is_cut_at_a_sentence_to_what_fits_and_what_is_left_out_is_counted() -> None:
    text = " ".join(f"This is sentence number {n} of many." for n in range(300))
    of = material(text, context=2048)
    assert 400 < estimate_tokens(of.text) <= 512
    assert of.text.endswith("of many.")
    assert of.left_out == len(text.split()) - len(of.text.split()) > 0


def test_turns_that_do_not_fit_are_left_out_from_the_end() -> None:
    of = material("First turn here. " * 20, "Second turn here. " * 400, "Third turn.", context=2048)
    assert [part.turn.number for part in of.parts] == [1, 2]
    assert "Third turn" not in of.text


@pytest.mark.parametrize("turns", [(), (Turn(text=" \n"),), (Turn(speaker="a", text=""), Turn(speaker="b", text="x"))])
def test_there_must_be_something_to_examine(turns: tuple[Turn, ...]) -> None:
    with pytest.raises(ValidationError, match="no words to examine"):
        DetectConfig(turns=turns, speaker="a" if len(turns) == 2 else "")


def test_a_megabyte_is_read_in_a_moment() -> None:
    of = material("The money is gone. " * 55_000)
    assert of.left_out > 100_000
