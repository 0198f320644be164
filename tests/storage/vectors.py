"""What the tests of the knowledge library share: opening it, counting what is embedded, hearing what is told."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.retrieval import VectorEntry
from elenchus.detectors.library import StoredLibrary, entries
from elenchus.storage.embeddings import EMBEDDINGS, Embedding
from elenchus.storage.vector_store import StoreLocation, VectorCollection

if TYPE_CHECKING:
    from numpy.typing import NDArray

TEXTS = (
    "We have put three years into the boat. If we stopped now, all that would have been for nothing.",
    "All my friends have bought it, so it must be good.",
    "I knew all along that the bridge would fall.",
)
WORDLLAMA = EMBEDDINGS["wordllama"]


@dataclass
class Counting:
    """The plain embedding under another name, that counts what it is asked, notes in which threads, and can fail."""

    name: str = "counting"
    asked: int = 0
    broken: bool = False
    threads: set[threading.Thread] = field(default_factory=set)

    def vectors(self, texts: Sequence[str]) -> NDArray[Any]:
        self.asked += len(texts)
        self.threads.add(threading.current_thread())
        if self.broken:
            raise OSError("no weights")
        return WORDLLAMA.vectors(texts)


@dataclass
class Told:
    """What was told of a building."""

    steps: list[tuple[int, int]] = field(default_factory=list)

    def __call__(self, done: int, of: int) -> None:
        self.steps.append((done, of))


@asynccontextmanager
async def library(
    place: Path | StoreLocation,
    embedding: Embedding = WORDLLAMA,
    of: Sequence[VectorEntry] | None = None,
    told: Told | None = None,
) -> AsyncIterator[StoredLibrary]:
    where = place if isinstance(place, StoreLocation) else StoreLocation(place)
    stored = VectorCollection((lambda: of) if of is not None else entries, embedding, where, told)
    try:
        yield StoredLibrary(stored)
    finally:
        await stored.aclose()
