"""Finding by meaning: what the engine needs of a vector store, and of what finds the memories that bear on something.

Storage has both with an embedding model; `WordOverlap` needs none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nlargest
from typing import Any, NamedTuple, Protocol

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.words import is_unspaced, terms_of

Content = Mapping[str, Any]
"""What an entry holds: JSON."""

_SHORTEST = 4
"""Letters of a word that counts: shorter ones are mostly grammar."""


class VectorEntry(FrozenModel):
    """One document: what it is found by (`passages`, at least one), and what it holds."""

    id: str
    passages: tuple[str, ...]
    content: dict[str, Any]


class VectorStore(Protocol):
    """Entries by id and by meaning. All methods raise StorageError; UsageError where a part is not installed."""

    async def all(self) -> Mapping[str, Content]:
        """What every entry holds, by id."""
        ...

    async def get(self, entry: str) -> Content | None:
        """What an entry holds; None for an unknown one."""
        ...

    async def nearest(self, text: str, most: int) -> tuple[str, ...]:
        """The ids of at most `most` entries, the likest first; nothing but these is found."""
        ...


class Retriever(Protocol):
    """Finds texts by relevance. What it gives is recorded in the session, so a later change hurts no session."""

    async def nearest(self, query: str, texts: Sequence[str], most: int) -> list[int]:
        """The places (from 0) of at most `most` of the texts, the most relevant first; nothing but these is found."""
        ...


class RankedText(NamedTuple):
    """A text by its place (from 0), and how like it is to what was looked for: 1 says the same, 0 nothing in common."""

    place: int
    likeness: float


class Recall(Protocol):
    """Finds by meaning among many texts that stay the same from one question to the next, such as memories.

    It may keep what it has computed of a text, and must be able to do without: texts are all that it is told.
    """

    @property
    def name(self) -> str:
        """What it compares by, version included, as the methods of a report tell it."""
        ...

    async def likest(self, queries: Sequence[str], texts: Sequence[str], most: int) -> list[list[RankedText]]:
        """For each query at most `most` of the texts, the likest first, the earlier one first among equals."""
        ...


class WordOverlap:
    """Relevance as the share of a text's longer words that the query has too; the earlier text first among equals."""

    name = "words in common"

    async def nearest(self, query: str, texts: Sequence[str], most: int) -> list[int]:
        """See `Retriever`."""
        wanted = _words(query)
        shares = [len(words & wanted) / max(1, len(words)) for words in map(_words, texts)]
        return sorted(range(len(texts)), key=lambda i: -shares[i])[:most]

    async def likest(self, queries: Sequence[str], texts: Sequence[str], most: int) -> list[list[RankedText]]:
        """See `Recall`: words in common, as a share of all words of both."""
        known = [_words(text) for text in texts]

        def of(query: str) -> list[RankedText]:
            wanted = _words(query)
            found = (RankedText(i, len(words & wanted) / max(1, len(words | wanted))) for i, words in enumerate(known))
            return nlargest(most, found, key=lambda near: (near.likeness, -near.place))

        return [of(query) for query in queries]


def _words(text: str) -> set[str]:
    return {term for term in terms_of(text) if len(term) >= _SHORTEST or is_unspaced(term)}
