"""`Retriever` by meaning: small sentence embeddings that come with the package `wordllama`, compared by cosine.

No network and no key: the weights (16 MB) lie inside the package. Loading takes some tenths of a second, a sentence a
fraction of a millisecond; both happen in a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib.util import find_spec

from elenchus.debate_engine.retrieval import Retriever, WordOverlap
from elenchus.storage.embeddings import EMBEDDINGS, Embedding


def recall_of_this_machine() -> Retriever:
    """Recall by meaning where the extra `local` is installed, else by words in common."""
    return RecallByMeaning() if find_spec("wordllama") else WordOverlap()


class RecallByMeaning:
    """Nothing is loaded before the first question; all sessions share the one loaded model of this process."""

    def __init__(self, embedding: Embedding = EMBEDDINGS["wordllama"]) -> None:
        self._embedding = embedding

    async def nearest(self, query: str, texts: Sequence[str], most: int) -> list[int]:
        """See `Retriever`. Raises FileNotFoundError where the package came without its weights."""
        return await asyncio.to_thread(self._nearest, query, list(texts), most) if texts and most else []

    def _nearest(self, query: str, texts: list[str], most: int) -> list[int]:
        import numpy as np

        vectors = self._embedding.vectors([query, *texts])
        alike = vectors[1:] @ vectors[0]
        return [int(place) for place in np.argsort(-alike, kind="stable")[:most]]
