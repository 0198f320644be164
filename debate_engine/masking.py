"""A person's words as they are found, and replaced, in other texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

GONE = "[redacted]"
QUOTED_WORDS = 4
"""So many of the person's words in a row, in anybody's text, count as a quote."""

_WORD = re.compile(r"\w+", re.UNICODE)


@dataclass(frozen=True)
class Words:
    """A person's words, ready to be found in other texts: whole short answers, and runs of QUOTED_WORDS words."""

    short: tuple[tuple[str, ...], ...]
    runs: frozenset[tuple[str, ...]]

    def mask(self, text: str) -> str:
        """The text with every stretch of the person's words replaced."""
        marks = list(_WORD.finditer(text))
        tokens = [m[0].casefold() for m in marks]
        hit = [False] * len(marks)
        for length, known in self._by_length():
            for i in range(len(tokens) - length + 1):
                if tuple(tokens[i : i + length]) in known:
                    hit[i : i + length] = [True] * length
        return _replaced(text, marks, hit)

    def _by_length(self) -> list[tuple[int, frozenset[tuple[str, ...]]]]:
        lengths = {len(s) for s in self.short}
        return [(QUOTED_WORDS, self.runs), *((n, frozenset(s for s in self.short if len(s) == n)) for n in lengths)]


def tokens_of(text: str) -> list[str]:
    """The words of a text, in any case."""
    return [m[0].casefold() for m in _WORD.finditer(text)]


def runs_of(tokens: Sequence[str]) -> set[tuple[str, ...]]:
    """Every QUOTED_WORDS words in a row."""
    return {tuple(tokens[i : i + QUOTED_WORDS]) for i in range(len(tokens) - QUOTED_WORDS + 1)}


def _replaced(text: str, marks: Sequence[re.Match[str]], hit: Sequence[bool]) -> str:
    out, at, i = [], 0, 0
    while i < len(marks):
        if not hit[i]:
            i += 1
            continue
        last = i
        while last + 1 < len(marks) and hit[last + 1]:
            last += 1
        out += [text[at : marks[i].start()], GONE]
        at, i = marks[last].end(), last + 1
    return "".join([*out, text[at:]])
