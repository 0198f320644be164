"""Claim: the knowledge library answers in about a millisecond or two, and without any model names the right bias among
8 for about every second text that shows one.

The 73 labelled texts that show a bias (`detectors/evaluation/texts`), each asked of the library as it is stored: one
entry a bias, found by its definition, signs, classic case and recipe. Found by chance, the right one of 73 would be
among 8 for 8 texts. The interval is Wilson's, 95 %. The way of making a vector of an entry was chosen with such figures
in view (NOTES.md of the detectors), so they may flatter a little.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from elenchus.debate_engine.errors import UsageError
from elenchus.detectors.evaluation.intervals import share
from elenchus.detectors.evaluation.items import own_texts
from elenchus.detectors.library import CatalogueLibrary, Library, StoredLibrary, entries
from elenchus.storage.embeddings import EMBEDDINGS
from elenchus.storage.vector_store import StoreLocation, VectorCollection

MOST = 8


def labelled() -> list[tuple[str, str]]:
    """Return every text that shows a bias, with the bias."""
    return [(sample.text, sample.bias) for sample in own_texts() if sample.bias]


async def row(name: str, library: Library) -> str:
    """Return one line of the table: how long a question takes, and how often the right bias is among the answers."""
    print(f"  {name}", file=sys.stderr)
    begun = time.perf_counter()
    await library.nearest("warm up", MOST)
    built = time.perf_counter() - begun
    places, took = [], []
    for text, bias in labelled():
        begun = time.perf_counter()
        found = await library.nearest(text, MOST)
        took.append(time.perf_counter() - begun)
        places.append(found.index(bias) + 1 if bias in found else 0)
    hits, first = sum(place > 0 for place in places), places.count(1)
    right = share(hits, len(places))
    return (
        f"| {name} | {hits} of {len(places)} | {right.value:.2f} ({right.low:.2f}–{right.high:.2f}) | {first} | "
        f"{built:.1f} | {1000 * statistics.median(took):.1f} |"
    )


async def main() -> None:
    """Measure, and print one table."""
    print("| compared by | right bias among 8 | share (95 %) | first | first question: s | a question: ms |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, embedding in EMBEDDINGS.items():
        with tempfile.TemporaryDirectory() as folder:
            stored = VectorCollection(entries, embedding, StoreLocation(Path(folder)))
            try:
                print(await row(name, StoredLibrary(stored)))
            except UsageError:
                print(f"| {name} | not installed here | | | | |")
            finally:
                await stored.aclose()
    print(await row("words in common (without the extra `detect`)", CatalogueLibrary()))
    print("\nThe first question loads the embedding's weights and builds the library.")


if __name__ == "__main__":
    asyncio.run(main())
