"""Whether a word is meant to be another one, typing errors forgiven."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache


@lru_cache(maxsize=20_000)
def alike(word: str, known: str, least: float = 0.82) -> bool:
    """Tell whether a word (in small letters) is the known one or one slip away from it; short words must be equal.

    Two neighbours that changed places are one slip (`ruels`).
    """
    if word == known or _swapped(word, known):
        return True
    if min(len(word), len(known)) < 4 or abs(len(word) - len(known)) > 2 or word[0] != known[0]:
        return False
    return SequenceMatcher(None, word, known, autojunk=False).ratio() >= least


def _swapped(word: str, known: str) -> bool:
    if len(word) != len(known) or len(word) < 4:
        return False
    differ = [index for index, (a, b) in enumerate(zip(word, known, strict=True)) if a != b]
    return len(differ) == 2 and differ[1] == differ[0] + 1 and sorted(word) == sorted(known)


def any_alike(words: Iterable[str], known: Iterable[str]) -> bool:
    """Tell whether one of the words is meant to be one of the known ones."""
    known = tuple(known)
    return any(alike(word, other) for word in words for other in known)
