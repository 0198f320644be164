"""Long-term memory in Chroma (the extra `detect`): recall as over numpy, by vectors that Chroma keeps and compares.

They lie in this process's memory, under the texts' hashes, as those over numpy do, and in no file: whoever is forgotten
in a mind's log is forgotten. Chroma finds what is near by a graph, and what that leaves out is not compared; likeness
and order of what it finds are computed here.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.retrieval import RankedText
from elenchus.storage import chroma
from elenchus.storage.embeddings import EMBEDDINGS, Embedding, RecallByMeaning

if TYPE_CHECKING:
    from numpy.typing import NDArray

GRAPH = {"hnsw": {"space": "ip", "ef_construction": 200, "ef_search": 200, "max_neighbors": 32}}
"""How thoroughly Chroma looks."""
BATCH = 2_000
"""Vectors that are put there at once."""
FEWEST, MOST = 20, 1_000
"""So many are looked for where fewer are wanted; where more are, nearly all are, and are compared here."""


class RecallInChroma(RecallByMeaning):
    """`Recall` and `Retriever` over a collection in Chroma. Nothing is opened before the first question."""

    def __init__(self, embedding: Embedding = EMBEDDINGS["wordllama"], kept: int = 40_000) -> None:
        super().__init__(embedding, kept)
        self._store: chroma.InMemory | None = None
        self._known = set[str]()

    @property
    def name(self) -> str:
        """See `Recall`."""
        return f"{self._embedding.name} (cosine, in Chroma)"

    def _likest(self, queries: list[str], texts: list[str], most: int) -> list[list[RankedText]]:
        import numpy as np

        places = defaultdict[str, list[int]](list)
        for place, text in enumerate(texts):
            places[key_of(text)].append(place)
        wanted = min(max(most, FEWEST), len(places))
        if wanted > MOST:
            return super()._likest(queries, texts, most)
        vectors = self._embedding.vectors(queries)
        with self._using:
            store = self._holding({key: texts[of[0]] for key, of in places.items()})
            only = list(places) if len(places) < len(self._known) else None
            found = store.table.query(query_embeddings=vectors, n_results=wanted, ids=only, include=["embeddings"])
        nearest = list[list[RankedText]]()
        for query, vector, keys, rows in zip(queries, vectors, found["ids"], found["embeddings"] or [], strict=True):
            if len(keys) == wanted and vector.any():
                nearest.append(_nearest(np.asarray(rows) @ vector, keys, places, most))
            else:  # the graph has lost some, or the question has no words
                nearest += super()._likest([query], texts, most)
        return nearest

    def _holding(self, texts: Mapping[str, str]) -> chroma.InMemory:
        """The store with these texts' vectors in it, by their keys; begun anew where it would grow too large."""
        fresh = [key for key in texts if key not in self._known]
        if self._store is None or len(self._known) + len(fresh) > self._kept:
            if self._store is not None:
                self._store.drop()
            self._store = chroma.open_memory(f"recall-{secrets.token_hex(8)}", GRAPH)
            self._known, fresh = set(), list(texts)
        waiting = iter(fresh)
        while some := list(islice(waiting, BATCH)):
            self._store.table.add(ids=some, embeddings=self._embedding.vectors([texts[key] for key in some]))
            self._known.update(some)
        return self._store


def key_of(text: str) -> str:
    """What a text is kept under: it says nothing of it."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _nearest(
    likeness: NDArray[Any], keys: Sequence[str], places: Mapping[str, list[int]], most: int
) -> list[RankedText]:
    """The places of what was found, the likest first, the earlier one first among equals."""
    found = [RankedText(place, float(like)) for key, like in zip(keys, likeness, strict=True) for place in places[key]]
    return sorted(found, key=lambda near: (-near.likeness, near.place))[:most]
