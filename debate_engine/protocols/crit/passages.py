"""Cutting a document into parts that fit a context, and finding the passage where a reason stands. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from elenchus.debate_engine.protocols.crit.quotes import normalised, stands_in
from elenchus.debate_engine.words import count_words, terms_of

_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+")


def parts_of(text: str, room: int, tokens: Callable[[str], int]) -> list[str]:
    """The text in parts of at most `room` tokens, cut between paragraphs; a longer paragraph is cut between its
    sentences, a longer sentence between its words, a longer word anywhere. Nothing but white space is lost; a text
    without words has no part.
    """
    parts: list[list[str]] = []
    filled = room
    for piece, gap in _pieces(text, room, tokens):
        size = tokens(piece) + 1  # one for the gap: estimates of pieces add up to no less than that of the whole
        if filled + size <= room:
            parts[-1] += [gap, piece]
            filled += size
        else:
            parts.append([piece])
            filled = size
    return ["".join(part) for part in parts]


def _pieces(text: str, room: int, tokens: Callable[[str], int]) -> Iterator[tuple[str, str]]:
    """Pieces that fit, each with the space that stood before it."""
    for paragraph in filter(None, map(str.strip, _PARAGRAPH.split(text))):
        if tokens(paragraph) <= room:
            yield paragraph, "\n\n"
            continue
        gap = "\n\n"
        for sentence in _SENTENCE.split(paragraph):
            for piece in [sentence] if tokens(sentence) <= room else _by_words(sentence, room, tokens):
                yield piece, gap
                gap = " "


def _by_words(sentence: str, room: int, tokens: Callable[[str], int]) -> Iterator[str]:
    words = [piece for word in sentence.split() for piece in _by_letters(word, room, tokens)]
    start, most = 0, 2 * room  # a word and its space are more than half a token
    while start < len(words):
        count = min(most, len(words) - start)
        while count > 1 and tokens(" ".join(words[start : start + count])) > room:
            count = max(1, count * 3 // 4)
        yield " ".join(words[start : start + count])
        start += count


def _by_letters(word: str, room: int, tokens: Callable[[str], int]) -> Iterator[str]:
    if tokens(word) <= room:
        yield word
    else:
        size = max(1, room // 3)  # no letter is more than three tokens
        yield from (word[start : start + size] for start in range(0, len(word), size))


class Paragraph(NamedTuple):
    """A paragraph, the same `normalised` for searching, and its words."""

    text: str
    normal: str
    words: frozenset[str]


def paragraphs_of(text: str) -> tuple[Paragraph, ...]:
    """The paragraphs that have words."""
    stripped = ((p, normalised(p)) for p in map(str.strip, _PARAGRAPH.split(text)) if p)
    return tuple(Paragraph(p, normal, frozenset(terms_of(normal))) for p, normal in stripped)


def passage_of(paragraphs: Sequence[Paragraph], quote: str, reason: str, words: int = 400) -> str:
    """The paragraph in which the quote stands (else the one that shares most words with the reason), with its
    neighbours, up to about `words` words.
    """
    if not paragraphs:
        return ""
    first = last = _home(paragraphs, quote, reason)
    length = _words(paragraphs[first])
    while True:
        if last + 1 < len(paragraphs) and length + _words(paragraphs[last + 1]) <= words:
            last += 1
            length += _words(paragraphs[last])
        elif first and length + _words(paragraphs[first - 1]) <= words:
            first -= 1
            length += _words(paragraphs[first])
        else:
            return "\n\n".join(p.text for p in paragraphs[first : last + 1])


def _words(paragraph: Paragraph) -> int:
    return count_words(paragraph.text)


def _home(paragraphs: Sequence[Paragraph], quote: str, reason: str) -> int:
    if quote.strip():
        for i, paragraph in enumerate(paragraphs):
            if stands_in(quote, paragraph.normal):
                return i
    wanted = terms_of(normalised(f"{quote} {reason}"))
    shared = [len(wanted & p.words) for p in paragraphs]
    return max(range(len(paragraphs)), key=shared.__getitem__)
