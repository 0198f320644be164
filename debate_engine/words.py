"""Words in any script: how many there are, where to cut, and what two texts have in common. Pure.

Chinese and Japanese, Thai, Lao, Khmer, Burmese, Tibetan and some others put no blanks between words. There a letter
stands for a part of a word: two Chinese or Japanese ones, or four of the others (vowel signs and tone marks are letters
of their own), for about a word. Dictionaries would find the words themselves; these figures are right on average.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import ceil
from typing import Any

_CHINESE_JAPANESE = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_OTHERS = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u0f00-\u0f0c\u0f18-\u0f19\u0f35-\u0fbc\u1000-\u103f"
    "\u1050-\u108f\u109a-\u109f\u1780-\u17d3\u17d7\u17dc-\u17dd\u1950-\u19cf\u1a20-\u1a7f\u1b00-\u1b4c\ua980-\ua9c0"
    "\ua9e0-\ua9ef\uaa60-\uaadf"
)
"""Thai, Lao, Tibetan, Burmese, Khmer, Tai scripts, Balinese, Javanese."""
UNSPACED = _CHINESE_JAPANESE + _OTHERS
"""The letters of scripts without blanks between words, for a class in a pattern."""

_END_OF_SENTENCE = re.compile(r"[.!?。！？…][\"'”’»)\]]*(?=\s|$)|[。！？]")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_OTHER = re.compile(f"[{_OTHERS}]")
_COUNTED = re.compile(rf"[{UNSPACED}][^\w\s…{UNSPACED}]{{0,9}}|[^\s…{UNSPACED}]{{1,50}}")
"""What counts as a word or a part of one: an endless one counts as many; punctuation goes with what stands before."""


def weight(words: Iterable[str]) -> float:
    """About how many words these are: a letter of a script without blanks counts as a part of one."""
    return sum(map(_weight, words))


def _weight(word: str) -> float:
    if not _UNSPACED.match(word):
        return 1.0
    return 0.25 if _OTHER.match(word) else 0.5


def weight_of(text: str) -> float:
    """About how many words a text has."""
    return weight(_COUNTED.findall(text))


def count_words(text: str) -> int:
    """About how many words a text has, a begun one among them."""
    return ceil(weight_of(text))


def first_words(text: str, most: int) -> str:
    """The text as far as its `most`th word; the text itself where it has no more."""
    end, words = 0, 0.0
    for found in _COUNTED.finditer(text):
        words += _weight(found[0])
        if words > most:
            return text[: _whole_letters(text, end)]
        end = found.end()
    return text


def _whole_letters(text: str, end: int) -> int:
    """This place, or one before it where it would part a letter from its marks."""
    while end and unicodedata.category(text[end]).startswith("M"):
        end -= 1
    return end


def clipped(text: str, most: int) -> tuple[str, bool]:
    """A text of at most so many words, and whether its end was cut: after a sentence where one ends, else a word."""
    first = first_words(text, most)
    return (text.strip(), False) if first == text else (cut_at_sentence(first), True)


def cut_at_sentence(text: str) -> str:
    """A text that breaks off, without its last unfinished sentence, unless nothing much would be left."""
    ends = [found.end() for found in _END_OF_SENTENCE.finditer(text)]
    return text[: ends[-1]].strip() if ends and ends[-1] > len(text) // 2 else text.strip()


def is_unspaced(text: str) -> bool:
    """Whether a text is mostly in a script without blanks between words."""
    letters = sum(char.isalpha() for char in text)
    return letters > 0 and len(_UNSPACED.findall(text)) / letters > 0.3


# ── comparing ────────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def _compared() -> Any:
    import regex  # unlike re's, its \w has the marks with which Hindi or Arabic are written

    return regex.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")


def found_words(text: str) -> list[re.Match[str]]:
    """The words of a text where they stand, without punctuation; in scripts without blanks the letters."""
    return list(_compared().finditer(text))


def stretches(words: Sequence[str], size: float) -> Iterator[tuple[int, int]]:
    """From each word on the shortest stretch of words that weighs `size`: where it begins and where it ends."""
    start, words_in_it = 0, 0.0
    for end, word in enumerate(words, 1):
        words_in_it += _weight(word)
        while words_in_it >= size:
            yield start, end
            words_in_it -= _weight(words[start])
            start += 1


def as_word(text: str) -> str:
    """A pattern for a text where it is a word of its own, or several; letters of scripts without blanks part words."""
    edge = rf"[^\W{UNSPACED}]"
    return rf"(?<!{edge}){re.escape(text)}(?!{edge})"


def terms_of(text: str) -> set[str]:
    """What two texts can have in common: words, and in scripts without blanks every two letters in a row. Any case."""
    found = found_words(text.casefold())
    spaced = {word[0] for word in found if not _UNSPACED.match(word[0])}
    return spaced | {a[0] + b[0] for a, b in pairwise(found) if _UNSPACED.match(a[0]) and _UNSPACED.match(b[0])}
