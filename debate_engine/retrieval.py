"""Finding by meaning: what the engine needs of a vector store, and of what finds the memories that bear on something.

Storage has both with an embedding model; `WordOverlap` needs none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

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


class WordOverlap:
    """Relevance as the share of a text's longer words that the query has too; the earlier text first among equals."""

    async def nearest(self, query: str, texts: Sequence[str], most: int) -> list[int]:
        """See `Retriever`."""
        wanted = _words(query)
        shares = [len(words & wanted) / max(1, len(words)) for words in map(_words, texts)]
        return sorted(range(len(texts)), key=lambda i: -shares[i])[:most]


def _words(text: str) -> set[str]:
    return {term for term in terms_of(text) if len(term) >= _SHORTEST or is_unspaced(term)}
