"""A person's words, and how they are found, and replaced, in other texts. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from elenchus.debate_engine.words import found_words, stretches

REDACTED = "[redacted]"
QUOTED_WORDS = 4
"""So many of the person's words in a row (or letters that make as many), in anybody's text, count as a quote."""


@dataclass(frozen=True)
class PersonWords:
    """A person's words, ready to be found in other texts: whole short answers, and runs of QUOTED_WORDS words."""

    short: tuple[tuple[str, ...], ...]
    runs: frozenset[tuple[str, ...]]

    def mask(self, text: str) -> str:
        """The text with every stretch of the person's words replaced; what the clock said is nobody's words."""
        if _is_instant(text):
            return text
        marks = found_words(text)
        tokens = [m[0].casefold() for m in marks]
        hit = [False] * len(marks)
        for known, places in self._known(tokens):
            for start, end in places:
                if tuple(tokens[start:end]) in known:
                    hit[start:end] = [True] * (end - start)
        return _replaced(text, marks, hit)

    def _known(self, tokens: Sequence[str]) -> Iterator[tuple[frozenset[tuple[str, ...]], Iterable[tuple[int, int]]]]:
        """What is looked for, and where in a text it may stand."""
        yield self.runs, stretches(tokens, QUOTED_WORDS)
        for length in {len(short) for short in self.short}:
            yield frozenset(self.short), ((at, at + length) for at in range(len(tokens) - length + 1))


def _is_instant(text: str) -> bool:
    """Whether a text is an instant as sessions write it down (ISO 8601 with its zone), whose digits no answer owns."""
    if len(text) not in range(25, 33):
        return False
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def tokens_of(text: str) -> list[str]:
    """The words of a text, in any case."""
    return [m[0].casefold() for m in found_words(text)]


def runs_of(tokens: Sequence[str]) -> set[tuple[str, ...]]:
    """Every QUOTED_WORDS words in a row."""
    return {tuple(tokens[start:end]) for start, end in stretches(tokens, QUOTED_WORDS)}


def _replaced(text: str, marks: Sequence[re.Match[str]], hit: Sequence[bool]) -> str:
    out, at, i = [], 0, 0
    while i < len(marks):
        if not hit[i]:
            i += 1
            continue
        last = i
        while last + 1 < len(marks) and hit[last + 1]:
            last += 1
        out += [text[at : marks[i].start()], REDACTED]
        at, i = marks[last].end(), last + 1
    return "".join([*out, text[at:]])


def changed_texts(value: Any, change: Callable[[str], str]) -> Any:
    """A JSON value with every text in it changed; keys stay."""
    match value:
        case str():
            return change(value)
        case list() | tuple():
            return [changed_texts(item, change) for item in value]
        case dict():
            return {key: changed_texts(item, change) for key, item in value.items()}
    return value
