"""What the engine needs to find the memories that bear on something (`Recall`), and the plain one: words in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from elenchus.debate_engine.words import is_unspaced, terms_of

_SHORTEST = 4
"""Letters of a word that counts: shorter ones are mostly grammar."""


class Recall(Protocol):
    """Finds texts by relevance. What it gives is recorded in the session, so a later change hurts no session."""

    async def nearest(self, query: str, texts: Sequence[str], most: int) -> list[int]:
        """The places (from 0) of at most `most` of the texts, the most relevant first; nothing but these is found."""
        ...


class WordsInCommon:
    """Relevance as the share of a text's longer words that the query has too; the earlier text first among equals."""

    async def nearest(self, query: str, texts: Sequence[str], most: int) -> list[int]:
        """See `Recall`."""
        wanted = _words(query)
        shares = [len(words & wanted) / max(1, len(words)) for words in map(_words, texts)]
        return sorted(range(len(texts)), key=lambda i: -shares[i])[:most]


def _words(text: str) -> set[str]:
    return {term for term in terms_of(text) if len(term) >= _SHORTEST or is_unspaced(term)}
