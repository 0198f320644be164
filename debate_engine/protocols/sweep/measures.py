"""What is counted in a speech: pure and deterministic, by the lists of `lexicons`.

- Headings are no part of a speech: topic titles are the same at every heat.
- Rates are per 100 words. Within a scale (see `lexicons.SCALES`) a word counts once at the most.
- Negation is handled roughly: a risk word with a negator or a reducer among the three words before it in its clause
  ("no harm", "reduces the risk") counts as a benefit word, a benefit word with a negator ("no real benefit") as a risk
  word; two of them cancel out ("cannot prevent harm"). Longer reach and irony are not seen, and hedges, boosters and
  polarising words are never turned.
- The lists are English. A text in another language has no such numbers (None, never 0).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from pydantic import Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.protocols.sweep.lexicons import (
    CATEGORIES,
    FUNCTION_WORDS,
    NEGATORS,
    REDUCER,
    SCALES,
    Category,
    entries,
)
from elenchus.debate_engine.words import is_unspaced

ENGLISH_FROM = 0.2
"""The share of English function words from which a text is taken for English; running English has 0.3 to 0.5."""

_HEADING = re.compile(r"^[^\S\n]*(?:#{1,6}[^\S\n].*|\*\*.*\*\*:?)[^\S\n]*$", re.MULTILINE)
_CLAUSE_END = re.compile(r"[.,!?;:()\[\]/\n–—…\"“”«»。，、！？；：]+")
_EDGES = "'‘`*_~-"
_REACH = 3  # words before another in which a negator turns it
_TURNED: dict[Category, Category] = {"risk": "benefit", "benefit": "risk"}


class Counts(FrozenModel):
    """Words, and the entries found of each list, in order, as they stand (in lower case). Counts add up."""

    words: int
    function_words: int
    hits: Mapping[Category, tuple[str, ...]]

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            words=self.words + other.words,
            function_words=self.function_words + other.function_words,
            hits={category: self.hits[category] + other.hits[category] for category in CATEGORIES},
        )


Measured = Annotated[float, Field(ge=0, le=1e6)]
"""A number that a speech can have."""


class Measures(FrozenModel):
    """The numbers of one speech; None where they were not measured.

    `words` is None for scripts without spaces. Without `english` there are no other numbers. `risk_share` is the share
    of risk words among risk and benefit words, None without any. `found` holds the words that were counted.
    """

    words: Annotated[int, Field(ge=0, le=10**6)] | None
    english: bool
    hedges: Measured | None = None
    boosters: Measured | None = None
    polarising: Measured | None = None
    risk_share: Measured | None = None
    found: Mapping[Category, tuple[str, ...]] = {}


def measure(text: str) -> Measures:
    """The measures of a speech."""
    counts = count(text)
    words = None if is_unspaced(text) else counts.words
    if not words or not is_english(counts):
        return Measures(words=words, english=False)
    risks, benefits = len(counts.hits["risk"]), len(counts.hits["benefit"])
    return Measures(
        words=words,
        english=True,
        hedges=rate(len(counts.hits["hedges"]), words),
        boosters=rate(len(counts.hits["boosters"]), words),
        polarising=rate(len(counts.hits["polarising"]), words),
        risk_share=round(risks / (risks + benefits), 4) if risks + benefits else None,
        found=counts.hits,
    )


def count(text: str) -> Counts:
    """What stands in a text. Two texts with an empty line between them count as much as both alone."""
    words = functional = 0
    hits: dict[Category, list[str]] = {category: [] for category in CATEGORIES}
    for clause in clauses(text):
        words += len(clause)
        functional += sum(word in FUNCTION_WORDS for word in clause)
        for category, found in found_in(clause):
            hits[category].append(found)
    return Counts(words=words, function_words=functional, hits={c: tuple(found) for c, found in hits.items()})


def clauses(text: str) -> Iterator[list[str]]:
    """The words of each clause in lower case, headings left out."""
    prose = _HEADING.sub("", text.replace("’", "'")).casefold()
    for clause in _CLAUSE_END.split(prose):
        bare = (word.strip(_EDGES) for word in clause.split())
        if words := [word for word in bare if any(map(str.isalnum, word))]:
            yield words


def found_in(clause: Sequence[str]) -> Iterator[tuple[Category, str]]:
    """The entries of all lists in a clause, each under the category for which it counts, with what turned it."""
    for index in map(_index, SCALES):
        place = 0
        while place < len(clause):
            length, category = index.entry_at(clause, place)
            if category is not None:
                words = " ".join(clause[place : place + length])
                turner = _turner(category, clause[max(0, place - _REACH) : place])
                yield (_TURNED[category], f"{turner} {words}") if turner else (category, words)
            place += length


def rate(found: int, words: int) -> float:
    """Per 100 words."""
    return round(100 * found / words, 4)


def is_english(counts: Counts) -> bool:
    """Whether the counted text is taken for English, by its share of function words."""
    return counts.words > 0 and counts.function_words / counts.words >= ENGLISH_FROM


def _turner(category: Category, before: Sequence[str]) -> str:
    """What turns a word of this category that follows the words `before`, from there on; "" where nothing does."""
    if category not in _TURNED:
        return ""
    turners = [i for i, word in enumerate(before) if _turns(category, word, before[i + 1 : i + 2])]
    return " ".join(before[turners[0] :]) if len(turners) % 2 else ""


def _turns(category: Category, word: str, following: Sequence[str]) -> bool:
    if word in NEGATORS or word.endswith("n't"):
        return following not in (["only"], ["just"])  # "not only harmful" negates nothing
    return category == "risk" and REDUCER.fullmatch(word) is not None


@dataclass(frozen=True)
class _Index:
    """The entries of a scale: phrases by their first word, longest first, and single stems."""

    phrases: Mapping[str, Sequence[tuple[tuple[str, ...], Category]]]
    stems: Mapping[str, Category]

    def entry_at(self, clause: Sequence[str], place: int) -> tuple[int, Category | None]:
        """How many words the entry at this place has, and its list; one word and None where no entry begins."""
        word = clause[place]
        for phrase, category in self.phrases.get(word, ()):
            if all(map(_fits, clause[place : place + len(phrase)], phrase)) and place + len(phrase) <= len(clause):
                return len(phrase), category
        for end in range(len(word), 0, -1):
            if (category_of_stem := self.stems.get(word[:end])) is not None:
                return 1, category_of_stem
        return 1, None


def _fits(word: str, entry: str) -> bool:
    return word.startswith(entry[:-1]) if entry.endswith("*") else word == entry


@lru_cache
def _index(scale: tuple[Category, ...]) -> _Index:
    phrases: dict[str, list[tuple[tuple[str, ...], Category]]] = {}
    stems: dict[str, Category] = {}
    for category in scale:
        for entry in entries(category):
            first, *more = entry.split()
            if first.endswith("*"):
                stems[first[:-1]] = category
            else:
                phrases.setdefault(first, []).append(((first, *more), category))
    for found in phrases.values():
        found.sort(key=lambda phrase: -len(phrase[0]))
    return _Index(phrases, stems)
