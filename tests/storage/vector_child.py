"""A process that uses a knowledge library: `python vector_child.py FOLDER SLOWNESS`, a line for each thing done."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.detectors.library import StoredLibrary, entries
from elenchus.storage.embeddings import EMBEDDINGS
from elenchus.storage.vector_store import StoreLocation, VectorCollection

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Slow:
    """The plain embedding, taking its time."""

    seconds: float
    name: str = "slow"

    def vectors(self, texts: Sequence[str]) -> NDArray[Any]:
        time.sleep(self.seconds)
        return EMBEDDINGS["wordllama"].vectors(texts)


def say(*words: object) -> None:
    print(*words, flush=True)


async def main(folder: Path, seconds: float) -> None:
    embedding = Slow(seconds)
    await asyncio.to_thread(EMBEDDINGS["wordllama"].vectors, ["loaded"])
    say("ready")
    await asyncio.to_thread(sys.stdin.readline)
    stored = VectorCollection(entries, embedding, StoreLocation(folder), lambda done, _: say("built", done))
    say("names", len(await StoredLibrary(stored).names()))
    say("nearest", *await StoredLibrary(stored).nearest("We go on since so much money went into it.", 3))
    await stored.aclose()


asyncio.run(main(Path(sys.argv[1]), float(sys.argv[2])))
